"""Names of options inside the values of config files: placeholders, and what a cursor touches there.

A *placeholder* is ``${name}``, ``${name:default}`` or HOCON's ``${?name}`` in a value; its name is an option of the file's
domains, or another key of the file.  Only files that count (``checking.recognition``) are looked at.
Absent: what a placeholder resolves to (``checking.placeholders``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import attrs

from conflens.base.span import Place
from conflens.documents.configfiles.model import Assignment, ConfigFile, Value
from conflens.ide.targets.config_keys import counting, key_at, name_place
from conflens.options.model import Option
from conflens.session.analysis import Analysis

_PLACEHOLDER = re.compile(rb"\$\{\??[ \t]*+([A-Za-z_][\w.\-\[\]]*+)")


@attrs.frozen
class Named:
    """``options`` (at least one) under a cursor in a config file; ``place`` is the key or the placeholder's name,
    ``name`` as the file spells it, whole."""

    place: Place
    name: str
    options: tuple[Option, ...]
    assignment: Assignment | None = None
    """The key's; ``None`` for a placeholder."""


def named_at(analysis: Analysis, path: str, offset: int) -> Named | None:
    """Return the key or placeholder under byte ``offset`` of a config file, ``None`` where no option is named."""
    key = key_at(analysis, path, offset)
    if key is not None:
        return Named(key.place, key.assignment.name, key.options, key.assignment)
    found = counting(analysis, path)
    if found is None:
        return None
    file, match = found
    for place, name in _placeholders_around(file, offset):
        options = analysis.recognised.referred_to(name, match.domains)
        if options:
            return Named(place, name, options)
    return None


def placeholders(
    analysis: Analysis, file: ConfigFile, domains: frozenset[str], options: Iterable[Option]
) -> tuple[tuple[Place, str], ...]:
    """Return where values of a file name one of ``options`` in a placeholder, in order, with the name as it is written."""
    if b"${" not in file.text:
        return ()
    keys = {option.key for option in options}
    meant: dict[str, bool] = {}
    found: dict[Place, str] = {}
    for value in _values(file):
        for place, name in _in_value(file, value):
            if name not in meant:
                named = analysis.recognised.referred_to(name, domains)
                meant[name] = any(option.key in keys for option in named)
            if meant[name]:
                found[place] = name
    return tuple(sorted(found.items()))


def places_of(analysis: Analysis, path: str, options: tuple[Option, ...]) -> tuple[Place, ...]:
    """Return where a config file that counts names options: keys and placeholders, in order."""
    found = counting(analysis, path)
    if found is None:
        return ()
    file, match = found
    keys = {option.key for option in options}
    names = {name for name, of in match.options.items() if any(one.key in keys for one in of)}
    places = {
        name_place(path, assignment) for name in names for assignment in file.by_name.get(name, ())
    }
    places.update(place for place, _ in placeholders(analysis, file, match.domains, options))
    return tuple(sorted(places))


def _placeholders_around(file: ConfigFile, offset: int) -> Iterator[tuple[Place, str]]:
    for value in _values(file):
        if value.start <= offset <= value.end:
            for place, name in _in_value(file, value):
                if place.holds(offset):
                    yield place, name


def _values(file: ConfigFile) -> Iterator[Value]:
    for assignment in file.assignments:
        if assignment.value is not None:
            yield assignment.value
        yield from assignment.items


def _in_value(file: ConfigFile, value: Value) -> Iterator[tuple[Place, str]]:
    for found in _PLACEHOLDER.finditer(file.text, value.start, value.end):
        yield Place(file.path, found.start(1), found.end(1)), found[1].decode("utf-8", "replace")
