"""The server as it is shipped: real sessions on a copy of the demo project, and the other
transports."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from conflens.ide.hover.java import MAX_LINES
from e2e.client import STDIO, TESTS, Client
from forests import planted
from patience import PATIENCE

DEMO = TESTS / "fixtures" / "demo-project"
PACKAGE = "src/main/java/org/example/parcel"
SERVE = "import sys; from conflens.lsp.server import *; sys.exit({})"


def project(folder: Path) -> Path:
    root = folder / "demo"
    shutil.copytree(DEMO, root)
    return root


def find(text: str, needle: str) -> tuple[int, int]:
    """Line and column of the middle of ``needle``."""
    at = text.index(needle) + len(needle) // 2
    return text.count("\n", 0, at), at - text.rfind("\n", 0, at) - 1


def test_the_demo_project_in_an_editor(tmp_path: Path) -> None:
    root = project(tmp_path)
    new = root / PACKAGE / "Fresh.java"
    source = """package org.example.parcel;

class Fresh {
    private static final String TIMEOUT = "fresh.timeout.ms";

    long wait() throws InterruptedException {
        Thread.sleep(Long.getLong(TIMEOUT, 250L));
        return Long.getLong("fresh.timeout.ms", 500L);
    }
}
"""
    new.write_text(source)
    uri = new.as_uri()
    with Client(STDIO, CONFLENS_CACHE_DIR=str(planted(tmp_path / "cache"))) as client:
        client.start({"demo": root.as_uri()}, settings={"annotations": {"show": "all"}})
        client.open(uri, source)
        status = client.ready()
        assert status["files"] >= 10 and status["options"] >= 10
        codes = sorted(item["code"] for item in client.diagnostics(uri))
        assert codes == ["conflicting-default", "conflicting-default"]

        line, column = find(source, "getLong(TIMEOUT")
        position = client.at(uri, line, column + 3)
        lines = client.request("textDocument/hover", position)["contents"]["value"].splitlines()
        assert lines[0] == "**`fresh.timeout.ms`** · system property"
        assert lines[2].startswith("Time in milliseconds")
        assert "defaults differ: `250` in [Fresh.java:7]" in lines[2]
        assert len(lines) <= MAX_LINES

        everything = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
        document = {"textDocument": {"uri": uri}}
        (hint,) = client.request("textDocument/inlayHint", {**document, "range": everything})
        assert hint["position"]["line"] == 6
        (effect,) = hint["label"]
        assert effect["value"] == "is passed to lock operations"
        place = effect["location"]
        slept = {"line": 6, "character": 15}
        assert (place["uri"], place["range"]["start"]) == (uri, slept)
        reached = f"Reaches `Thread.sleep(…)` [Fresh.java:7]({uri}#L7) (takes the value)."
        assert lines[-1] == reached
        at_sleep = client.request("textDocument/hover", client.at(uri, 6, 16))["contents"]["value"]
        assert at_sleep.splitlines()[0] == "**`Thread.sleep`** · lock operation"
        assert at_sleep.splitlines()[-1] == f"- [`fresh.timeout.ms`]({uri}#L7) · direct (data)"
        text = client.request("conflens/flows", position)["markdown"]
        assert f"## 1. `Thread.sleep`: lock, [Fresh.java:7]({uri}#L7)" in text.splitlines()
        (lens,) = client.request("textDocument/codeLens", document)
        command = client.request("codeLens/resolve", lens)["command"]
        assert command["title"] == "is passed to lock operations · 2 reads"

        line, column = find(source, "500L")
        client.change(uri, 2, (line, column - 2, line, column + 1, "250"))
        assert client.diagnostics(uri, 2) == []
        assert client.end() == 0
    assert not [line for line in client.log if "Traceback" in line or "ERROR" in line]


def test_the_workspace_file_is_checked_and_reloaded_when_it_changes(tmp_path: Path) -> None:
    root = project(tmp_path)
    own = root / PACKAGE / "Own.java"
    source = """package org.example.parcel;

