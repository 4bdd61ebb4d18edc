"""Documents open in the editor: their text as bytes, and the edits a client sends.

Edits are applied in the negotiated encoding and clamped into the text, so that a client which
counts wrongly gets a wrong text at worst, never an error.  A ``revision`` is ours and only grows;
a client's ``version`` is passed back to it and used for nothing else.
"""

from __future__ import annotations

import attrs

from conflens.base.text import Encoding, LineIndex


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
    """Return ``text`` after ``edits``, each of which counts in the text before it."""
    for edit in edits:
        if edit.start is None or edit.end is None:
            text = encode(edit.text)
            continue
        index = LineIndex.of(text)
        one = index.offset(*edit.start, encoding)
        two = index.offset(*edit.end, encoding)
        start, end = min(one, two), max(one, two)
        text = text[:start] + encode(edit.text) + text[end:]
    return text
