"""The messages of a client, one after the other, until it leaves or sends what is none.

A client that counts the bytes of one message wrongly cannot be understood any more: where its next message begins is not
known.  Then the connection ends, and the log says so in one sentence.
"""

from __future__ import annotations

import asyncio
import logging
from threading import Event

from pygls.io_ import run_async
from pygls.protocol import LanguageServerProtocol

logger = logging.getLogger(__name__)


async def handle_messages(reader: asyncio.StreamReader, protocol: LanguageServerProtocol) -> None:
    """Handle what a client sends; return when there is no more that can be read."""
    try:
        await run_async(Event(), reader, protocol, logger, log_error)
    except EOFError:
        logger.error("the connection ends: the client left within a message")
    except ValueError:  # a line without an end, or a number without one
        logger.error("the connection ends: a message has no header that can be read")


def log_error(error: Exception, source: object) -> None:
    """Log why one message could not be handled."""
    logger.error("a message could not be read: %s", error)
