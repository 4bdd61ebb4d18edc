"""A server that is told to end by a signal stops the recording that runs and removes its files."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

from e2e.client import STDIO, Client
from e2e.test_real import ask_tcp, initialize, served, tcp_address
from e2e.test_snapshots import jvm, recordings
from patience import PATIENCE, until

__all__ = ["jvm"]
SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
Send = Callable[[dict[str, Any]], None]


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files of what is started."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setenv("CONFLENS_CACHE_DIR", str(tmp_path / "cache"))
    return folder


def ended(
    process: subprocess.Popen[bytes] | subprocess.Popen[str],
    number: int,
    jvm: subprocess.Popen[bytes],
    temporary: Path,
) -> None:
    """Wait for the recording, send a signal twice, and look at what is left."""
    until(lambda: "conflens-" in recordings(jvm.pid), "it records")
    for _ in range(2):
        os.kill(process.pid, number)
    assert process.wait(PATIENCE) == 128 + number
    assert "conflens-" not in recordings(jvm.pid)
    assert list(temporary.iterdir()) == []
    assert jvm.poll() is None


@pytest.mark.parametrize("number", SIGNALS)
def test_on_standard_input(
    tmp_path: Path, temporary: Path, jvm: subprocess.Popen[bytes], number: int
) -> None:
    with Client(STDIO) as client:
        client.start({"demo": tmp_path.as_uri()})
        client.ready()
        client.call("conflens/record", {"pid": jvm.pid, "seconds": 600})
        ended(client.process, number, jvm, temporary)


def test_on_tcp(tmp_path: Path, temporary: Path, jvm: subprocess.Popen[bytes]) -> None:
    with served("--tcp", tmp_path, TMPDIR=str(temporary)) as (process, line):
        port, token = tcp_address(line)
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
            assert ask_tcp(connection, initialize(tmp_path, {"token": token})) is not None
            record = {"id": 2, "method": "conflens/record", "params": asked(jvm)}
            connection.sendall(Client.frame(record))
            ended(process, signal.SIGTERM, jvm, temporary)


def test_on_a_websocket(tmp_path: Path, temporary: Path, jvm: subprocess.Popen[bytes]) -> None:
    with served("--ws", tmp_path, TMPDIR=str(temporary)) as (process, line):
        address = line.removeprefix("listening on ").strip()
        with connect(address, open_timeout=PATIENCE) as connection:
            connection.send(json.dumps(initialize(tmp_path)))
            record = {"id": 2, "method": "conflens/record", "params": asked(jvm)}
            connection.send(json.dumps({"jsonrpc": "2.0", **record}))
            ended(process, signal.SIGTERM, jvm, temporary)


def asked(jvm: subprocess.Popen[bytes]) -> dict[str, int]:
    return {"pid": jvm.pid, "seconds": 600}
