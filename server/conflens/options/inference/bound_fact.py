"""What one place says of numbers on one side of a bound: see ``bound_facts``, which finds it."""

from __future__ import annotations

import math
from typing import NamedTuple

import attrs

from conflens.base.span import Place
from conflens.flow.code import Code
from conflens.flow.terms import Term, evaluate, linear, solved, written
from conflens.flow.ways import Node, Ways
from conflens.flow.widths import WHOLE
from conflens.options.inference.conditions import FLIPPED, Span
from conflens.options.model import Effect
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.types import unboxed


class Bound(NamedTuple):
    """Values below, above or equal to (``not``) ``value`` are outside; ``strict``: so is itself.  ``name``: one that only the run knows."""

    side: str
    value: float
    strict: bool = False
    name: str = ""
    holder: str = ""


class Statement(NamedTuple):
    """What becomes of values outside of a bound; ``to`` is what they count as."""

    bound: Bound
    effect: Effect
    to: str


@attrs.frozen
class Fact:
    """One place; ``spans`` are the instructions of the family whose takings are covered, ``loads`` the loads."""

    statement: Statement
    node: Node
    family: object
    at: int
    place: Place
    spans: tuple[Span, ...]
    loads: frozenset[int] = frozenset()
    fields: frozenset[MemberRef] = frozenset()
    tests: frozenset[int] = frozenset()


def is_outside(bound: Bound, number: float) -> bool:
    """Tell whether a number is outside of a bound that is known."""
    if bound.name or bound.side == "not":
        return False
    return number < bound.value if bound.side == "lower" else number > bound.value


def without(bound: Bound, spared: float) -> tuple[Bound, ...]:
    """Return what is outside of a bound for whole numbers, but for one of them; nothing if that leaves a range in between."""
    if bound.name or bound.strict or bound.side == "not":
        return ()
    step = 1.0 if bound.side == "lower" else -1.0
    if (bound.value - spared) * step <= 0:
        return (bound,)
    beyond, next_ = bound._replace(value=spared), spared + step
    if next_ == bound.value:
        return (beyond,)
    return (beyond, Bound("not", next_)) if next_ + step == bound.value else ()


_MOST = 2.0**63 - 1.0
"""A bound that no value of an option lies beyond."""


def bound_of(
    ways: Ways, code: Code, node: Node, term: Term, op: str, number: float
) -> Bound | None:
    """Return for which values of the option ``term op number`` holds."""
    factors = linear(term)
    value = solved(term, number)
    if factors is None or value is None or abs(value) >= _MOST:
        return None
    if factors.factor < 0:
        op = FLIPPED[op]
    whole = bool(ways.types) or unboxed(code.context.type_of(node.value)) in WHOLE
    match op:
        case "<" if whole:
            return Bound("lower", float(math.ceil(value)))
        case "<=" if whole:
            return Bound("lower", math.floor(value) + 1.0)
        case ">" if whole:
            return Bound("upper", float(math.floor(value)))
        case ">=" if whole:
            return Bound("upper", math.ceil(value) - 1.0)
        case "<" | "<=":
            return Bound("lower", value, op == "<=")
        case ">" | ">=":
            return Bound("upper", value, op == ">=")
        case "==" if not whole or value == math.floor(value):
            return Bound("not", value)
        case _:
            return None


def set_to(ways: Ways, term: Term, number: float) -> str:
    """Return what an option would be set to so that ``term`` comes to just a number; empty if nothing does."""
    value = solved(term, number)
    exact = value is not None and ways.may_be(value) and evaluate(term, value) == number
    return written(value) if value is not None and exact else ""


def holds_in(bound: Bound, number: float) -> bool:
    """Tell whether a number is outside of a bound that is known, or the value that is."""
    if number == bound.value:
        return bound.strict or bound.side == "not"
    return is_outside(bound, number)


def place_of(code: Code, index: int) -> Place:
    """Return where an instruction stands in its file."""
    base = code.context.member.at
    return Place(code.ref.path, base + code.code[index].at, base + code.code[index].end)


def field_name(program: Program, ref: MemberRef) -> str:
    """Return how a field is called in a program."""
    return f"{ref.owner}.{program.member(ref).name}"


def overlap(one: Bound, other: Bound) -> bool:
    """Tell whether some value is outside of both bounds."""
    if one.name or other.name:
        return one.name == other.name and one.side == other.side
    sides = {one.side, other.side}
    if len(sides) == 1:
        return one.side != "not" or one.value == other.value
    if "not" in sides:
        single, wide = (one, other) if one.side == "not" else (other, one)
        return includes(wide, single)
    low, high = (one, other) if one.side == "lower" else (other, one)
    return low.value > high.value


def includes(wide: Bound, narrow: Bound) -> bool:
    """Tell whether what is outside of one bound is outside of another."""
    if wide.name or narrow.name:
        return wide.name == narrow.name and wide.side == narrow.side
    if wide.side == "lower" and narrow.side in ("lower", "not"):
        return narrow.value < wide.value or (
            narrow.value == wide.value and (wide.strict or narrow.side == "lower")
        )
    if wide.side == "upper" and narrow.side in ("upper", "not"):
        return narrow.value > wide.value or (
            narrow.value == wide.value and (wide.strict or narrow.side == "upper")
        )
    return wide == narrow
