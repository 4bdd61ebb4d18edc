"""Makes rows of what files of beans give members of the project's classes.

``<bean class="app.Store"><property name="size" value="${store.size}"/>`` says that the parameter of ``Store.setSize`` receives the
option ``store.size``: a row like one that a workspace file declares.

Absent: what files say (given as ``Entering``); classes whose source is not at hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from conflens.models.schema import ParameterReadRow
from conflens.program.program import Program

_CONSTRUCTOR = "<init>"


@attrs.frozen
class Entering:
    """The property ``member`` of ``type``, or if it is empty the ``index``-th of ``count`` arguments, receives an option."""

    type: str
    member: str
    index: int
    count: int
    name: str
    domain: str
    default: str | None


def rows(program: Program, given: Iterable[Entering]) -> tuple[ParameterReadRow, ...]:
    """Return the parameters that receive options."""
    return tuple(dict.fromkeys(row for one in given for row in _rows(program, one)))


def _rows(program: Program, one: Entering) -> Iterator[ParameterReadRow]:
    if program.type(one.type) is None:
        return
    method = f"set{one.member[:1].upper()}{one.member[1:]}" if one.member else _CONSTRUCTOR
    owners = dict.fromkeys(ref.owner for ref in program.methods(one.type, method, one.count))
    for owner in owners:
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
