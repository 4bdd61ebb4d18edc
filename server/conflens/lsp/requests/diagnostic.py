"""``textDocument/diagnostic``, for clients that ask for diagnostics and do not take them unasked.

The answer is about the text that the client has, or the request is refused with the wish that it be sent again: when
that is not read yet, or when nothing is known and the client cannot be told later.
"""

from __future__ import annotations

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from conflens.ide.diagnostics.diagnostics import diagnostics
from conflens.lsp.registry import on_task
from conflens.lsp.state import State
from conflens.lsp.workspace.reports import shown_of


@on_task(types.TEXT_DOCUMENT_DIAGNOSTIC)
async def diagnostic(
    state: State, params: types.DocumentDiagnosticParams
) -> types.RelatedFullDocumentDiagnosticReport:
    """Answer with what there is to say of a document."""
    uri = params.text_document.uri
    view = await state.view(uri, None)
    if view is None or view.shift is not None:
        known = state.home(uri) is not None and not state.is_behind(uri)
        if known and (view is not None or not state.client.diagnostic_refresh):
            raise _later()
        return types.RelatedFullDocumentDiagnosticReport(items=[])
    folder, path = view.folder, view.path
    analysis, findings = folder.findings
    if analysis is view.analysis and path in findings:
        found = findings[path]
    else:
        found = diagnostics(view.analysis, path, folder.settings)
    items = shown_of(view.analysis, folder.root, path, found, folder.settings, state.client)
    document = state.document(uri)
    if document is not None:
        items = state.publisher.asked_for(document, items)
    return types.RelatedFullDocumentDiagnosticReport(items=list(items))


def _later() -> JsonRpcException:
    return JsonRpcException(
        "the document is still being read",
        types.LSPErrorCodes.ServerCancelled.value,
        {"retriggerRequest": True},
    )
