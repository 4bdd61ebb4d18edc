"""Documents open in the editor: their text as bytes, and the edits a client sends.

Edits are applied in the negotiated encoding and clamped into the text, so that a client which
counts wrongly gets a wrong text at worst, never an error.  A ``revision`` is ours and only grows;
a client's ``version`` is passed back to it and used for nothing else.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise

import attrs

from conflens.base.text import Encoding, boundary, column_offset, line_starts, units
from conflens.lsp.wire.uris import file_path


@attrs.frozen
class Edit:
    """Replace from (line, column) ``start`` to ``end`` by ``text``; no range: the whole text."""

    start: tuple[int, int] | None
    end: tuple[int, int] | None
    text: str


@attrs.frozen
class Document:
    """One open document; ``uri`` as its client writes it, ``homes`` the folders that it lies in, each by its root with the path there,
    the innermost first: that one answers for it.  Two documents may be of one file, through links or in two spellings of its URI."""

    uri: str
    homes: tuple[tuple[str, str], ...]
    text: bytes = attrs.field(repr=False)
    version: int | None
    revision: int

    @cached_property
    def file(self) -> str:
        """The path of its file."""
        return file_path(self.uri) or ""

    @property
    def root(self) -> str:
        """The root of the folder that answers for it."""
        return self.homes[0][0]

    @property
    def path(self) -> str:
        """Its path in that folder."""
        return self.homes[0][1]

    def path_in(self, root: str) -> str | None:
        """Return its path in a folder, ``None`` if it does not lie in it."""
        return next((path for home, path in self.homes if home == root), None)


def encode(text: str) -> bytes:
    """Return UTF-8; a lone surrogate, which JSON can carry, becomes ``?`` of the same width."""
    return text.encode("utf-8", "replace")


def decode(text: bytes) -> str:
    """Return the text; bytes that are no UTF-8, which only a wrong edit can leave, are replaced."""
    return text.decode("utf-8", "replace")


def edited(text: bytes, edits: list[Edit], encoding: Encoding) -> bytes:
    """Return ``text`` after ``edits``, each of which counts in the text before it.

    The text is taken apart into lines once, and a long line into pieces, so that an edit costs the pieces that it changes and
    not the text or the line.
    """
    lines: _Lines | None = None
    for edit in edits:
        if edit.start is None or edit.end is None:
            text, lines = encode(edit.text), None
        else:
            lines = lines or _Lines(text, encoding)
            lines.replace(edit.start, edit.end, encode(edit.text))
    return text if lines is None else lines.joined()


_Pieces = tuple[tuple[bytes, int], ...]
"""The pieces of a line, none empty, each with its length in code units; the last has the whole line end."""

_NOTHING: _Pieces = ((b"", 0),)
_PIECE = 2048
"""How many bytes a piece is cut to, once it is longer than two."""


class _Lines:
    """A text as a list of its lines, each with its line end; the last has none and may be empty.

    A line is split into pieces at its first edit."""

    def __init__(self, text: bytes, encoding: Encoding) -> None:
        self._lines: list[bytes | _Pieces] = [*_split(text)]
        self._encoding = encoding

    def joined(self) -> bytes:
        """Return the text."""
        parts: list[bytes] = []
        for line in self._lines:
            if isinstance(line, bytes):
                parts.append(line)
            else:
                parts.extend(piece for piece, _ in line)
        return b"".join(parts)

    def replace(self, start: tuple[int, int], end: tuple[int, int], text: bytes) -> None:
        """Replace what stands between two positions, in either order."""
        (first, one, at), (last, two, to) = sorted((self._place(*start), self._place(*end)))
        before, behind = self._pieces(first), self._pieces(last)
        head, tail = before[:one], behind[two + 1 :]
        made = before[one][0][:at] + text + behind[two][0][to:]
        if tail and (not made or made.endswith(b"\r")):
            made, tail = made + tail[0][0], tail[1:]
        if head and not made:
            head, made = head[:-1], head[-1][0]
        if first and not head and made.startswith(b"\n"):
            above = self._pieces(first - 1)
            if above[-1][0].endswith(b"\r"):
                first -= 1
                head, made = above[:-1], above[-1][0] + made
        found: list[bytes | _Pieces] = [*_split(made)]
        if not tail and last + 1 < len(self._lines):
            # What follows begins with a line of its own.
            del found[-1]
        if tail:
            found[-1] = (*self._cut(found[-1]), *tail)
        if head:
            found[0] = (*head, *self._cut(found[0]))
        self._lines[first : last + 1] = found

    def _place(self, line: int, column: int) -> tuple[int, int, int]:
        """Return the line of a position, its piece there and the bytes before it in the piece."""
        if line < 0:
            return 0, 0, 0
        if line >= len(self._lines):
            pieces = self._pieces(len(self._lines) - 1)
            return len(self._lines) - 1, len(pieces) - 1, len(pieces[-1][0])
        pieces = self._pieces(line)
        number = 0
        while number + 1 < len(pieces) and column >= pieces[number][1]:
            column -= pieces[number][1]
            number += 1
        content = pieces[number][0].rstrip(b"\r\n")
        return line, number, column_offset(content, column, self._encoding)

    def _pieces(self, line: int) -> _Pieces:
        """Return the pieces of a line, a single empty one for one that is empty."""
        held = self._lines[line]
        if isinstance(held, bytes):
            held = self._lines[line] = self._cut(held)
        return held or _NOTHING

    def _cut(self, line: bytes | _Pieces) -> _Pieces:
        """Return a line or a part of one as pieces; none for one that is empty."""
        if not isinstance(line, bytes):
            return line
        ends = [0]
        while len(line) - ends[-1] > 2 * _PIECE:
            ends.append(boundary(line, ends[-1] + _PIECE))
        ends.append(len(line))
        parts = (line[one:two] for one, two in pairwise(ends))
        return tuple((part, units(part, self._encoding)) for part in parts if part)


def _split(text: bytes) -> list[bytes]:
    """Return the lines of a text."""
    starts = line_starts(text)
    return [text[one:two] for one, two in zip(starts, [*starts[1:], len(text)], strict=True)]
