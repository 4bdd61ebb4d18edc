"""A project's snapshots: imported, recorded, given roles, and read for a diagnosis.

Terms: the *baseline* and the *violation* are the sides of a comparison, each of one or more snapshots (repetitions).

What a new snapshot becomes: what it is asked to be, in place of those that were it; else, if it is imported again from an
unchanged file, what it was before; else the violation if there is none, or if it takes the place of one.  A file that
has changed takes the place of its earlier import, unless that is a baseline, which a new run is to be compared with.
If it makes two snapshots of one program, and nobody has chosen a role, they are compared at once (``pairing``).

``rows`` and ``recording`` are immutable references that readers take without a lock.  ``add`` and ``record`` take long and
are called on threads of their own; everything else is quick but touches the disk.  Any method may be called from any
thread.  Invariants: ``dispose`` ends every import and stops every recording.
Absent: diagnosing, and everything about a protocol (``lsp``).
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

import attrs

from conflens.base.cancel import Cancelled
from conflens.diagnosis.diagnose import NO_FILES, SideFiles
from conflens.profiling import codec
from conflens.profiling.model import EventKind, Snapshot, Unit
from conflens.session.snapshots.capture import Capture
from conflens.session.snapshots.config_files import read_config_files
from conflens.session.snapshots.importing import Importing, ImportOptions
from conflens.session.snapshots.messages import Imported, Request
from conflens.session.snapshots.pairing import Pairing, pairing_of
from conflens.session.snapshots.store import (
    Entry,
    Origin,
    Role,
    SnapshotStore,
    SourceState,
    identity,
    project_folder,
    redaction_salt,
)
from conflens.session.snapshots.watching import Watch

_log = logging.getLogger("conflens.session.snapshots.snapshots")

STOP_SECONDS = 10.0
"""How long ``dispose`` waits for a JVM to stop our recording; it then ends by itself (``capture``)."""

Told = Callable[[int, int], None]
"""Hears (done, in all): bytes of an import, seconds of a recording."""


class Unwanted(Exception):  # noqa: N818 - it says what cannot be done, in one line
    """Raised for ids that are not known, for choices that make no sense, and for a second recording."""


class Automatic:
    """Stands for the role that a snapshot gets when nobody asks for one."""


AUTOMATIC = Automatic()
Wanted = Role | Automatic | None


@attrs.frozen
class Choice:
    """The snapshots of both sides, and their ids; ``files`` are the config files that a person named for them."""

    baseline: tuple[Snapshot, ...] = attrs.field(repr=False)
    violation: tuple[Snapshot, ...] = attrs.field(repr=False)
    ids: tuple[tuple[str, ...], tuple[str, ...]]
    files: SideFiles = NO_FILES


@attrs.frozen
class Recording:
    """A recording that runs; ``began`` in seconds since 1970."""

    pid: int
    name: str
    began: float
    seconds: int


class Stoppable(Protocol):
    """Work that runs on another thread."""

    def cancel(self) -> None:
        """Have it end as soon as it can."""


class Snapshots:
    """See the module text."""

    def __init__(
        self,
        root: str,
        options: ImportOptions | None = None,
        changed: Callable[[], None] | None = None,
    ) -> None:
        """Keep the snapshots of the project at ``root``; ``changed`` hears of every change, on any thread."""
        root = os.path.realpath(root)
        self._store = SnapshotStore(project_folder(root), str(codec.FORMAT))
        self._watch = Watch(root)
        self._options = options
        self._changed = changed or _nobody
        self._lock = threading.RLock()
        self._quiet = threading.Condition(self._lock)
        self._running: list[Stoppable] = []
        self._recorder: Recorder | None = None
        self._decoded: dict[str, Snapshot] = {}
        self._files = NO_FILES
        self._files_of: tuple[frozenset[str], frozenset[str]] = frozenset(), frozenset()
        """The ids of each side for which ``_files`` were named."""
        self._disposed = False
        self.rows: tuple[Entry, ...] = ()
        """The snapshots, the last imported first; empty before ``load``."""
        self.recording: Recording | None = None

    # -- looking -----------------------------------------------------------------------------------

    def load(self) -> None:
        """Read what is stored."""
        self._publish()

    def row(self, name: str) -> Entry | None:
        """Return the snapshot with an id."""
        return next((entry for entry in self.rows if entry.id == name), None)

    def of(self, role: Role) -> tuple[Entry, ...]:
        """Return the snapshots of a side, the last imported first."""
        return tuple(entry for entry in self.rows if entry.role is role)

    def chosen(self) -> Choice | None:
        """Return the snapshots of both sides, ``None`` if there is no violation.

        One that cannot be read any more is dropped.
        """
        sides = self.of(Role.BASELINE), self.of(Role.VIOLATION)
        found = [[(entry.id, self._snapshot(entry)) for entry in side] for side in sides]
        whole = [[(name, one) for name, one in side if one is not None] for side in found]
        with self._lock:
            self._decoded = {name: one for side in whole for name, one in side}
        if any(None in dict(side).values() for side in found):
            self._publish()
        if not whole[1]:
            return None
        baseline, violation = (tuple(one for _, one in side) for side in whole)
        ids = tuple(tuple(name for name, _ in side) for side in whole)
        return Choice(baseline, violation, (ids[0], ids[1]), self._files_for(*ids))

    def _files_for(self, *sides: tuple[str, ...]) -> SideFiles:
        """Return the config files that were named for runs of these sides: more repetitions change nothing, other runs do."""
        with self._lock:
            pairs = zip(self._files_of, sides, strict=True)
            meets = all(not before.isdisjoint(side) for before, side in pairs)
            return self._files if meets else NO_FILES

    def _snapshot(self, entry: Entry) -> Snapshot | None:
        with self._lock:
            known = self._decoded.get(entry.id)
        if known is not None:
            return known
        data = self._store.data(entry.id)
        if data is None:
            return None
        try:
            return codec.decode(data)
        except ValueError as error:
            self._store.forget(entry.id, str(error))
            return None

    def pairing(self) -> Pairing | None:
        """Return the comparison that nobody asked for, as long as the roles are what it made them."""
        sides = *self.of(Role.BASELINE), *self.of(Role.VIOLATION)
        if any(entry.chosen for entry in self.rows) or len(sides) != 2:
            return None
        found = pairing_of(*sides)
        return found if found is not None and found.baseline.role is Role.BASELINE else None

    def pairing_since(self, before: Pairing | None) -> Pairing | None:
        """Return that comparison if it is another one than ``before``."""
        found = self.pairing()
        if found is None or before is None:
            return found
        is_same = [entry.id for entry in found[:2]] == [entry.id for entry in before[:2]]
        return None if is_same else found

    # -- changing ----------------------------------------------------------------------------------

    def drop(self, name: str) -> None:
        """Forget a snapshot; raises ``Unwanted``."""
        if not self._store.drop(name):
            raise Unwanted("there is no snapshot with this id")
        self._publish()

    def choose(self, baseline: Sequence[str], violation: Sequence[str]) -> None:
        """Make these ids the sides, and no others; raises ``Unwanted``."""
        known = {entry.id for entry in self._store.entries()}
        for name in (*baseline, *violation):
            if name not in known:
                raise Unwanted("there is no snapshot with this id")
        if set(baseline) & set(violation):
            raise Unwanted("a snapshot cannot be both the baseline and the slow run")
        roles: dict[str, Role | None] = dict.fromkeys(known)
        roles.update(dict.fromkeys(baseline, Role.BASELINE))
        roles.update(dict.fromkeys(violation, Role.VIOLATION))
        self._store.change(roles)
        self._publish()

    def name_files(self, baseline: Sequence[str], violation: Sequence[str]) -> None:
        """Take the values of the sides that are chosen now from config files at these paths; without any, from what the
        recordings tell.  Raises ``Unwanted``."""
        if bool(baseline) != bool(violation):
            raise Unwanted("each side needs its config file")
        sides = [[entry.id for entry in self.of(r)] for r in (Role.BASELINE, Role.VIOLATION)]
        if baseline and not all(sides):
            raise Unwanted("config files need a baseline and a slow run to compare")
        try:
            files = SideFiles(read_config_files(baseline), read_config_files(violation))
        except ValueError as error:
            raise Unwanted(str(error)) from error
        with self._lock:
            self._files = files
            self._files_of = frozenset(sides[0]), frozenset(sides[1])
        self._changed()

    # -- what takes long ---------------------------------------------------------------------------

    def importing(
        self, file: str | bytes, kind: EventKind | None = None, unit: Unit | None = None
    ) -> Importing:
        """Return the import of a file, to be run by ``add``, and cancelled by whoever holds it.

        ``kind`` and ``unit`` are for formats that do not say.
        """
        request = Request(
            path=os.fsencode(file),
            name=os.fsencode(os.path.basename(file)).decode("utf-8", "replace"),
            kind=kind.value if kind else "",
            unit=unit.value if unit else "",
        )
        return Importing(request, self._options)

    def add(self, importing: Importing, role: Wanted, told: Told) -> Entry:
        """Import and keep a file; return its entry.  Raises ``ImportFailure`` and ``Cancelled``."""
        return self._add(importing, importing.request.path, role, told)

    def recorder(self, capture: Capture, role: Wanted) -> Recorder:
        """Return a recording, to be run by ``record``, and cancelled by whoever holds it."""
        return Recorder(self, capture, role)

    def record(self, recorder: Recorder, told: Told) -> Entry:
        """Record and import; return the entry.  ``told`` hears of the recording only.

        Raises ``CaptureFailure``, ``ImportFailure``, ``Cancelled``, and ``Unwanted`` if another one runs.
        """
        with self._lock:
            if self._recorder is not None:
                raise Unwanted("a recording runs already")
            self._recorder = recorder
        try:
            with self._counted(recorder):
                return recorder.run(told)
        finally:
            with self._lock:
                self._recorder = None
            self._show(None)

    def _show(self, recording: Recording | None) -> None:
        if recording != self.recording:
            self.recording = recording
            self._changed()

    def _add(self, importing: Importing, path: bytes, role: Wanted, told: Told) -> Entry:
        with self._counted(importing):
            imported = importing.run(told, redaction_salt())
        return self._kept(importing.request.name, imported, path, role)

    def _kept(self, name: str, imported: Imported, path: bytes, role: Wanted) -> Entry:
        origin = Origin(path, imported.size, imported.modified)
        number = identity(origin)
        with self._lock:
            others = [entry for entry in self._store.entries() if entry.id != number]
            older = [
                entry
                for entry in others
                if path and entry.origin.path == path and entry.role is not Role.BASELINE
            ]
            others = [entry for entry in others if entry not in older]
            same = next((e for e in self._store.entries() if e.id == number), None)
            before = older if same is None else [same]
            chosen = not isinstance(role, Automatic) or any(entry.chosen for entry in before)
            if isinstance(role, Automatic):
                free = any(entry.role is Role.VIOLATION for entry in older) or all(
                    entry.role is not Role.VIOLATION for entry in others
                )
                role = same.role if same is not None else Role.VIOLATION if free else None
            elif role is not None:
                self._store.change({e.id: None for e in others if e.role is role})
            entry = Entry(number, name, origin, time.time(), imported.summary, role, chosen=chosen)
            for entry_before in older:
                self._store.remove(entry_before.id)
            self._decoded.pop(number, None)
            self._store.put(entry, imported.data)
            if same is None:
                self._compare_two()
        self._publish()
        return self.row(number) or entry

    def _compare_two(self) -> None:
        """Give two runs of one program their roles, if nobody has decided on any."""
        entries = self._store.entries()
        if len(entries) != 2 or any(entry.chosen for entry in entries):
            return
        found = pairing_of(*entries)
        if found is not None:
            roles = {found.baseline.id: Role.BASELINE, found.violation.id: Role.VIOLATION}
            self._store.change(roles, chosen=False)

    def note_sources(self, name: str, sources: SourceState) -> None:
        """Keep what the files that a snapshot ran hold; nobody is told."""
        self._store.note_sources(name, sources)
        self.rows = self._store.entries()

    # -- watched folders ---------------------------------------------------------------------------

    def look(self, patterns: Sequence[str]) -> list[Origin]:
        """Return the files in watched folders that are to be imported, the oldest first."""
        known = {entry.id for entry in self._store.entries()}
        return [
            origin
            for origin in self._watch.look(patterns)
            if identity(origin) not in known and not self._store.dropped(identity(origin))
        ]

    def take(self, importing: Importing) -> Entry:
        """Import and keep a file of a watched folder; with a baseline that a person chose, it becomes the one violation.

        Raises as ``add`` does.
        """
        has_baseline = any(entry.chosen for entry in self.of(Role.BASELINE))
        role = Role.VIOLATION if has_baseline else AUTOMATIC
        return self.add(importing, role, _nobody_told)

    # -- the end -----------------------------------------------------------------------------------

    def end(self) -> None:
        """Have everything end that runs; nothing new begins."""
        with self._quiet:
            self._disposed = True
            for work in self._running:
                work.cancel()

    def dispose(self) -> None:
        """End what runs, and wait for it, at most ``STOP_SECONDS``."""
        self.end()
        with self._quiet:
            if not self._quiet.wait_for(lambda: not self._running, STOP_SECONDS):
                _log.warning("a recording could not be stopped in time; it ends by itself")

    @contextmanager
    def _counted(self, work: Stoppable) -> Iterator[None]:
        with self._quiet:
            if self._disposed:
                raise Cancelled
            self._running.append(work)
        try:
            yield
        finally:
            with self._quiet:
                self._running.remove(work)
                self._quiet.notify_all()

    def _publish(self) -> None:
        rows = self._store.entries()
        if rows != self.rows:
            self.rows = rows
            self._changed()


class Recorder:
    """A recording and its import, as one thing that can be cancelled."""

    def __init__(self, snapshots: Snapshots, capture: Capture, role: Wanted) -> None:
        self._snapshots = snapshots
        self._capture = capture
        self._role = role
        self._importing: Importing | None = None
        self._cancelled = False

    def cancel(self) -> None:
        """End it; the recording is stopped before ``record`` raises."""
        self._cancelled = True
        self._capture.cancel()
        if self._importing is not None:
            self._importing.cancel()

    def run(self, told: Told) -> Entry:
        """See ``Snapshots.record``."""
        capture, snapshots = self._capture, self._snapshots

        def progress(seconds: float) -> None:
            recording = Recording(
                capture.pid, capture.process.name, capture.began, capture.seconds
            )
            snapshots._show(recording)
            told(int(seconds), capture.seconds)

        try:
            file = capture.run(progress)
            snapshots._show(None)
            self._importing = snapshots.importing(str(file))
            if self._cancelled:
                raise Cancelled
            return snapshots._add(self._importing, b"", self._role, _nobody_told)
        finally:
            capture.close()


def _nobody() -> None:
    """Hear of a change and do nothing."""


def _nobody_told(_done: int, _total: int) -> None:
    """Hear of progress and do nothing."""
