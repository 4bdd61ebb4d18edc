"""Snapshots: ``conflens/snapshots``, ``conflens/importSnapshot``, ``conflens/dropSnapshot``, ``conflens/chooseSnapshots`` and
``conflens/nameConfigFiles``.

Where nobody has chosen a role, two runs of one program are compared at once: ``paired`` says so.
The answer to an import has it if that import led to it, the list as long as it is so.
"""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime

import msgspec

from conflens.ide.profile.snapshots import age
from conflens.lsp.push.progress_bar import Bar
from conflens.lsp.registry import on_state, on_task
from conflens.lsp.shared.profiles import (
    answered,
    failed,
    known,
    paired_of,
    place_of,
    read,
)
from conflens.lsp.state import State
from conflens.lsp.threads import in_thread
from conflens.lsp.wire import messages
from conflens.lsp.wire.messages import (
    CHOOSE_SNAPSHOTS,
    DROP_SNAPSHOT,
    IMPORT_SNAPSHOT,
    NAME_CONFIG_FILES,
    SNAPSHOTS,
)
from conflens.lsp.wire.uris import file_path
from conflens.lsp.workspace.folder import Folder
from conflens.session.snapshots.pairing import Pairing
from conflens.session.snapshots.snapshots import AUTOMATIC, Automatic, Recording, Snapshots
from conflens.session.snapshots.store import Entry, Role


@on_state(SNAPSHOTS)
def snapshots(state: State, _: None, params: object) -> messages.SnapshotsAnswer:
    """Answer with the snapshots of a folder, and what is made of them."""
    folder, found = place_of(state, read(params, messages.FolderParams).folder)
    diagnosed = folder.diagnosed
    return messages.SnapshotsAnswer(
        folder=folder.root.uri,
        snapshots=[row_of(folder, entry) for entry in found.rows],
        diagnosis=messages.DiagnosisState(diagnosed.state, diagnosed.text),
        recording=_recording(found.recording),
        paired=paired_of(found.pairing()),
    )


@on_task(IMPORT_SNAPSHOT)
async def import_snapshot(state: State, params: object) -> messages.ImportAnswer:
    """Import a file and answer with its row."""
    asked = read(params, messages.ImportParams)
    path = file_path(asked.uri)
    if path is None:
        raise failed(f"{asked.uri} is not a file")
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
    name = read(params, messages.SnapshotParams).id
    _, found = known(state, name)
    with answered():
        await in_thread(lambda: found.drop(name))


@on_task(CHOOSE_SNAPSHOTS)
async def choose_snapshots(state: State, params: object) -> None:
    """Make snapshots the sides of the comparison."""
    asked = read(params, messages.ChooseParams)
    names = [*asked.baseline, *asked.violation]
    if asked.folder is None and names:
        _, found = known(state, names[0])
    else:
        _, found = place_of(state, asked.folder)
    with answered():
        await in_thread(lambda: found.choose(asked.baseline, asked.violation))


@on_task(NAME_CONFIG_FILES)
async def name_config_files(state: State, params: object) -> None:
    """Take the values of each side from config files."""
    asked = read(params, messages.ConfigFilesParams)
    _, found = place_of(state, asked.folder)
    baseline, violation = (
        [_path_of(uri) for uri in side] for side in (asked.baseline, asked.violation)
    )
    with answered():
        await in_thread(lambda: found.name_files(baseline, violation))


def _path_of(uri: str) -> str:
    path = file_path(uri)
    if path is None:
        raise failed(f"{uri} is not a file")
    return os.fsdecode(path)


def role_of(role: Role | msgspec.UnsetType | None) -> Role | Automatic | None:
    """Return the role that is asked for."""
    return AUTOMATIC if isinstance(role, msgspec.UnsetType) else role


def imported(
    folder: Folder, snapshots: Snapshots, entry: Entry, before: Pairing | None
) -> messages.ImportAnswer:
    """Return the answer to an import: its row, and the comparison that it led to; ``before`` is that of before."""
    paired = paired_of(snapshots.pairing_since(before))
    return messages.ImportAnswer(**msgspec.structs.asdict(row_of(folder, entry)), paired=paired)


def row_of(folder: Folder, entry: Entry) -> messages.SnapshotRow:
    """Return a snapshot as the client lists it."""
    summary, path = entry.summary, entry.origin.path
    return messages.SnapshotRow(
        id=entry.id,
        name=entry.name,
        path=path.decode("utf-8", "replace") if path else None,
        format=summary.format,
        role=entry.role,
        taken_at=_iso(summary.taken) if summary.taken else None,
        age=age(time.time() - entry.ended),
        seconds=round(summary.seconds, 3),
        kinds=[messages.KindTotal(kind, unit, total) for kind, unit, total in summary.kinds],
        notes=list(summary.notes),
        values=summary.values,
        stale=entry.id in folder.diagnosed.stale,
    )


def _recording(recording: Recording | None) -> messages.RecordingRow | None:
    if recording is None:
        return None
    return messages.RecordingRow(
        recording.pid, recording.name, _iso(recording.began), recording.seconds
    )


def _iso(seconds: float) -> str | None:
    """A time as ISO 8601, ``None`` for one that no calendar has."""
    try:
        found = datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return found.isoformat(timespec="seconds").replace("+00:00", "Z")
