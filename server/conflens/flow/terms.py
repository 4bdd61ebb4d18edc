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
    """An operator on terms: ``+ - * / div % << >> min max pow``; ``/`` is exact, ``div`` that of integers.

    On one term: ``trunc``, the cast to an integer, and ``abs ceil floor round sqrt log``.
    """

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
    if len(args) == 1:
        return _of_one(op, args[0])
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
        case "pow":
            return _power(left, right)
        case _:
            return None


def _of_one(op: str, arg: float) -> float | None:
    match op:
        case "trunc":
            return float(math.trunc(arg))
        case "abs":
            return abs(arg)
        case "ceil":
            return float(math.ceil(arg))
        case "floor":
            return float(math.floor(arg))
        case "round":
            return float(math.floor(arg + 0.5))
        case "sqrt":
            return math.sqrt(arg) if arg >= 0 else None
        case "log":
            return math.log(arg) if arg > 0 else None
        case _:
            return None


def _power(base: float, exponent: float) -> float | None:
    try:
        result = math.pow(base, exponent)
    except (OverflowError, ValueError):
        return None
    return result if math.isfinite(result) else None


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


def direction(term: Term, *, counts: bool = False) -> int | None:
    """Return 1 where a term never falls as the value rises, -1 where it never rises, 0 where it does not depend on it, ``None``
    where that is not known; ``counts``: names are taken for positive numbers."""
    if not depends(term):
        return 0
    match term:
        case Value():
            return 1
        case Operation(op="+" | "min" | "max"):
            return _agreed([direction(arg, counts=counts) for arg in term.args])
        case Operation(op="-", args=(left, right)):
            other = direction(right, counts=counts)
            return _agreed([direction(left, counts=counts), None if other is None else -other])
        case Operation(op="*", args=(left, right)):
            if not depends(left):
                left, right = right, left
            if isinstance(right, Number):
                return _times(direction(left, counts=counts), right.value)
            return direction(left, counts=counts) if counts and _is_count(right) else None
        case Operation(op="/" | "div", args=(left, Number(value=by))):
            return _times(direction(left, counts=counts), by)
        case Operation(op="/" | "div", args=(left, right)) if counts and _is_count(right):
            return direction(left, counts=counts)
        case Operation(op="/" | "div", args=(left, right)) if counts and _is_count(left):
            return _times(direction(right, counts=counts), -1.0)
        case Operation(op="<<" | ">>", args=(left, right)) if not depends(right):
            return direction(left, counts=counts)
        case Operation(op="<<", args=(Number(value=base), right)):
            return _times(direction(right, counts=counts), base)
        case Operation(op="pow", args=(left, Number(value=exponent))) if exponent % 2 == 1:
            return direction(left, counts=counts) if exponent > 0 else None
        case Operation(op="pow", args=(Number(value=base), right)) if base > 1:
            return direction(right, counts=counts)
        case Operation(op="trunc" | "ceil" | "floor" | "round" | "sqrt" | "log", args=(arg,)):
            return direction(arg, counts=counts)
        case _:
            return None


def _is_count(term: Term) -> bool:
    """Tell whether a term without the value is positive if all of its names are."""
    match term:
        case Number():
            return term.value > 0
        case Name():
            return True
        case Operation(op="+" | "*" | "/" | "div" | "min" | "max" | "pow" | "<<" | ">>"):
            return all(map(_is_count, term.args))
        case _:
            return False


def slope(term: Term) -> Term | None:
    """Return by how much a term grows for each one of the value, as a term without it; ``None`` where that depends on the value.

    Rounding counts as none, and of what is kept between bounds, or replaced outside of them, what lies inside counts.
    """
    if not depends(term):
        return Number(0.0)
    match term:
        case Value():
            return Number(1.0)
        case Operation(op="min" | "max"):
            dependent = [arg for arg in term.args if depends(arg)]
            return slope(dependent[0]) if len(dependent) == 1 else None
        case Choice():
            arms = [arm for arm in (term.then, term.other) if depends(arm)]
            return slope(arms[0]) if len(arms) == 1 else None
        case Operation(op="trunc" | "ceil" | "floor" | "round", args=(arg,)):
            return slope(arg)
        case Operation(op="+" | "-", args=(left, right)):
            one, two = slope(left), slope(right)
            if one is None or two is None:
                return None
            if two == Number(0.0):
                return one
            return operation(term.op, one, two)
        case Operation(op="*", args=(left, right)):
            if not depends(left):
                left, right = right, left
            return _scaled("*", slope(left), right)
        case Operation(op="/" | "div", args=(left, right)):
            return _scaled("/", slope(left), right)
        case Operation(op="<<", args=(left, right)):
            return _scaled("<<", slope(left), right)
        case Operation(op=">>", args=(left, Number(value=by))) if by >= 0:
            return _scaled("/", slope(left), Number(2.0**by))
        case _:
            return None


def _scaled(op: str, one: Term | None, by: Term) -> Term | None:
    if one is None or depends(by):
        return None
    if one == Number(1.0) and op == "*":
        return by
    return operation(op, one, by)


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
        case Operation(op="trunc", args=(arg,)):
            return f"(long) {_side(arg)}"
        case Operation() if term.op.isalpha() and term.op != "div":
            return f"{term.op}({', '.join(map(text_of, term.args))})"
        case Operation():
            op = "/" if term.op == "div" else term.op
            return f" {op} ".join(map(_side, term.args))


def _side(term: Term) -> str:
    text = text_of(term)
    named = ("min", "max", "pow", "abs", "ceil", "floor", "round", "sqrt", "log")
    whole = isinstance(term, Operation) and term.op in named
    plain = whole or not isinstance(term, (Operation, Choice))
    return text if plain else f"({text})"


def written(number: float) -> str:
    """Return a number without a useless fraction."""
    whole = math.isfinite(number) and number == int(number)
    return str(int(number)) if whole else repr(number)
