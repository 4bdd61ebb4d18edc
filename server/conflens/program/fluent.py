"""Fluent calls of libraries whose source is not at hand: ``Builder.create().a(1).b(2)``.

What such a call gives is not known, but mostly it is the object that the chain began with.
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.program.expressions import Context
from conflens.program.types import JavaType

MOST_HOPS = 400
"""Calls of one chain that are looked at for a known type."""
_NOTE = "fluent type"


def fluent_type(context: Context, call: ir.Call, hops: int = MOST_HOPS) -> JavaType | None:
    """Return the type of a call's receiver, or else that of the first known receiver in the chain in front of it,
    at most ``hops`` calls away; each call of a body is looked at once."""
    known = context.notes.setdefault(_NOTE, {})
    assert isinstance(known, dict)
    key = call.object, hops
    if key not in known:
        known[key] = _found(context, call, hops)
    found: JavaType | None = known[key]
    return found


def _found(context: Context, call: ir.Call, hops: int) -> JavaType | None:
    for _ in range(hops):
        type_ = context.receiver_type(call)
        if type_ is not None:
            return type_
        inner = context.code[call.object]
        if not isinstance(inner, ir.Call) or inner.object == NONE:
            return None
        call = inner
    return None
