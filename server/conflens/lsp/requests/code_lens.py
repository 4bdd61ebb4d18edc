"""``textDocument/codeLens`` and ``codeLens/resolve``.

A lens is worded when it is resolved.  Its command is the client's: ``conflens.showReferences``
with the URI, the position and the locations to show.  A lens on flows opens the page of its option
where the client does not say that it has that command.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lsprotocol import types

from conflens.ide.flow_page import Address, uri_of
from conflens.ide.lenses import LensKind, lens_text, lenses
from conflens.lsp.client import SHOW_REFERENCES
from conflens.lsp.convert import location_of
from conflens.lsp.registry import on_state, on_view
from conflens.lsp.requests.flows import OPEN_PAGE
from conflens.lsp.state import State
from conflens.lsp.view import View


@on_view(types.TEXT_DOCUMENT_CODE_LENS)
def code_lens(state: State, view: View, params: types.CodeLensParams) -> list[types.CodeLens]:
    """Answer with where lenses stand."""
    return [
        types.CodeLens(
            range=view.range(lens.place),
            data={
                "uri": params.text_document.uri,
                "symbol": lens.symbol,
                "start": lens.place.start,
                "kind": lens.kind.value,
            },
        )
        for lens in lenses(view.analysis, view.path, view.folder.settings)
    ]


@on_state(types.CODE_LENS_RESOLVE)
def resolve_code_lens(state: State, _: None, lens: types.CodeLens) -> types.CodeLens:
    """Answer with the lens and its words; one whose declaration is gone shows nothing and does
    nothing."""
    lens.command = types.Command(title="", command="")
    data: Any = lens.data
    if not isinstance(data, Mapping):
        return lens
    uri, symbol, start = data.get("uri"), data.get("symbol"), data.get("start")
    home = state.home(uri) if isinstance(uri, str) else None
    if home is None or not isinstance(symbol, str) or not isinstance(start, int):
        return lens
    folder, path = home
    analysis = folder.analysis
    kind = LensKind.FLOWS if data.get("kind") == LensKind.FLOWS else LensKind.READS
    text = lens_text(analysis, path, symbol, start, kind) if analysis is not None else None
    if analysis is None or text is None:
        return lens
    if text.option is not None and not state.client.shows_references:
        page = uri_of(Address(folder.root.path, text.option.key))
        lens.command = types.Command(title=text.title, command=OPEN_PAGE, arguments=[page])
        return lens
    encoding = state.client.encoding
    places = [location_of(folder.root, analysis, place, encoding) for place in text.places]
    lens.command = types.Command(
        title=text.title,
        command=SHOW_REFERENCES if places else "",
        arguments=[uri, lens.range.start, places] if places else None,
    )
    return lens
