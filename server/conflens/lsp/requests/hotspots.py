"""``conflens/hotspots``: what the diagnosis of each folder found, for a list.

State and text of a folder are those of ``conflens/snapshots``; ``conflens/snapshotsChanged`` says when they change.
"""

from __future__ import annotations

from lsprotocol import types

from conflens.base.span import Place
from conflens.ide.profile.hotspot_list import HotspotRow, Hotspots, SuspectRow
from conflens.ide.profile.hotspot_list import hotspots as rows_of
from conflens.lsp.registry import on_state
from conflens.lsp.shared.profiles import read
from conflens.lsp.state import State
from conflens.lsp.wire import messages
from conflens.lsp.wire.convert import location_of
from conflens.lsp.wire.messages import HOTSPOTS
from conflens.lsp.workspace.folder import Folder
from conflens.lsp.workspace.profile_of import profile_of


@on_state(HOTSPOTS)
def hotspots(state: State, _: None, params: object) -> messages.HotspotsAnswer:
    """Answer with the hotspots of every folder that can have snapshots."""
    read(params, messages.Empty)
    return messages.HotspotsAnswer(
        [
            _folder(state, folder)
            for folder in state.folders.values()
            if folder.snapshots is not None
        ]
    )


def _folder(state: State, folder: Folder) -> messages.FolderHotspots:
    profile, analysis = profile_of(folder), folder.analysis
    found = Hotspots(False, (), (), 0)
    if profile is not None and analysis is not None:
        found = rows_of(analysis, profile)
    return messages.FolderHotspots(
        folder=folder.root.uri,
        name=folder.name,
        state=folder.diagnosed.state,
        text=folder.diagnosed.text,
        compared=found.compared,
        hotspots=[_hotspot(state, folder, row) for row in found.hotspots],
        options=[_suspect(state, folder, row) for row in found.suspects],
        more=found.more,
    )


def _hotspot(state: State, folder: Folder, row: HotspotRow) -> messages.HotspotRow:
    return messages.HotspotRow(
        method=row.method,
        file=row.place.path if row.place is not None else "",
        location=_location(state, folder, row.place),
        share=row.share,
        change=row.change,
        kind=row.kind,
        text=row.text,
        options=[
            messages.HotspotOption(option.option, option.name, option.text, option.cause)
            for option in row.options
        ],
    )


def _suspect(state: State, folder: Folder, row: SuspectRow) -> messages.SuspectRow:
    return messages.SuspectRow(
        option=row.option,
        name=row.name,
        text=row.text,
        accused=row.accused,
        share=row.share,
        before=row.before,
        after=row.after,
        causes=row.causes,
        location=_location(state, folder, row.place),
    )


def _location(state: State, folder: Folder, place: Place | None) -> types.Location | None:
    analysis = folder.analysis
    if place is None or analysis is None:
        return None
    return location_of(folder.root, analysis, place, state.client.encoding)
