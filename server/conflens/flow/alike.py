"""Expressions of one body that give the same value, as far as their text tells: locals, fields and getters.

Absent: what changes the value between two of them, which their users do not look for.
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code

_DEPTH = 4


def form_of(code: Code, value: int, depth: int = 0) -> tuple[object, ...]:
    """Return an expression such that two that are equal have the same value: locals, fields and getters; of others nothing."""
    if value == NONE:
        return ("this",)
    if depth > _DEPTH:
        return ()
    instr = code.code[value]
    match instr:
        case ir.This():
            return ("this",)
        case ir.Load() if not instr.up and len(code.stores.get(instr.slot, ())) < 2:
            return "local", instr.slot
        case ir.Name():
            return "field", instr.name, ("this",)
        case ir.Field() | ir.Call():
            if isinstance(instr, ir.Call) and instr.args:
                return ()
            inner = form_of(code, instr.object, depth + 1)
            return (instr.__class__, instr.name, inner) if inner else ()
        case _:
            return ()


def is_not_null(code: Code, choice: ir.Choice, value: int) -> bool:
    """Tell whether ``value`` is the result of ``?:`` only where a test says that it is not ``null``: ``x != null ? x : other``."""
    test = code.code[choice.test]
    code.context.program.meter.spend()
    if not isinstance(test, ir.Binary) or test.op not in ("!=", "=="):
        return False
    arm, other = (choice.then, choice.other)[:: 1 if test.op == "!=" else -1]
    if arm != value or not _is_null(code, test.right) or _is_null(code, other):
        return False
    form = form_of(code, test.left)
    return bool(form) and form == form_of(code, arm)


def _is_null(code: Code, value: int) -> bool:
    instr = code.code[value]
    return isinstance(instr, ir.Const) and instr.kind == "n"
