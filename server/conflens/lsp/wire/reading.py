"""The messages of a client, one after the other, until it leaves or sends what is none.

A client that counts the bytes of one message wrongly cannot be understood any more: where its next message begins is not
known.  Then the connection ends, and the log says so in one sentence.
"""

from __future__ import annotations

import asyncio
import json
import logging
import traceback
from pathlib import Path
from threading import Event

from pygls.io_ import run_async, run_websocket
from pygls.protocol import LanguageServerProtocol
from websockets.asyncio.server import ServerConnection

logger = logging.getLogger(__name__)
_JSON = Path(json.__file__).parent


async def handle_messages(reader: asyncio.StreamReader, protocol: LanguageServerProtocol) -> None:
    """Handle what a client sends; return when there is no more that can be read."""
    try:
        await run_async(Event(), reader, protocol, logger, log_error)
    except EOFError:
        logger.error("the connection ends: the client left within a message")
    except ValueError:  # a line without an end, or a number without one
        logger.error("the connection ends: a message has no header that can be read")


async def handle_websocket(connection: ServerConnection, protocol: LanguageServerProtocol) -> None:
    """Handle what a client sends over a WebSocket, whose frames say where each message ends."""
    await run_websocket(connection, Event(), protocol, logger, log_error)


def _is_ours(record: logging.LogRecord) -> bool:
    """Tell whether a fault has a trace worth keeping; a body that is no JSON is the client's, and ``log_error`` names it."""
    error = record.exc_info[1] if record.exc_info else None
    trace = error.__traceback__ if error is not None else None
    if trace is None:
        return True
    frames = [frame.f_code.co_filename for frame, _ in traceback.walk_tb(trace)]
    reading = [Path(name).parent == _JSON for name in frames]
    return not (any(reading) if isinstance(error, UnicodeDecodeError) else reading[-1])


logger.addFilter(_is_ours)


def log_error(error: Exception, source: object) -> None:
    """Log why one message could not be handled."""
    logger.error("a message could not be read: %s", error)
