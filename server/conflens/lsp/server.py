"""The server object, and the three ways to serve: standard input and output, TCP, WebSocket.

One process serves one client.  The exit code is 0 after ``shutdown`` and ``exit``, 1 after
``exit`` alone or a lost connection, 128 and its number after a signal to end, which stops recordings too.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
import socket
import sys
from collections.abc import Awaitable, Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter
from typing_extensions import override

from conflens.base.control import NeutralFormatter
from conflens.base.ending_signals import END, handled
from conflens.lsp.notifications import configuration, sync, workspace
from conflens.lsp.push.publisher import Publisher
from conflens.lsp.registry import Kind, handler_of
from conflens.lsp.requests import REQUESTS
from conflens.lsp.scheduling.writer import Writer
from conflens.lsp.shared.files import remove_pages
from conflens.lsp.state import State
from conflens.lsp.wire.capabilities import client_of
from conflens.lsp.wire.protocol import Protocol
from conflens.lsp.wire.reading import handle_messages
from conflens.lsp.wire.sockets import listen_tcp, listen_websocket
from conflens.lsp.wire.stdio import Output, pump, take_over
from conflens.lsp.workspace.folder import SessionFactory
from conflens.lsp.workspace.sessions import labels, make_session

logger = logging.getLogger(__name__)

_SWITCH_SECONDS = 0.001
"""How long the writer may hold the interpreter while the loop wants it; the default of 5 ms would
be paid several times by every request that comes in during a rebuild."""
_STOP_SECONDS = 2.0
_DRAIN_SECONDS = 1.0
"""How long what was answered last may take to reach a client that has left or is busy."""

_NOTIFICATIONS: dict[str, Callable[[State, Any], None]] = {
    types.TEXT_DOCUMENT_DID_OPEN: sync.did_open,
    types.TEXT_DOCUMENT_DID_CHANGE: sync.did_change,
    types.TEXT_DOCUMENT_DID_SAVE: sync.did_save,
    types.TEXT_DOCUMENT_DID_CLOSE: sync.did_close,
    types.WORKSPACE_DID_CHANGE_CONFIGURATION: configuration.did_change_configuration,
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: workspace.did_change_watched_files,
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: workspace.did_change_folders,
}


class Server(LanguageServer):
    """A pygls server that keeps its errors in the log: a person at an editor cannot act on them."""

    state: State | None = None

    @override
    def report_server_error(self, error: Exception, source: Any) -> None:
        logger.error("%s", error)

    def the_state(self) -> State:
        """Return the state; requests before ``initialize`` do not get here (``protocol``)."""
        assert self.state is not None
        return self.state

    def stop(self) -> None:
        """End the writer and with it all sessions."""
        state, self.state = self.state, None
        if state is not None:
            state.quiet.stop()
            state.sound.stop()
            state.publisher.state = None  # what still ends has nobody to tell it to
            folders = list(state.folders.values())
            for folder in folders:
                folder.end()
            for folder in folders:
                if folder.snapshots is not None:
                    folder.snapshots.dispose()
            state.writer.stop(_STOP_SECONDS)
            remove_pages(state)


def create_server(factory: SessionFactory = make_session) -> Server:
    """Return a server whose folders get their sessions from ``factory``."""
    server = Server(
        "conflens",
        _version(),
        protocol_cls=Protocol,
        converter_factory=default_converter,
        text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
    )
    protocol = server.protocol
    assert isinstance(protocol, Protocol)

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        loop = asyncio.get_running_loop()
        publisher = Publisher(protocol, loop)
        client = client_of(params.capabilities)
        state = State(client, Writer(), loop, factory, labels(), publisher)
        publisher.state = server.state = state
        state.initial = configuration.read_settings(state, params.initialization_options)
        for root, name in workspace.folders_of(params):
            state.add_folder(root, name)

    @server.feature(types.INITIALIZED)
    def initialized(params: types.InitializedParams) -> None:
        state = server.the_state()
        state.publisher.spawn(workspace.start(state))

    @server.feature(types.SHUTDOWN)
    def shutdown(params: None) -> None:
        server.stop()

    for method, change in _NOTIFICATIONS.items():
        server.feature(method)(_notification(server, change))
    for request in REQUESTS:
        handler = handler_of(request, server.the_state)
        if request.kind is Kind.COMMAND:
            server.command(request.method)(_command(handler))
        else:
            server.feature(request.method, request.options)(handler)
    return server


def serve_stdio(factory: SessionFactory = make_session) -> int:
    """Serve on standard input and output until the client leaves; return the exit code."""
    _prepare()
    source, sink = take_over()
    server = create_server(factory)
    output = Output(sink)
    server.protocol.set_writer(output)

    async def run() -> None:
        reader = pump(source, asyncio.get_running_loop())
        await handle_messages(reader, server.protocol)

    code = _run(server, lambda: asyncio.run(run()))
    output.drain(_DRAIN_SECONDS)
    return code


def serve_tcp(
    host: str,
    port: int,
    token: str | None,
    announce: Callable[[str], None],
    factory: SessionFactory = make_session,
) -> int:
    """Serve one client on a loopback address; return the exit code.

    ``announce`` gets one line for the user as soon as a client can connect.  Raise ``ValueError``
    for an address that is not this machine's own.
    """
    _prepare()
    server = create_server(factory)
    address = loopback(host), port
    return _run(server, lambda: asyncio.run(listen_tcp(server.protocol, address, token, announce)))


def serve_websocket(
    host: str,
    port: int,
    token: str | None,
    announce: Callable[[str], None],
    factory: SessionFactory = make_session,
) -> int:
    """Serve one client by WebSocket on a loopback address; as ``serve_tcp``."""
    _prepare()
    server = create_server(factory)
    address = loopback(host), port
    return _run(
        server, lambda: asyncio.run(listen_websocket(server.protocol, address, token, announce))
    )


def loopback(host: str) -> str:
    """Return the address of ``host`` if it is this machine's own, else raise ``ValueError``.

    A token keeps out programs and web pages on this machine (``wire.sockets``); nothing is encrypted.
    """
    try:
        address = socket.getaddrinfo(host, None)[0][4][0]
    except OSError as error:
        raise ValueError(f"the host {host!r} is not known") from error
    if not ipaddress.ip_address(str(address)).is_loopback:
        raise ValueError(f"{host!r} is not a loopback address; use 127.0.0.1 or localhost")
    return str(address)


def _run(server: Server, serve: Callable[[], None]) -> int:
    code, stopping = 1, False

    def end(number: int) -> None:
        """End as if the client had left, so that recordings are stopped; what ends already goes on."""
        if not stopping:
            raise SystemExit(128 + number)

    with handled(END, end):
        try:
            serve()
        except SystemExit as left:
            code = left.code if isinstance(left.code, int) else 1
        except (KeyboardInterrupt, BrokenPipeError, ConnectionError):
            logger.info("the connection ended")
        finally:
            stopping = True
            with contextlib.suppress(Exception):
                server.stop()
    return code


def _command(handler: Callable[[Any], Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    async def handle(*arguments: Any) -> Any:
        return await handler(list(arguments))

    return handle


def _notification(server: Server, change: Callable[[State, Any], None]) -> Callable[[Any], None]:
    def handle(params: Any) -> None:
        if server.state is None:
            return
        try:
            change(server.state, params)
        except Exception:
            logger.exception("a notification could not be taken in")

    return handle


def _prepare() -> None:
    """Log to standard error, and less of pygls, which writes every message at the level INFO."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(NeutralFormatter("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    logging.getLogger("pygls").setLevel(logging.WARNING)
    sys.setswitchinterval(_SWITCH_SECONDS)


def _version() -> str:
    try:
        return version("conflens")
    except PackageNotFoundError:
        return "0"
