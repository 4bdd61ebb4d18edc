"""The places of a TOML text's keys and values by path, for problems with what it says (``models.places``).

A key stands where its line begins to name it, so that all parts of a dotted key have one place; a value where its quote or bracket
opens.  Total, as the reader is: a text that is no TOML has places too.
"""

from __future__ import annotations

import re

from conflens.documents.configfiles.model import Segment
from conflens.documents.configfiles.toml.reading import read
from conflens.models.places import Path, Places

_ELEMENT = re.compile(r"(.*)\[(\d+)\]", re.DOTALL)


def toml_places(text: str) -> Places:
    """Return the places of a text whose lines end in LF."""
    reading = read(text)
    keys: dict[Path, int] = {}
    values: dict[Path, int] = {}
    for section in reading.sections[1:]:
        path = _path(text, section.path or ())
        if path and isinstance(path[-1], int):
            keys.setdefault(path[:-1], section.at)
        if path:
            keys.setdefault(path, section.at)
    for one in reading.assignments:
        path = _path(text, one.path)
        own = next((segment for segment in one.path if segment.start >= one.start), one.key)
        begin = own.start - (text[own.start - 1 : own.start] in ("'", '"'))
        outer = len(_path(text, tuple(part for part in one.path if part.start < one.start)))
        for length in range(outer + 1, len(path) + 1):
            keys.setdefault(path[:length], begin)
        if one.value is not None:
            values.setdefault(path, one.value.start - len(one.value.style))
        for number, item in enumerate(one.items):
            values.setdefault((*path, number), item.start - len(item.style))
    for bracket in reading.brackets:
        values.setdefault(_path(text, bracket.path), bracket.start - 1)
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    return Places(keys, values, starts)


def _path(text: str, segments: tuple[Segment, ...]) -> Path:
    """A path of keys and indices.  An index is not written, so a segment that says more than its text has one."""
    path: list[str | int] = []
    for segment in segments:
        element = _ELEMENT.fullmatch(segment.text)
        if element is not None and text[segment.start : segment.end] != segment.text:
            path += (element[1], int(element[2]))
        else:
            path.append(segment.text)
    return tuple(path)
