"""``textDocument/prepareCallHierarchy`` and ``callHierarchy/incomingCalls`` and ``outgoingCalls``.

An option is the root and "calls" the steps of its flows; an operation is "called" by the steps that
lead to it.  Everywhere else the answer is nothing, so that another server's stands.
"""

from __future__ import annotations

from collections.abc import Callable

from lsprotocol import types

from conflens.ide.navigation.call_hierarchy import Node, NodeKind, Trail, children, parents, roots
from conflens.lsp.registry import on_state, on_view
from conflens.lsp.state import State
from conflens.lsp.wire import item_ids as trails
from conflens.lsp.wire.convert import location_of
from conflens.lsp.workspace.view import View
from conflens.render.phrases import Wording
from conflens.session.analysis import Analysis

_KINDS = {
    NodeKind.OPTION: types.SymbolKind.Property,
    NodeKind.STEP: types.SymbolKind.Variable,
    NodeKind.OPERATION: types.SymbolKind.Event,
}


@on_view(types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY)
def prepare_call_hierarchy(
    state: State, view: View, params: types.CallHierarchyPrepareParams
) -> list[types.CallHierarchyItem] | None:
    """Answer with the options or operations under the cursor that have flows."""
    offset, wording = view.offset(params.position), view.folder.wording
    nodes = roots(view.analysis, view.path, offset, wording)
    return [_item(node, view.location(node.place)) for node in nodes] or None


@on_state(types.CALL_HIERARCHY_OUTGOING_CALLS)
def outgoing_calls(
    state: State, _: None, params: types.CallHierarchyOutgoingCallsParams
) -> list[types.CallHierarchyOutgoingCall]:
    """Answer with the next steps."""
    here = params.item.selection_range
    return [
        types.CallHierarchyOutgoingCall(to=item, from_ranges=[here])
        for item in _items(state, params.item, lambda found, trail, _: children(found, trail))
    ]


@on_state(types.CALL_HIERARCHY_INCOMING_CALLS)
def incoming_calls(
    state: State, _: None, params: types.CallHierarchyIncomingCallsParams
) -> list[types.CallHierarchyIncomingCall]:
    """Answer with the steps before."""
    return [
        types.CallHierarchyIncomingCall(from_=item, from_ranges=[item.selection_range])
        for item in _items(state, params.item, parents)
    ]


def _items(
    state: State,
    item: types.CallHierarchyItem,
    follow: Callable[[Analysis, Trail, Wording], tuple[Node, ...]],
) -> list[types.CallHierarchyItem]:
    trail, home = trails.load(item.data), state.home(item.uri)
    analysis = home[0].analysis if home is not None else None
    if trail is None or home is None or analysis is None:
        return []
    folder, encoding = home[0], state.client.encoding
    return [
        _item(node, location_of(folder.root, analysis, node.place, encoding))
        for node in follow(analysis, trail, folder.wording)
    ]


def _item(node: Node, location: types.Location) -> types.CallHierarchyItem:
    return types.CallHierarchyItem(
        name=node.name,
        detail=node.detail,
        kind=_KINDS[node.kind],
        uri=location.uri,
        range=location.range,
        selection_range=location.range,
        data=trails.dump(node.trail),
    )
