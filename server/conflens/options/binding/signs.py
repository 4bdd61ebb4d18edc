"""Initial values of fields that only mean "not set", and what the class puts in their place: ``if (size < 1) size = 10;``.

A sign is a number below zero, and the test compares the field with a constant.
Absent: tests of several values; what other classes put in.  Values that are read (``inference.replaced``).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator

from conflens.facts import ir
from conflens.models.load import Models
from conflens.options.value_texts import default_value
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.templates import known_text
from conflens.program.values import Values

_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
}

Initial = tuple[str, int, int]


def in_place(models: Models, values: Values, field: MemberRef, initial: Initial) -> Initial | None:
    """Return what a field has in the end that nobody sets; ``None``: something that is computed."""
    sign = _number(initial[0])
    if sign is None or sign >= 0:
        return initial
    found: dict[str, Initial] = {}
    program = values.program
    for user in values.asking.within(field.path, program.member(field).name):
        if user.owner != field.owner:
            continue
        context = values.open(user)
        for store in _replacing(values, context, field, sign):
            text = default_value(models, values, context, store.value)
            if text is None:
                return None
            found[text[0]] = text
    return next(iter(found.values())) if len(found) == 1 else initial


def _replacing(
    values: Values, context: Context, field: MemberRef, sign: float
) -> Iterator[ir.StoreField]:
    """Yield what a body assigns to a field where that holds the sign."""
    for instr in context.code:
        if isinstance(instr, ir.If) and _holds(values, context, instr.test, field, sign):
            for store in context.code[instr.then_start : instr.else_start]:
                if isinstance(store, ir.StoreField) and context.target_field(store) == field:
                    yield store


def _holds(values: Values, context: Context, test: int, field: MemberRef, sign: float) -> bool:
    """Tell whether a test holds for the sign."""
    instr = context.code[test]
    if isinstance(instr, ir.ShortCircuit) and instr.op == "||":
        sides = (instr.left, instr.right)
        return any(_holds(values, context, side, field, sign) for side in sides)
    if not isinstance(instr, ir.Binary) or instr.op not in _OPERATORS:
        return False
    if context.field_of(instr.left) != field:
        return False
    bound = _number(known_text(values.of(context, instr.right)) or "")
    return bound is not None and _OPERATORS[instr.op](sign, bound)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