class Own {
    String name = Lookup.find("own.name");
}
"""
    own.write_text(source)
    api = "package org.example.parcel; class Lookup { static native String find(String key); }"
    (root / PACKAGE / "Lookup.java").write_text(api)
    toml = root / ".conflens.toml"
    toml.write_text('[[reed]]\ncall = "x.Y.z"\n')
    query = {"query": "own.name"}
    with Client(STDIO, CONFLENS_CACHE_DIR=str(planted(tmp_path / "cache"))) as client:
        client.start({"demo": root.as_uri()})
        client.ready()
        problems = client.diagnostics(toml.as_uri())
        assert problems and problems[0]["source"] == "conflens"
        assert problems[0]["range"]["start"]["line"] == 0
        assert client.request("workspace/symbol", query) == []
        right = (
            '[[read]]\ncall = "org.example.parcel.Lookup.find"\nname = 0\ndomain = "settings"\n'
        )
        client.open(toml.as_uri(), right)
        toml.write_text(right)
        client.notifications.clear()
        client.notify("textDocument/didSave", {"textDocument": {"uri": toml.as_uri()}})
        client.told(
            "textDocument/publishDiagnostics",
            lambda params: params["uri"] == toml.as_uri() and params["diagnostics"] == [],
        )
        (symbol,) = client.request("workspace/symbol", query)
        assert (symbol["name"], symbol["location"]["uri"]) == ("own.name", own.as_uri())
        assert client.end() == 0


@contextlib.contextmanager
def served(
    transport: str, folder: Path, **more: str
) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Run a server on a free port of the loopback; yield what it says of its address."""
    command = [sys.executable, "-m", "patience", "serve", transport, "127.0.0.1:0"]
    paths = os.pathsep.join([str(TESTS), str(TESTS.parent / "server")])
    cache = str(planted(folder / "cache"))
    environment = {"PYTHONPATH": paths, "CONFLENS_CACHE_DIR": cache, **more}
    said = folder / "stderr.txt"
    with (
        said.open("wb") as errors,
        subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=errors
        ) as process,
    ):
        try:
            assert process.stdout is not None
            yield process, process.stdout.readline().decode()
            assert process.poll() is None or b"Traceback" not in said.read_bytes()
        finally:
            if process.poll() is None:
                process.kill()


def tcp_address(line: str) -> tuple[int, str]:
    """Port and token in the line that the server writes at its start."""
    match = re.fullmatch(
        r"listening on 127\.0\.0\.1:(\d+); .* initializationOptions (\{.*\})\n", line
    )
    assert match is not None, line
    return int(match[1]), json.loads(match[2])["token"]


def ask_tcp(connection: socket.socket, message: dict[str, Any]) -> dict[str, Any] | None:
    """Send a request; return its answer, or ``None`` when the server closes the connection."""
    connection.sendall(Client.frame(message))
    stream = connection.makefile("rb")
    while True:
        length = 0
        while (header := stream.readline()).strip():
            if header.startswith(b"Content-Length"):
                length = int(header.split(b":")[1])
        if not length:
            return None
        answer: dict[str, Any] = json.loads(stream.read(length))
        if answer.get("id") == message["id"]:
            return answer


def initialize(root: Path, options: object = None) -> dict[str, Any]:
    params = {"processId": None, "rootUri": root.as_uri(), "capabilities": {}}
    if options is not None:
        params["initializationOptions"] = options
    return {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}


def test_tcp(tmp_path: Path) -> None:
    with served("--tcp", tmp_path) as (process, line):
        port, token = tcp_address(line)
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:

            def ask(message: dict[str, Any]) -> dict[str, Any]:
                answer = ask_tcp(connection, message)
                assert answer is not None
                return answer

            first = ask(initialize(tmp_path, {"token": token}))
            assert first["result"]["serverInfo"]["name"] == "conflens"
            query = {"id": 2, "method": "workspace/symbol", "params": {"query": ""}}
            assert ask(query)["result"] == []
            assert len(ask({"id": 4, "method": "conflens/options"})["result"]["folders"]) == 1
            assert ask({"id": 3, "method": "shutdown", "params": None})["result"] is None
            connection.sendall(Client.frame({"method": "exit", "params": None}))
            assert process.wait(PATIENCE) == 0


