"""What is no message ends the connection, with one sentence in the log."""

from __future__ import annotations

import asyncio
import logging

import pytest

from conflens.lsp.server import create_server
from conflens.lsp.wire.reading import handle_messages


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (b"x" * 200_000, "a message has no header that can be read"),
        (b"x" * 200_000 + b"\r\n\r\n", "a message has no header that can be read"),
        (b"Content-Length: " + b"9" * 5_000 + b"\r\n\r\n", "no header that can be read"),
        (b'Content-Length: 50\r\n\r\n{"', "the client left within a message"),
    ],
)
def test_what_is_no_message_ends_the_connection_with_a_sentence(
    caplog: pytest.LogCaptureFixture, sent: bytes, said: str
) -> None:
    async def run() -> None:
        reader = asyncio.StreamReader()
        reader.feed_data(sent)
        reader.feed_eof()
        await handle_messages(reader, create_server().protocol)

    with caplog.at_level(logging.WARNING):
        asyncio.run(run())
    (record,) = caplog.records
    assert said in record.getMessage()
    assert record.exc_info is None
