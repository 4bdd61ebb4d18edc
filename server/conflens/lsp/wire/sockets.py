"""TCP and WebSocket as transports: one client on this machine, which knows the token.

Every program on this machine, and every web page that a browser on it shows, can connect to a
loopback port, and the protocol itself has no authentication.  So a connection is refused unless it
presents the *token* of this run: a WebSocket client in the query of the address, a TCP client in
``initializationOptions.token`` of its first message, ``initialize``.  A WebSocket handshake is also
refused if its ``Host`` is not this machine (DNS rebinding) or its ``Origin`` is a page from
elsewhere; a first message with the header of an HTTP request is refused, since a page can send that
to a TCP port.  These checks hold without a token as well.

The listening socket is closed once a client is accepted: one process serves one client.  A refused
connection changes nothing: the server goes on waiting for its client.

Absent: encryption, and addresses that other machines can reach (``server.loopback``).
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import ipaddress
import json
import logging
import re
from collections.abc import Callable
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs, quote

import attrs
from lsprotocol import types
from pygls.protocol import LanguageServerProtocol
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from conflens.lsp.wire.reading import handle_messages, handle_websocket

logger = logging.getLogger(__name__)

_WAITING = 16
"""How many connections may be open that have not presented the token yet."""
_FIRST_SECONDS = 10.0
_FIRST_BYTES = 4 << 20
"""How long a client may take to send ``initialize``, and how large that may be."""
_HEADERS = 8
_MESSAGE_BYTES = 64 << 20
_HEADER = re.compile(rb"(Content-Length|Content-Type): *([^\r\n]{1,200})\r\n", re.IGNORECASE)
_PAGE = re.compile(r"https?://([^/]*)", re.IGNORECASE)
_HOST = re.compile(r"(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9.-]+))(?::[0-9]{1,5})?")
_POLICY_VIOLATION = 1008
"""The close code of WebSocket for a client that the server does not want."""


class RefusedError(Exception):
    """A connection is refused; the text says why, and ``request`` is the id to answer to."""

    def __init__(self, reason: str, request: object = None) -> None:
        super().__init__(reason)
        self.request = request


@attrs.define
class _Door:
    """What all connections of one listening socket share."""

    token: str | None
    taken: bool = False
    waiting: int = 0
    left: asyncio.Event = attrs.field(factory=asyncio.Event)
    ended: SystemExit | None = None
    """How the client asked the server to end."""

    async def end(self) -> None:
        """Wait until the client has left; raise ``SystemExit`` if it asked for that."""
        await self.left.wait()
        if self.ended is not None:
            raise self.ended


async def listen_tcp(
    protocol: LanguageServerProtocol,
    address: tuple[str, int],
    token: str | None,
    announce: Callable[[str], None],
) -> None:
    """Serve the first client on TCP that presents ``token`` until it leaves."""
    door = _Door(token)

    async def connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if door.taken or door.waiting >= _WAITING:
            writer.close()
            return
        door.waiting += 1
        try:
            async with asyncio.timeout(_FIRST_SECONDS):
                message = admit(await _first_message(reader), token)
            if door.taken:
                raise RefusedError("the server has its client already", message.get("id"))
        except (RefusedError, OSError, EOFError, ValueError, TimeoutError) as error:
            logger.warning("a connection was refused: %s", error)
            with contextlib.suppress(OSError):
                writer.write(_refusal(error))
            writer.close()
            return
        finally:
            door.waiting -= 1
        door.taken = True
        listener.close()
        try:
            protocol.set_writer(writer)
            protocol.handle_message(protocol.structure_message(message))
            with contextlib.suppress(OSError):
                await handle_messages(reader, protocol)
        except SystemExit as end:  # asyncio would report it as a fault of this task
            door.ended = end
        except asyncio.CancelledError:  # and this too, when the process is told to end
            return
        finally:
            door.left.set()

    listener = await asyncio.start_server(connection, *address)
    where = _address(listener.sockets[0].getsockname())
    if token is None:
        announce(f"listening on {where}; no token is needed")
    else:
        options = json.dumps({"token": token})
        announce(f"listening on {where}; the client must send initializationOptions {options}")
    await door.end()


async def listen_websocket(
    protocol: LanguageServerProtocol,
    address: tuple[str, int],
    token: str | None,
    announce: Callable[[str], None],
) -> None:
    """Serve the first WebSocket client whose address has ``token`` until it leaves."""
    door = _Door(token)

    def check(connection: ServerConnection, request: Request) -> Response | None:
        headers = request.headers
        reason = refused(request.path, token, headers.get_all("Host"), headers.get_all("Origin"))
        if reason is None:
            return None
        logger.warning("a connection was refused: %s", reason)
        return connection.respond(HTTPStatus.FORBIDDEN, f"{reason}\n")

    async def connected(connection: ServerConnection) -> None:
        if door.taken:
            await connection.close(_POLICY_VIOLATION, "the server has its client already")
            return
        door.taken = True
        listener.close(close_connections=False)
        try:
            await handle_websocket(connection, protocol)
        except SystemExit as end:
            door.ended = end
        finally:
            door.left.set()

    listener = await serve(
        connected,
        *address,
        process_request=check,
        max_size=_MESSAGE_BYTES,
        compression=None,
        logger=_quiet(),
    )
    where = _address(next(iter(listener.sockets)).getsockname())
    query = "" if token is None else f"?token={quote(token, safe='')}"
    announce(f"listening on ws://{where}/{query}")
    await door.end()


def admit(message: object, token: str | None) -> dict[str, Any]:
    """Return ``initialize`` without its token; raise :class:`RefusedError` for any other message
    and a wrong token."""
    if not isinstance(message, dict) or message.get("method") != types.INITIALIZE:
        raise RefusedError(f"the first message is not {types.INITIALIZE}")
    params = message.get("params")
    options = params.get("initializationOptions") if isinstance(params, dict) else None
    given = options.pop("token", None) if isinstance(options, dict) else None
    if token is not None and not _equal(given, token):
        reason = "initializationOptions.token is missing or wrong"
        raise RefusedError(f"{reason}; conflens serve prints the token", message.get("id"))
    return message


def refused(path: str, token: str | None, hosts: list[str], origins: list[str]) -> str | None:
    """Return why a WebSocket handshake is refused, if it is."""
    if len(hosts) != 1 or not _is_local(hosts[0]):
        return f"the Host {', '.join(hosts)!r} is not this machine"
    for origin in origins:
        page = _PAGE.fullmatch(origin)
        if page is None or not _is_local(page[1]):
            return f"the Origin {origin!r} is not this machine"
    if token is not None:
        given = parse_qs(path.partition("?")[2]).get("token", [])
        if len(given) != 1 or not _equal(given[0], token):
            return (
                "the token in the address is missing or wrong; conflens serve prints the address"
            )
    return None


async def _first_message(reader: asyncio.StreamReader) -> object:
    """Return the JSON of the first message; raise :class:`RefusedError` for what is none."""
    length = 0
    for _ in range(_HEADERS):
        line = await reader.readline()
        if line == b"\r\n":
            break
        header = _HEADER.fullmatch(line)
        if header is None:
            raise RefusedError("the first line is not the header of a message")
        if header[1].lower() == b"content-length" and header[2].isdigit():
            length = int(header[2])
    if not 0 < length <= _FIRST_BYTES:
        raise RefusedError(f"the first message has {length} bytes, not 1 to {_FIRST_BYTES}")
    body = await reader.readexactly(length)
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise RefusedError("the first message is not JSON") from error


def _refusal(error: Exception) -> bytes:
    request = error.request if isinstance(error, RefusedError) else None
    if not isinstance(request, (int, str)):
        return b""
    answer = {
        "jsonrpc": "2.0",
        "id": request,
        "error": {"code": types.ErrorCodes.InvalidRequest.value, "message": str(error)},
    }
    body = json.dumps(answer).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def _equal(given: object, token: str) -> bool:
    return isinstance(given, str) and hmac.compare_digest(
        given.encode("utf-8", "replace"), token.encode("utf-8", "replace")
    )


def _is_local(address: str) -> bool:
    """Tell whether a host, perhaps with a port, is this machine; nothing else may stand around it."""
    found = _HOST.fullmatch(address)
    if found is None:
        return False
    name = found[1] or found[2]
    try:
        return name.lower() == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _address(name: tuple[Any, ...]) -> str:
    return f"[{name[0]}]:{name[1]}" if ":" in name[0] else f"{name[0]}:{name[1]}"


def _quiet() -> logging.Logger:
    """The logger of websockets, without a trace for each connection that ends before a handshake."""
    quiet = logging.getLogger("websockets.server")
    quiet.setLevel(logging.CRITICAL)
    return quiet
