"""Makes rows of what files of beans give members of the project's classes.

``<bean class="app.Store"><property name="size" value="${store.size}"/>`` says that the parameter of ``Store.setSize`` receives the
option ``store.size``: a row like one that a workspace file declares.  Of a map in a property, whose entries receive options, the keys
are the file's: what the class looks up under them is no option of that name.

Absent: what files say (given as ``Entering``); classes whose source is not at hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from conflens.models.members import MapEntryRow, ParameterReadRow
from conflens.program.program import Program

_CONSTRUCTOR = "<init>"


@attrs.frozen
class Entering:
    """The property ``member`` of ``type``, or if it is empty the ``index``-th of ``count`` arguments, receives an option; with a ``key``
    the map that it receives has the option under this key."""

    type: str
    member: str
    index: int
    count: int
    name: str
    domain: str
    default: str | None
    key: str = ""


def rows(program: Program, given: Iterable[Entering]) -> tuple[ParameterReadRow, ...]:
    """Return the parameters that receive options."""
    return tuple(dict.fromkeys(row for one in given if not one.key for row in _rows(program, one)))


def entries(program: Program, given: Iterable[Entering]) -> tuple[MapEntryRow, ...]:
    """Return the keys of maps that parameters receive."""
    found = (
        MapEntryRow(owner, method, one.index, one.key)
        for one in given
        if one.key
        for owner, method in _owners(program, one)
    )
    return tuple(dict.fromkeys(found))


def _owners(program: Program, one: Entering) -> Iterator[tuple[str, str]]:
    """Yield the classes, with the method in them, that receive what a member of one class is given."""
    if program.type(one.type) is None:
        return
    method = f"set{one.member[:1].upper()}{one.member[1:]}" if one.member else _CONSTRUCTOR
    for owner in dict.fromkeys(ref.owner for ref in program.methods(one.type, method, one.count)):
        yield owner, method


def _rows(program: Program, one: Entering) -> Iterator[ParameterReadRow]:
    for owner, method in _owners(program, one):
        yield ParameterReadRow(
            type=owner,
            method=method,
            parameter=one.index,
            count=one.count,
            name=one.name,
            domain=one.domain,
            default=one.default,
            provenance="a file of beans gives it",
        )
