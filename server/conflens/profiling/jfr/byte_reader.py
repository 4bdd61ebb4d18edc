"""How numbers and texts lie in a recording, and the window through which a file is read.

Terms
    varint   an integer in seven bits a byte, lowest first, the top bit says that another byte
             follows; a ninth byte carries eight bits.  Files may also hold plain big-endian integers.
    window   the part of a file that is in memory.

Invariants: a window never holds more than ``LARGEST`` and a step; whoever reads past the end of what is there gets
``Short`` and may try again once ``more`` is there.  A pass over a file asks ``check`` at every step.

Absent: what the numbers mean.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import BinaryIO

STEP = 256 * 1024
"""Bytes read at a time: some 20 ms of work."""

LARGEST = 32 * 1024 * 1024
"""The largest event or constant that is read; a chunk's metadata takes about 0.1 MB."""

TEXT = 64 * 1024
"""Characters kept of a text."""

VARINT = rb"(?:[\x80-\xff]{0,7}+[\x00-\x7f]|[\x80-\xff]{8}[\x00-\xff])"

UTF8, CHARS, LATIN1 = 3, 4, 5


class Short(Exception):  # noqa: N818 - not an error: more may be there
    """What is to be read is not all there."""


class Broken(ValueError):  # noqa: N818 - says what the bytes are
    """Bytes that cannot be what they should be; ``str`` is the reason."""


def varint(data: bytes, at: int) -> tuple[int, int]:
    """Return the unsigned value at ``at`` and the place behind it.  Raises Short."""
    try:
        byte = data[at]
        if byte < 128:
            return byte, at + 1
        value = byte & 127
        for shift in (7, 14, 21, 28, 35, 42, 49):
            at += 1
            byte = data[at]
            if byte < 128:
                return value | byte << shift, at + 1
            value |= (byte & 127) << shift
        return value | data[at + 1] << 56, at + 2
    except IndexError:
        raise Short from None


def plain(data: bytes, at: int, size: int) -> tuple[int, int]:
    """Return the unsigned big-endian value of ``size`` bytes and the place behind it.  Raises Short."""
    end = at + size
    if end > len(data):
        raise Short
    return int.from_bytes(data[at:end], "big"), end


def text(data: bytes, at: int, compressed: bool) -> tuple[str | int, int]:
    """Return a text, or the number of one in the pool of texts, and the place behind it.

    Of long texts the first ``TEXT`` characters are returned.  Raises Short and Broken.
    """
    if at >= len(data):
        raise Short
    form = data[at]
    at += 1
    if form <= 1:
        return "", at
    if form == 2:
        return integer(data, at, 8, compressed)
    length, at = integer(data, at, 4, compressed)
    if form in (UTF8, LATIN1):
        if length > LARGEST:
            raise Broken(f"a text of {length:,} bytes")
        end = at + length
        if end > len(data):
            raise Short
        kept = data[at : min(end, at + TEXT)]
        return kept.decode("utf-8" if form == UTF8 else "latin-1", "replace"), end
    if form != CHARS:
        raise Broken(f"a text in the unknown form {form}")
    if length > LARGEST:
        raise Broken(f"a text of {length:,} characters")
    chars: list[str] = []
    for index in range(length):
        code, at = integer(data, at, 2, compressed)
        if index < TEXT:
            chars.append(chr(code & 0xFFFF))
    return "".join(chars).encode("utf-16", "surrogatepass").decode("utf-16", "replace"), at


def integer(data: bytes, at: int, size: int, compressed: bool) -> tuple[int, int]:
    """Return the unsigned integer of a field of ``size`` bytes and the place behind it.  Raises Short."""
    if compressed:
        return varint(data, at)
    return plain(data, at, size)


def fixed(size: int) -> bytes:
    """Return the pattern of ``size`` bytes."""
    return rb"[\x00-\xff]{%d}" % size


def compiled(pattern: bytes) -> re.Pattern[bytes]:
    """Return a pattern for bytes."""
    return re.compile(pattern, re.DOTALL)


def read_fully(stream: BinaryIO, size: int) -> bytes:
    """Return the next ``size`` bytes, fewer at the end only, from a stream that may give less at a time."""
    read = stream.read(size)
    if len(read) == size or not read:
        return read
    parts = [read]
    left = size - len(read)
    while left > 0 and (read := stream.read(left)):
        parts.append(read)
        left -= len(read)
    return b"".join(parts)


class Window:
    """Bytes ``[start, end)`` of a stream, a part of which is in ``data``."""

    def __init__(
        self, stream: BinaryIO, start: int, end: int, pace: Callable[[int], None]
    ) -> None:
        """``pace`` is told how many bytes each step has read, and may raise to stop."""
        self.data = b""
        self._stream = stream
        self._pace = pace
        self._base = start
        self._end = end

    @property
    def complete(self) -> bool:
        """Whether nothing is left to read."""
        return self._base + len(self.data) >= self._end

    def place(self, at: int) -> int:
        """Return the place in the file of ``data[at]``."""
        return self._base + at

    def until(self, size: int, beyond: str = "an entry reaches beyond its chunk") -> None:
        """Let the window end ``size`` bytes behind where it began.  Raises Broken, which says ``beyond``, if it is shorter."""
        end = self._base + size
        if end > self._end:
            raise Broken(beyond)
        self._end = end
        if self._base + len(self.data) > end:
            self.data = self.data[:size]

    def more(self, at: int) -> int:
        """Read on, dropping what is before ``at``; return the new index of ``at``.

        Each try doubles what is there, so that repeated reading of one thing stays linear.
        Raises Broken if the end was reached, or what begins at ``at`` is larger than anything real.
        """
        if self.complete:
            raise Broken("the data end in the middle of an entry")
        kept = self.data[at:]
        if len(kept) > LARGEST:
            raise Broken(f"an entry of more than {LARGEST:,} bytes")
        self._base += at
        place = self._base + len(kept)
        size = min(max(STEP, len(kept)), self._end - place)
        self._pace(size)
        self._stream.seek(place)
        read = read_fully(self._stream, size)
        if len(read) < size:
            raise Broken("the file ends here")
        self.data = kept + read
        return 0

    def skip(self, at: int, size: int) -> int:
        """Return the index ``size`` bytes behind ``at``; nothing between is read unless it is there."""
        at += size
        if at <= len(self.data):
            return at
        place = self._base + at
        if place > self._end:
            raise Broken("an entry reaches beyond its chunk")
        self._pace(at - len(self.data))
        self._base, self.data = place, b""
        return 0
