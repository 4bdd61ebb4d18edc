"""Arithmetic on constants as Java does it: an ``int`` has 32 bits and a ``long`` 64, a character is its number (JLS 15.17 to 15.22)."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable

from conflens.facts import ir
from conflens.program.expressions import Context
from conflens.program.templates import Templates, known_text, union

_OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "|": operator.or_,
    "&": operator.and_,
}
_WHOLE = frozenset({"byte", "short", "int", "long"})


def folded(context: Context, value: int, instr: ir.Binary, left: str, right: str) -> str | None:
    """Return the result of an arithmetic operator on two constants."""
    type_ = context.type_of(value)
    left = _number(context, instr.left, left)
    right = _number(context, instr.right, right)
    return fold(instr.op, left, right, 64 if type_ is not None and type_.name == "long" else 32)


def as_declared(type_: str, given: Iterable[tuple[Context, int, Templates]]) -> Templates:
    """Return what a field of a type is given: of a character its number, if the field is one."""
    found: list[Templates] = []
    for context, value, templates in given:
        text = known_text(templates) if type_ in _WHOLE else None
        found.append(templates if text is None else ((_number(context, value, text),),))
    return union(*found)


def _number(context: Context, value: int, text: str) -> str:
    type_ = context.type_of(value) if len(text) == 1 else None
    return str(ord(text)) if type_ is not None and type_.name == "char" else text


def fold(op: str, left: str, right: str, bits: int = 32) -> str | None:
    """Return the result of an arithmetic operator on two number texts, of which it has so many bits."""
    try:
        if "." in left or "." in right:
            one, two = float(left), float(right)
            result = {"+": one + two, "-": one - two, "*": one * two}.get(op)
            if op == "/" and two:
                result = one / two
            return repr(result) if result is not None else None
        a, b = int(left), int(right)
    except ValueError:
        return None
    if op == "/" and b:
        value = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    elif op == "<<":
        value = a << (b % bits)
    elif op == ">>":
        value = a >> (b % bits)
    elif op in _OPERATORS:
        value = _OPERATORS[op](a, b)
    else:
        return None
    half = 1 << (bits - 1)
    return str((value + half) % (2 * half) - half)
