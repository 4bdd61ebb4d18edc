"""What the server says unasked: diagnostics, status, progress, and the wish that answers be asked
for again.

Everything here runs on the loop.  Diagnostics are sent only when they differ from what was sent
for the same version, and never for a text that has changed meanwhile, because the next rebuild is
then on its way.
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Coroutine, Iterable, Mapping
from typing import Any, Literal, Protocol
from weakref import WeakKeyDictionary

import msgspec
from lsprotocol import types

from conflens.ide.pages.status import missing_verdicts
from conflens.lsp.push.listing import Listing
from conflens.lsp.wire import protocol as wire
from conflens.lsp.wire.capabilities import Client
from conflens.lsp.wire.messages import (
    OPTIONS_CHANGED,
    SNAPSHOTS_CHANGED,
    STATUS,
    Message,
    Pairing,
    SnapshotsChangedParams,
    StatusParams,
    plain,
)
from conflens.lsp.wire.uris import Root
from conflens.lsp.workspace.documents import Document
from conflens.lsp.workspace.folder import Folder, Reports
from conflens.lsp.workspace.last_valid_text import Sound
from conflens.lsp.workspace.typing_suppression import Quiet
from conflens.render.phrases import Wording
from conflens.session.analysis import Analysis
from conflens.session.usage import memory_bytes
from conflens.session.verdicts.judging import JudgingState

logger = logging.getLogger(__name__)

PROGRESS_AFTER = 1.0
REFRESH_AFTER = 0.3


class WorkspaceState(Protocol):
    """What of the server's state (``state.State``) decides what is sent."""

    @property
    def client(self) -> Client: ...
    @property
    def folders(self) -> Mapping[str, Folder]: ...
    @property
    def documents(self) -> Mapping[str, Document]: ...
    @property
    def fetched(self) -> Iterable[str]: ...
    @property
    def listing(self) -> Listing: ...
    @property
    def quiet(self) -> Quiet: ...
    @property
    def sound(self) -> Sound: ...
    def analyses(self) -> Iterable[tuple[Folder, Analysis]]: ...
    def document(self, uri: str) -> Document | None: ...

    def document_of(self, folder: Folder, path: str) -> Document | None: ...


