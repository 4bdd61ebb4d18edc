"""``textDocument/hover``."""

from __future__ import annotations

from lsprotocol import types

from conflens.ide.hover.config_files import config_hover
from conflens.ide.hover.java import hover as option_hover
from conflens.lsp.registry import on_view
from conflens.lsp.state import State
from conflens.lsp.wire.convert import markup
from conflens.lsp.workspace.profile_of import profile_of
from conflens.lsp.workspace.view import View


@on_view(types.TEXT_DOCUMENT_HOVER)
def hover(state: State, view: View, params: types.HoverParams) -> types.Hover | None:
    """Answer with the option, operation or costly method under the cursor, or the key or placeholder of a config file."""
    analysis, path, folder = view.analysis, view.path, view.folder
    offset, profile = view.offset(params.position), profile_of(folder)
    settings, wording = folder.settings, folder.wording
    if path in analysis.program.files:
        found = option_hover(analysis, path, offset, settings, wording, profile)
    else:
        found = config_hover(analysis, path, offset, settings, wording, profile)
    if found is None:
        return None
    return types.Hover(
        contents=markup(found.markdown, state.client.hover_formats), range=view.range(found.place)
    )