def test_tcp_refuses_clients_without_the_token_and_keeps_listening(tmp_path: Path) -> None:
    with served("--tcp", tmp_path) as (process, line):
        port, token = tcp_address(line)
        where = ("127.0.0.1", port)
        for options in (None, {}, {"token": "guess"}, {"token": None}, {"token": [token]}):
            with socket.create_connection(where, timeout=PATIENCE) as connection:
                answer = ask_tcp(connection, initialize(tmp_path, options))
                assert answer is not None and "token" in answer["error"]["message"]
                assert connection.recv(1) == b""
        body = json.dumps(initialize(tmp_path, {"token": token})).encode()
        page = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)
        early = Client.frame({"id": 1, "method": "workspace/symbol", "params": {"query": ""}})
        for sent in (page, early, b"\r\n", b"Content-Length: 99999999\r\n\r\n"):
            with socket.create_connection(where, timeout=PATIENCE) as connection:
                connection.sendall(sent)
                with contextlib.suppress(ConnectionResetError):
                    assert b"result" not in connection.makefile("rb").read()
        with socket.create_connection(where, timeout=PATIENCE) as connection:
            answer = ask_tcp(connection, initialize(tmp_path, {"token": token}))
            assert answer is not None and "result" in answer
            with (
                pytest.raises(OSError),
                socket.create_connection(where, timeout=PATIENCE) as second,
            ):
                # Refused at once, or closed if it was accepted before the port was shut.
                if not second.recv(1):
                    raise ConnectionResetError
        assert process.wait(PATIENCE) == 1


def test_websocket(tmp_path: Path) -> None:
    with served("--ws", tmp_path) as (process, line):
        address = line.removeprefix("listening on ").strip()
        origin = "http://localhost:3000"  # a page of an editor on this machine
        with connect(address, open_timeout=PATIENCE, origin=Origin(origin)) as socket_:

            def ask(message: dict[str, Any]) -> dict[str, Any]:
                socket_.send(json.dumps({"jsonrpc": "2.0", **message}))
                while True:
                    answer: dict[str, Any] = json.loads(socket_.recv(timeout=PATIENCE))
                    if answer.get("id") == message["id"]:
                        return answer

            assert ask(initialize(tmp_path))["result"]["serverInfo"]["name"] == "conflens"
            large = {"uri": (tmp_path / "A.java").as_uri(), "languageId": "java", "version": 1}
            large["text"] = "// \n" * 500_000
            opened = {"method": "textDocument/didOpen", "params": {"textDocument": large}}
            socket_.send(json.dumps({"jsonrpc": "2.0", **opened}))
            assert len(ask({"id": 4, "method": "conflens/options"})["result"]["folders"]) == 1
            assert ask({"id": 2, "method": "shutdown", "params": None})["result"] is None
            with contextlib.suppress(ConnectionClosed):
                socket_.send(json.dumps({"jsonrpc": "2.0", "method": "exit", "params": None}))
        assert process.wait(PATIENCE) == 0


def test_websocket_refuses_foreign_pages_and_keeps_listening(tmp_path: Path) -> None:
    with served("--ws", tmp_path) as (process, line):
        address = line.removeprefix("listening on ").strip()
        bare, _, token = address.partition("?token=")
        port = bare.removesuffix("/").rpartition(":")[2]
        rebound = f"ws://rebound.example:{port}/?token={token}"
        here = ("127.0.0.1", int(port))
        for target, origin in (
            (bare, None),
            (f"{bare}?token=guess", None),
            (f"{address}&token=guess", None),
            (address, Origin("https://evil.example")),
            (address, Origin("null")),
            (address, Origin(f"http://127.0.0.1:{port}.evil.example")),
            (rebound, None),
        ):
            with (
                pytest.raises(InvalidStatus, match="403"),
                socket.create_connection(here) as sock,
                connect(target, sock=sock, origin=origin, open_timeout=PATIENCE),
            ):
                pass
        with connect(address, open_timeout=PATIENCE) as client:
            client.send(json.dumps(initialize(tmp_path)))
            assert "result" in json.loads(client.recv(timeout=PATIENCE))
        assert process.wait(PATIENCE) == 1


@pytest.mark.parametrize("serve", ["serve_tcp", "serve_websocket"])
def test_a_publicly_reachable_address_is_refused(serve: str, tmp_path: Path) -> None:
    call = SERVE.format(f"{serve}('0.0.0.0', 0, None, print)")
    result = subprocess.run(
        [sys.executable, "-c", call],
        env={"PYTHONPATH": str(TESTS.parent / "server")},
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert result.returncode == 1
    assert b"is not a loopback address" in result.stderr
