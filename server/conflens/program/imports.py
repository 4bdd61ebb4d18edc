"""What a file imports, by the last part of the name.

Absent: what a name means in a file (``program``).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from conflens.facts.model import Import


class Imported(NamedTuple):
    """The imports of one file."""

    types: dict[str, str]
    """What each last part of an import that is not on demand means."""
    on_demand: tuple[str, ...]
    """The types whose static members all are imported."""
    members: dict[str, list[tuple[int, str]]]
    """The types of which a static member is imported by its name, each after the number of star imports before it."""

    def owners(self, name: str) -> list[str]:
        """Return the types from which a static member of a name may be imported, in the order of the imports."""
        named = self.members.get(name)
        if named is None:
            return list(self.on_demand)
        found: list[str] = []
        done = 0
        for before, type_ in named:
            found += (*self.on_demand[done:before], type_)
            done = before
        return found + list(self.on_demand[done:])


def imported(imports: Iterable[Import]) -> Imported:
    """Sort the imports of a file."""
    found = Imported({}, (), {})
    stars: list[str] = []
    for one in imports:
        if one.on_demand:
            if one.static:
                stars.append(one.name)
            continue
        type_, _, last = one.name.rpartition(".")
        found.types.setdefault(last, one.name)
        if one.static:
            found.members.setdefault(last, []).append((len(stars), type_))
    return found._replace(on_demand=tuple(stars))
