"""The instructions of a body that load and assign fields, by the simple name they write.

Absent: which field a name means (``expressions``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from conflens.facts import ir


class Named(NamedTuple):
    """The instructions of a body that load and assign fields of one name."""

    loads: list[int]
    stores: list[int]


NOT_NAMED = Named([], [])


def by_name(code: Sequence[ir.Instr], places: Iterable[int] | None = None) -> dict[str, Named]:
    """Return the loads and assignments of a body by name; ``places``, if known, are those of all names, fields and assignments to fields."""
    found: dict[str, Named] = {}
    for index in range(len(code)) if places is None else places:
        instr = code[index]
        if isinstance(instr, ir.StoreField):
            found.setdefault(instr.name, Named([], [])).stores.append(index)
        elif isinstance(instr, (ir.Name, ir.Field)):
            found.setdefault(instr.name, Named([], [])).loads.append(index)
    return found
