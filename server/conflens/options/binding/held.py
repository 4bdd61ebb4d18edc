"""The fields that parameters end in.

Absent: what the fields are for (``members``).
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef


def holder(program: Program, ref: MemberRef, slot: int) -> MemberRef | None:
    """Return the field to which a method or constructor assigns its parameter ``slot``."""
    context = Context.of(program, ref)
    for instr in context.code:
        if isinstance(instr, ir.StoreField) and _takes(context, instr.value, slot):
            return context.target_field(instr)
    return None


def _takes(context: Context, value: int, slot: int, depth: int = 0) -> bool:
    if value < 0 or depth > 4:
        return False
    instr = context.code[value]
    match instr:
        case ir.Load():
            return instr.slot == slot and not instr.up
        case ir.Cast():
            return _takes(context, instr.value, slot, depth + 1)
        case ir.Choice():
            return _takes(context, instr.then, slot, depth + 1) or _takes(
                context, instr.other, slot, depth + 1
            )
        case ir.Call():
            return any(_takes(context, arg, slot, depth + 1) for arg in instr.args)
        case _:
            return False
