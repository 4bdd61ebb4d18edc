"""The values that config files give to options: the options of each assignment, as far as their program is that of the file.

Absent: judging a value (``values``, ``adjusted_values``).
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from conflens.checking.namespaces import is_bound, parent_of
from conflens.checking.recognition import Match
from conflens.checking.subject import Subject
from conflens.documents.configfiles.model import Assignment, ConfigFile, Kind, Value
from conflens.options.model import NUMERIC, Limits, Option, OptionType

Assigned = tuple[ConfigFile, Assignment, Value, tuple[Option, ...]]


def assigned(subject: Subject, path: str) -> Iterator[Assigned]:
    """Yield the values of one config file with the options that they are given to."""
    file = subject.config_files.get(path)
    match = subject.recognised.match(path)
    if file is None or match is None or not match.counts:
        return
    for assignment in file.assignments:
        if assignment.value is None or assignment.kind is not Kind.SCALAR or assignment.merged:
            continue
        options = tuple(
            option
            for option in match.options.get(assignment.name, ())
            if not assignment.domain or option.domain == assignment.domain
        )
        options = tuple(one for one in options if not one.pattern) or tuple(
            one for one in options if _is_meant(one, assignment.name, match)
        )
        if not all(subject.recognised.belongs(one, path, wholly=True) for one in options):
            options = _of_library(subject, options)
        yield file, assignment, assignment.value, options


def _of_library(subject: Subject, options: tuple[Option, ...]) -> tuple[Option, ...]:
    """Return options that other programs read, as they are in any that uses the library which reserves their names: of a type, and
    nothing more; none if one is not so."""
    reserved = subject.recognised.reserved
    if not all(
        reserved.holds(one.name, {one.domain})
        and not one.pattern
        and (one.type is OptionType.BOOLEAN or one.type in NUMERIC)
        for one in options
    ):
        return ()
    return tuple(
        attrs.evolve(one, limits=Limits(accepts=one.limits.accepts if one.type in NUMERIC else ""))
        for one in options
    )


def _is_meant(pattern: Option, name: str, match: Match) -> bool:
    """Tell whether a pattern that covers a name says what its value is.

    Not where anything may follow in the name, unless that is a map of one type of values.  Where anything may come
    first, another key beside this one must be of the same pattern.
    """
    if not is_bound(pattern) and pattern.name.endswith("*"):
        return False
    if not pattern.name.startswith("*"):
        return True
    return match.patterns[parent_of(name), parent_of(pattern.name)] > 1
