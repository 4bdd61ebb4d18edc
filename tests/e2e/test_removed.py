"""A folder that leaves the workspace is freed: its session, its analysis and its program."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from lsprotocol import types

from conflens.ide.settings.settings import Settings
from conflens.lsp.notifications import sync, workspace
from conflens.lsp.push.publisher import Publisher
from conflens.lsp.scheduling.writer import Writer
from conflens.lsp.state import State
from conflens.lsp.wire.capabilities import client_of
from conflens.lsp.wire.uris import Root
from conflens.lsp.workspace.folder import Folder
from conflens.lsp.workspace.sessions import labels, make_session
from conflens.session.analysis import Analysis
from conflens.session.options import SessionOptions
from conflens.session.session import Session, open_session

READER = """class A {{
    int size = Integer.getInteger("app.size{0}", 10);
    void run() {{ if (size > 3) {{ byte[] room = new byte[size]; }} }}
}}
"""
_SECONDS = 60.0


@pytest.fixture(autouse=True)
def _collector() -> Iterator[None]:
    thresholds = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*thresholds)
    gc.enable()


def session_of(path: str | None, publish: Callable[[Analysis], None]) -> Session:
    if path is None:
        return make_session(None, publish)
    return open_session(path, SessionOptions(cache=False, workers=0, interactive=True), publish)


async def until(condition: Callable[[], object]) -> None:
    """Wait for what other threads and the loop bring about."""
    async with asyncio.timeout(_SECONDS):
        while not condition():
            await asyncio.sleep(0.01)


def run(work: Callable[[State], Awaitable[None]]) -> None:
    """Run ``work`` with the state of a server that has a client which answers nothing."""

    async def main() -> None:
        silent: Any = SimpleNamespace(
            notify=lambda method, params: None, send_request=lambda method, params: Future[Any]()
        )
        loop = asyncio.get_running_loop()
        publisher = Publisher(silent, loop)
        client = client_of(types.ClientCapabilities())
        state = State(client, Writer(), loop, session_of, labels(), publisher)
        publisher.state = state
        try:
            await work(state)
        finally:
            publisher.state = None
            state.writer.stop(_SECONDS)

    asyncio.run(main())


def project(parent: Path, name: str) -> Root:
    """Write a folder with one Java file."""
    (parent / name).mkdir()
    (parent / name / "A.java").write_text(READER.format(name), "utf-8")
    root = Root.of((parent / name).as_uri())
    assert root is not None
    return root


async def analysed(state: State, root: Root) -> Folder:
    """Open a folder and a file in it, edit it, and wait for the analysis of the edit."""
    folder = state.add_folder(root, "name")
    folder.configure(Settings())
    uri, text = root.uri_of("A.java"), READER.format("edited")
    item = types.TextDocumentItem(uri=uri, language_id="java", version=1, text="")
    sync.did_open(state, types.DidOpenTextDocumentParams(text_document=item))
    await until(lambda: folder.analysis is not None and folder.analysis.complete)
    change = types.TextDocumentContentChangeWholeDocument(text=text)
    version = types.VersionedTextDocumentIdentifier(uri=uri, version=2)
    sync.did_change(state, types.DidChangeTextDocumentParams(version, [change]))
    await until(lambda: folder.analysis is not None and folder.analysis.options.options)
    return folder


def close(state: State, root: Root) -> None:
    uri = types.TextDocumentIdentifier(uri=root.uri_of("A.java"))
    sync.did_close(state, types.DidCloseTextDocumentParams(text_document=uri))


def remove(state: State, root: Root) -> None:
    """As a client does."""
    removed = [types.WorkspaceFolder(uri=root.uri, name="name")]
    event = types.WorkspaceFoldersChangeEvent(added=[], removed=removed)
    workspace.did_change_folders(state, types.DidChangeWorkspaceFoldersParams(event=event))


def parts(folder: Folder) -> list[weakref.ref[object]]:
    """What must go with a folder."""
    analysis = folder.analysis
    assert analysis is not None
    held = (folder._session, analysis, analysis.program, analysis.options, analysis.flows)
    return [weakref.ref(cast(object, one)) for one in held]


def test_memory_of_a_removed_folder_is_freed_without_the_collector(tmp_path: Path) -> None:
    async def work(state: State) -> None:
        kept = await analysed(state, project(tmp_path, "kept"))
        for name in ("one", "two", "stays open"):
            root = project(tmp_path, name)
            folder = await analysed(state, root)
            gone = parts(folder)
            assert gc.get_freeze_count()
            gc.disable()
            if name != "stays open":
                close(state, root)
            remove(state, root)
            await until(lambda gone=gone: [one() for one in gone] == [None] * len(gone))
            assert kept.analysis is not None and len(kept.analysis.options.options) == 1

    run(work)


def test_input_after_the_end_of_a_folder_starts_nothing(tmp_path: Path) -> None:
    async def work(state: State) -> None:
        root = project(tmp_path, "one")
        folder = await analysed(state, root)
        close(state, root)
        remove(state, root)
        await until(lambda: folder._session is None)
        folder.configure(Settings(hover=False))  # the client has answered late
        folder.diagnose()
        other = await analysed(state, project(tmp_path, "two"))  # the writer came past
        assert other.analysis is not None and folder.analysis is None

    run(work)
