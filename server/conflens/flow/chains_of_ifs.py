"""Chains of ``if … else if …``: where each ends, and whether one of its arms runs in any case.

Terms
    link    an ``if`` of a chain; all but the first are all that the ``else`` of the one before them holds.
    whole   of a chain: some arm always runs, since it ends with ``else``, or since its links ask one enum for each of its constants.

Absent: what the arms do (``arrivals``).
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.alike import form_of
from conflens.flow.code import Code
from conflens.flow.guards import Range, conditions
from conflens.flow.library import Library
from conflens.program.program import Program

LINKS = 12
"""Links of a chain that are looked at, before and after one."""


def arms_from(library: Library, code: Code, at: int) -> tuple[Range, ...]:
    """Return the arms between which the chain decides from the link ``at`` on; none if perhaps no arm runs, or the chain is long."""
    arms: list[Range] = []
    link: int | None = at
    last = at
    while link is not None and len(arms) < LINKS:
        instr = code.code[link]
        assert isinstance(instr, ir.If)
        arms.append((instr.then_start, instr.else_start))
        last, link = link, _next(code, instr)
    end = code.code[last]
    assert isinstance(end, ir.If)
    if link is not None:
        return ()
    if end.else_start < end.stop:
        return (*arms, (end.else_start, end.stop))
    return tuple(arms) if _asks_for_each(library, code, last) else ()


def _next(code: Code, instr: ir.If) -> int | None:
    """Return the link that is the ``else`` of another."""
    code.context.program.meter.spend()
    for index in range(instr.else_start, instr.stop):
        found = code.code[index]
        if isinstance(found, ir.If):
            return index if found.stop == instr.stop else None
        if not isinstance(found, _TESTING):
            return None
        code.context.program.meter.spend()
    return None


_TESTING = (
    ir.Load,
    ir.Name,
    ir.Field,
    ir.Const,
    ir.Call,
    ir.This,
    ir.Binary,
    ir.Unary,
    ir.InstanceOf,
    ir.ShortCircuit,
    ir.Cast,
)
"""Of what the test of a link is made; other things are statements, or decide something themselves."""


def _asks_for_each(library: Library, code: Code, last: int) -> bool:
    """Tell whether the links up to the last one ask the same value for each constant of an enum."""
    asked: set[str] = set()
    subject: tuple[object, ...] = ()
    enum = ""
    link: int | None = last
    for _ in range(LINKS):
        if link is None:
            break
        instr = code.code[link]
        assert isinstance(instr, ir.If)
        found = _asked(library, code, instr.test)
        if found is None or (subject and (found[0], found[1]) != (subject, enum)):
            break
        subject, enum = found[0], found[1]
        asked.add(found[2])
        link = _before(code, instr, link)
    return bool(enum) and asked >= _constants(library.program, enum)


def _before(code: Code, instr: ir.If, link: int) -> int | None:
    """Return the link whose ``else`` is this one."""
    for index in reversed(conditions(code).ending.get(instr.stop, ())):
        code.context.program.meter.spend()
        outer = code.code[index]
        if index < link and isinstance(outer, ir.If) and _next(code, outer) == link:
            return index
    return None


def _asked(library: Library, code: Code, test: int) -> tuple[tuple[object, ...], str, str] | None:
    """Return what a test compares with a constant of an enum, with the enum and the constant."""
    instr = code.code[test]
    if isinstance(instr, ir.Binary) and instr.op == "==":
        sides = (instr.left, instr.right)
    elif isinstance(instr, ir.Call) and instr.name == "equals" and len(instr.args) == 1:
        sides = (instr.object, instr.args[0])
    else:
        return None
    for one, other in (sides, sides[::-1]):
        if NONE in sides or not isinstance(code.code[other], (ir.Name, ir.Field)):
            continue
        field = code.context.field_of(other)
        if field is None or library.program.member(field).kind != "enum_constant":
            continue
        form = form_of(code, one)
        if form:
            return form, field.owner, library.program.member(field).name
    return None


def _constants(program: Program, enum: str) -> set[str]:
    return {
        name
        for name, ref in program.own_fields(enum).items()
        if program.member(ref).kind == "enum_constant"
    }
