"""A workspace folder: its session behind the writer, and what the loop knows of it.

Invariant: ``rebuild``, ``afterwards``, ``failed``, ``poll``, jobs and the private methods they call run on the
writer's thread and touch only the session, its snapshots and immutable values; all else runs on the loop.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

import attrs
from lsprotocol import types

from conflens.base.cancel import CancelToken
from conflens.checking.results import Finding
from conflens.ide.settings.settings import Settings
from conflens.lsp.scheduling.writer import Writer
from conflens.lsp.wire.capabilities import Client
from conflens.lsp.wire.uris import Root, real_path
from conflens.lsp.workspace.reports import report
from conflens.render.phrases import Wording
from conflens.session.analysis import Analysis
from conflens.session.inputs.configuration import Settings as SessionSettings
from conflens.session.snapshots.diagnosing import (
    NOTHING,
    Diagnosed,
    Diagnosing,
    settings_of,
    waiting,
)
from conflens.session.snapshots.snapshots import Snapshots
from conflens.session.snapshots.store import Role
from conflens.session.verdicts.judging import JudgingState, JudgingStatus

Reports = Mapping[str, tuple[types.Diagnostic, ...]]
"""The diagnostics of each file that is to show some, by path; an open file is always there."""


class FolderSession(Protocol):
    """What the server needs of ``session.Session``; only the writer calls it, but for
    ``analysis``."""

    analysis: Analysis | None

    @property
    def pending(self) -> bool:
        """Whether a rebuild has something to look at."""

    def open(self, path: str, text: str, version: int) -> None:
        """Take the text of a file from the editor from now on."""

    def change(self, path: str, text: str, version: int) -> None:
        """Take a new text of an open file."""

    def close(self, path: str) -> None:
        """Take the text of a file from disk again."""

    def concerns(self, path: str) -> bool:
        """Tell whether a change on disk can matter."""

    def files_changed(self, paths: Iterable[str]) -> None:
        """Hear that files changed on disk."""

    def set_settings(self, settings: SessionSettings) -> None:
        """Take what is to be analysed."""

    def rebuild(
        self,
        token: CancelToken | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Analysis:
        """Bring the analysis up to date and publish it; tell (files done, files in all)."""

    def poll_changes(self) -> bool:
        """Look for changed files on disk."""

    def judging(self) -> JudgingStatus:
        """Return whether there are verdicts."""

    def modified(self) -> dict[str, float]:
        """Return when Java files were last changed."""

    def dispose(self) -> None:
        """End what runs, and close what is open."""

    def release(self) -> None:
        """Free the analysis as soon as nobody looks at it."""


Job = Callable[[FolderSession], object]
SessionFactory = Callable[[str | None, Callable[[Analysis], None]], FolderSession]
"""Makes the session of a folder from its file path (``None``: of files that lie in no folder) and
who hears of what it publishes."""


class Listener(Protocol):
    """Who hears of a folder's life, on the loop."""

    def rebuild_started(self, folder: Folder) -> None:
        """A rebuild began."""

    def published(self, folder: Folder, analysis: Analysis, reports: Reports) -> None:
        """A rebuild ended well."""

    def rebuild_failed(self, folder: Folder, message: str) -> None:
        """A rebuild or update raised."""

    def snapshots_changed(self, folder: Folder, message: str = "") -> None:
        """Snapshots came, went or changed sides, a recording began or ended; or there is a ``message``."""

    def diagnosed(self, folder: Folder) -> None:
        """There is another diagnosis, or none any more, or one is being made."""

    def judging_changed(self, folder: Folder) -> None:
        """Verdicts cannot be given for now, or are waited for again."""


