"""``textDocument/inlayHint``."""

from __future__ import annotations

from lsprotocol import types

from conflens.base.span import Place
from conflens.ide.hints import hints
from conflens.lsp.registry import on_view
from conflens.lsp.state import State
from conflens.lsp.view import View


@on_view(types.TEXT_DOCUMENT_INLAY_HINT)
def inlay_hint(state: State, view: View, params: types.InlayHintParams) -> list[types.InlayHint]:
    """Answer with the hints of a range."""
    start, end = view.offset(params.range.start), view.offset(params.range.end)
    path, folder = view.path, view.folder
    return [
        types.InlayHint(
            position=view.range(Place(path, hint.offset, hint.offset)).start,
            label=hint.label,
            tooltip=types.MarkupContent(kind=types.MarkupKind.Markdown, value=hint.tooltip),
            padding_left=True,
        )
        for hint in hints(view.analysis, path, start, end, folder.settings, folder.wording)
        if view.kept(hint.offset)
    ]
