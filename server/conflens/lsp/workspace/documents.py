"""Documents open in the editor: their text as bytes, and the edits a client sends.

Edits are applied in the negotiated encoding and clamped into the text, so that a client which
counts wrongly gets a wrong text at worst, never an error.  A ``revision`` is ours and only grows;
a client's ``version`` is passed back to it and used for nothing else.
"""

from __future__ import annotations

import attrs

from conflens.base.text import Encoding, column_offset, line_starts


@attrs.frozen
class Edit:
    """Replace from (line, column) ``start`` to ``end`` by ``text``; no range: the whole text."""

    start: tuple[int, int] | None
    end: tuple[int, int] | None
    text: str


@attrs.frozen
class Document:
    """One open document; ``uri`` as its client writes it, ``root`` and ``path`` its home folder."""

    uri: str
    root: str
    path: str
    text: bytes = attrs.field(repr=False)
    version: int | None
    revision: int


def encode(text: str) -> bytes:
    """Return UTF-8; a lone surrogate, which JSON can carry, becomes ``?`` of the same width."""
    return text.encode("utf-8", "replace")


def decode(text: bytes) -> str:
    """Return the text; bytes that are no UTF-8, which only a wrong edit can leave, are replaced."""
    return text.decode("utf-8", "replace")


def edited(text: bytes, edits: list[Edit], encoding: Encoding) -> bytes:
    """Return ``text`` after ``edits``, each of which counts in the text before it.

    The text is taken apart into lines once, so that an edit costs its own lines and not the text.
    """
    lines: _Lines | None = None
    for edit in edits:
        if edit.start is None or edit.end is None:
            text, lines = encode(edit.text), None
        else:
            lines = lines or _Lines(text, encoding)
            lines.replace(edit.start, edit.end, encode(edit.text))
    return text if lines is None else b"".join(lines.lines)


class _Lines:
    """A text as a list of its lines, each with its line end; the last has none and may be empty."""

    def __init__(self, text: bytes, encoding: Encoding) -> None:
        self.lines = _split(text)
        self._encoding = encoding

    def replace(self, start: tuple[int, int], end: tuple[int, int], text: bytes) -> None:
        """Replace what stands between two positions, in either order."""
        (first, at), (last, to) = sorted((self._place(*start), self._place(*end)))
        lines = self.lines
        made = lines[first][:at] + text + lines[last][to:]
        if first and made.startswith(b"\n") and lines[first - 1].endswith(b"\r"):
            first -= 1
            made = lines[first] + made
        found = _split(made)
        if last + 1 < len(lines):
            # What follows begins with a line of its own.
            del found[-1]
        lines[first : last + 1] = found

    def _place(self, line: int, column: int) -> tuple[int, int]:
        """Return the line of a position and the bytes before it there."""
        if line < 0:
            return 0, 0
        if line >= len(self.lines):
            return len(self.lines) - 1, len(self.lines[-1])
        content = self.lines[line].rstrip(b"\r\n")
        return line, column_offset(content, column, self._encoding)


def _split(text: bytes) -> list[bytes]:
    """Return the lines of a text."""
    starts = line_starts(text)
    return [text[one:two] for one, two in zip(starts, [*starts[1:], len(text)], strict=True)]
