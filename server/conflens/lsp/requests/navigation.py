"""``textDocument/definition``, ``references`` and ``documentHighlight``."""

from __future__ import annotations

from lsprotocol import types

from conflens.base.span import Place
from conflens.ide import navigation as ide
from conflens.lsp.convert import location_of, offset_of, range_of
from conflens.lsp.registry import Kind, on_view
from conflens.lsp.state import State, View

_HIGHLIGHTS = {
    ide.HighlightKind.READ: types.DocumentHighlightKind.Read,
    ide.HighlightKind.DECLARATION: types.DocumentHighlightKind.Write,
}


@on_view(types.TEXT_DOCUMENT_DEFINITION, Kind.CURRENT)
def definition(
    state: State, view: View, params: types.DefinitionParams
) -> list[types.Location] | list[types.LocationLink] | None:
    """Answer with the declarations of the option under the cursor."""
    encoding, analysis, root = state.client.encoding, view.analysis, view.folder.root
    offset = offset_of(analysis, view.path, params.position, encoding)
    found = ide.definition(analysis, view.path, offset)
    if found is None:
        return None
    if not state.client.link_support:
        return [location_of(root, analysis, name, encoding) for name, _ in found.targets]
    return [
        types.LocationLink(
            target_uri=root.uri_of(name.path),
            target_range=range_of(analysis, scope if _inside(name, scope) else name, encoding),
            target_selection_range=range_of(analysis, name, encoding),
            origin_selection_range=range_of(analysis, found.origin, encoding),
        )
        for name, scope in found.targets
    ]


@on_view(types.TEXT_DOCUMENT_REFERENCES, Kind.CURRENT)
def references(state: State, view: View, params: types.ReferenceParams) -> list[types.Location]:
    """Answer with the reads of the option under the cursor, and its declarations if wanted."""
    encoding, analysis = state.client.encoding, view.analysis
    offset = offset_of(analysis, view.path, params.position, encoding)
    places = ide.references(analysis, view.path, offset, params.context.include_declaration)
    return [location_of(view.folder.root, analysis, place, encoding) for place in places]


@on_view(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, Kind.CURRENT)
def document_highlight(
    state: State, view: View, params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight]:
    """Answer with the places of the option under the cursor in its document."""
    encoding, analysis = state.client.encoding, view.analysis
    offset = offset_of(analysis, view.path, params.position, encoding)
    return [
        types.DocumentHighlight(range=range_of(analysis, place, encoding), kind=_HIGHLIGHTS[kind])
        for place, kind in ide.highlights(analysis, view.path, offset)
    ]


def _inside(inner: Place, outer: Place) -> bool:
    """Clients refuse a link whose name does not lie in its range."""
    return inner.path == outer.path and outer.start <= inner.start and inner.end <= outer.end
