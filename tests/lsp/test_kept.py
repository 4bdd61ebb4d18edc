"""What the protocol keeps of messages that are done with: nothing, however many there were."""

from __future__ import annotations

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from conflens.lsp.wire.protocol import Protocol


def test_nothing_is_kept_of_a_notification() -> None:
    server = LanguageServer("x", "1", protocol_cls=Protocol)
    seen: list[types.DidChangeTextDocumentParams] = []

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        seen.append(params)

    document = types.VersionedTextDocumentIdentifier(uri="file:///A.java", version=1)
    params = types.DidChangeTextDocumentParams(text_document=document, content_changes=[])
    for _ in range(3):
        server.protocol._handle_notification(types.TEXT_DOCUMENT_DID_CHANGE, params)
    assert seen == [params] * 3
    assert server.protocol._request_futures == {}
