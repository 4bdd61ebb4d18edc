"""Lines of their own: the whole lines of an entry, and the change that puts new lines behind it.

Where a new entry belongs is ``neighbours``'; here is how it gets there without touching what stands before and behind.
Invariant: total on any text; each helper looks at the line that it is asked about only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from conflens.documents.configfiles.model import Change
from conflens.documents.configfiles.neighbours import newline_of

MAX_NAME = 1_000
"""Longer names are no names: sections would multiply them by the number of the keys they hold."""

_REST = re.compile(r"[ \t]*+(?:\r\n?|\n|\Z)")


def indent_start(text: str, at: int) -> int | None:
    """Return where the line of ``at`` begins if nothing but blanks stands before, else ``None``."""
    while at > 0 and text[at - 1] in " \t":
        at -= 1
    return at if at == 0 or text[at - 1] in "\r\n" else None


def whole_lines(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the range extended to whole lines with their last line end, ``None`` if it shares them."""
    begin = indent_start(text, start)
    rest = _REST.match(text, end)
    return None if begin is None or rest is None else (begin, rest.end())


def inserted_lines(text: str, at: int, lines: Sequence[str]) -> Change:
    """Return the change that puts lines at an offset where one begins or, at the end of the text, should."""
    end = newline_of(text)
    open_line = at > 0 and text[at - 1] not in "\r\n"
    after = "" if open_line and at == len(text) else end
    return Change(at, at, (end if open_line else "") + end.join(lines) + after)


def applied(text: str, change: Change) -> str:
    """Return the text after a change."""
    return text[: change.start] + change.text + text[change.end :]
