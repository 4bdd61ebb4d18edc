"""``textDocument/documentSymbol`` and ``workspace/symbol``."""

from __future__ import annotations

from lsprotocol import types

from conflens.ide.navigation.symbols import MAX_SYMBOLS, file_symbols, workspace_symbols
from conflens.lsp.registry import on_state, on_view
from conflens.lsp.state import State
from conflens.lsp.wire.convert import location_of
from conflens.lsp.workspace.view import View

_LABEL = types.DocumentSymbolOptions(label="ConfLens options")


@on_view(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, _LABEL)
def document_symbol(
    state: State, view: View, params: types.DocumentSymbolParams
) -> list[types.DocumentSymbol] | list[types.SymbolInformation]:
    """Answer with the options of a file, as a flat list."""
    folder = view.folder
    found = file_symbols(view.analysis, view.path, folder.settings, folder.wording)
    if not state.client.nested_symbols:
        return [
            types.SymbolInformation(
                name=symbol.name,
                kind=types.SymbolKind.Property,
                location=view.location(symbol.name_place),
            )
            for symbol in found
        ]
    return [
        types.DocumentSymbol(
            name=symbol.name,
            detail=symbol.detail,
            kind=types.SymbolKind.Property,
            range=view.range(symbol.place),
            selection_range=view.range(symbol.name_place),
        )
        for symbol in found
    ]


@on_state(types.WORKSPACE_SYMBOL)
def workspace_symbol(
    state: State, _: None, params: types.WorkspaceSymbolParams
) -> list[types.SymbolInformation]:
    """Answer with the options of all folders, best first."""
    found = [
        (symbol, folder, analysis)
        for folder, analysis in state.analyses()
        for symbol in workspace_symbols(analysis, params.query, folder.settings, folder.wording)
    ]
    found.sort(key=lambda item: item[0].rank)
    return [
        types.SymbolInformation(
            name=symbol.name,
            kind=types.SymbolKind.Property,
            container_name=symbol.container,
            location=location_of(folder.root, analysis, symbol.place, state.client.encoding),
        )
        for symbol, folder, analysis in found[:MAX_SYMBOLS]
    ]
