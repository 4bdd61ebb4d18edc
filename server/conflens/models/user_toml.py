"""TOML that a user writes, parsed in a time that grows with its text.

A parser may take a time that grows with the square of the parts of a dotted key, and what it says of a limit of its own names
no place. So a text is searched for such a key first.
Absent: what the tables mean (``workspace``), where keys stand (``toml_positions``).
"""

from __future__ import annotations

import re
from typing import Any

import tomli

_TOKEN = re.compile(
    r"(?P<gap>[ \t]++)|(?P<dot>\.)|(?P<part>[A-Za-z0-9_-]++)|(?P<comment>\#[^\n]*+)"
    r'|(?P<text>"""(?:[^"\\]|\\.|"(?!""))*+(?:"{3,5}|\Z)'
    r"|'''(?:[^']|'(?!''))*+(?:'{3,5}|\Z)"
    r'|"(?:[^"\\\n]|\\[^\n])*+"?'
    r"|'[^'\n]*+'?)",
    re.DOTALL,
)
"""What separates and makes up keys, in any text."""
MAX_PARTS = 100
"""A key with more parts is not read."""


class LongKeyError(ValueError):
    """A key has more than ``MAX_PARTS`` parts; ``place`` is the line and column where it begins."""

    def __init__(self, place: tuple[int, int]) -> None:
        super().__init__(f"a key has more than {MAX_PARTS} parts")
        self.place = place


def load_toml(text: str) -> dict[str, Any]:
    """Return the tables of a text; raises ``ValueError`` for one that is no TOML, ``RecursionError`` for one that is
    nested too deeply, and :class:`LongKeyError`."""
    place = _long_key(text)
    if place is not None:
        raise LongKeyError(place)
    return tomli.loads(text)


def _long_key(text: str) -> tuple[int, int] | None:
    """Line and column of the first key with more than ``MAX_PARTS`` parts; ``None`` if there is none."""
    parts, joined, start, end = 0, False, 0, 0
    for token in _TOKEN.finditer(text):
        if (
            token.start() != end
        ):  # something else is in between: an equals sign, a bracket, the end of a line
            parts, joined = 0, False
        end = token.end()
        if token.lastgroup == "dot":
            joined = parts > 0
        elif token.lastgroup in ("part", "text"):
            start = start if joined else token.start()
            parts, joined = (parts if joined else 0) + 1, False
            if parts > MAX_PARTS:
                return text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)
    return None
