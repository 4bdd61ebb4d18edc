"""What a text begins with that is cut: ``key.substring(prefix.length())``, or ``key.substring(5)`` after ``key.startsWith("pool.")``."""

from __future__ import annotations

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.origins.tracing import root
from conflens.program.expressions import Context
from conflens.program.templates import known_text
from conflens.program.values import Values

_SAME = 6
"""Calls and casts by which two expressions of one text are compared."""


def cut(context: Context, value: int) -> int:
    """Return the text whose length a number is, or is one more than; else ``NONE``."""
    instr = context.code[value]
    if isinstance(instr, ir.Binary) and instr.op == "+":
        instr = context.code[instr.left]
    if isinstance(instr, ir.Call) and instr.name == "length" and not instr.args:
        return instr.object
    return NONE


def begun(values: Values, context: Context, call: ir.Call) -> str | None:
    """Return what a text begins with that is cut at a number: what it is asked for in the same body."""
    number = known_text(values.of(context, call.args[0]))
    if number is None or not number.isdigit() or int(number) < 2:
        return None
    for _, other in context.calls():
        if (
            isinstance(other, ir.Call)
            and other.name == "startsWith"
            and len(other.args) == 1
            and _is_same(context, other.object, call.object)
        ):
            start = known_text(values.of(context, other.args[0]))
            if start is not None and len(start) == int(number):
                return start
    return None


def _is_same(context: Context, one: int, two: int) -> bool:
    """Tell whether two expressions are one local, or the same call without arguments on one."""
    for _ in range(_SAME):
        one, two = root(context, one), root(context, two)
        if NONE in (one, two):
            return False
        left, right = context.code[one], context.code[two]
        if isinstance(left, ir.Load) and isinstance(right, ir.Load):
            return (left.slot, left.up) == (right.slot, right.up)
        if not isinstance(left, ir.Call) or not isinstance(right, ir.Call):
            return one == two
        if left.name != right.name or left.args or right.args:
            return False
        one, two = left.object, right.object
    return False
