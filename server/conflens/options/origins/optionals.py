"""Calls of ``Optional``: what one holds.

Absent: functions that are run on it.
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.origins.tracing import root
from conflens.program.body_uses import calls_with, returned
from conflens.program.expressions import Context

_HOLDERS = frozenset({"java.util.Optional", "com.google.common.base.Optional"})
_WRAPS = frozenset({"of", "ofNullable", "fromNullable"})
_GIVES = frozenset({"get", "or", "orElse", "orElseGet", "orElseThrow", "orNull", "filter"})
"""What gives what an ``Optional`` holds, or such an ``Optional`` again."""


def held(context: Context, value: int, call: ir.Call) -> int:
    """Return what the ``Optional`` holds that a call makes, or asks; ``NONE`` for another call."""
    if call.object == NONE or context.targets(value):
        return NONE
    if call.name in _WRAPS and len(call.args) == 1:
        return call.args[0] if context.denotes(call.object) in _HOLDERS else NONE
    casts = call.name == "map" and len(call.args) == 1 and _is_cast(context, call.args[0])
    if not (casts or call.name in _GIVES) or not is_holder(context, call):
        return NONE
    return call.object


def _is_cast(context: Context, function: int) -> bool:
    """Tell whether a function gives back what it is given, as another type."""
    made = context.code[function]
    return isinstance(made, ir.MethodRef) and made.name == "cast"


def is_holder(context: Context, call: ir.Call) -> bool:
    """Tell whether a call asks an ``Optional``, or an object of unknown type."""
    type_ = context.receiver_type(call)
    return type_ is None or type_.name in _HOLDERS


def given_to(context: Context, slot: int) -> int:
    """Return the ``Optional`` that gives a function what it holds as the parameter ``slot``; ``NONE`` for another variable."""
    number, binder = context.binder(slot) or (NONE, None)
    if isinstance(binder, ir.Lambda):
        for _, call in calls_with(context, (number,)):
            if number in call.args and call.object != NONE and is_holder(context, call):
                return call.object
    return NONE


def given(context: Context) -> list[int]:
    """Return what a body returns that is something."""
    return [value for value in returned(context) if not _is_nothing(context, value)]


def _is_nothing(context: Context, value: int) -> bool:
    instr = context.code[root(context, value)] if value != NONE else None
    if isinstance(instr, ir.Call):
        return instr.name in ("empty", "absent") and not instr.args
    return instr is None or (isinstance(instr, ir.Const) and instr.kind == "n")
