"""Whose options are whose: the started program's own, and those of the libraries whose source is beside it.

A program hands its settings to a library, which reads further ones by itself.  Both reach the same code, but what the program
sets is set, and what only the library reads mostly keeps its default.  So a library's own option counts less beside
one of the program's that reaches the same work.

Absent: options that are known to differ, which keep their full weight even if only a library reads them (``sharing``).
"""

from __future__ import annotations

from collections.abc import Iterable

from conflens.flow.results import OptionKey
from conflens.options.model import Option, OptionTable
from conflens.profiling.model import Snapshot
from conflens.profiling.programs import main_classes, started
from conflens.program.program import Program

_SEGMENTS = 2
"""The first names of a package that tell whose it is: ``org.example``."""


def foreign_options(
    program: Program, options: OptionTable, snapshots: Iterable[Snapshot]
) -> frozenset[OptionKey]:
    """Return the options that only packages of others than the started program read; nothing if that is not of the project."""
    owners = set()
    for snapshot in snapshots:
        for name in main_classes(snapshot) | started(snapshot):
            info = program.type(name)
            if info is not None:
                owners.add(_owner(program, info.path))
    if not owners:
        return frozenset()
    return frozenset(
        option.key
        for option in options.options
        if option.reads and owners.isdisjoint(_readers(program, option))
    )


def _readers(program: Program, option: Option) -> Iterable[tuple[str, ...]]:
    places = [read.place for read in option.reads]
    places += [one.place for one in option.declarations]
    return {_owner(program, place.path) for place in places if place.path in program.files}


def _owner(program: Program, path: str) -> tuple[str, ...]:
    return tuple(program.files[path].package.split(".")[:_SEGMENTS])
