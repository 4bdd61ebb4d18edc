"""Prose for people: cut to a length without cutting a thought."""

from __future__ import annotations

import re
from collections.abc import Iterator

_SPACE = re.compile(r"\s++")
_SENTENCE_END = re.compile(r"[.!?](?=\s)")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|resp|approx|incl|max|min|no)|\b[A-Za-z])\.$", re.I
)


def shorten(text: str, limit: int) -> str:
    """At most `limit` characters: whole sentences when one ends in time, else whole words
    followed by an ellipsis. White space is collapsed."""
    text = _SPACE.sub(" ", text).strip()
    if len(text) <= limit:
        return text
    ends = [end for end in _ends(text, limit + 1) if end <= limit]
    if ends:
        return text[: ends[-1]]
    space = text.rfind(" ", 0, limit)
    return text[: space if space > limit // 2 else limit - 1].rstrip(" ,;:") + "…"


def first_sentence(text: str, limit: int) -> str:
    """The first sentence, cut as in `shorten` if it is longer than `limit`."""
    text = _SPACE.sub(" ", text).strip()
    return shorten(text[: next(_ends(text, len(text)), len(text))], limit)


def _ends(text: str, stop: int) -> Iterator[int]:
    """Where sentences end that are followed by another."""
    for m in _SENTENCE_END.finditer(text, 0, stop):
        if not _ABBREVIATION.search(text, max(0, m.end() - 8), m.end()):
            yield m.end()
