"""Text positions: byte offsets, lines, and columns in the encodings a client may count in.

A *byte offset* counts UTF-8 bytes from the start of the file; facts hold only those.  A *line* and a
*column* here are 0-based; a column counts code units of one encoding.  Conversion never raises:
an offset past the end is the end, a column past its line is the line's end, and bytes that are not
UTF-8 count as one replacement character each.
Absent: edits (``syntax``), protocol positions (``lsp``).
"""

from __future__ import annotations

from bisect import bisect_right
from enum import StrEnum

import attrs


class Encoding(StrEnum):
    """The unit a column is counted in (LSP 3.17, ``PositionEncodingKind``)."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


_STRETCH = 1024
"""How many bytes are at most decoded for one position, and a few more."""

_PAIRED = range(0xF0, 0xF5)
"""First bytes of characters that UTF-16 writes in two units."""


def units(text: bytes, encoding: Encoding) -> int:
    """Return the length of UTF-8 ``text`` in code units of ``encoding``."""
    if encoding is Encoding.UTF8 or text.isascii():
        return len(text)
    decoded = text.decode("utf-8", "replace")
    return len(decoded) if encoding is Encoding.UTF32 else len(decoded.encode("utf-16-le")) // 2


def boundary(text: bytes, at: int) -> int:
    """Return a place between two characters at most three bytes before ``at``: what stands on its sides can be decoded apart."""
    for place in range(at, max(at - 4, 0), -1):
        if place >= len(text) or text[place] & 0xC0 != 0x80:
            return place
    return at


def line_starts(text: bytes) -> list[int]:
    """Return the byte offset of each line's first byte; LF, CRLF and lone CR end a line."""
    starts = [0]
    if b"\r" not in text:
        position = text.find(b"\n")
        while position >= 0:
            starts.append(position + 1)
            position = text.find(b"\n", position + 1)
        return starts
    position = 0
    for line in text.splitlines(keepends=True):
        position += len(line)
        if line.endswith((b"\n", b"\r")):
            starts.append(position)
    return starts


def column_offset(content: bytes, column: int, encoding: Encoding) -> int:
    """Return the byte offset of a column in a line without its end; a column inside of a character is behind it."""
    if column <= 0:
        return 0
    if encoding is Encoding.UTF8 or content.isascii():
        return min(column, len(content))
    decoded = content.decode("utf-8", "replace")
    if encoding is Encoding.UTF32 or not any(first in content for first in _PAIRED):
        return min(len(decoded[:column].encode("utf-8")), len(content))
    paired = decoded.encode("utf-16-le")
    before = paired[: 2 * column]
    if len(before) > 1 and before[-1] & 0xFC == 0xD8:
        before = paired[: 2 * column + 2]
    return min(len(before.decode("utf-16-le").encode("utf-8")), len(content))


@attrs.frozen
class _Counted:
    """How many code units of one encoding stand before places of a text that lie a stretch apart, each between two characters."""

    encoding: Encoding
    places: list[int]
    sums: list[int]

    @staticmethod
    def of(text: bytes, encoding: Encoding) -> _Counted:
        """Count the whole text."""
        places, sums = [0], [0]
        for at in range(_STRETCH, len(text), _STRETCH):
            place = boundary(text, at)
            sums.append(sums[-1] + units(text[places[-1] : place], encoding))
            places.append(place)
        return _Counted(encoding, places, sums)

    def before(self, text: bytes, offset: int) -> int:
        """Return the code units before a byte offset."""
        number = bisect_right(self.places, offset) - 1
        return self.sums[number] + units(text[self.places[number] : offset], self.encoding)

    def offset(self, text: bytes, start: int, stop: int, column: int) -> int:
        """Return the byte offset of a column in the line from ``start`` to ``stop``, its end left out."""
        wanted = self.before(text, start) + column
        number = bisect_right(self.sums, wanted) - 1
        place, before = self.places[number], self.sums[number]
        if place >= stop:
            return stop
        if place < start:
            place, before = start, wanted - column
        end = self.places[number + 1] if number + 1 < len(self.places) else stop
        content = text[place : min(end, stop)]
        return place + column_offset(content, wanted - before, self.encoding)


@attrs.frozen
class LineIndex:
    """The line table of one text: ``starts`` are byte offsets, ascending, the first is 0.

    A position costs a bounded stretch of its line: long lines are counted once for each encoding.
    """

    text: bytes = attrs.field(repr=False)
    starts: list[int] = attrs.field(repr=False)
    _counted: dict[Encoding, _Counted] = attrs.field(
        factory=dict, init=False, repr=False, eq=False
    )

    @staticmethod
    def of(text: bytes) -> LineIndex:
        """Build the index of ``text`` (UTF-8)."""
        return LineIndex(text, line_starts(text))

    def position(self, offset: int, encoding: Encoding) -> tuple[int, int]:
        """Return 0-based (line, column in ``encoding``) of byte ``offset``."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self.starts, offset) - 1
        start = self.starts[line]
        if encoding is Encoding.UTF8:
            return line, offset - start
        if offset - start <= _STRETCH:
            return line, units(self.text[start:offset], encoding)
        counted = self._count(encoding)
        return line, counted.before(self.text, offset) - counted.before(self.text, start)

    def line_bytes(self, line: int) -> bytes:
        """Return the bytes of 0-based ``line`` without its line ending; empty when out of range."""
        if not 0 <= line < len(self.starts):
            return b""
        stop = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.text)
        return self.text[self.starts[line] : stop].rstrip(b"\r\n")

    def offset(self, line: int, column: int, encoding: Encoding) -> int:
        """Return the byte offset of a 0-based position, clamped into the text."""
        if line < 0:
            return 0
        if line >= len(self.starts):
            return len(self.text)
        start = self.starts[line]
        stop = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.text)
        if encoding is Encoding.UTF8 or stop - start <= _STRETCH or column <= 0:
            return start + column_offset(self.line_bytes(line), column, encoding)
        while stop > start and self.text[stop - 1] in b"\r\n":
            stop -= 1
        return self._count(encoding).offset(self.text, start, stop, column)

    def _count(self, encoding: Encoding) -> _Counted:
        """Return the table of an encoding, made when it is first asked for."""
        counted = self._counted.get(encoding)
        if counted is None:
            counted = self._counted[encoding] = _Counted.of(self.text, encoding)
        return counted


def is_word(char: str) -> bool:
    """Tell whether ``char`` may stand inside a Java identifier."""
    return char.isalnum() or char in "_$"
