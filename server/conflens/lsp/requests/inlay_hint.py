"""``textDocument/inlayHint``."""

from __future__ import annotations

from lsprotocol import types

from conflens.base.span import Place
from conflens.ide.hints import hints
from conflens.lsp.convert import offset_of, range_of
from conflens.lsp.registry import Kind, on_view
from conflens.lsp.state import State, View


@on_view(types.TEXT_DOCUMENT_INLAY_HINT, Kind.CURRENT)
def inlay_hint(state: State, view: View, params: types.InlayHintParams) -> list[types.InlayHint]:
    """Answer with the hints of a range."""
    encoding, analysis, path = state.client.encoding, view.analysis, view.path
    start = offset_of(analysis, path, params.range.start, encoding)
    end = offset_of(analysis, path, params.range.end, encoding)
    folder = view.folder
    return [
        types.InlayHint(
            position=range_of(analysis, Place(path, hint.offset, hint.offset), encoding).start,
            label=hint.label,
            tooltip=types.MarkupContent(kind=types.MarkupKind.Markdown, value=hint.tooltip),
            padding_left=True,
        )
        for hint in hints(analysis, path, start, end, folder.settings, folder.wording)
    ]
