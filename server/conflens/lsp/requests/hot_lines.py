"""``conflens/hotLines``: lines and names of methods to tint by what they cost in a profile.

``null`` before the first analysis and outside of all folders.
"""

from __future__ import annotations

from lsprotocol import types

from conflens.diagnosis.report import is_compared
from conflens.ide.profile.hot_lines import LEVELS
from conflens.ide.profile.hot_lines import hot_lines as lines_of
from conflens.lsp.registry import on_view
from conflens.lsp.state import State
from conflens.lsp.wire import messages
from conflens.lsp.wire.messages import HOT_LINES
from conflens.lsp.workspace.profile_of import profile_of
from conflens.lsp.workspace.view import View


@on_view(HOT_LINES)
def hot_lines(
    state: State, view: View, params: types.DocumentSymbolParams
) -> messages.HotLinesAnswer:
    """Answer with what to tint in a document."""
    profile = profile_of(view.folder)
    found = (
        lines_of(view.analysis, profile, view.path, view.folder.settings)
        if profile is not None
        else ()
    )
    return messages.HotLinesAnswer(
        compared=profile is not None and is_compared(profile.diagnosis),
        levels=list(LEVELS),
        lines=[
            messages.HotLine(
                view.range(line.place), line.level, line.share, line.change, line.text
            )
            for line in found
            if view.kept(line.place.start)
        ],
    )
