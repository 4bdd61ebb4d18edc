"""A language client that measures: JSON-RPC over the pipes of a server process.

A reader thread stamps every message on arrival and answers what the server asks, as an editor would at once.
Absent: everything the measurements do not need.
"""

from __future__ import annotations

import json
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

_WAIT = 60.0


class Client:
    """A server process and the conversation with it; a context manager that ends both."""

    notifications: tuple[str, ...] = ()
    """Notifications of ours that are handled."""
    watches: bool = False
    """Whether the client watches files; if not, the server looks for changes every few seconds."""
    settings: object = None
    """What the user has set."""

    def __init__(self, command: list[str], environment: dict[str, str], root: Path) -> None:
        """Start the server and initialize it with ``root`` as its workspace."""
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            cwd=root,
        )
        self._next = 0
        self._write_lock = threading.Lock()
        self._news = threading.Condition()
        self._answers: dict[int, tuple[float, dict[str, Any]]] = {}
        self._notes: list[tuple[float, dict[str, Any]]] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        folder = {"uri": root.as_uri(), "name": root.name}
        capabilities = {
            "general": {"positionEncodings": ["utf-16"]},
            "textDocument": {
                "hover": {"contentFormat": ["markdown"]},
                "publishDiagnostics": {"versionSupport": True},
                "synchronization": {"didSave": True},
            },
            "window": {"workDoneProgress": True},
            "workspace": {
                "workspaceFolders": True,
                "configuration": True,
                "didChangeWatchedFiles": {"dynamicRegistration": self.watches},
            },
            "experimental": {"conflens": {"notifications": list(self.notifications)}},
        }
        self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": root.as_uri(),
                "workspaceFolders": [folder],
                "capabilities": capabilities,
            },
        )
        self.notify("initialized", {})

    @property
    def pid(self) -> int:
        """The process of the server."""
        return self._process.pid

    def notify(self, method: str, params: object) -> float:
        """Send a notification; return when."""
        return self._send({"method": method, "params": params})

    def send_request(self, method: str, params: object) -> tuple[int, float]:
        """Send a request; return its id and when."""
        self._next += 1
        number = self._next
        return number, self._send({"id": number, "method": method, "params": params})

    def answer(self, number: int) -> tuple[float, dict[str, Any]]:
        """Return when the answer to request ``number`` came, and the message."""
        with self._news:
            self._wait(lambda: number in self._answers, f"an answer to request {number}")
            return self._answers.pop(number)

    def request(self, method: str, params: object) -> tuple[float, Any]:
        """Send a request and wait; return (seconds, result)."""
        number, start = self.send_request(method, params)
        at, message = self.answer(number)
        if "error" in message:
            raise RuntimeError(f"{method}: {message['error']}")
        return at - start, message["result"]

    def note(self, since: float, wanted: Callable[[dict[str, Any]], bool]) -> float:
        """Return when the first notification after ``since`` came that is ``wanted``."""
        with self._news:
            found: list[float] = []

            def arrived() -> bool:
                found[:] = [at for at, note in self._notes if at >= since and wanted(note)]
                return bool(found)

            self._wait(arrived, "a notification")
            self._notes = [item for item in self._notes if item[0] >= since]
            return found[0]

    def __enter__(self) -> Client:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Shut the server down; a server that does not end is ended."""
        try:
            if error is None:
                self.request("shutdown", None)
                self.notify("exit", None)
                self._process.wait(10)
        finally:
            if self._process.poll() is None:
                self._process.kill()
                self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    pipe.close()

    def _wait(self, done: Callable[[], bool], what: str) -> None:
        if not self._news.wait_for(lambda: done() or not self._reader.is_alive(), _WAIT):
            raise TimeoutError(f"waited {_WAIT:.0f} s for {what}")
        if not done():
            raise ConnectionError(f"the server ended before {what}")

    def _send(self, message: dict[str, Any]) -> float:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        stdin = self._process.stdin
        assert stdin is not None
        with self._write_lock:
            start = time.perf_counter()
            stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
            stdin.flush()
        return start

    def _read(self) -> None:
        stdout = self._process.stdout
        assert stdout is not None
        try:
            while header := stdout.readline():
                size = 0
                while header.strip():
                    name, _, value = header.partition(b":")
                    if name.lower() == b"content-length":
                        size = int(value)
                    header = stdout.readline()
                data = stdout.read(size)
                if len(data) == size:
                    self._take(time.perf_counter(), json.loads(data))
        finally:
            with self._news:
                self._news.notify_all()

    def _take(self, at: float, message: dict[str, Any]) -> None:
        if "method" in message and "id" in message:
            items = (message.get("params") or {}).get("items")
            result = [self.settings] * len(items) if items is not None else None
            self._send({"id": message["id"], "result": result})
            return
        with self._news:
            if "method" in message:
                self._notes.append((at, message))
            else:
                self._answers[message["id"]] = (at, message)
            self._news.notify_all()
