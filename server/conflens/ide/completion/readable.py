"""Which values, written at a place of a config file, are read as themselves there while all else stays.

How a value is quoted follows from what stands right before it; what stands around, such as quotes farther out or behind, may make
another text of it.  So the file is read with the value in its place.  All plain words at one place are alike: one of them stands for all.
Bounds: completion must not wait, so that at most ``_MOST_READ`` bytes are read for a place; what cannot be tried is offered if it is a word.
"""

from __future__ import annotations

import re
from collections import Counter

from conflens.documents.configfiles import parsing
from conflens.documents.configfiles.model import Assignment, ConfigFile, Context, Kind, Value

_WORD = re.compile(r"(?!null\Z)[A-Za-z0-9][\w.-]*", re.ASCII | re.I)
_MOST_READ = 100_000


class Readable:
    """Answers for one place."""

    def __init__(self, here: ConfigFile, context: Context) -> None:
        self._here = here
        self._context = context
        self._left = _MOST_READ - len(here.text)
        self._word: bool | None = None
        self._now: ConfigFile | None = None

    def holds(self, value: str, text: str) -> bool:
        """Tell whether a value that is written as ``text`` is read as itself."""
        word = value == text and _WORD.fullmatch(value) is not None
        if word and self._word is not None:
            return self._word
        self._left -= len(self._here.text)
        if self._left < 0:
            return word
        found = self._is_read(value, text)
        if word:
            self._word = found
        return found

    def _is_read(self, value: str, text: str) -> bool:
        here, context = self._here, self._context
        now = self._now = self._now or parsing.parse(here.path, here.format, here.text)
        written = text.encode()
        whole = here.text[: context.start] + written + here.text[context.end :]
        then = parsing.parse(here.path, here.format, whole)
        if len(then.faults) > len(now.faults) or _names(now) - _names(then):
            return False
        of_name = then.by_name.get(context.name) or then.assignments
        end = context.start + len(written)
        return any(
            one.start <= end
            and context.start <= one.end
            and (one.text == value or (one.start < context.start and value in one.text))
            for assignment in of_name
            for one in _values(assignment)
        )


def _names(file: ConfigFile) -> Counter[str]:
    return Counter(one.name for one in file.assignments if one.kind is not Kind.SECTION)


def _values(assignment: Assignment) -> tuple[Value, ...]:
    return assignment.items if assignment.value is None else (assignment.value,)
