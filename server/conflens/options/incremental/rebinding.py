"""Names by which a body uses something else than before, after members were declared otherwise.

What a use of a name *is* comprises what it resolves to, the type it is looked up in, and what is given
to it: all that those look at who ask for the users of a name.  Uses are compared as bags, so that a body may
have been edited as well.

Absent: bodies edited while declarations stay (``moved``).
"""

from __future__ import annotations

from collections import Counter

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.incremental.body_diff import used_names
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef


def differing(before: Program, after: Program, ref: MemberRef) -> set[str]:
    """Return the names that ``ref`` uses otherwise in one program than in the other."""
    one, two = _uses(Context.of(before, ref)), _uses(Context.of(after, ref))
    return {name for name, _ in (one - two) | (two - one)}


def _uses(context: Context) -> Counter[tuple[str, int]]:
    """Return the uses of names in a body: each with a number that stands for what it is."""
    kinds: list[int] = []
    found: Counter[tuple[str, int]] = Counter()
    for index, instr in enumerate(context.code):
        taken = ir.operands(instr)
        if taken:
            parts = tuple([kinds[value] if 0 <= value < index else NONE for value in taken])
        else:
            parts = ()
        meaning = (instr.__class__, *_meaning(context, index, instr))
        kinds.append(hash((parts, *meaning)))
        kind = -1
        for name in used_names(instr):
            if kind == -1:  # no hash is -1
                looked = _is_looked_into(context, index, instr)
                kind = kinds[index] if looked else hash(meaning)
            found[name, kind] += 1
    return found


def _is_looked_into(context: Context, index: int, instr: ir.Instr) -> bool:
    """Tell whether others look at what is given to a use without resting on its body."""
    if isinstance(instr, (ir.Call, ir.New)):
        return bool(context.targets(index))
    return isinstance(instr, ir.StoreField)


def _meaning(context: Context, index: int, instr: ir.Instr) -> tuple[object, ...]:
    match instr:
        case ir.Load():
            if not instr.up and context.is_parameter(instr.slot):
                # Which argument it is counts for those who look at calls.
                return instr.up, instr.slot, context.type_of(index)
            name = "" if instr.up else context.body.locals[instr.slot].name
            return instr.up, name, context.type_of(index)
        case ir.Name() | ir.Field():
            return instr.name, context.field_of(index), context.type_of(index)
        case ir.StoreField():
            return instr.name, context.target_field(instr)
        case ir.Call():
            targets = tuple(context.targets(index))
            return instr.name, targets, context.receiver_type(instr), context.type_of(index)
        case ir.New():
            return instr.type, instr.body, tuple(context.targets(index))
        case ir.MethodRef():
            holder = context.type_of(instr.object) if instr.object != NONE else None
            return instr.name, instr.type, holder
        case ir.Const():
            return (instr.kind,)
        case _:
            return (context.type_of(index),) if isinstance(instr, (ir.Cast, ir.Index)) else ()
