"""Snapshots: ``conflens/snapshots``, ``conflens/importSnapshot``, ``conflens/dropSnapshot`` and ``conflens/chooseSnapshots``.

A row is ``{id, name, path, format, role, takenAt, age, seconds, kinds: [{kind, unit, total}], notes, values, stale}``; its
``path`` is ``null`` if we recorded it, and ``stale`` says that Java files which it ran hold something else since it was imported.  ``folder`` is the URI
of a workspace folder or of something in it; without it the first one is meant.  An import without ``role`` becomes the
violation if there is none; one with ``null`` gets no role; a role that is given takes it from those that had it.

Where nobody has chosen a role, two runs of one program are compared at once: ``paired`` is ``{baseline, violation, text}`` then,
two ids and a sentence, else ``null``.  The answer to an import has it if that import led to it, the list as long as it is so.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime

import msgspec

from conflens.ide.profile.snapshots import age
from conflens.lsp.push.progress_bar import Bar
from conflens.lsp.registry import on_state, on_task
from conflens.lsp.shared.profiles import (
    Answer,
    answered,
    failed,
    known,
    paired_of,
    place_of,
    read,
)
from conflens.lsp.state import State
from conflens.lsp.threads import in_thread
from conflens.lsp.wire.protocol import (
    CHOOSE_SNAPSHOTS,
    DROP_SNAPSHOT,
    IMPORT_SNAPSHOT,
    SNAPSHOTS,
)
from conflens.lsp.wire.uris import file_path
from conflens.lsp.workspace.folder import Folder
from conflens.profiling.model import EventKind, Unit
from conflens.session.snapshots.pairing import Pairing
from conflens.session.snapshots.snapshots import AUTOMATIC, Automatic, Recording, Snapshots
from conflens.session.snapshots.store import Entry, Role


class _Folder(msgspec.Struct, frozen=True):
    folder: str | None = None


class _Import(msgspec.Struct, frozen=True, rename="camel"):
    uri: str
    folder: str | None = None
    role: Role | msgspec.UnsetType | None = msgspec.UNSET
    kind: EventKind | None = None
    unit: Unit | None = None
    work_done_token: str | int | None = None


class _Drop(msgspec.Struct, frozen=True):
    id: str


class _Choose(msgspec.Struct, frozen=True):
    baseline: list[str]
    violation: list[str]
    folder: str | None = None


@on_state(SNAPSHOTS)
def snapshots(state: State, _: None, params: object) -> Answer:
    """Answer with the snapshots of a folder, and what is made of them."""
    folder, found = place_of(state, read(params, _Folder).folder)
    diagnosed = folder.diagnosed
    return {
        "folder": folder.root.uri,
        "snapshots": [row_of(folder, entry) for entry in found.rows],
        "diagnosis": {"state": diagnosed.state.value, "text": diagnosed.text},
        "recording": _recording(found.recording),
        "paired": paired_of(found.pairing()),
    }


@on_task(IMPORT_SNAPSHOT)
async def import_snapshot(state: State, params: object) -> Answer:
    """Import a file and answer with its row."""
    asked = read(params, _Import)
    path = file_path(asked.uri)
    if path is None:
        raise failed(f"{asked.uri} is no file")
    folder, found = place_of(state, asked.folder)
    importing = found.importing(path, asked.kind, asked.unit)
    role = role_of(asked.role)
    bar = Bar(state.publisher, asked.work_done_token, f"Importing {importing.request.name}")
    told = bar.told(lambda done, total: f"{done / 1e6:.1f} of {total / 1e6:.1f} MB")
    before = found.pairing()
    try:
        with answered():
            entry = await in_thread(lambda: found.add(importing, role, told), importing.cancel)
    finally:
        bar.end()
    return imported(folder, found, entry, before)


@on_task(DROP_SNAPSHOT)
async def drop_snapshot(state: State, params: object) -> None:
    """Forget a snapshot."""
    name = read(params, _Drop).id
    _, found = known(state, name)
    with answered():
        await in_thread(lambda: found.drop(name))


@on_task(CHOOSE_SNAPSHOTS)
async def choose_snapshots(state: State, params: object) -> None:
    """Make snapshots the sides of the comparison."""
    asked = read(params, _Choose)
    names = [*asked.baseline, *asked.violation]
    if asked.folder is None and names:
        _, found = known(state, names[0])
    else:
        _, found = place_of(state, asked.folder)
    with answered():
        await in_thread(lambda: found.choose(asked.baseline, asked.violation))


def role_of(role: Role | msgspec.UnsetType | None) -> Role | Automatic | None:
    """Return the role that is asked for."""
    return AUTOMATIC if isinstance(role, msgspec.UnsetType) else role


def imported(folder: Folder, snapshots: Snapshots, entry: Entry, before: Pairing | None) -> Answer:
    """Return the answer to an import: its row, and the comparison that it led to; ``before`` is that of before."""
    return row_of(folder, entry) | {"paired": paired_of(snapshots.pairing_since(before))}


def row_of(folder: Folder, entry: Entry) -> Answer:
    """Return a snapshot as the client lists it."""
    summary, path = entry.summary, entry.origin.path
    return {
        "id": entry.id,
        "name": entry.name,
        "path": path.decode("utf-8", "replace") if path else None,
        "format": summary.format,
        "role": entry.role.value if entry.role is not None else None,
        "takenAt": _iso(summary.taken) if summary.taken else None,
        "age": age(time.time() - entry.ended),
        "seconds": round(summary.seconds, 3),
        "kinds": [
            {"kind": kind, "unit": unit, "total": total} for kind, unit, total in summary.kinds
        ],
        "notes": list(summary.notes),
        "values": summary.values,
        "stale": entry.id in folder.diagnosed.stale,
    }


def _recording(recording: Recording | None) -> Answer | None:
    if recording is None:
        return None
    return {
        "pid": recording.pid,
        "name": recording.name,
        "startedAt": _iso(recording.began),
        "seconds": recording.seconds,
    }


def _iso(seconds: float) -> str | None:
    """A time as ISO 8601, ``None`` for one that no calendar has."""
    try:
        found = datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return found.isoformat(timespec="seconds").replace("+00:00", "Z")
