"""Terms put together as code does it: what rows compute, constant factors, units, and comparisons that choose.

Absent: what code does (``evaluation``), what a term comes to (``flow.terms``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from conflens.flow.terms import Choice, Number, Operation, Term, operation


def computed(op: str, terms: Sequence[Term]) -> Term | None:
    """Return what a row says is computed of terms."""
    match op, terms:
        case "max" | "min" | "pow", [left, right]:
            return operation(op, left, right)
        case "+" | "-" | "*", [left, right]:
            return joined(op, left, right)
        case "clamp", [inner, low, high]:
            least = operation("max", inner, low)
            return None if least is None else operation("min", least, high)
        case "abs" | "ceil" | "floor" | "round" | "sqrt" | "log", [inner]:
            return operation(op, inner)
        case _:
            return None


def joined(op: str, left: Term, right: Term) -> Term | None:
    """Return an operator on two terms, with constant factors put together: ``v * 1024 * 1024`` is ``v * 1048576``."""
    if op in ("*", "+") and isinstance(left, Number) and not isinstance(right, Number):
        left, right = right, left
    match op, left, right:
        case "*", Operation(op="*", args=(inner, Number(value=one))), Number(value=two):
            return operation("*", inner, Number(one * two))
        case (
            ("+" | "-"),
            Operation(op="+" | "-", args=(inner, Number(value=one))),
            Number(value=two),
        ):
            one = one if left.op == "+" else -one
            both = one + (two if op == "+" else -two)
            return (
                operation("+", inner, Number(both))
                if both >= 0
                else operation("-", inner, Number(-both))
            )
        case _:
            return operation(op, left, right)


def scaled(term: Term, factor: float, *, whole: bool) -> Term | None:
    """Return a term times a constant, as a quotient where that is exact; ``whole``: rounded towards zero."""
    if factor == 1.0:
        return term
    if isinstance(term, Operation) and term.op == "*" and isinstance(term.args[1], Number):
        return scaled(term.args[0], term.args[1].value * factor, whole=whole)
    if factor >= 1.0 and factor == math.floor(factor):
        return operation("*", term, Number(factor))
    by = round(1 / factor) if factor else 0
    if by and abs(factor * by - 1) < 1e-12:
        return operation("div" if whole else "/", term, Number(float(by)))
    made = operation("*", term, Number(factor))
    return operation("trunc", made) if whole and made is not None else made


_OTHER_WAY = {"<": "max", "<=": "max", ">": "min", ">=": "min"}


def chosen(op: str, left: Term, right: Term, then: Term, other: Term) -> Term | None:
    """Return what a comparison chooses: ``v < 2 ? 2 : v`` is ``max(v, 2)``."""
    if then == other:
        return then
    if op in _OTHER_WAY:
        name = _OTHER_WAY[op]
        if (then, other) == (right, left):
            return operation(name, left, right)
        if (then, other) == (left, right):
            return operation("min" if name == "max" else "max", left, right)
    return Choice(op, left, right, then, other)
