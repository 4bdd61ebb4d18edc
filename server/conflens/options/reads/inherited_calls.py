"""The calls that hand an object something by a method of its superclass.

``configure(config)`` of a class hands on to ``doConfigure(config)``, which each subclass has in its own way.  What the object of one subclass
is given comes from the calls of ``configure`` on objects of this class, and not from those on its siblings.
Absent: what is handed on in another form, which any object of the superclass may be given.
"""

from __future__ import annotations

from collections.abc import Callable

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.origins.tracing import Tracer, root
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef

_LEVELS = 4
"""Methods of superclasses over which one object hands something on to itself; beyond, all that is given there counts."""

MayRun = Callable[[Context, int, str], bool]
"""Tells whether a call may be made on an object of a class."""


def handed(
    tracer: Tracer, ref: MemberRef, slot: int, may_run: MayRun, most: int
) -> list[tuple[Context, int]]:
    """Return where the argument for a parameter of a method comes from, with its place there.

    Where superclasses are handed it at more than ``most`` places, what they hand on counts as it is.
    """
    found: list[tuple[Context, int]] = []
    queue = [(ref, slot, 0)]
    seen = {(ref, slot)}
    for inner, number, level in queue:
        for caller, value, args in tracer.callers(inner, judged=True):
            if number >= len(args) or caller.ref == inner or not may_run(caller, value, ref.owner):
                continue
            parameter = _handed_on(caller, value, args[number], ref.owner)
            place = (caller.ref, parameter)
            if parameter == NONE or level >= _LEVELS:
                found.append((caller, args[number]))
            elif place not in seen:
                seen.add(place)
                queue.append((*place, level + 1))
        if len(found) > most and level:
            return _direct(tracer, ref, slot, may_run)
    return found


def _direct(
    tracer: Tracer, ref: MemberRef, slot: int, may_run: MayRun
) -> list[tuple[Context, int]]:
    return [
        (caller, args[slot])
        for caller, value, args in tracer.callers(ref, judged=True)
        if slot < len(args) and caller.ref != ref and may_run(caller, value, ref.owner)
    ]


def is_super(caller: Context, call: ir.Instr) -> bool:
    """Tell whether a method calls that of its superclass, which runs for objects of its own class and never in a sibling."""
    made_on = (
        caller.code[call.object] if isinstance(call, ir.Call) and call.object != NONE else None
    )
    return isinstance(made_on, ir.This) and made_on.qualifier == "super"


def _handed_on(caller: Context, value: int, given: int, owner: str) -> int:
    """Return which parameter of its own a method of a superclass hands on to the object itself; ``NONE`` if it does not."""
    program = caller.program
    call = caller.code[value]
    own = caller.ref.owner
    if not isinstance(call, ir.Call) or own == owner or not program.is_subtype(owner, own):
        return NONE
    made_on = caller.code[call.object] if call.object != NONE else None
    if made_on is not None and not isinstance(made_on, ir.This):
        return NONE
    load = caller.code[root(caller, given)] if given != NONE else None
    if not isinstance(load, ir.Load) or load.up or not caller.is_parameter(load.slot):
        return NONE
    return NONE if caller.stores(load.slot, 1) else load.slot
