"""Defaults that stand where a value cannot be converted: ``try { return Long.parseLong(x); } catch (NumberFormatException e) { return d; }``.

A value that is missing cannot be converted either, so what a ``catch`` clause gives instead is used without the option: what it
returns, what it assigns to the local that takes the converted value, or, where it does neither, what that local holds before, or
what is returned behind.  Where something else replaces a missing value, that is the default (``defaults``).
"""

from __future__ import annotations

from collections.abc import Iterator

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.program.nesting import Nesting
from conflens.program.types import STRING

_TRIES = "options.tries"
_FAILURES = frozenset(
    {"NumberFormatException", "IllegalArgumentException", "NullPointerException"}
    | {"DateTimeParseException", "RuntimeException", "Exception", "Throwable"}
)

_OF_MISSING = frozenset({"NullPointerException"})
"""What is thrown for no text alone."""


def catches_failures(catch: ir.Catch) -> bool:
    """Tell whether a clause catches what conversions throw for a text that they do not take."""
    return any(name.rpartition(".")[2] in _FAILURES - _OF_MISSING for name in catch.types)


def caught(code: Code, reached: set[int]) -> Iterator[int]:
    """Yield the values that are used where one of ``reached`` cannot be converted to another."""
    tries = _tries(code)
    if not tries:
        return
    for made in sorted(reached):
        call = code.code[made]
        if not isinstance(call, (ir.Call, ir.New)) or code.context.type_of(made) == STRING:
            continue
        if reached.isdisjoint(ir.operands(call)):
            continue
        code.context.program.meter.spend()
        for one in tries.around(made):
            yield from _instead(code, one.item, made, reached)


def _tries(code: Code) -> Nesting[ir.Try]:
    """Return what is tried in a body that catches failures of conversions."""
    kept = code.context.notes.get(_TRIES)
    if not isinstance(kept, Nesting):
        kept = code.context.notes[_TRIES] = Nesting(
            (instr.start, instr.body_stop, instr)
            for instr in code.code
            if isinstance(instr, ir.Try) and any(map(_fails, instr.catches))
        )
    return kept


def _fails(catch: ir.Catch) -> bool:
    return any(name.rpartition(".")[2] in _FAILURES for name in catch.types)


def _instead(code: Code, try_: ir.Try, made: int, reached: set[int]) -> Iterator[int]:
    takers = [(index, code.code[index]) for index in code.takers.get(made, ())]
    slots = {instr.slot for _, instr in takers if isinstance(instr, ir.Store) and not instr.up}
    returns = any(isinstance(instr, ir.Return) for _, instr in takers)
    for catch in try_.catches:
        if not _fails(catch):
            continue
        last = code.code[catch.stop - 1] if catch.stop > catch.start else None
        if isinstance(last, ir.Throw):
            continue
        if isinstance(last, ir.Return):
            yield from () if last.value in reached else (last.value,)
            continue
        put = list(_stored(code, slots, catch.start, catch.stop))
        if slots:
            yield from put or list(_stored(code, slots, 0, try_.start))[-1:]
        elif returns:
            yield from _behind(code, try_.stop, reached)


def _stored(code: Code, slots: set[int], start: int, stop: int) -> Iterator[int]:
    """Yield what the locals are assigned in a span."""
    for slot in slots:
        for index in code.stores.get(slot, ()):
            store = code.code[index]
            if start <= index < stop and isinstance(store, ir.Store):
                yield store.value


def _behind(code: Code, start: int, reached: set[int]) -> Iterator[int]:
    """Yield what is returned right behind a statement."""
    for instr in code.code[start : start + 3]:
        if isinstance(instr, ir.Return):
            if instr.value != NONE and instr.value not in reached:
                yield instr.value
            return
