"""What the type of a value rests on, link by link: ``a.b().c``, ``x + y + z``, locals that are declared with ``var``.

Who types a value asks for the types of its parts.  Where these are many in a row, they are worked up from the start of the chain,
so that recursion stays shallow however long the chain, and the result does not depend on the order of queries.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Protocol

from conflens.facts import ir
from conflens.facts.ir import NONE

_TAKERS = "takers of arguments"
LONG = 30
"""Links of a chain above which it is worked up from its start; no name has as many dots."""


class Chained(Protocol):
    """A body: ``expressions.Context``."""

    notes: dict[str, object]

    @property
    def code(self) -> Sequence[ir.Instr]:
        """Its instructions."""
        ...

    @property
    def body(self) -> ir.Body:
        """The body with its locals."""
        ...

    def calls(self) -> Sequence[tuple[int, ir.Call | ir.New]]:
        """Return the calls with their indices."""
        ...

    def stores(self, slot: int, most: int | None = None) -> Sequence[ir.Store]:
        """Return the assignments to a local."""
        ...

    def binder(self, slot: int) -> tuple[int, ir.ForEach | ir.Lambda] | None:
        """Return what gives a local its values, with its index."""
        ...


def first_takers(context: Chained) -> Mapping[int, tuple[int, int]]:
    """Return the call that takes an argument first, and the argument's place, by the argument."""
    kept = context.notes.get(_TAKERS)
    if isinstance(kept, dict):
        return kept
    found: dict[int, tuple[int, int]] = {}
    for value, call in context.calls():
        for place, arg in enumerate(call.args):
            found.setdefault(arg, (value, place))
    context.notes[_TAKERS] = found
    return found


def typed_by(context: Chained, value: int, known: Container[int]) -> list[int]:
    """Return the links of a long chain on which the type of a value rests, the start first, back to one that is ``known``."""
    chain: dict[int, None] = {}
    current = _link(context, value)
    while current != NONE and current not in known and current not in chain and current != value:
        chain[current] = None
        current = _link(context, current)
    return list(reversed(chain)) if len(chain) > LONG else []


def _link(context: Chained, value: int) -> int:
    """Return the part of a value that its type rests on first; ``NONE`` at the start of a chain."""
    instr = context.code[value]
    match instr:
        case ir.Call():
            return instr.object if instr.object != NONE else _first(context, instr.args)
        case ir.Field():
            return instr.object
        case ir.Binary():
            return _first(context, (instr.left, instr.right))
        case ir.Choice():
            return _first(context, (instr.then, instr.other))
        case ir.Index():
            return instr.array
        case ir.Unary() if instr.op != "!":
            return instr.operand
        case ir.Load(up=0) if 0 <= instr.slot < len(context.body.locals):
            return NONE if context.body.locals[instr.slot].type else _given(context, instr.slot)
        case _:
            return NONE


def _first(context: Chained, parts: Sequence[int]) -> int:
    """Return the first part that is no literal."""
    return next((part for part in parts if not isinstance(context.code[part], ir.Const)), NONE)


def _given(context: Chained, slot: int) -> int:
    """Return what a local is given first that is declared without a type, or what gives it to the function whose parameter it is."""
    bound = context.binder(slot)
    if bound is not None and isinstance(bound[1], ir.ForEach):
        return bound[1].iterable
    if bound is not None:
        taker, _ = first_takers(context).get(bound[0], (NONE, 0))
        call = context.code[taker] if taker != NONE else None
        return call.object if isinstance(call, ir.Call) else NONE
    return next((store.value for store in context.stores(slot, 1)), NONE)
