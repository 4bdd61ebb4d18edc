"""``textDocument/completion`` and ``completionItem/resolve``, in config files.

Answers come from the present text and the last analysis; no rebuild is waited for.  The documentation of an item is what a
hover says of its option, made when the client looks at the item; one that never asks gets its description at once.
"""

from __future__ import annotations

import msgspec
from lsprotocol import types

from conflens.base.text import Encoding, LineIndex
from conflens.ide.completion.completion import TRIGGERS, complete
from conflens.ide.completion.items import Item, ItemKind
from conflens.ide.hover.config_files import option_text
from conflens.lsp.registry import on_state
from conflens.lsp.state import State
from conflens.lsp.wire.capabilities import Client
from conflens.lsp.wire.convert import markup
from conflens.lsp.workspace.profile_of import profile_of

_KINDS = {
    ItemKind.KEY: types.CompletionItemKind.Property,
    ItemKind.NAMESPACE: types.CompletionItemKind.Module,
    ItemKind.VALUE: types.CompletionItemKind.Value,
    ItemKind.PLACEHOLDER: types.CompletionItemKind.Variable,
}


class _Data(msgspec.Struct, frozen=True):
    """What an item carries until it is resolved."""

    uri: str
    option: tuple[str, str]


@on_state(
    types.TEXT_DOCUMENT_COMPLETION,
    types.CompletionOptions(trigger_characters=list(TRIGGERS), resolve_provider=True),
)
def completion(
    state: State, _: None, params: types.CompletionParams
) -> types.CompletionList | None:
    """Answer with what can be written at a position."""
    found = state.now(params.text_document.uri)
    if found is None:
        return None
    view, present = found
    lines = LineIndex.of(present)
    line, column = max(0, params.position.line), max(0, params.position.character)
    offset = lines.offset(line, column, view.encoding)
    made = complete(
        view.analysis,
        view.path,
        present,
        offset,
        view.folder.settings,
        (params.context.trigger_character or "") if params.context is not None else "",
    )
    uri, client = params.text_document.uri, state.client
    items = [
        _item(client, uri, lines, view.encoding, offset, number, item)
        for number, item in enumerate(made.items)
    ]
    return types.CompletionList(is_incomplete=made.incomplete, items=items)


@on_state(types.COMPLETION_ITEM_RESOLVE)
def resolve_completion(state: State, _: None, item: types.CompletionItem) -> types.CompletionItem:
    """Answer with the item and its documentation; one whose option is gone stays as it is."""
    try:
        data = msgspec.convert(item.data, _Data)
    except msgspec.ValidationError:
        return item
    home = state.home(data.uri)
    analysis = home[0].analysis if home is not None else None
    if home is None or analysis is None:
        return item
    folder = home[0]
    text = option_text(analysis, data.option, folder.settings, folder.wording, profile_of(folder))
    if text is not None:
        item.documentation = markup(text, state.client.item_formats)
    return item


def _item(
    client: Client,
    uri: str,
    lines: LineIndex,
    encoding: Encoding,
    offset: int,
    number: int,
    item: Item,
) -> types.CompletionItem:
    start, end = (_position(lines, at, encoding) for at in (item.start, item.end))
    at = _position(lines, min(max(offset, item.start), item.end), encoding)
    replaced = types.Range(start=start, end=end)
    edit: types.TextEdit | types.InsertReplaceEdit = types.TextEdit(replaced, item.text)
    if client.inserts_or_replaces:
        edit = types.InsertReplaceEdit(item.text, types.Range(start=start, end=at), replaced)
    documented = item.description if not client.resolves_items else ""
    data = _Data(uri, item.option) if item.option is not None else None
    several = "\n" in item.text and client.lines_as_is
    return types.CompletionItem(
        label=item.label,
        kind=_KINDS[item.kind],
        tags=[types.CompletionItemTag.Deprecated]
        if item.deprecated and client.deprecates_items
        else None,
        detail=item.detail or None,
        documentation=markup(documented, client.item_formats) if documented else None,
        preselect=True if item.preferred and client.preselects_items else None,
        sort_text=f"{number:04}",
        filter_text=item.filter,
        insert_text_mode=types.InsertTextMode.AsIs if several else None,
        text_edit=edit,
        data=msgspec.to_builtins(data) if data is not None else None,
    )


def _position(lines: LineIndex, offset: int, encoding: Encoding) -> types.Position:
    line, column = lines.position(offset, encoding)
    return types.Position(line=line, character=column)
