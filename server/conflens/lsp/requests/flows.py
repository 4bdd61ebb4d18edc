"""The page of an option: ``conflens/flows``, ``workspace/textDocumentContent`` and the command
``conflens.openFlows``.  The second also answers for the list of options (``sensitivity``) and the report of a diagnosis.

The request takes ``{"textDocument", "position"}`` and gives ``{"uri", "markdown"}``; the command
takes a document's URI and a position, or the URI of a page, gives the same, and has the client show
the page: under its own URI if the client can fetch its text, else as a read-only file.
"""

from __future__ import annotations

from collections.abc import Mapping

from lsprotocol import types

from conflens.ide.pages.flows import Address, address_of, option_at, page, uri_of
from conflens.ide.pages.sensitivity import list_of
from conflens.lsp.registry import on_command, on_state, on_view
from conflens.lsp.requests.diagnosis import report_markdown
from conflens.lsp.requests.sensitivity import list_markdown
from conflens.lsp.shared.files import show_page
from conflens.lsp.state import State
from conflens.lsp.wire import messages
from conflens.lsp.wire.convert import offset_of
from conflens.lsp.wire.messages import FLOWS
from conflens.lsp.workspace.view import View

OPEN_PAGE = "conflens.openFlows"
_UNKNOWN = "No option of this project has this page.\n"


@on_view(FLOWS)
def flows(
    state: State, view: View, params: types.TextDocumentPositionParams
) -> messages.Page | None:
    """Answer with the page of the option under a cursor; ``None`` where there is none."""
    key = option_at(view.analysis, view.path, view.offset(params.position))
    return _page_of(state, Address(view.folder.root.path, key)) if key is not None else None


@on_state(types.WORKSPACE_TEXT_DOCUMENT_CONTENT)
def text_document_content(
    state: State, _: None, params: types.TextDocumentContentParams
) -> types.TextDocumentContentResult:
    """Answer with the text of a page, also when it is about nothing any more.

    The client hears when the page may have changed.
    """
    only_sensitive = list_of(params.uri)
    if only_sensitive is not None:
        state.page_fetched(params.uri)
        return types.TextDocumentContentResult(text=list_markdown(state, only_sensitive))
    report = report_markdown(state, params.uri)
    if report is not None:
        state.page_fetched(params.uri)
        return types.TextDocumentContentResult(text=report)
    found = _page_of(state, address_of(params.uri))
    if found is not None:
        state.page_fetched(params.uri)
    text = found.markdown if found is not None else _UNKNOWN
    return types.TextDocumentContentResult(text=text)


@on_command(OPEN_PAGE)
def open_page(state: State, _: None, arguments: list[object]) -> messages.Page | None:
    """Answer with a page and have it shown."""
    first, second = (*arguments, None, None)[:2]
    address = address_of(first) if isinstance(first, str) else None
    found = _page_of(state, address) if address is not None else _page_at(state, first, second)
    if found is not None:
        show_page(state, found.uri, found.markdown)
    return found


def _page_at(state: State, uri: object, position: object) -> messages.Page | None:
    home = state.home(uri) if isinstance(uri, str) else None
    analysis = home[0].analysis if home is not None else None
    if home is None or analysis is None or not isinstance(position, Mapping):
        return None
    line, column = position.get("line"), position.get("character")
    if not isinstance(line, int) or not isinstance(column, int):
        return None
    at = types.Position(line=max(0, line), character=max(0, column))
    offset = offset_of(analysis, home[1], at, state.client.encoding)
    key = option_at(analysis, home[1], offset)
    return _page_of(state, Address(home[0].root.path, key)) if key is not None else None


def _page_of(state: State, address: Address | None) -> messages.Page | None:
    folder = state.folders.get(address.folder) if address is not None else None
    if folder is None or address is None or folder.analysis is None:
        return None
    text = page(folder.analysis, address.option, folder.wording)
    return None if text is None else messages.Page(uri_of(address), text)
