"""The instructions of a body that load and assign fields, by the simple name they write.

Absent: which field a name means (``expressions``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from conflens.facts import ir


class Named(NamedTuple):
    """The instructions of a body that load and assign fields of one name."""

    loads: list[int]
    stores: list[int]


NOT_NAMED = Named([], [])


def by_name(code: Sequence[ir.Instr]) -> dict[str, Named]:
    """Return the loads and assignments of a body by name."""
    found: dict[str, Named] = {}
    for index, instr in enumerate(code):
        if isinstance(instr, ir.Name | ir.Field):
            found.setdefault(instr.name, Named([], [])).loads.append(index)
        elif isinstance(instr, ir.StoreField):
            found.setdefault(instr.name, Named([], [])).stores.append(index)
    return found
