"""The list of all options: made off the loop, kept for each analysis, and told when it may differ.

A list of ten thousand options takes long to make and to write as JSON, so both happen on a thread of their own, one
list at a time, and the loop only sends bytes (``protocol.Encoded``).
Invariants: who has never asked is told nothing; who is told is not told again before asking again.  It is told after a
pause of ``PAUSE`` without publications, but not later than ``MAX_PAUSE``.
Absent: what a row says (``ide.option_list.rows``) and its fields (``requests.options``).
"""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Callable, Mapping

import attrs

from conflens.ide.option_list.rows import rests_on
from conflens.ide.settings.settings import Settings
from conflens.lsp.threads import in_thread
from conflens.lsp.workspace.folder import Folder
from conflens.session.analysis import Analysis

PAUSE = 0.5
MAX_PAUSE = 5.0

Part = tuple[bytes, ...]
"""The part of the list on one folder, as JSON in pieces."""
Make = Callable[[Folder, Analysis | None, Settings], Part]
"""Makes a part; called on any thread."""


@attrs.frozen(eq=False)
class _Seen:
    """What a part rests on, without keeping it alive."""

    tables: tuple[weakref.ref[object], ...]
    complete: bool
    settings: tuple[object, ...]

    @staticmethod
    def of(folder: Folder) -> _Seen:
        analysis = folder.analysis
        return _Seen(
            tuple(map(weakref.ref, _tables(analysis))),
            analysis is not None and analysis.complete,
            rests_on(folder.settings),
        )

    def differs(self, folder: Folder) -> bool:
        """Tell whether a part made now may be another."""
        analysis = folder.analysis
        tables = _tables(analysis)
        return (
            len(tables) != len(self.tables)
            or any(seen() is not table for seen, table in zip(self.tables, tables, strict=True))
            or self.complete is not (analysis is not None and analysis.complete)
            or self.settings != rests_on(folder.settings)
        )


@attrs.frozen(eq=False)
class _Made:
    """A part, perhaps still being made."""

    analysis: weakref.ref[Analysis]
    settings: tuple[object, ...]
    task: asyncio.Task[Part]

    def fits(self, analysis: Analysis, settings: Settings) -> bool:
        """Tell whether it is about this analysis, and did not fail."""
        failed = self.task.done() and (self.task.cancelled() or self.task.exception() is not None)
        return self.analysis() is analysis and self.settings == rests_on(settings) and not failed


class Listing:
    """See the module text.  Used on the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, tell: Callable[[], None]) -> None:
        """``tell`` sends that the list may differ."""
        self._loop = loop
        self._tell = tell
        self._lock = asyncio.Lock()
        self._parts: weakref.WeakKeyDictionary[Folder, _Made] = weakref.WeakKeyDictionary()
        self._seen: dict[Folder, _Seen] | None = None
        """What the client knows of; ``None`` before it has asked, and once it was told that it is out of date."""
        self._since = 0.0
        self._timer: asyncio.TimerHandle | None = None

    async def parts(self, folders: Mapping[str, Folder], make: Make) -> list[Part]:
        """Return the part of each folder, in order."""
        async with self._lock:
            shown = list(folders.values())
            self._seen = {folder: _Seen.of(folder) for folder in shown}
            return [await self._part(folder, make) for folder in shown]

    def look(self, folders: Mapping[str, Folder]) -> None:
        """Tell the client soon if the list may differ from the one it has."""
        if not self._is_old(folders):
            return
        now = self._loop.time()
        if self._timer is None:
            self._since = now
        else:
            self._timer.cancel()
        due = min(now + PAUSE, self._since + MAX_PAUSE)
        self._timer = self._loop.call_at(due, self._tell_now, folders)

    def _tell_now(self, folders: Mapping[str, Folder]) -> None:
        self._timer = None
        if self._is_old(folders):
            self._seen = None
            self._tell()

    def _is_old(self, folders: Mapping[str, Folder]) -> bool:
        seen = self._seen
        return seen is not None and (
            list(seen) != list(folders.values())
            or any(known.differs(folder) for folder, known in seen.items())
        )

    async def _part(self, folder: Folder, make: Make) -> Part:
        analysis, settings = folder.analysis, folder.settings
        if analysis is None:
            return make(folder, None, settings)
        part = self._parts.get(folder)
        if part is None or not part.fits(analysis, settings):
            work = in_thread(lambda: make(folder, analysis, settings))
            part = _Made(weakref.ref(analysis), rests_on(settings), self._loop.create_task(work))
            self._parts[folder] = part
        return await asyncio.shield(part.task)


def _tables(analysis: Analysis | None) -> tuple[object, ...]:
    """The parts of an analysis that rows are made of."""
    if analysis is None:
        return ()
    return (
        analysis.options,
        analysis.flows,
        analysis.sensitivity,
        analysis.documents,
        analysis.policy,
    )
