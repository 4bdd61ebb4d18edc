"""The list of options by sensitivity: the command ``conflens.listSensitivity``.

It takes an object, all of it optional: ``onlySensitive``, ``rows`` (also as data), ``show`` (have the
client show the page; true unless ``false`` is said).  It gives ``{"uri", "markdown", "ready"}``, and
``rows`` if asked for: what each option is, its verdict, and where it is read first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lsprotocol import types

from conflens.ide.pages.flows import Address, uri_of
from conflens.ide.pages.sensitivity import Row, list_page, list_uri, rows
from conflens.lsp.registry import on_command
from conflens.lsp.shared.files import show_page
from conflens.lsp.state import State
from conflens.lsp.wire.convert import location_of
from conflens.lsp.workspace.folder import Folder
from conflens.session.analysis import Analysis

LIST = "conflens.listSensitivity"


@on_command(LIST)
def list_sensitivity(state: State, _: None, arguments: list[object]) -> dict[str, Any]:
    """Answer with the list and have it shown."""
    first = arguments[0] if arguments else None
    options = first if isinstance(first, Mapping) else {}
    only = options.get("onlySensitive") is True
    found: dict[str, Any] = {
        "uri": list_uri(only),
        "markdown": list_markdown(state, only),
        "ready": all(analysis.sensitivity.ready for _, analysis in state.analyses()),
    }
    if options.get("show") is not False:
        show_page(state, found["uri"], found["markdown"])
    if options.get("rows") is True:
        found["rows"] = [
            _row(state, folder, analysis, row)
            for folder, analysis in state.analyses()
            for row in rows(analysis, only)
        ]
    return found


def list_markdown(state: State, only_sensitive: bool) -> str:
    """Return the page about all folders."""
    title = "# Performance-sensitive options" if only_sensitive else "# Options by sensitivity"
    parts = [
        list_page(folder.name, folder.analysis, only_sensitive, folder.wording)
        for folder in state.folders.values()
        if not state.is_loose(folder) or len(state.folders) == 1
    ]
    return "\n".join([title, "", *parts])


def _row(state: State, folder: Folder, analysis: Analysis, row: Row) -> dict[str, Any]:
    encoding = state.client.encoding
    place = row.place
    location = location_of(folder.root, analysis, place, encoding) if place is not None else None
    page = uri_of(Address(folder.root.path, (row.domain, row.name)))
    return {
        "domain": row.domain,
        "name": row.name,
        "label": row.label.value,
        "probability": row.probability,
        "source": row.source.value,
        "note": row.note,
        "reasons": list(row.reasons),
        "type": row.type,
        "defaults": list(row.defaults),
        "operations": row.operations,
        "page": page,
        "location": None if location is None else _location(location),
    }


def _location(location: types.Location) -> dict[str, Any]:
    """The protocol's own form: what a command gives is not converted."""
    start, end = location.range.start, location.range.end
    return {
        "uri": location.uri,
        "range": {
            "start": {"line": start.line, "character": start.character},
            "end": {"line": end.line, "character": end.character},
        },
    }
