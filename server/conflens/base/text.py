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


_PAIRED = range(0xF0, 0xF5)
"""First bytes of characters that UTF-16 writes in two units."""


def units(text: bytes, encoding: Encoding) -> int:
    """Return the length of UTF-8 ``text`` in code units of ``encoding``."""
    if encoding is Encoding.UTF8 or text.isascii():
        return len(text)
    decoded = text.decode("utf-8", "replace")
    if encoding is Encoding.UTF32:
        return len(decoded)
    return len(decoded) + sum(char > "\uffff" for char in decoded)


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
class LineIndex:
    """The line table of one text: ``starts`` are byte offsets, ascending, the first is 0."""

    text: bytes = attrs.field(repr=False)
    starts: list[int] = attrs.field(repr=False)

    @staticmethod
    def of(text: bytes) -> LineIndex:
        """Build the index of ``text`` (UTF-8)."""
        return LineIndex(text, line_starts(text))

    def position(self, offset: int, encoding: Encoding) -> tuple[int, int]:
        """Return 0-based (line, column in ``encoding``) of byte ``offset``."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self.starts, offset) - 1
        return line, units(self.text[self.starts[line] : offset], encoding)

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
        return self.starts[line] + column_offset(self.line_bytes(line), column, encoding)


def is_word(char: str) -> bool:
    """Tell whether ``char`` may stand inside a Java identifier."""
    return char.isalnum() or char in "_$"
