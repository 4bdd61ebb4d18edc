"""Keys that a helper picks by a sign that its caller names: ``ending(System.getProperties(), "_meta")`` reads ``*_meta``.

The helper goes through the keys of a map that it is given, and compares them with a text that it is given.  Both are followed to
its callers, also through another helper that hands them on or gives a copy of the map; each call names a pattern of its own.
Absent: maps of which a caller does not plainly tell that they are configuration; texts that are made at run time.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.arguments import COPIES, TRANSPARENT, copied
from conflens.program.expressions import Context
from conflens.program.reaching import reaching
from conflens.program.refs import MemberRef
from conflens.program.templates import Param, known_text
from conflens.program.values import Values

KEYS = frozenset({"keySet", "stringPropertyNames", "propertyNames", "keys", "entrySet"})
_STEPS = 8
_LEVELS = 2
"""Helpers between the one that compares and the call that tells."""
_CALLS = 40
_MANY = f"only {_CALLS} calls are looked at for the keys that this method picks"
_CROWDED = "more members name this method than are looked at: the keys that it picks for them are not analysed"
_CASES = frozenset({"lower", "upper"})


@attrs.frozen
class Picked:
    """A call: the text that it names, and the map whose keys are compared with it."""

    context: Context
    container: int
    text: str


def told(values: Values, context: Context, subject: int, constant: int) -> Iterator[Picked]:
    """Yield what callers give a member for the map and the text that it compares keys of the map with."""
    text = _text(values, context, constant)
    container = _given(context, container_of(context, subject)) if text is not None else None
    if text is not None and container is not None:
        yield from _called(values, context.ref, container, text, 0)


def _called(
    values: Values, ref: MemberRef, container: int, text: int, level: int
) -> Iterator[Picked]:
    calls = values.callers(ref)
    if not calls and values.is_crowded(ref):
        values.cut(ref, _CROWDED)
    for caller, _, args in values.first(calls, _CALLS, ref, _MANY):
        values.program.meter.spend()
        if max(container, text) >= len(args):
            continue
        known = known_text(values.of(caller, args[text]))
        held = args[container]
        if known is not None:
            yield Picked(caller, held, known)
            continue
        outer_text = _text(values, caller, args[text])
        outer = _given(caller, held)
        if outer is None:
            outer = _given(caller, _copied_from(caller, held))
        if outer is not None and outer_text is not None and level < _LEVELS:
            yield from _called(values, caller.ref, outer, outer_text, level + 1)


def _text(values: Values, context: Context, value: int) -> int | None:
    """Return the parameter that a text is, in whatever case."""
    found = values.of(context, value)
    part = found[0][0] if len(found) == 1 and len(found[0]) == 1 else None
    plain = isinstance(part, Param) and not part.name and not part.owner
    if not isinstance(part, Param) or not plain:
        return None
    return part.slot if all(turn.what in _CASES for turn in part.how) else None


def _given(context: Context, value: int) -> int | None:
    """Return the parameter that a map is."""
    instr = context.code[value] if value != NONE else None
    if not isinstance(instr, ir.Load) or instr.up or not context.is_parameter(instr.slot):
        return None
    return None if reaching(context, instr.slot, value).stores else instr.slot


def container_of(context: Context, value: int) -> int:
    """Return the map that a value is a key of, or an entry, in a loop or a function over its keys."""
    for _ in range(_STEPS):
        instr = context.code[value] if value != NONE else None
        if isinstance(instr, ir.Cast):
            value = instr.value
        elif isinstance(instr, ir.Call) and instr.name in (*TRANSPARENT, "getKey"):
            value = instr.object
        elif isinstance(instr, ir.Load) and not instr.up:
            binder = context.binder(instr.slot)
            if binder is not None:
                return _bound(context, *binder, instr.slot)
            stored = context.stores(instr.slot, 2)
            if len(stored) != 1:
                return NONE
            value = stored[0].value
        else:
            return NONE
    return NONE


def _bound(context: Context, number: int, binder: ir.ForEach | ir.Lambda, slot: int) -> int:
    """Return the map whose keys a loop goes through, or the call that a function is passed to."""
    if isinstance(binder, ir.ForEach):
        return _keyed(context, binder.iterable)
    if binder.params[:1] != (slot,):
        return NONE
    for _, call in context.calls():
        if isinstance(call, ir.Call) and number in call.args and call.object != NONE:
            return call.object if len(binder.params) == 2 else _keyed(context, call.object)
    return NONE


def _keyed(context: Context, value: int) -> int:
    for _ in range(_STEPS):
        instr = context.code[value] if value != NONE else None
        if not isinstance(instr, ir.Call) or instr.object == NONE:
            return NONE
        if instr.name in KEYS:
            return instr.object
        if instr.name not in COPIES:
            return NONE
        value = copied(context, instr)
    return NONE


def _copied_from(context: Context, value: int) -> int:
    """Return the map of which a local has all that is put into it, under the same keys."""
    instr = context.code[value] if value != NONE else None
    if not isinstance(instr, ir.Load) or instr.up:
        return NONE
    puts = [
        call
        for _, call in context.calls()
        if isinstance(call, ir.Call)
        and call.name == "put"
        and len(call.args) == 2
        and call.object != NONE
        and _is_local(context, call.object, instr.slot)
    ]
    return container_of(context, puts[0].args[0]) if len(puts) == 1 else NONE


def _is_local(context: Context, value: int, slot: int) -> bool:
    instr = context.code[value]
    return isinstance(instr, ir.Load) and not instr.up and instr.slot == slot
