"""What one place says of numbers on one side of a bound: see ``bound_facts``, which finds it."""

from __future__ import annotations

from typing import NamedTuple

import attrs

from conflens.base.span import Place
from conflens.flow.ways import Node
from conflens.options.inference.conditions import Span
from conflens.options.model import Effect
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