@attrs.define(eq=False)
class Folder:
    """See the module text.  ``building`` is since when a rebuild runs, in seconds of a monotonic
    clock."""

    root: Root
    name: str
    wording: Wording
    writer: Writer
    loop: asyncio.AbstractEventLoop
    listener: Listener
    client: Client
    make_session: Callable[[Callable[[Analysis], None]], FolderSession]
    snapshots: Snapshots | None = None
    """``None`` for files that lie in no folder."""
    settings: Settings = attrs.field(factory=Settings)
    message: str = ""
    building: float | None = None
    progress: tuple[int, int] = (0, 0)
    diagnosed: Diagnosed = NOTHING
    judging: JudgingStatus | None = None
    """Whether there are verdicts, as the writer reported last."""
    findings: tuple[Analysis | None, Mapping[str, tuple[Finding, ...]]] = attrs.field(
        default=(None, {}), repr=False
    )
    """What was found last in open files, and in which analysis."""
    real: str = attrs.field(
        init=False,
        repr=False,
        default=attrs.Factory(lambda self: real_path(self.root.path), takes_self=True),
    )
    """The path of the folder with links looked through, as its session takes it."""
    _session: FolderSession | None = None
    _settled: bool = False
    _diagnosing: Diagnosing | None = None
    _chosen: tuple[tuple[str, Role | None], ...] = ()
    _reported: Analysis | None = attrs.field(default=None, repr=False)
    _held: list[tuple[Job, float]] | None = attrs.field(factory=list)
    _waiting: set[asyncio.Future[None]] = attrs.field(factory=set)
    _closed: bool = False
    _retry: asyncio.TimerHandle | None = None

    @property
    def analysis(self) -> Analysis | None:
        """The published analysis, ``None`` before the first."""
        return None if self._session is None else self._session.analysis

    def submit(self, job: Job, delay: float = 0.0) -> None:
        """Change the session and rebuild ``delay`` seconds after; before the start jobs are held, and after
        the end they are dropped."""
        if self._closed:
            return
        if self._held is not None:
            self._held.append((job, delay))
        else:
            self.writer.submit(self, lambda: job(self._begun()), delay)

    def hasten(self) -> None:
        """Rebuild at once if anything waits to be rebuilt."""
        if self._held is None:
            self.writer.hasten(self)

    def configure(self, settings: Settings) -> None:
        """Take settings, and rebuild if they are new; the first time starts the session."""
        if settings == self.settings and self._held is None:
            return
        self.settings = settings
        held, self._held = self._held or [], None
        wanted = SessionSettings(
            exclude=settings.exclude,
            documents=settings.documentation_paths,
            config_files=settings.config_files,
        )
        self.submit(lambda session: session.set_settings(wanted))
        self.diagnose()
        for job, delay in held:
            self.submit(job, delay)

    def diagnose(self) -> None:
        """Make a diagnosis soon, if anything asks for one."""
        if self.snapshots is not None:
            self.writer.afterwards(self, 0.0)

    def snapshots_changed(self) -> None:
        """Hear, on any thread, that snapshots changed."""
        self._tell(self._snapshots_changed)

    def end(self) -> None:
        """Stop what runs, because the server ends."""
        self._close(self._dispose)

    def remove(self) -> None:
        """Stop what runs and free what the folder holds: it has left the workspace."""
        self._close(self._free)

    def _close(self, job: Callable[[], object]) -> None:
        self._closed = True
        if self._retry is not None:
            self._retry.cancel()
        if self.snapshots is not None:
            self.snapshots.end()
        self.writer.forget(self, job)

    async def caught_up(self, path: str, revision: int, seconds: float) -> None:
        """Wait until the analysis has seen ``revision`` of an open file, at most ``seconds``."""
        end = self.loop.time() + seconds
        while not self.has_seen(path, revision):
            left = end - self.loop.time()
            if left <= 0:
                return
            waiter: asyncio.Future[None] = self.loop.create_future()
            self._waiting.add(waiter)
            try:
                await asyncio.wait((waiter,), timeout=left)
            finally:
                self._waiting.discard(waiter)

    def has_seen(self, path: str, revision: int) -> bool:
        """Tell whether the analysis is of this revision of an open file, or a later one."""
        analysis = self.analysis
        return analysis is not None and analysis.open_revisions.get(path, -1) >= revision

    def rebuild(self, token: CancelToken) -> None:
        """Rebuild and report; see ``Owner``."""
        session = self._begun()
        if session.pending or session.analysis is None:
            self._tell(self._started)
        analysis = session.rebuild(token, self._progressed)
        if analysis.complete and not self._settled:
            self._settled = True
            gc.freeze()
        if analysis is self._reported:
            self._tell(self._ended)
        else:
            self._report(analysis, self._published)
        judging = session.judging()
        self._tell(lambda: self._judged(judging))
        if self.snapshots is not None:
            self.writer.afterwards(self)

    def afterwards(self, token: CancelToken) -> None:
        """Diagnose; see ``Owner``."""
        if self.snapshots is None or self._session is None:
            return
        if self._diagnosing is None:
            self.snapshots.load()
            self._diagnosing = Diagnosing(self.snapshots)
        self._tell_diagnosed(
            self._diagnosing.diagnosed(
                self._session.analysis,
                self._session.modified,
                settings_of(self.settings.threshold),
                token,
                self._tell_diagnosed,
            )
        )

    def failed(self, error: BaseException) -> None:
        """Pass a failure on; see ``Owner``."""
        message = f"{type(error).__name__}: {error}"
        self._tell(lambda: self._failed(message))

    def poll(self) -> bool:
        """Look for changed files; see ``Owner``."""
        return self._session is not None and self._session.poll_changes()

    def concerns(self, path: str) -> bool:
        """Tell whether a change on disk can matter to the session; to one that is not there yet, any can."""
        return self._session is None or self._session.concerns(path)

    def _begun(self) -> FolderSession:
        """The session, made at its first use, because that reads files."""
        if self._session is None:
            self._session = self.make_session(self._partial)
        return self._session

    def _dispose(self) -> None:
        if self._session is not None:
            self._session.dispose()

    def _free(self) -> None:
        self._dispose()
        session, self._session = self._session, None
        self._diagnosing = self._reported = None
        self.findings = None, {}
        self._tell(self._freed)
        if session is not None:
            session.release()

    def _freed(self) -> None:
        """Drop what the writer reported last."""
        self.diagnosed = NOTHING
        self._wake()

    def _progressed(self, done: int, total: int) -> None:
        self.progress = done, total

    def _partial(self, analysis: Analysis) -> None:
        """Show what is known while the first index is being made, or verdicts, or ready for edits."""
        self._reported = analysis
        self._report(analysis, self._published_in_part)

    def _report(self, analysis: Analysis, then: Callable[[Analysis, Reports], None]) -> None:
        reported = report(analysis, self.root, self.settings, self.client)
        self.findings = (analysis, reported.findings)
        judging = self._begun().judging()

        def tell() -> None:
            self.judging = judging
            then(analysis, reported.diagnostics)

        self._tell(tell)

    def _tell(self, what: Callable[[], None]) -> None:
        if not self.loop.is_closed():
            self.loop.call_soon_threadsafe(what)

    def _tell_diagnosed(self, diagnosed: Diagnosed) -> None:
        self._tell(lambda: self._diagnosed(diagnosed))

    def _diagnosed(self, diagnosed: Diagnosed) -> None:
        if diagnosed is not self.diagnosed:
            self.diagnosed = diagnosed
            self.listener.diagnosed(self)

    def _snapshots_changed(self) -> None:
        assert self.snapshots is not None
        chosen = tuple((row.id, row.role) for row in self.snapshots.rows if row.role)
        if chosen != self._chosen:
            self._chosen = chosen
            if self.snapshots.of(Role.VIOLATION):
                self.diagnosed = waiting(self.diagnosed)
        self.listener.snapshots_changed(self)
        self.diagnose()

    def _judged(self, judging: JudgingStatus) -> None:
        """Hear how the rebuild ended for verdicts; without a classifier, see to it that it is tried again."""
        before, self.judging = self.judging, judging
        if before is None or (before.state, before.failure) != (judging.state, judging.failure):
            self.listener.judging_changed(self)
        if judging.state is JudgingState.FAILED and self._retry is None and not self._closed:
            self._retry = self.loop.call_later(judging.retry, self._try_again)

    def _try_again(self) -> None:
        self._retry = None
        self.submit(lambda session: None)

    def _started(self) -> None:
        self.building = time.monotonic()
        self.listener.rebuild_started(self)

    def _published(self, analysis: Analysis, reports: Reports) -> None:
        self._ended()
        self._published_in_part(analysis, reports)

    def _ended(self) -> None:
        self.building = None
        self.message = ""

    def _published_in_part(self, analysis: Analysis, reports: Reports) -> None:
        if analysis.complete:
            # What follows readies edits and verdicts, and nobody waits for it.
            self.building = None
        self._wake()
        self.listener.published(self, analysis, reports)

    def _failed(self, message: str) -> None:
        self.building = None
        self.message = message
        self._wake()
        self.listener.rebuild_failed(self, message)

    def _wake(self) -> None:
        for waiter in self._waiting:
            if not waiter.done():
                waiter.set_result(None)
