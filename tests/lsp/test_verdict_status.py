"""What the status says of verdicts: they follow, are there, or are missing and tried again without any edit."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from lsprotocol import types

from conflens.base.system import MemorySystem
from conflens.ide.settings.settings import Settings
from conflens.lsp.push.publisher import Publisher
from conflens.lsp.scheduling.writer import Writer
from conflens.lsp.state import State
from conflens.lsp.wire.capabilities import client_of
from conflens.lsp.wire.messages import STATUS
from conflens.lsp.wire.uris import Root
from conflens.lsp.workspace.sessions import labels
from conflens.models import jdk
from conflens.models.load import load_models
from conflens.sensitivity.table import packaged
from conflens.session.analysis import Analysis
from conflens.session.options import SessionOptions
from conflens.session.session import Session
from conflens.session.verdicts import judging as module
from conflens.session.verdicts.forests import Forests
from conflens.session.verdicts.judging import Judging
from patience import PATIENCE
from session.test_judging import JAVA, made

SCRIPT = """
import os, pathlib, signal, sys
sys.stdin.buffer.read()
folder = pathlib.Path(sys.argv[1])
if not (folder / "go").exists():
    os.kill(os.getpid(), signal.SIGKILL)
sys.stdout.buffer.write((folder / "forest").read_bytes())
"""


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)


def test_a_killed_process_is_reported_and_verdicts_come_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "forest").write_bytes(made(packaged()))
    command = (sys.executable, "-c", SCRIPT, str(tmp_path))
    monkeypatch.setattr(module, "Forests", partial(Forests, command=command))
    monkeypatch.setattr(module, "_FIRST_PAUSE", 0.01)
    monkeypatch.setattr(module, "_LONGEST_PAUSE", 0.02)
    statuses: list[dict[str, Any]] = []

    def notify(method: str, params: Any) -> None:
        if method == STATUS:
            one = {"verdicts": "off", "message": "", **params}
            one = {key: one[key] for key in ("state", "verdicts", "message")}
            statuses.append(one)

    def session_of(path: str | None, publish: Callable[[Analysis], None]) -> Session:
        options = SessionOptions(cache=False, workers=0, interactive=True)
        system = MemorySystem({"A.java": JAVA})
        judging = Judging(None)
        return Session(system, load_models(), jdk.packaged(), options, publish, None, judging)

    async def work() -> None:
        loop = asyncio.get_running_loop()
        protocol: Any = SimpleNamespace(
            notify=notify, send_request=lambda method, params: Future[Any]()
        )
        publisher = Publisher(protocol, loop)
        known = {"conflens": {"notifications": [STATUS]}}
        client = client_of(types.ClientCapabilities(experimental=known))
        state = State(client, Writer(), loop, session_of, labels(), publisher)
        publisher.state = state
        root = Root.of(tmp_path.as_uri())
        assert root is not None
        folder = state.add_folder(root, "name")
        folder.configure(Settings())
        try:
            await until(lambda: statuses and statuses[-1]["verdicts"] == "failed")
            (tmp_path / "go").touch()
            await until(lambda: statuses[-1]["verdicts"] == "ready")
            assert folder.analysis is not None and folder.analysis.sensitivity.ready
        finally:
            publisher.state = None
            folder.end()
            state.writer.stop(PATIENCE)

    asyncio.run(work())
    ready = [one for one in statuses if one["state"] == "ready"]
    assert ready[0]["verdicts"] == "waiting"
    said = ready[1]["message"]
    assert ready[1]["verdicts"] == "failed"
    assert said.startswith("Performance verdicts are missing: the classifier could not be fitted:")
    assert said.endswith(" ConfLens will try again.")
    assert ready[-1] == {"state": "ready", "verdicts": "ready", "message": ""}
    kinds = [one["verdicts"] for one in ready]
    assert kinds == sorted(kinds, key=["waiting", "failed", "ready"].index)
