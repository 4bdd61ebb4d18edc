"""What a body does at the first use only: the arm that makes a static object because there is none yet.

``if (instance == null) instance = load();`` runs ``load`` once in the whole program, at whatever use comes first.  A condition above one
of many uses hardly decides over it.

Absent: objects that other objects keep, which may be used at one place alone.
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.guards import Range, leaving, rest_of_block
from conflens.program.refs import MemberRef

_NOTE = "flow.first_use"
_PUTS = frozenset({"set", "put", "putIfAbsent", "compareAndSet", "computeIfAbsent"})


def first_uses(code: Code) -> tuple[Range, ...]:
    """Return the ranges of a body that run when a static field, or its cell, holds nothing yet, and that fill it."""
    kept = code.context.notes.get(_NOTE)
    if isinstance(kept, tuple):
        return kept
    code.context.program.meter.spend(len(code.branches))
    found: list[Range] = []
    for at in code.branches:
        tested, spans = empty_arms(code, at)
        field = _static_field(code, tested) if spans else None
        if field is not None:
            found += [span for span in spans if _fills(code, span, field)]
    code.context.notes[_NOTE] = tuple(found)
    return tuple(found)


def empty_arms(code: Code, at: int) -> tuple[int, tuple[Range, ...]]:
    """Return what an ``if`` compares with ``null``, and what runs if it is that; nothing if it does not compare."""
    instr = code.code[at]
    test = code.code[instr.test] if isinstance(instr, ir.If) else None
    if not isinstance(instr, ir.If) or not isinstance(test, ir.Binary):
        return NONE, ()
    other = code.code[test.right]
    if not isinstance(other, ir.Const) or other.kind != "n" or test.op not in ("==", "!="):
        return NONE, ()
    then, rest = (instr.then_start, instr.else_start), (instr.else_start, instr.stop)
    spans: tuple[Range, ...] = (then if test.op == "==" else rest,)
    if test.op == "!=" and leaving(code, then) is not None:
        spans = (*spans, *rest_of_block(code, at, instr.stop))
    return test.left, tuple(span for span in spans if span[0] < span[1])


def _static_field(code: Code, value: int) -> MemberRef | None:
    """Return the static field that a value is, or is taken out of."""
    while True:
        code.context.program.meter.spend()
        instr = code.code[value]
        if isinstance(instr, ir.Load) and not instr.up:
            number = next(iter(code.stores.get(instr.slot, ())), value)
            store = code.code[number]
            if number >= value or not isinstance(store, ir.Store) or store.value == NONE:
                return None
            value = store.value
        elif isinstance(instr, ir.Call) and instr.name == "get" and instr.object != NONE:
            value = instr.object
        else:
            break
    field = code.context.field_of(value) if isinstance(instr, (ir.Name, ir.Field)) else None
    return field if field is not None and code.context.program.is_static(field) else None


def _fills(code: Code, span: Range, field: MemberRef) -> bool:
    """Tell whether a range gives something to a field, puts it in what the field holds, or asks for it again since it is there now."""
    code.context.program.meter.spend(span[1] - span[0])
    for index in range(*span):
        instr = code.code[index]
        if isinstance(instr, ir.StoreField):
            if code.context.target_field(instr) == field:
                return True
        elif isinstance(instr, ir.Store) and instr.value != NONE:
            if _static_field(code, instr.value) == field:
                return True
        elif (
            isinstance(instr, ir.Call)
            and instr.name in _PUTS
            and instr.object != NONE
            and isinstance(code.code[instr.object], (ir.Name, ir.Field))
            and code.context.field_of(instr.object) == field
        ):
            return True
    return False
