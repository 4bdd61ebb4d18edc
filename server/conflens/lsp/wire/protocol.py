"""The protocol object: pygls' own, made robust against clients that break the rules.

What differs: documents are ours (``documents``), so pygls keeps no second copy; a request whose
parameters do not fit is answered with ``InvalidParams`` instead of nothing; requests before
``initialize`` and after ``shutdown`` are refused by their code; what is announced fits the client.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
from collections.abc import Generator
from concurrent.futures import Future
from contextvars import copy_context
from typing import Any

import attrs
from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.protocol.json_rpc import (
    JsonRPCNotification,
    JsonRPCRequestMessage,
    JsonRPCResponseMessage,
    RPCMessage,
)
from typing_extensions import override

from conflens.lsp.wire.capabilities import announced, client_of
from conflens.lsp.wire.messages import (
    CHAIN_STEPS,
    CHOOSE_SNAPSHOTS,
    DIAGNOSIS_REPORT,
    DROP_SNAPSHOT,
    FLOWS,
    HOT_LINES,
    HOTSPOTS,
    IMPORT_SNAPSHOT,
    JAVA_PROCESSES,
    NAME_CONFIG_FILES,
    OPTIONS,
    RECORD,
    SNAPSHOTS,
)

logger = logging.getLogger(__name__)

MALFORMED = "$/malformed"
"""The method that a message which cannot be read is turned into; nothing handles it."""

PLAIN_REQUESTS = (
    SNAPSHOTS,
    IMPORT_SNAPSHOT,
    DROP_SNAPSHOT,
    CHOOSE_SNAPSHOTS,
    NAME_CONFIG_FILES,
    JAVA_PROCESSES,
    RECORD,
    DIAGNOSIS_REPORT,
    CHAIN_STEPS,
    OPTIONS,
    HOTSPOTS,
)


@attrs.frozen
class Encoded:
    """A result that is JSON already, made where it may take long; its pieces are sent as they are."""

    pieces: tuple[bytes, ...] = attrs.field(repr=False)


@attrs.define
class PositionRequest:
    """A request of our own on a position in a document."""

    id: int | str
    params: types.TextDocumentPositionParams
    method: str = FLOWS
    jsonrpc: str = "2.0"


@attrs.define
class DocumentRequest:
    """A request of our own on a document; its parameters are those of a request for symbols."""

    id: int | str
    params: types.DocumentSymbolParams
    method: str = HOT_LINES
    jsonrpc: str = "2.0"


@attrs.define
class PlainRequest:
    """A request of our own whose handler reads its parameters itself, from plain JSON."""

    id: int | str
    method: str
    params: Any = None
    jsonrpc: str = "2.0"


_OWN_TYPES: dict[str, type[Any]] = {
    FLOWS: PositionRequest,
    HOT_LINES: DocumentRequest,
    **dict.fromkeys(PLAIN_REQUESTS, PlainRequest),
}


def _has_proper_ids(data: dict[str, Any]) -> bool:
    """Tell whether the id of a message, or the one that it cancels, is a number, a string or missing."""
    params = data.get("params") if data.get("method") == types.CANCEL_REQUEST else None
    ids = data.get("id"), params.get("id") if isinstance(params, dict) else None
    return all(one is None or isinstance(one, (int, str, float)) for one in ids)


def _has_texts(data: dict[str, Any]) -> bool:
    """Tell whether what a client writes into documents is text: ``null`` would be read as the text "None"."""
    params = data.get("params")
    if not isinstance(params, dict):
        return True
    holders: list[Any] = []
    if data["method"] == types.TEXT_DOCUMENT_DID_OPEN:
        holders = [params.get("textDocument")]
    elif data["method"] == types.TEXT_DOCUMENT_DID_CHANGE:
        changes = params.get("contentChanges")
        holders = changes if isinstance(changes, list) else []
    elif data["method"] == types.TEXT_DOCUMENT_RENAME:
        return isinstance(params.get("newName"), str)
    return all(isinstance(one, dict) and isinstance(one.get("text"), str) for one in holders)


class _Sender:
    """Writes at once, or starts to: a WebSocket sends in tasks, and one fails if the client leaves meanwhile."""

    def __init__(self, writer: Any) -> None:
        self._writer = writer
        self._sending: set[asyncio.Future[Any]] = set()

    def close(self) -> Any:
        return self._writer.close()

    def write(self, data: bytes) -> None:
        sent = self._writer.write(data)
        if inspect.isawaitable(sent):
            task = asyncio.ensure_future(sent)
            self._sending.add(task)
            task.add_done_callback(self._sent)

    def _sent(self, task: asyncio.Future[Any]) -> None:
        self._sending.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            logger.info("a message could not be sent: %s", error)


class Protocol(LanguageServerProtocol):
    """See the module text."""

    @override
    def __init__(self, server: Any, converter: Any) -> None:
        super().__init__(server, converter)

    @override
    def set_writer(self, writer: Any, include_headers: bool = True) -> None:
        super().set_writer(_Sender(writer), include_headers)

    @override
    def structure_message(self, data: dict[str, Any]) -> Any:
        if "jsonrpc" not in data:
            return data
        if not _has_proper_ids(data):
            logger.warning("a message has an id that is neither a number nor a string")
            return JsonRPCNotification(method=MALFORMED, jsonrpc="2.0", params=None)
        if isinstance(data.get("method"), str):
            # Methods of our own have no class to fill in what JSON-RPC lets a client leave out.
            data.setdefault("params", None)
        try:
            if isinstance(data.get("method"), str) and not _has_texts(data):
                raise JsonRpcInvalidParams
            return self._structured(data)
        except JsonRpcException as error:
            logger.warning("a message of method %r does not fit its schema", data.get("method"))
            if "id" in data and "method" in data:
                answer = JsonRpcInvalidParams(f"invalid parameters of {data['method']}")
                self._send_response(data["id"], error=answer.to_response_error())
            elif "id" in data:
                self._fail(data["id"], error)
            return JsonRPCNotification(method=MALFORMED, jsonrpc="2.0", params=None)

    def _structured(self, data: dict[str, Any]) -> object:
        """Return a message as an object of its type; pygls would log a trace where it is none."""
        method: Any = data.get("method")
        kind: Any
        if "id" not in data:
            kind = self.get_message_type(method or "") or JsonRPCNotification
        elif "error" in data:
            kind = types.ResponseErrorMessage
        elif "method" in data:
            kind = _OWN_TYPES.get(method) or self.get_message_type(method)
            kind = kind or JsonRPCRequestMessage
        else:
            kind = self._result_types.pop(data["id"], None) or JsonRPCResponseMessage
        try:
            return self._converter.structure(data, kind)
        except Exception as error:  # whatever the converter meets in what a client sent
            raise JsonRpcInvalidParams from error

    @override
    def handle_message(self, message: RPCMessage) -> None:
        method = getattr(message, "method", None)
        if method == MALFORMED:
            return
        if not hasattr(message, "jsonrpc"):
            logger.warning("a message is JSON, but not an object of JSON-RPC")
            return
        started = self._workspace is not None
        # Asking by ``isinstance`` whether it is a request costs as much as all the rest.
        number = getattr(message, "id", None) if method is not None else None
        if number is not None and self._shutdown:
            self._refuse(number, types.ErrorCodes.InvalidRequest, "the server is shut down")
        elif number is not None and not started and method != types.INITIALIZE:
            code = types.ErrorCodes.ServerNotInitialized
            self._refuse(number, code, "the server is not initialized")
        elif number is not None and started and method == types.INITIALIZE:
            code = types.ErrorCodes.InvalidRequest
            self._refuse(number, code, "the server is initialized already")
        elif method is not None and not started and method not in (types.INITIALIZE, types.EXIT):
            logger.warning("%s before initialize is passed over", method)
        elif method is None or self._shutdown or message.jsonrpc != self.VERSION:
            super().handle_message(message)
        else:
            # Each in a context of its own, as pygls has it.
            run, params = copy_context().run, getattr(message, "params", None)
            if number is not None:
                run(self._handle_request, number, method, params)
            else:
                run(self._handle_notification, method, params)

    @override
    @lsp_method(types.INITIALIZE)
    def lsp_initialize(
        self, params: types.InitializeParams
    ) -> Generator[Any, Any, types.InitializeResult]:
        result = yield from super().lsp_initialize(params)
        announced(result.capabilities, client_of(params.capabilities))
        return result

    @override
    def _execute_handler(
        self,
        msg_id: Any,
        handler: Any,
        callback: Any,
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        super()._execute_handler(msg_id, handler, callback, args, kwargs)
        # pygls forgets what it keeps of a request with the answer; of a notification, which has
        # none, it would keep something for ever.
        future = self._request_futures.get(msg_id)
        if future is not None:
            future.add_done_callback(lambda done: self._forget(msg_id, done))

    def _forget(self, msg_id: Any, future: Future[Any]) -> None:
        if self._request_futures.get(msg_id) is future:
            del self._request_futures[msg_id]

    @override
    def _send_handler_result(self, future: Future[Any], *, msg_id: Any) -> None:
        # What a handler refuses is an answer and no fault of ours, which pygls would log with a trace.
        error = None if future.cancelled() else future.exception()
        if not isinstance(error, JsonRpcException):
            super()._send_handler_result(future, msg_id=msg_id)
            return
        self._request_futures.pop(msg_id, None)
        logger.info("a request was refused: %s", error)
        self._send_response(msg_id, error=error.to_response_error())

    @override
    def _send_response(
        self, msg_id: Any, result: Any | None = None, error: types.ResponseError | None = None
    ) -> None:
        if error is not None or not isinstance(result, Encoded) or self.writer is None:
            super()._send_response(msg_id, result, error)
            return
        self._result_types.pop(msg_id, None)
        start = f'{{"id": {json.dumps(msg_id)}, "jsonrpc": "2.0", "result": '.encode()
        pieces = start, *result.pieces, b"}"
        if self._include_headers:
            head = (
                f"Content-Length: {sum(map(len, pieces))}\r\n"
                f"Content-Type: {self.CONTENT_TYPE}; charset={self.CHARSET}\r\n\r\n"
            )
            for piece in (head.encode(), *pieces):
                self._write(piece)
        else:
            self._write(b"".join(pieces))

    def _write(self, data: bytes) -> None:
        if self.writer is not None:
            self.writer.write(data)

    def _refuse(self, number: int | str, code: types.ErrorCodes, text: str) -> None:
        error = types.ResponseError(code=code.value, message=text)
        self._send_response(number, error=error)

    def _fail(self, msg_id: Any, error: JsonRpcException) -> None:
        future = self._request_futures.pop(msg_id, None)
        if future is not None and not future.done():
            future.set_exception(error)

    @override
    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(
        self, params: types.DidOpenTextDocumentParams
    ) -> Generator[Any, Any, None]:
        yield self.fm.features[types.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @override
    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(
        self, params: types.DidChangeTextDocumentParams
    ) -> Generator[Any, Any, None]:
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @override
    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(
        self, params: types.DidCloseTextDocumentParams
    ) -> Generator[Any, Any, None]:
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CLOSE], (params,), None
