"""``textDocument/definition``, ``references`` and ``documentHighlight``."""

from __future__ import annotations

from lsprotocol import types

from conflens.base.span import Place
from conflens.ide.navigation import navigation as ide
from conflens.lsp.registry import on_view
from conflens.lsp.state import State
from conflens.lsp.workspace.view import View

_HIGHLIGHTS = {
    ide.HighlightKind.READ: types.DocumentHighlightKind.Read,
    ide.HighlightKind.DECLARATION: types.DocumentHighlightKind.Write,
    ide.HighlightKind.SETTING: types.DocumentHighlightKind.Write,
}


@on_view(types.TEXT_DOCUMENT_DEFINITION)
def definition(
    state: State, view: View, params: types.DefinitionParams
) -> list[types.Location] | list[types.LocationLink] | None:
    """Answer with the declarations of the option under the cursor."""
    found = ide.definition(view.analysis, view.path, view.offset(params.position))
    if found is None:
        return None
    if not state.client.link_support:
        return [view.location(name) for name, _ in found.targets]
    return [
        types.LocationLink(
            target_uri=view.folder.root.uri_of(name.path),
            target_range=view.range(scope if _inside(name, scope) else name),
            target_selection_range=view.range(name),
            origin_selection_range=view.range(found.origin),
        )
        for name, scope in found.targets
    ]


@on_view(types.TEXT_DOCUMENT_REFERENCES)
def references(state: State, view: View, params: types.ReferenceParams) -> list[types.Location]:
    """Answer with where the option under the cursor is read, set and described, and its declarations if wanted."""
    offset = view.offset(params.position)
    places = ide.references(view.analysis, view.path, offset, params.context.include_declaration)
    return [view.location(place) for place in places]


@on_view(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
def document_highlight(
    state: State, view: View, params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight]:
    """Answer with the places of the option under the cursor in its document."""
    offset = view.offset(params.position)
    return [
        types.DocumentHighlight(range=view.range(place), kind=_HIGHLIGHTS[kind])
        for place, kind in ide.highlights(view.analysis, view.path, offset)
    ]


def _inside(inner: Place, outer: Place) -> bool:
    """Clients refuse a link whose name does not lie in its range."""
    return inner.path == outer.path and outer.start <= inner.start and inner.end <= outer.end
