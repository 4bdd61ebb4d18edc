"""The start of the keys that a copy of a map is without: ``copy.put(key.substring(prefix.length()), all.get(key))``.

Absent: what the map is a copy of (``origins.handed``); classes that are filled from a copy (``binding.views``).
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.transfer import PUTS
from conflens.options.origins.starts import begun, cut
from conflens.options.origins.tracing import root
from conflens.program.body_uses import calls_with, loads
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.templates import Templates, known_text, union
from conflens.program.values import Values

_MOST = 3
"""Assignments to a local that holds a key, and calls by which a setter puts what it is given."""
_FILLS = ("put", "load", "set")


def without(values: Values, context: Context, slot: int) -> Templates | None:
    """Return the start that keys lack under which a body puts something into the map in a local; ``None``: no key lacks one.

    Keys that are put as they are have an empty start.  Constant keys say nothing of the others; a map that has no others holds
    nothing of a configuration, so that there is no start at all.
    """
    found: list[Templates] = []
    whole, own = False, False
    held = frozenset(loads(context, slot))
    for value, call in calls_with(context, held):
        if call.object not in held or not puts(values, context, value, call):
            whole = whole or (call.object in held and call.name.startswith(_FILLS))
            continue
        start = _start(values, context, call.args[0])
        if start is not None:
            found.append(start)
        elif known_text(values.of(context, call.args[0])) is None:
            whole = True
        else:
            own = True
    if not found:
        return () if own and not whole else None
    return union(*found, *([(("",),)] if whole else []))


def puts(values: Values, context: Context, value: int, call: ir.Call) -> bool:
    """Tell whether a call puts its second argument under its first: a map's own, or a setter of the project that hands both on."""
    if len(call.args) != 2:
        return False
    if call.name in PUTS:
        return True
    targets = context.targets(value)
    return len(targets) == 1 and is_setter(values, targets[0])


def is_setter(values: Values, ref: MemberRef, depth: int = 0) -> bool:
    """Tell whether a method of the project puts something under the key that is its first parameter."""
    params = values.program.member(ref).params
    if len(params) != 2 or params[0].type != "String" or depth > _MOST:
        return False

    def find() -> bool:
        inner = values.open(ref)
        for value, call in inner.calls():
            if not isinstance(call, ir.Call) or len(call.args) != 2:
                continue
            key = root(inner, call.args[0])
            load = inner.code[key] if key != NONE else None
            if not isinstance(load, ir.Load) or load.up or load.slot != 0:
                continue
            if call.name in PUTS:
                return True
            targets = inner.targets(value)
            if len(targets) == 1 and is_setter(values, targets[0], depth + 1):
                return True
        return False

    return values.trail.remembered(("setter", ref, depth), find)


def _start(values: Values, context: Context, key: int) -> Templates | None:
    """Return what a key lacks of the text that it is cut out of, also where a condition decides about that."""
    load = context.code[key]
    if isinstance(load, ir.Load) and not load.up and not context.is_parameter(load.slot):
        starts = (_cut_out(values, context, one.value) for one in context.stores(load.slot, _MOST))
        return next((start for start in starts if start is not None), None)
    return _cut_out(values, context, key)


def _cut_out(values: Values, context: Context, key: int) -> Templates | None:
    made = root(context, key)
    call = context.code[made] if made != NONE else None
    if not isinstance(call, ir.Call) or call.name != "substring" or len(call.args) != 1:
        return None
    start = cut(context, call.args[0])
    if start != NONE:
        return _with_sign(values, context, call.args[0], values.of(context, start))
    text = begun(values, context, call)
    return ((text,),) if text is not None else None


def _with_sign(
    values: Values, context: Context, length: int, start: Templates
) -> Templates | None:
    """Return a start with the sign behind it where a length is that of the start and one more."""
    if not isinstance(context.code[length], ir.Binary):
        return start
    text = known_text(start)
    return ((f"{text}.",),) if text is not None else None
