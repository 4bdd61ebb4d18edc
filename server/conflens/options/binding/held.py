"""The fields that parameters end in.

Absent: what the fields are for (``members``).
"""

from __future__ import annotations

from collections.abc import Iterator

from conflens.facts import ir
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.values import Values


def holder(values: Values, ref: MemberRef, slot: int) -> MemberRef | None:
    """Return the field to which a method or constructor assigns its parameter ``slot``."""
    return holders(values, ref).get(slot)


def holders(values: Values, ref: MemberRef) -> dict[int, MemberRef | None]:
    """Return the field, if it is known, to which a method or constructor assigns each of its parameters first."""
    context = values.open(ref)
    found: dict[int, MemberRef | None] = {}
    for instr in context.code:
        if isinstance(instr, ir.StoreField):
            for slot in _taken(context, instr.value):
                if slot not in found:
                    found[slot] = context.target_field(instr)
    return found


def _taken(context: Context, value: int, depth: int = 0) -> Iterator[int]:
    if value < 0 or depth > 4:
        return
    instr = context.code[value]
    match instr:
        case ir.Load(up=0):
            yield instr.slot
        case ir.Cast():
            yield from _taken(context, instr.value, depth + 1)
        case ir.Choice():
            yield from _taken(context, instr.then, depth + 1)
            yield from _taken(context, instr.other, depth + 1)
        case ir.Call():
            for arg in instr.args:
                yield from _taken(context, arg, depth + 1)
        case _:
            pass
