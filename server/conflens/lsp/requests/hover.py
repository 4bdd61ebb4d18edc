"""``textDocument/hover``."""

from __future__ import annotations

from lsprotocol import types

from conflens.ide.hover import hover as option_hover
from conflens.ide.profile import Profile
from conflens.ide.profile_keys import key_hover
from conflens.lsp.convert import markup
from conflens.lsp.profile_of import profile_of
from conflens.lsp.registry import on_view
from conflens.lsp.state import State
from conflens.lsp.view import View


@on_view(types.TEXT_DOCUMENT_HOVER)
def hover(state: State, view: View, params: types.HoverParams) -> types.Hover | None:
    """Answer with the option, operation or costly method under the cursor, or the key of a configuration file."""
    folder = view.folder
    profile = profile_of(folder)
    if view.path not in view.analysis.program.files:
        return _at_key(state, view, profile, params.position)
    offset = view.offset(params.position)
    found = option_hover(
        view.analysis, view.path, offset, folder.settings, folder.wording, profile
    )
    if found is None:
        return None
    return types.Hover(
        contents=markup(found.markdown, state.client.hover_formats), range=view.range(found.place)
    )


def _at_key(
    state: State, view: View, profile: Profile | None, position: types.Position
) -> types.Hover | None:
    """What the profile says of a key; a column is taken as characters, which differ only behind rare ones."""
    folder = view.folder
    if profile is None or not folder.settings.hover:
        return None
    line, column = position.line + 1, position.character + 1
    text = key_hover(view.analysis, profile, view.path, line, column, folder.wording)
    if text is None:
        return None
    return types.Hover(contents=markup(text, state.client.hover_formats))
