"""How a process and those it starts talk: a length (4 bytes, big endian) and a MessagePack value."""

from __future__ import annotations

from typing import IO

import msgspec

HEADER = 4
_encoder = msgspec.msgpack.Encoder()


def write_frame(stream: IO[bytes], value: object) -> None:
    """Write one frame and flush it."""
    data = _encoder.encode(value)
    stream.write(len(data).to_bytes(HEADER, "big") + data)
    stream.flush()


def read_frame(stream: IO[bytes]) -> bytes | None:
    """Return the MessagePack value of the next frame, ``None`` at the end of the stream."""
    header = stream.read(HEADER)
    if len(header) < HEADER:
        return None
    size = int.from_bytes(header, "big")
    data = stream.read(size)
    return data if len(data) == size else None
