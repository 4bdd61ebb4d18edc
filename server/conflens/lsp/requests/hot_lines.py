"""``conflens/hotLines``: lines and names of methods to tint by what they cost in a profile.

Takes ``{textDocument: {uri}}``; gives ``{compared, levels, lines: [{range, level, share, change, text}]}``: ``level`` is 1 to 3, and
``levels`` are the least shares of each, for a legend.  ``null`` before the first analysis and outside of all folders.
"""

from __future__ import annotations

from lsprotocol import types

from conflens.diagnosis.report import is_compared
from conflens.ide.profile.hot_lines import LEVELS
from conflens.ide.profile.hot_lines import hot_lines as lines_of
from conflens.lsp.registry import on_view
from conflens.lsp.shared.profiles import Answer
from conflens.lsp.state import State
from conflens.lsp.wire.protocol import HOT_LINES
from conflens.lsp.workspace.profile_of import profile_of
from conflens.lsp.workspace.view import View


@on_view(HOT_LINES)
def hot_lines(state: State, view: View, params: types.DocumentSymbolParams) -> Answer:
    """Answer with what to tint in a document."""
    profile = profile_of(view.folder)
    found = (
        lines_of(view.analysis, profile, view.path, view.folder.settings)
        if profile is not None
        else ()
    )
    return {
        "compared": profile is not None and is_compared(profile.diagnosis),
        "levels": list(LEVELS),
        "lines": [
            {
                "range": view.range(line.place),
                "level": line.level,
                "share": line.share,
                "change": line.change,
                "text": line.text,
            }
            for line in found
            if view.kept(line.place.start)
        ],
    }
