"""The keys of a config file as its reader finds them, line by line: what the layer of comments (`settings`, `yaml_settings`) is laid
over.

Absent: keys that do not begin a line (flow style), what an alias brings.
"""

import re
from bisect import bisect_right

from attrs import frozen

from conflens.documents.configfiles.model import Assignment, Format, Kind
from conflens.documents.configfiles.parsing import assignments_of
from conflens.documents.source import Source

_OPENED = re.compile(r"[={\[,]|:(?!\w)")
_INDEX = re.compile(r"\[\d+\]")


@frozen
class ActiveKeys:
    """What a reader says: the assignment that begins each line, counted from 0 in the text, and the lines that belong to a value
    above.  Offsets count from `base` in the whole document."""

    keys: dict[int, Assignment]
    covered: frozenset[int]
    base: int


def active_keys(source: Source, text: str, format: Format) -> ActiveKeys:
    """What the reader of a format finds in `text`, which are the lines of a source."""
    base = source.starts[0] if source.starts else 0
    starts = [start - base for start in source.starts]
    keys: dict[int, Assignment] = {}
    covered: set[int] = set()
    for one in assignments_of(format, text):
        number = bisect_right(starts, one.key.start) - 1
        own = next(part.start for part in one.path if part.start >= starts[number])
        before = text[starts[number] : own].rstrip("\"'").strip(" \t\f-")
        inside = _OPENED.search(text, own, one.key.start) is not None
        if one.merged or inside or (before and not before.startswith("%")):
            continue
        keys.setdefault(number, one)
        if one.value is not None:
            end = one.value.end
        elif one.kind is Kind.LIST and format is not Format.YAML:
            end = one.end - 1
        else:
            continue
        covered.update(range(number + 1, bisect_right(starts, end)))
    return ActiveKeys(keys, frozenset(covered - keys.keys()), base)


def plain_name(name: str) -> str:
    """A name without the places of elements in lists."""
    return _INDEX.sub("", name).lstrip(".")
