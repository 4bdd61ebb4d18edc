"""What is done to a number on its way: a small language of terms over the value, constants and names.

Terms
    value   the number as it is set, ``VALUE`` in a term.
    name    anything else that a program puts in: a variable, another option.
    linear  ``factor * value + offset`` with constant factor and offset.

Integer division rounds towards zero, as Java's does.  Absent: where a term comes from (``ways``), overflow.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

import attrs

_DEPTH = 16
"""Nesting of operators beyond which a term is not known."""
_EXACT = 2.0**53


@attrs.frozen
class Value:
    """The number as it is set."""


@attrs.frozen
class Number:
    """A constant."""

    value: float


@attrs.frozen
class Name:
    """A number that only the run knows, by how code calls it."""

    text: str


@attrs.frozen
class Operation:
    """An operator on terms: ``+ - * / div % << >> min max``; ``/`` is exact, ``div`` that of integers."""

    op: str
    args: tuple[Term, ...]


@attrs.frozen
class Choice:
    """``then`` where ``left op right`` holds, else ``other``."""

    op: str
    left: Term
    right: Term
    then: Term
    other: Term


Term: TypeAlias = Value | Number | Name | Operation | Choice

VALUE = Value()


class Linear(NamedTuple):
    """``factor * value + offset``."""

    factor: float
    offset: float


def operation(op: str, *args: Term) -> Term | None:
    """Return an operator on terms, folded where all are constants; ``None`` where it is too deep or has no result."""
    made = Operation(op, args)
    if all(isinstance(arg, Number) for arg in args):
        result = evaluate(made, 0.0)
        return None if result is None else Number(result)
    match op, args:
        case ("+", (one, Number(value=0.0))) | ("-", (one, Number(value=0.0))):
            return one
        case ("*" | "/" | "div", (one, Number(value=1.0))):
            return one
        case _:
            return made if depth(made) <= _DEPTH else None


def clamped(term: Term, low: Term | None, high: Term | None) -> Term | None:
    """Return a term that is kept between two others."""
    made: Term | None = term
    if low is not None and made is not None:
        made = operation("max", made, low)
    if high is not None and made is not None:
        made = operation("min", made, high)
    return made


def depth(term: Term) -> int:
    """Return how many operators of a term lie within each other."""
    match term:
        case Operation():
            return 1 + max(map(depth, term.args))
        case Choice():
            return 1 + max(map(depth, (term.left, term.right, term.then, term.other)))
        case _:
            return 0


def depends(term: Term) -> bool:
    """Tell whether the value stands in a term."""
    match term:
        case Value():
            return True
        case Operation():
            return any(map(depends, term.args))
        case Choice():
            return any(map(depends, (term.left, term.right, term.then, term.other)))
        case _:
            return False


def evaluate(term: Term, value: float, names: Mapping[str, float] | None = None) -> float | None:
    """Return what a term comes to; ``None`` where it has no result, or a name is not known."""
    match term:
        case Value():
            return value
        case Number():
            return term.value
        case Name():
            return (names or {}).get(term.text)
        case Choice():
            left, right = evaluate(term.left, value, names), evaluate(term.right, value, names)
            if left is None or right is None:
                return None
            return evaluate(term.then if holds(term.op, left, right) else term.other, value, names)
        case Operation():
            args = [evaluate(arg, value, names) for arg in term.args]
            known = [arg for arg in args if arg is not None]
            return _applied(term.op, known) if len(known) == len(args) else None


def holds(op: str, left: float, right: float) -> bool:
    """Tell whether a comparison holds."""
    match op:
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case ">=":
            return left >= right
        case "==":
            return left == right
        case _:
            return left != right


def _applied(op: str, args: list[float]) -> float | None:
    if not all(map(math.isfinite, args)):
        return None
    if op in ("min", "max"):
        return min(args) if op == "min" else max(args)
    left, right = args
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return left / right if right else None
        case "div":
            return float(math.trunc(left / right)) if right and abs(left) < _EXACT else None
        case "%":
            return math.fmod(left, right) if right else None
        case "<<":
            return left * 2.0**right if 0 <= right < 64 else None
        case ">>":
            return float(math.floor(left / 2.0**right)) if 0 <= right < 64 else None
        case _:
            return None


def linear(term: Term) -> Linear | None:
    """Return factor and offset of a term that is linear in the value; ``None`` for any other."""
    match term:
        case Value():
            return Linear(1.0, 0.0)
        case Number():
            return Linear(0.0, term.value)
        case Operation(op="+" | "-", args=(left, right)):
            one, two = linear(left), linear(right)
            if one is None or two is None:
                return None
            sign = 1.0 if term.op == "+" else -1.0
            return Linear(one.factor + sign * two.factor, one.offset + sign * two.offset)
        case Operation(op="*", args=(left, right)):
            one, two = linear(left), linear(right)
            if one is None or two is None or (one.factor and two.factor):
                return None
            if one.factor == 0.0:
                one, two = two, one
            return Linear(one.factor * two.offset, one.offset * two.offset)
        case Operation(op="/", args=(left, Number(value=by))) if by:
            one = linear(left)
            return None if one is None else Linear(one.factor / by, one.offset / by)
        case Operation(op="<<", args=(left, Number(value=by))) if 0 <= by < 64:
            one = linear(left)
            return None if one is None else Linear(one.factor * 2.0**by, one.offset * 2.0**by)
        case _:
            return None


def solved(term: Term, result: float) -> float | None:
    """Return the value for which a linear term comes to ``result``; ``None`` where there is not just one."""
    found = linear(term)
    if found is None or not found.factor:
        return None
    value = (result - found.offset) / found.factor
    if not math.isfinite(value):
        return None
    nearest = round(value)
    return float(nearest) if abs(value - nearest) < 1e-9 * max(1.0, abs(value)) else value


def reciprocal(ratio: float) -> float | None:
    """Return the whole number by which a ratio divides; ``None`` where there is none."""
    by = round(1.0 / ratio) if ratio > 0.0 else 0
    return float(by) if by and abs(by * ratio - 1.0) < 1e-9 else None


def direction(term: Term) -> int | None:
    """Return 1 where a term never falls as the value rises, -1 where it never rises, 0 where it does not depend on it, ``None``
    where that is not known."""
    if not depends(term):
        return 0
    match term:
        case Value():
            return 1
        case Operation(op="+" | "min" | "max"):
            return _agreed([direction(arg) for arg in term.args])
        case Operation(op="-", args=(left, right)):
            other = direction(right)
            return _agreed([direction(left), None if other is None else -other])
        case Operation(op="*", args=(left, right)):
            if not depends(left):
                left, right = right, left
            if isinstance(right, Number):
                return _times(direction(left), right.value)
            return None
        case Operation(op="/" | "div", args=(left, Number(value=by))):
            return _times(direction(left), by)
        case Operation(op="<<" | ">>", args=(left, Number())):
            return direction(left)
        case _:
            return None


def _agreed(parts: list[int | None]) -> int | None:
    if None in parts:
        return None
    found = {part for part in parts if part}
    if len(found) > 1:
        return None
    return found.pop() if found else 0


def _times(sign: int | None, by: float) -> int | None:
    if sign is None or not by:
        return sign if by else 0
    return sign if by > 0 else -sign


def text_of(term: Term) -> str:
    """Return a term as code would write it, with ``v`` for the value."""
    match term:
        case Value():
            return "v"
        case Number():
            return written(term.value)
        case Name():
            return term.text
        case Choice():
            return f"{_side(term.left)} {term.op} {_side(term.right)} ? {_side(term.then)} : {_side(term.other)}"
        case Operation(op="min" | "max"):
            return f"{term.op}({', '.join(map(text_of, term.args))})"
        case Operation():
            op = "/" if term.op == "div" else term.op
            return f" {op} ".join(map(_side, term.args))


def _side(term: Term) -> str:
    text = text_of(term)
    whole = isinstance(term, Operation) and term.op in ("min", "max")
    plain = whole or not isinstance(term, (Operation, Choice))
    return text if plain else f"({text})"


def written(number: float) -> str:
    """Return a number without a useless fraction."""
    whole = math.isfinite(number) and number == int(number)
    return str(int(number)) if whole else repr(number)
