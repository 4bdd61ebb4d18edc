"""What one place says of numbers on one side of a bound: see ``bound_facts``, which finds it."""

from __future__ import annotations

from typing import NamedTuple

import attrs

from conflens.base.span import Place
from conflens.flow.code import Code
from conflens.flow.ways import Node
from conflens.options.inference.conditions import Span
from conflens.options.model import Effect
from conflens.program.program import Program
from conflens.program.refs import MemberRef


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


def place_of(code: Code, index: int) -> Place:
    """Return where an instruction stands."""
    base = code.context.member.at
    return Place(code.ref.path, base + code.code[index].at, base + code.code[index].end)


def field_name(program: Program, ref: MemberRef) -> str:
    """Return how a field is called in a program."""
    return f"{ref.owner}.{program.member(ref).name}"
