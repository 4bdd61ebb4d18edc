"""A language client in a thread: speaks JSON-RPC with a server process, every wait has an end.

It lies when told to, since it sends whatever it is given.  What the server asks is answered from
``answers``.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from lsprotocol.converters import get_converter
from pytest_lsp import client_capabilities

from patience import PATIENCE, chosen

TESTS = Path(__file__).parents[1]
TOY_SERVER = (sys.executable, str(Path(__file__).with_name("toy_server.py")))
STDIO = (sys.executable, "-m", "patience", "serve", "--stdio")
"""The server as it is shipped, but for its limits on waiting."""
FRESH = "conflens.lsp.state.FRESH_SECONDS"
TYPING_PAUSE = "conflens.lsp.workspace.typing_suppression.PAUSE"
LISTING_PAUSE = "conflens.lsp.push.listing.PAUSE"
LISTING_MAX_PAUSE = "conflens.lsp.push.listing.MAX_PAUSE"
NEVER = 1e6
"""Seconds that no test lasts."""
PROFILES = ("visual_studio_code", "neovim", "emacs")
NOTIFICATIONS = {"notifications": ["conflens/status", "conflens/snapshotsChanged"]}


def capabilities(profile: str) -> dict[str, Any]:
    """Return the capabilities that a real client sent, as JSON."""
    found = get_converter().unstructure(client_capabilities(profile))
    return cast(dict[str, Any], found)


class ServerError(Exception):
    """An error answer."""

    def __init__(self, error: Mapping[str, Any]) -> None:
        super().__init__(error["message"])
        self.code = error["code"]


class Client:
    """See the module text; use it as a context manager.  ``limits`` are constants of the server, in seconds."""

    def __init__(
        self,
        command: Sequence[str] = TOY_SERVER,
        limits: Mapping[str, float] = {},
        **environment: str,
    ) -> None:
        paths = os.pathsep.join(
            [str(TESTS), str(TESTS.parent / "server"), os.environ.get("PYTHONPATH", "")]
        )
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": paths, **chosen(limits), **environment},
        )
        self.log: list[str] = []
        self.notifications: list[dict[str, Any]] = []
        self.asked: list[dict[str, Any]] = []
        self.answers: dict[str, Callable[[Any], Any]] = {}
        self._responses: dict[Any, dict[str, Any]] = {}
        self._arrived = threading.Condition()
        self._ids = itertools.count(1)
        self._threads = [
            threading.Thread(target=self._read),
            threading.Thread(target=self._listen),
        ]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE)
        for thread in self._threads:
            thread.join(PATIENCE)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            try:
                stream.close()
            except BrokenPipeError:
                continue

    def start(
        self,
        folders: Mapping[str, str],
        profile: str = "visual_studio_code",
        settings: object = None,
        options: object = None,
        **changes: Any,
    ) -> dict[str, Any]:
        """Initialise with ``folders`` (name to URI); return the server's capabilities.

        The client handles our own notifications unless ``experimental`` is ``None``.
        """
        known = {**capabilities(profile), **changes}
        own = changes.get("experimental", {})
        if own is not None:
            known["experimental"] = {"conflens": NOTIFICATIONS, **own}
        self.answers.setdefault(
            "workspace/configuration", lambda params: [settings for _ in params["items"]]
        )
        result = self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": next(iter(folders.values()), None),
                "capabilities": known,
                "initializationOptions": options,
                "workspaceFolders": [{"name": n, "uri": uri} for n, uri in folders.items()],
            },
        )
        self.notify("initialized", {})
        return cast(dict[str, Any], result["capabilities"])

    def send(self, message: Mapping[str, Any]) -> None:
        """Send one message."""
        self.send_raw(self.frame(message))

    def send_raw(self, data: bytes) -> None:
        """Send bytes."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    @staticmethod
    def frame(message: Mapping[str, Any]) -> bytes:
        """Return a message as it goes over the wire."""
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        return b"Content-Length: %d\r\n\r\n" % len(body) + body

    def notify(self, method: str, params: object) -> None:
        """Send a notification."""
        self.send({"method": method, "params": params})

    def call(self, method: str, params: object) -> int:
        """Send a request; return its id."""
        number = next(self._ids)
        self.send({"id": number, "method": method, "params": params})
        return number

    def answer(self, number: int) -> Any:
        """Wait for the answer to a request."""
        self.wait(lambda: number in self._responses, f"answer to {number}")
        response = self._responses.pop(number)
        if "error" in response:
            raise ServerError(response["error"])
        return response["result"]

    def request(self, method: str, params: object) -> Any:
        """Send a request and wait for its answer."""
        return self.answer(self.call(method, params))

    def wait(self, done: Callable[[], object], what: str) -> None:
        """Wait until ``done``, looking whenever something arrived."""
        end = time.monotonic() + PATIENCE
        with self._arrived:
            while not done():
                left = end - time.monotonic()
                if left <= 0 or (self.process.poll() is not None and not self._alive()):
                    log = "".join(self.log[-30:])
                    raise AssertionError(f"no {what}; the server's log ends:\n{log}")
                self._arrived.wait(min(left, 0.2))

    def told(self, method: str, fits: Callable[[Any], bool] = lambda _: True) -> Any:
        """Wait for a notification that fits, the ones that came already included; return its
        parameters."""
        found: list[Any] = []

        def look() -> bool:
            for message in self.notifications:
                if message["method"] == method and fits(message["params"]):
                    found.append(message["params"])
                    return True
            return False

        self.wait(look, method)
        return found[0]

    def diagnostics(self, uri: str, version: int | None = None) -> list[dict[str, Any]]:
        """Wait for the diagnostics of a document's version; return them."""
        params = self.told(
            "textDocument/publishDiagnostics",
            lambda p: p["uri"] == uri and (version is None or p.get("version") == version),
        )
        return cast(list[dict[str, Any]], params["diagnostics"])

    def ready(self) -> dict[str, Any]:
        """Wait until a first index is there."""
        return cast(
            dict[str, Any], self.told("conflens/status", lambda params: params["state"] == "ready")
        )

    def open(self, uri: str, text: str, version: int = 1) -> None:
        """Open a document."""
        item = {"uri": uri, "languageId": "java", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, version: int, *changes: object) -> None:
        """Edit a document: (first line, first column, last line, last column, text), or a whole
        text."""
        content: list[object] = []
        for change in changes:
            if isinstance(change, tuple):
                start = {"line": change[0], "character": change[1]}
                end = {"line": change[2], "character": change[3]}
                content.append({"range": {"start": start, "end": end}, "text": change[4]})
            else:
                content.append({"text": change})
        document = {"uri": uri, "version": version}
        params = {"textDocument": document, "contentChanges": content}
        self.notify("textDocument/didChange", params)

    def at(self, uri: str, line: int, character: int, **more: object) -> dict[str, Any]:
        """Return the parameters of a request at a position."""
        position = {"line": line, "character": character}
        return {"textDocument": {"uri": uri}, "position": position, **more}

    def hover(self, uri: str, line: int, character: int) -> str | None:
        """Ask for a hover; return its first line."""
        found = self.request("textDocument/hover", self.at(uri, line, character))
        return None if found is None else cast(str, found["contents"]["value"].splitlines()[0])

    def end(self) -> int:
        """Shut down and exit; return the exit code."""
        assert self.request("shutdown", None) is None
        self.notify("exit", None)
        return self.process.wait(PATIENCE)

    def _alive(self) -> bool:
        return any(thread.is_alive() for thread in self._threads)

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while True:
            length = 0
            while (header := stream.readline()).strip():
                name, _, value = header.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
                elif name.lower() != b"content-type":
                    self._note({"method": "garbage", "params": header.decode()})
            if not header:
                break
            self._note(json.loads(stream.read(length)))
        with self._arrived:
            self._arrived.notify_all()

    def _note(self, message: dict[str, Any]) -> None:
        if "method" in message and "id" in message:
            answer = self.answers.get(message["method"], lambda _: None)
            reply: dict[str, Any] = {"id": message["id"]}
            try:
                reply["result"] = answer(message.get("params"))
            except ServerError as error:
                reply["error"] = {"code": error.code, "message": str(error)}
            # The server may have gone, or the test have closed its input.
            with contextlib.suppress(BrokenPipeError, ValueError):
                self.send(reply)
        with self._arrived:
            if "method" not in message:
                self._responses[message["id"]] = message
            elif "id" in message:
                self.asked.append(message)
            else:
                self.notifications.append(message)
            self._arrived.notify_all()

    def _listen(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.log.append(line.decode("utf-8", "replace"))
