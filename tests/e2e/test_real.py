"""The server as it is shipped: real sessions on a copy of the demo project, and the other
transports."""

from __future__ import annotations

import contextlib
import json
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from conflens.ide.hover import MAX_LINES
from e2e.client import TESTS, Client

DEMO = TESTS / "fixtures" / "demo-project"
PACKAGE = "src/main/java/org/example/parcel"
SERVE = "import sys; from conflens.lsp.server import *; sys.exit({})"
STDIO = (sys.executable, "-c", SERVE.format("serve_stdio()"))


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
    with Client(STDIO, CONFLENS_CACHE_DIR=str(tmp_path / "cache")) as client:
        client.start({"demo": root.as_uri()})
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
        assert [part["value"] for part in hint["label"]] == ["fresh.timeout.ms", " · ", "lock"]
        place = hint["label"][2]["location"]
        slept = {"line": 6, "character": 15}
        assert (place["uri"], place["range"]["start"]) == (uri, slept)
        assert "| reaches | lock |" in lines and "| direct | 1 |" in lines
        nearest = next(line for line in lines if line.startswith("Nearest: `Thread.sleep(…)`"))
        assert f"[Fresh.java:7]({uri}#L7) (direct)." in nearest
        at_sleep = client.request("textDocument/hover", client.at(uri, 6, 16))["contents"]["value"]
        assert at_sleep.splitlines()[0] == "**`Thread.sleep`** · lock operation"
        assert at_sleep.splitlines()[-1] == f"- [`fresh.timeout.ms`]({uri}#L7) · direct (data)"
        text = client.request("conflens/flows", position)["markdown"]
        assert f"## 1. `Thread.sleep`: lock, [Fresh.java:7]({uri}#L7)" in text.splitlines()
        lenses = client.request("textDocument/codeLens", document)
        commands = [client.request("codeLens/resolve", lens)["command"] for lens in lenses]
        assert [command["title"] for command in commands] == ["2 reads", "feeds 1 lock"]

        line, column = find(source, "500L")
        client.change(uri, 2, (line, column - 2, line, column + 1, "250"))
        assert client.diagnostics(uri, 2) == []
        assert client.end() == 0
    assert not [line for line in client.log if "Traceback" in line or "ERROR" in line]


def test_the_workspace_file_is_checked_and_taken_up_when_it_changes(tmp_path: Path) -> None:
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
    with Client(STDIO, CONFLENS_CACHE_DIR=str(tmp_path / "cache")) as client:
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
def served(call: str, folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Run a server on a free port of the loopback."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    command = [sys.executable, "-c", SERVE.format(call.format(port))]
    environment = {"PYTHONPATH": str(TESTS.parent / "server"), "CONFLENS_CACHE_DIR": str(folder)}
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as process:
        try:
            yield process, port
        finally:
            if process.poll() is None:
                process.kill()


def wait_for(port: int) -> socket.socket:
    end = time.monotonic() + 20
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=20)
        except OSError:
            assert time.monotonic() < end, "the server does not listen"
            time.sleep(0.05)


def initialize(root: Path) -> dict[str, Any]:
    params = {"processId": None, "rootUri": root.as_uri(), "capabilities": {}}
    return {"id": 1, "method": "initialize", "params": params}


def test_tcp(tmp_path: Path) -> None:
    with (
        served("serve_tcp('127.0.0.1', {})", tmp_path) as (process, port),
        wait_for(port) as connection,
        connection.makefile("rwb") as stream,
    ):

        def ask(message: dict[str, Any]) -> dict[str, Any]:
            stream.write(Client.frame(message))
            stream.flush()
            while True:
                length = 0
                while (header := stream.readline()).strip():
                    if header.startswith(b"Content-Length"):
                        length = int(header.split(b":")[1])
                answer: dict[str, Any] = json.loads(stream.read(length))
                if answer.get("id") == message["id"]:
                    return answer

        assert ask(initialize(tmp_path))["result"]["serverInfo"]["name"] == "conflens"
        assert (
            ask({"id": 2, "method": "workspace/symbol", "params": {"query": ""}})["result"] == []
        )
        assert len(ask({"id": 4, "method": "conflens/options"})["result"]["folders"]) == 1
        assert ask({"id": 3, "method": "shutdown", "params": None})["result"] is None
        stream.write(Client.frame({"method": "exit", "params": None}))
        stream.flush()
        assert process.wait(20) == 0


def test_websocket(tmp_path: Path) -> None:
    with served("serve_websocket('127.0.0.1', {})", tmp_path) as (process, port):
        wait_for(port).close()
        with connect(f"ws://127.0.0.1:{port}", open_timeout=20) as socket_:

            def ask(message: dict[str, Any]) -> dict[str, Any]:
                socket_.send(json.dumps({"jsonrpc": "2.0", **message}))
                while True:
                    answer: dict[str, Any] = json.loads(socket_.recv(timeout=20))
                    if answer.get("id") == message["id"]:
                        return answer

            assert ask(initialize(tmp_path))["result"]["serverInfo"]["name"] == "conflens"
            assert len(ask({"id": 4, "method": "conflens/options"})["result"]["folders"]) == 1
            assert ask({"id": 2, "method": "shutdown", "params": None})["result"] is None
            with contextlib.suppress(ConnectionClosed):
                socket_.send(json.dumps({"jsonrpc": "2.0", "method": "exit", "params": None}))
        assert process.wait(20) == 0


@pytest.mark.parametrize("serve", ["serve_tcp", "serve_websocket"])
def test_an_address_that_others_can_reach_is_refused(serve: str, tmp_path: Path) -> None:
    call = SERVE.format(f"{serve}('0.0.0.0', 0)")
    result = subprocess.run(
        [sys.executable, "-c", call],
        env={"PYTHONPATH": str(TESTS.parent / "server")},
        capture_output=True,
        timeout=20,
        check=False,
    )
    assert result.returncode == 1
    assert b"is no loopback address" in result.stderr
