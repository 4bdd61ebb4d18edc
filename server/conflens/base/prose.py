"""Prose for people: cut to a length without cutting a thought."""

from __future__ import annotations

import re

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
    ends = [
        m.end()
        for m in _SENTENCE_END.finditer(text, 0, limit + 1)
        if m.end() <= limit and not _ABBREVIATION.search(text, max(0, m.end() - 8), m.end())
    ]
    if ends:
        return text[: ends[-1]]
    space = text.rfind(" ", 0, limit)
    return text[: space if space > limit // 2 else limit - 1].rstrip(" ,;:") + "…"
