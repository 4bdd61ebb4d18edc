"""Where a body loads each of its locals, what it calls on a value or with it, and what it returns.

Worked out once for a body, at a step for each instruction: whoever asks about many locals or fields of one body
does not go through its code for each.  Absent: loads and assignments of fields (``fields_named``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.program.expressions import Context

MADE = "new"
"""Stands for allocations among names of methods; it is a keyword, so no method is called so."""

_NOTE = "uses of locals and values"


@attrs.frozen
class _Uses:
    loads: dict[int, list[int]] = attrs.Factory(dict)
    calls: dict[int, list[int]] = attrs.Factory(dict)
    """The calls that have a value as object or argument."""
    called: dict[str, list[int]] = attrs.Factory(dict)
    """The calls of methods by name; allocations under ``MADE``."""
    references: dict[str, list[int]] = attrs.Factory(dict)
    """The references to methods (``this::run``) by name."""
    returned: list[int] = attrs.Factory(list)
    holders: dict[int, list[int]] = attrs.Factory(dict)
    """The locals of the body that a value is assigned to."""
    fields: dict[int, list[int]] = attrs.Factory(dict)
    """The assignments of a value to fields."""
    takers: dict[int, list[int]] = attrs.Factory(dict)
    """The instructions that have a value as operand."""


def loads(context: Context, slot: int) -> Sequence[int]:
    """Return the instructions that load a local of this body, in order."""
    return _paid(context, _uses(context).loads.get(slot, ()))


def holders(context: Context, value: int) -> Sequence[int]:
    """Return the locals of this body that a value is assigned to, in order."""
    return _paid(context, _uses(context).holders.get(value, ()))


def field_stores(context: Context, values: Iterable[int]) -> list[int]:
    """Return the assignments of one of some values to fields, in order."""
    fields = _uses(context).fields
    context.program.meter.spend()
    return sorted(number for value in values for number in fields.get(value, ()))


def takers(context: Context, value: int) -> Sequence[int]:
    """Return the instructions that have a value as operand, in order."""
    return _paid(context, _uses(context).takers.get(value, ()))


def calls_with(context: Context, values: Iterable[int]) -> list[tuple[int, ir.Call]]:
    """Return the calls, in order, that have one of some values as object or argument."""
    calls = _uses(context).calls
    numbers = {number for value in values for number in calls.get(value, ())}
    context.program.meter.spend(len(numbers))
    return [
        (number, call)
        for number in sorted(numbers)
        if isinstance(call := context.code[number], ir.Call)
    ]


def called(context: Context, *names: str) -> list[tuple[int, ir.Call | ir.New]]:
    """Return the calls of methods with one of some names, and allocations for ``MADE``, in order."""
    by_name = _uses(context).called
    numbers = sorted(number for name in names for number in by_name.get(name, ()))
    context.program.meter.spend(1 + len(numbers))
    return [
        (number, call)
        for number in numbers
        if isinstance(call := context.code[number], (ir.Call, ir.New))
    ]


def references(context: Context, name: str) -> Sequence[int]:
    """Return the references to methods of a name, in order."""
    return _paid(context, _uses(context).references.get(name, ()))


def returned(context: Context) -> Sequence[int]:
    """Return the values that the body itself returns, in order."""
    return _paid(context, _uses(context).returned)


def _paid(context: Context, numbers: Sequence[int]) -> Sequence[int]:
    """Count what it costs to go through what is handed out."""
    context.program.meter.spend(1 + len(numbers))
    return numbers


def _uses(context: Context) -> _Uses:
    kept = context.notes.get(_NOTE)
    if isinstance(kept, _Uses):
        return kept
    context.program.meter.spend(1 + len(context.code))
    found = _Uses()
    takers = found.takers
    for number, instr in enumerate(context.code):
        if isinstance(instr, ir.Load):
            if not instr.up:
                found.loads.setdefault(instr.slot, []).append(number)
            continue
        taken = ir.operands(instr)
        for value in dict.fromkeys(taken) if len(taken) > 1 else taken:
            takers.setdefault(value, []).append(number)
        if isinstance(instr, ir.Store):
            if not instr.up:
                found.holders.setdefault(instr.value, []).append(instr.slot)
        elif isinstance(instr, ir.Call):
            found.called.setdefault(instr.name, []).append(number)
            for value in dict.fromkeys((instr.object, *instr.args)):
                if value != NONE:
                    found.calls.setdefault(value, []).append(number)
        elif isinstance(instr, ir.StoreField):
            found.fields.setdefault(instr.value, []).append(number)
        elif isinstance(instr, ir.MethodRef):
            found.references.setdefault(instr.name, []).append(number)
        elif isinstance(instr, ir.New):
            found.called.setdefault(MADE, []).append(number)
        elif isinstance(instr, ir.Return) and instr.kind == "return":
            found.returned.append(instr.value)
    context.notes[_NOTE] = found
    return found
