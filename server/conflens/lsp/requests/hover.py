"""``textDocument/hover``."""

from __future__ import annotations

from lsprotocol import types

from conflens.ide.hover import hover as option_hover
from conflens.lsp.convert import markup, offset_of, range_of
from conflens.lsp.registry import Kind, on_view
from conflens.lsp.state import State, View


@on_view(types.TEXT_DOCUMENT_HOVER, Kind.CURRENT)
def hover(state: State, view: View, params: types.HoverParams) -> types.Hover | None:
    """Answer with the option under the cursor."""
    encoding = state.client.encoding
    offset = offset_of(view.analysis, view.path, params.position, encoding)
    folder = view.folder
    found = option_hover(view.analysis, view.path, offset, folder.settings, folder.wording)
    if found is None:
        return None
    return types.Hover(
        contents=markup(found.markdown, state.client.hover_formats),
        range=range_of(view.analysis, found.place, encoding),
    )
