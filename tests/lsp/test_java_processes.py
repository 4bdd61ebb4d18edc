"""The list of JVMs to record begins with those that run a project of the workspace."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from conflens.lsp.requests.capture import java_processes
from conflens.session.snapshots import capture
from conflens.session.snapshots.capture import JavaProcess

PROCESSES = (
    JavaProcess(1, "org.eclipse.equinox.launcher.jar", "-data /ide", "/opt/ide"),
    JavaProcess(2, "org.example.Main", "--port 80", "/tmp"),
    JavaProcess(3, "server-1.2.jar", "", "/srv/shop/run"),
    JavaProcess(4, "Boot", "", "/srv/shop-tools"),
    JavaProcess(5, "Main", "", "/srv/shop"),
)


def test_the_own_project_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capture, "java_processes", lambda: PROCESSES)
    folder = SimpleNamespace(root=SimpleNamespace(path="/srv/shop"))
    types = {"org.example.Main": object()}
    analysis = SimpleNamespace(program=SimpleNamespace(type=types.get))
    state: Any = SimpleNamespace(analyses=lambda: [(folder, analysis)])
    rows = asyncio.run(java_processes.run(state, None, None))
    assert [(row.pid, row.own) for row in rows] == [
        (2, True),
        (3, True),
        (5, True),
        (1, False),
        (4, False),
    ]
    assert rows[0].arguments == "--port 80"