class Publisher:
    """See the module text."""

    def __init__(self, protocol: wire.Protocol, loop: asyncio.AbstractEventLoop) -> None:
        """Speak through ``protocol``."""
        self.protocol = protocol
        self.loop = loop
        self.state: WorkspaceState | None = None
        self._sent: dict[str, tuple[int | None, tuple[types.Diagnostic, ...]]] = {}
        self._found: dict[str, tuple[int | None, tuple[types.Diagnostic, ...]]] = {}
        self._shown: dict[Folder, set[str]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._refresh: asyncio.TimerHandle | None = None
        self._indexing: set[Folder] = set()
        self._last_status: StatusParams | None = None
        self.scans: WeakKeyDictionary[Folder, float] = WeakKeyDictionary()
        """How long the first complete analysis of a folder took, in seconds."""

    def wording(self, root: Root, labels: Mapping[str, str]) -> Wording:
        """Return how places of a folder are linked: as URIs with the line as a fragment."""
        return Wording(lambda path, line: f"{root.uri_of(path)}#L{line}", labels)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run ``work`` beside everything else; what it raises is logged."""
        task = self.loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.warning("background work failed: %s", error)

    # What happens to folders.

    def rebuild_started(self, folder: Folder) -> None:
        """See ``Listener``."""
        if folder.analysis is None or not folder.analysis.complete:
            self._indexing.add(folder)
            self.status("indexing")
        self.spawn(self._progress(folder, folder.building))

    def published(self, folder: Folder, analysis: Analysis, reports: Reports) -> None:
        """See ``Listener``."""
        if analysis.complete:
            self._indexing.discard(folder)
            self.scans.setdefault(folder, analysis.stats.seconds)
        if self.state is None or folder not in self.state.folders.values():
            return
        for path in self._shown.get(folder, set()) | reports.keys():
            self._diagnose(folder, analysis, path, reports.get(path, ()))
        self._shown[folder] = {path for path, items in reports.items() if items}
        self.status("indexing" if self._indexing else "ready")
        self.refresh_soon()
        self.state.listing.look(self.state.folders)

    def rebuild_failed(self, folder: Folder, message: str) -> None:
        """See ``Listener``."""
        self._indexing.discard(folder)
        self.status("error", message)

    def snapshots_changed(
        self, folder: Folder, message: str = "", paired: Pairing | None = None
    ) -> None:
        """See ``Listener``; ``paired`` goes with the message."""
        if self.state is None or folder not in self.state.folders.values():
            return
        params = SnapshotsChangedParams(folder.root.uri, message, paired)
        self._own(SNAPSHOTS_CHANGED, params)

    def diagnosed(self, folder: Folder) -> None:
        """See ``Listener``."""
        self.snapshots_changed(folder)
        self.refresh_soon()

    def judging_changed(self, folder: Folder) -> None:
        """See ``Listener``."""
        if self.state is not None and folder in self.state.folders.values():
            self.status("indexing" if self._indexing else "ready")

    def folder_removed(self, folder: Folder) -> None:
        """Take back what was shown for a folder."""
        for path in self._shown.pop(folder, set()):
            if self._told_elsewhere(folder, path):
                continue
            self._send(folder.root.uri_of(path), None, ())
        self._indexing.discard(folder)
        self.status("indexing" if self._indexing else "ready")
        if self.state is not None:
            self.state.listing.look(self.state.folders)

    def options_changed(self) -> None:
        """Say that the list of options may differ from the one that was answered last."""
        if self.state is not None:
            self.protocol.notify(OPTIONS_CHANGED, {})

    def document_closed(self, uri: str) -> None:
        """Take back what was shown for a document."""
        if self._sent.get(uri, (None, ()))[1]:
            self._send(uri, None, ())
        self._sent.pop(uri, None)
        self._found.pop(uri, None)

    def typing_over(self, uri: str) -> None:
        """Tell what was kept back in a document (``quiet``, ``sound``)."""
        if self.state is None:
            return
        document = self.state.document(uri)
        found = self._found.get(uri)
        # Of a later text than the one that was looked at the next report tells.
        if document is not None and found is not None and found[0] == document.version:
            self._tell(self.state, document, found[1])
        self.refresh_soon()

    def asked_for(
        self, document: Document, items: tuple[types.Diagnostic, ...]
    ) -> tuple[types.Diagnostic, ...]:
        """Return what a client that asks for diagnostics is told; it must hear of what is kept back."""
        assert self.state is not None
        if self.state.client.diagnostic_refresh:
            items = self._calm(self.state, document, items)
        self._sent[document.uri] = document.version, items
        return items

    def _diagnose(
        self, folder: Folder, analysis: Analysis, path: str, items: tuple[types.Diagnostic, ...]
    ) -> None:
        assert self.state is not None
        if self._told_elsewhere(folder, path):
            return
        document = self.state.document_of(folder, path)
        if document is None:
            if self.state.client.pulls:
                return
            if path in analysis.open_revisions:
                return  # closed meanwhile
            uri, version = folder.root.uri_of(path), None
        else:
            if analysis.open_revisions.get(path, document.revision) != document.revision:
                return
            self.state.sound.published(document.uri, path, analysis, items)
            if not self.state.client.pulls:
                self._found[document.uri] = document.version, items
                self._tell(self.state, document, items)
            return
        if self._sent.get(uri, (None, ())) != (version, items):
            self._send(uri, version, items)

    def _told_elsewhere(self, folder: Folder, path: str) -> bool:
        """Tell whether another folder answers for what is open at a path: one inside of this folder."""
        document = None if self.state is None else self.state.document_of(folder, path)
        return document is not None and document.root != folder.root.path

    def _tell(
        self, state: WorkspaceState, document: Document, found: tuple[types.Diagnostic, ...]
    ) -> None:
        told = document.version, self._calm(state, document, found)
        if self._sent.get(document.uri, (None, ())) != told:
            self._send(document.uri, *told)

    def _calm(
        self, state: WorkspaceState, document: Document, found: tuple[types.Diagnostic, ...]
    ) -> tuple[types.Diagnostic, ...]:
        """What can be told of a document in which somebody may be typing."""
        uri, encoding = document.uri, state.client.encoding
        carried = state.sound.diagnostics(uri, document.path, document.text, encoding)
        if carried is not None:
            return carried
        return state.quiet.diagnostics(uri, found, self._sent.get(uri, (None, ()))[1])

    def _send(self, uri: str, version: int | None, items: tuple[types.Diagnostic, ...]) -> None:
        self._sent[uri] = version, items
        if self.state is not None and self.state.client.pulls:
            return
        params = types.PublishDiagnosticsParams(uri=uri, version=version, diagnostics=list(items))
        self.protocol.notify(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, params)

    # What is said in other ways.

    def tell(self, text: str) -> None:
        """Show a sentence to a person who has just asked for something."""
        message = types.ShowMessageParams(type=types.MessageType.Info, message=text)
        self.protocol.notify(types.WINDOW_SHOW_MESSAGE, message)

    def _own(self, method: str, params: Message) -> None:
        """Send a notification of our own to a client that knows it."""
        if self.state is not None and method in self.state.client.notifications:
            self.protocol.notify(method, plain(params))

    # Status and progress.

    def status(self, state: Literal["indexing", "ready", "error"], message: str = "") -> None:
        """Send the state of the whole server; equal states are sent once."""
        if self.state is None:
            return
        found = [analysis for _, analysis in self.state.analyses()]
        verdicts, failure = _verdicts(self.state.folders.values())
        reading = sum(folder.progress[0] for folder in self._indexing if folder.analysis is None)
        params = StatusParams(
            state=state,
            files=reading + sum(analysis.stats.files for analysis in found),
            options=sum(len(analysis.options.options) for analysis in found),
            seconds=round(
                sum(self.scans.get(folder, 0.0) for folder in self.state.folders.values()), 3
            ),
            memory=memory_bytes(),
            message=message or failure,
            verdicts=verdicts.value,
        )
        # What it costs alone is no news.
        same = msgspec.structs.replace(params, seconds=0.0, memory=0)
        if same != self._last_status:
            self._last_status = same
            self._own(STATUS, params)

    async def _progress(self, folder: Folder, began: float | None) -> None:
        """Show a progress bar for a rebuild that takes long.

        A bar whose creation the client refuses or cancels is not shown, and nothing else happens.
        """
        await asyncio.sleep(PROGRESS_AFTER)
        if folder.building != began or began is None:
            return
        token = str(uuid.uuid4())
        create = types.WorkDoneProgressCreateParams(token=token)
        method = types.WINDOW_WORK_DONE_PROGRESS_CREATE
        shown = folder.client.progress and await self.ask(method, create)
        title = f"ConfLens: reading {folder.name}"
        begin = types.WorkDoneProgressBegin(title=title, cancellable=False, percentage=0)
        if shown:
            self.bar(token, begin)
        try:
            while folder.building == began:
                await asyncio.sleep(0.5)
                if folder in self._indexing:
                    self.status("indexing")
                if not shown:
                    continue
                done, total = folder.progress
                files = f"{done:,} of {total:,} files" if total else ""
                percentage = min(100, 100 * done // total) if total else None
                report = types.WorkDoneProgressReport(message=files, percentage=percentage)
                self.bar(token, report)
        except asyncio.CancelledError:
            shown = False  # the client has left
            raise
        finally:
            if shown:
                self.bar(token, types.WorkDoneProgressEnd())

    def bar(self, token: str | int, value: object) -> None:
        """Send what a progress bar shows."""
        self.protocol.notify(types.PROGRESS, types.ProgressParams(token=token, value=value))

    # Requests to the client.

    async def ask(self, method: str, params: object, seconds: float = 10.0) -> bool:
        """Send a request; tell whether the client answered without an error in time."""
        answered, _ = await self.answer(method, params, seconds)
        return answered

    async def answer(self, method: str, params: object, seconds: float) -> tuple[bool, Any]:
        """Send a request; return whether an answer came, and the answer.

        A late answer must find its future alive, since pygls would report it as an error: so the
        wait ends, but the future is left.
        """
        future = asyncio.wrap_future(self.protocol.send_request(method, params))
        done, _ = await asyncio.wait((future,), timeout=seconds)
        if not done or future.cancelled():
            return False, None
        error = future.exception()
        if error is not None:
            logger.info("the client refused %s: %s", method, error)
            return False, None
        return True, future.result()

    def refresh_soon(self) -> None:
        """Have the client ask again for what it shows."""
        if self._refresh is None:
            self._refresh = self.loop.call_later(REFRESH_AFTER, self._ask_again)

    def _ask_again(self) -> None:
        self._refresh = None
        if self.state is None:
            return
        if self.state.client.hint_refresh:
            self.spawn(self.told(types.WORKSPACE_INLAY_HINT_REFRESH))
        if self.state.client.lens_refresh:
            self.spawn(self.told(types.WORKSPACE_CODE_LENS_REFRESH))
        if self.state.client.pulls and self.state.client.diagnostic_refresh:
            self.spawn(self.told(types.WORKSPACE_DIAGNOSTIC_REFRESH))
        for uri in self.state.fetched:
            changed = types.TextDocumentContentRefreshParams(uri=uri)
            self.spawn(self.told(types.WORKSPACE_TEXT_DOCUMENT_CONTENT_REFRESH, changed))

    async def told(self, method: str, params: object = None) -> None:
        """Send a request whose answer changes nothing."""
        await self.ask(method, params)


def _verdicts(folders: Iterable[Folder]) -> tuple[JudgingState, str]:
    """Whether the folders that get verdicts have them, and the message if that failed."""
    found = [folder.judging for folder in folders if folder.judging is not None]
    states = {one.state for one in found}
    for state in (JudgingState.FAILED, JudgingState.WAITING, JudgingState.READY):
        if state in states:
            return state, next((text for one in found if (text := missing_verdicts(one))), "")
    return JudgingState.OFF, ""
