"""HOCON, read only: its includes, substitutions and merging make every written place a guess.

``hocon_reading`` reads.  A value can be completed where one stands; keys are neither completed, renamed nor added.
"""

from __future__ import annotations

import re

from conflens.documents.configfiles.hocon.reading import read, unescaped
from conflens.documents.configfiles.model import Assignment, Change, Context, ContextKind, Parsed

_BARE = re.compile(r"[\w\-.%]+")
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f\"\\]")
_ESCAPED = {
    "\\": "\\\\",
    '"': '\\"',
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\f": "\\f",
    "\r": "\\r",
}


def parse(text: str) -> Parsed:
    """Return a text's assignments, none if it is no HOCON."""
    return Parsed(*read(text))


def context(text: str, offset: int) -> Context:
    """Return the value around the cursor."""
    for one in parse(text).assignments:
        for value in (*one.items, one.value) if one.value is not None else one.items:
            if value.start <= offset <= value.end:
                prefix = text[value.start : offset]
                prefix = unescaped(prefix) if value.style == '"' else prefix
                return Context(ContextKind.VALUE, prefix, value.start, value.end, name=one.name)
    return Context(ContextKind.NEITHER)


def key_text(text: str, context: Context, name: str) -> str | None:
    """Return ``None``: no keys are written."""
    return None


def value_text(value: str, style: str = "") -> str:
    """Return a value as it is written, in quotes unless it is a plain word."""
    if style == '"""':
        return value
    if style == '"' or not _BARE.fullmatch(value):
        written = _UNPRINTABLE.sub(_escape, value)
        return written if style else f'"{written}"'
    return value


def _escape(match: re.Match[str]) -> str:
    return _ESCAPED.get(match[0]) or f"\\u{ord(match[0]):04x}"


def renamed(text: str, assignment: Assignment, name: str) -> tuple[Change, ...] | None:
    """Return ``None``: a substitution elsewhere may ask for the old name."""
    return None


def added(text: str, name: str, value: str, comment: str = "") -> Change | None:
    """Return ``None``: nothing is written."""
    return None
