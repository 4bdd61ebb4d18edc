"""What a WebSocket client sends that is no message is one line of the log, as on the other transports."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosedOK

from conflens.lsp.wire.reading import handle_websocket


class _Connection:
    """A client that sends some bodies and leaves."""

    def __init__(self, *bodies: bytes) -> None:
        self.bodies = list(bodies)

    async def recv(self, decode: bool | None = None) -> bytes:
        if not self.bodies:
            raise ConnectionClosedOK(None, None)
        return self.bodies.pop(0)

    async def close(self) -> None:
        """Nothing is left to close."""


class _Protocol:
    """Takes what could be read."""

    def __init__(self) -> None:
        self.taken: list[Any] = []

    def set_writer(self, writer: object, include_headers: bool = True) -> None:
        """Nothing is answered."""

    def structure_message(self, data: object) -> object:
        return data

    def handle_message(self, message: object) -> None:
        self.taken.append(message)


@pytest.mark.parametrize(
    "body",
    [b"{", b"\xff\xfe\xff", b"7" * 5_000, b"[" * 100_000, b'{"a":' * 5_000],
    ids=lambda body: f"{body[:8]!r}x{len(body)}",
)
def test_a_body_that_is_no_json_is_one_line_of_the_log(
    caplog: pytest.LogCaptureFixture, body: bytes
) -> None:
    connection: Any = _Connection(body, b'{"id": 1}')
    protocol: Any = _Protocol()
    with caplog.at_level(logging.WARNING):
        asyncio.run(handle_websocket(connection, protocol))
    assert protocol.taken == [{"id": 1}]
    assert len(caplog.records) == 1
    assert "\n" not in logging.Formatter().format(caplog.records[0])
