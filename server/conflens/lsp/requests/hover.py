"""``textDocument/hover``."""

from __future__ import annotations

from lsprotocol import types

from conflens.ide.hover import hover as option_hover
from conflens.lsp.convert import markup
from conflens.lsp.registry import on_view
from conflens.lsp.state import State
from conflens.lsp.view import View


@on_view(types.TEXT_DOCUMENT_HOVER)
def hover(state: State, view: View, params: types.HoverParams) -> types.Hover | None:
    """Answer with the option under the cursor."""
    offset, folder = view.offset(params.position), view.folder
    found = option_hover(view.analysis, view.path, offset, folder.settings, folder.wording)
    if found is None:
        return None
    return types.Hover(
        contents=markup(found.markdown, state.client.hover_formats), range=view.range(found.place)
    )
