"""Where a new assignment belongs, and how lines of a text end: shared by the formats that have one entry a line.

A person looks for a key beside those that share the longest start with it, counted in whole words between separators.
Absent: how an entry is written, which each format knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from conflens.documents.configfiles.model import Assignment

_WORDS = re.compile(r"[^.\-_\[\]/]++")


def newline_of(text: str) -> str:
    """Return how lines of a text end: as the first one does, LF if there is none."""
    first = text.find("\n")
    if first > 0 and text[first - 1] == "\r":
        return "\r\n"
    return "\n" if first >= 0 or "\r" not in text else "\r"


def neighbour(assignments: Iterable[Assignment], name: str) -> Assignment | None:
    """Return the last of the assignments that share most leading words with ``name``; ``None`` if none shares any."""
    words = [word.lower() for word in _WORDS.findall(name)]
    best: Assignment | None = None
    most = 1
    for assignment in assignments:
        if not words or assignment.name[:1].lower() != words[0][:1]:
            continue
        shared = 0
        for word, own in zip(words, _WORDS.findall(assignment.name), strict=False):
            if word != own.lower():
                break
            shared += 1
        if shared >= most:
            best, most = assignment, shared
    return best


def line_start(text: str, offset: int) -> int:
    """Return where the line of an offset begins; between CR and LF, that of the CR."""
    if text[offset : offset + 1] == "\n" and text[max(0, offset - 1) : offset] == "\r":
        offset -= 1
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


def line_end(text: str, offset: int) -> int:
    """Return where the content of the line of an offset ends, its line end not included."""
    found = _LINE_END.search(text, offset)
    return found.start() if found else len(text)


def after_line(text: str, offset: int) -> int:
    """Return where the line behind that of an offset begins, the end of the text if it is the last."""
    found = _LINE_END.search(text, offset)
    return found.end() if found else len(text)


_LINE_END = re.compile(r"\r\n?|\n")
