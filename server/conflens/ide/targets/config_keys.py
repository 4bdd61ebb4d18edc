"""The keys of config files: which one a cursor touches, and which options it sets.

Only files that count (``checking.recognition``) have keys here; in all others nothing is touched.  A key is touched on any
part of its name that stands in its own entry, so ``server.port`` in one line of TOML is one thing, while each level of
nested YAML is another.  What an alias brought to a second place is touched where it is written, as the key that stands there.
"""

from __future__ import annotations

import attrs

from conflens.base.span import Place
from conflens.checking.recognition import Match
from conflens.documents.configfiles.model import Assignment, ConfigFile, Kind
from conflens.options.model import Option
from conflens.session.analysis import Analysis


@attrs.frozen
class Key:
    """A key that sets ``options`` (at least one); ``place`` is its name as written."""

    place: Place
    assignment: Assignment
    options: tuple[Option, ...]


def counting(analysis: Analysis, path: str) -> tuple[ConfigFile, Match] | None:
    """Return a config file of this project and what its keys are; ``None`` for any other file."""
    if path not in analysis.config_files:
        return None
    match = analysis.recognised.match(path)
    return (analysis.config_files[path], match) if match is not None and match.counts else None


def key_at(analysis: Analysis, path: str, offset: int) -> Key | None:
    """Return the key under a byte offset, ``None`` where none is that sets an option."""
    found = counting(analysis, path)
    if found is None:
        return None
    touched = [one for one in found[0].assignments if _touches(one, offset)]
    touched.sort(key=lambda one: (one.merged, one.kind is Kind.SECTION, one.start - one.key.end))
    for assignment in touched:
        options = found[1].options.get(assignment.name, ())
        if options:
            return Key(name_place(path, assignment), assignment, options)
    return None


def name_place(path: str, assignment: Assignment) -> Place:
    """Return the part of a key's name that stands in its own entry."""
    first = next(part for part in assignment.path if _own(assignment, part.start))
    return Place(path, first.start, assignment.key.end)


def _touches(assignment: Assignment, offset: int) -> bool:
    return assignment.start <= offset <= assignment.end and any(
        part.start <= offset <= part.end
        for part in assignment.path
        if _own(assignment, part.start)
    )


def _own(assignment: Assignment, start: int) -> bool:
    key = assignment.key.start
    return start == key or assignment.start <= start <= key
