"""Maps that only hold what somebody has answered: ``for (entry : client.invoke(url).entrySet()) properties.put(entry.getKey(), …)``.

Such a map may be plainly called configuration, and may be that of another program.  It is data if the program makes it, wherever it
comes from, fills it under keys that it takes from elsewhere, and what it puts so is what a client of a network protocol gave it, as the body
that fills it shows.
Bounded by ``_PLACES`` places.
Absent: maps that are made of data as a whole (``doubts``); what goes under the program's own keys (``origins.filled_here``).
"""

from __future__ import annotations

from collections.abc import Iterable

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.bundles import words
from conflens.options.member_types import simple
from conflens.options.origins.backward import CALLERS, HOPS, Part, parts
from conflens.options.origins.sources import Sources
from conflens.options.origins.tracing import Value
from conflens.options.reads.opened import place_of
from conflens.options.reads.unentered import MOST, fills, put_into
from conflens.program.body_uses import loads, returned
from conflens.program.expressions import Context
from conflens.program.templates import known_text

_PLACES = 60
"""Values that are looked at on the way back to where a map is made."""


def is_answer(sources: Sources, context: Context, value: int) -> bool:
    """Tell whether the program makes a map, and fills it with nothing but answers."""
    key = ("answer", context.ref, place_of(context, value))
    return sources.tracer.values.trail.remembered(key, lambda: _is_answer(sources, context, value))


def _is_answer(sources: Sources, context: Context, value: int) -> bool:
    queue, seen, filled = [(context, value)], set(), False
    while queue:
        place, number = queue.pop()
        key = (place.ref, *place_of(place, number))
        if key in seen:
            continue
        seen.add(key)
        sources.tracer.program.meter.spend()
        more = _before(sources, place, number) if len(seen) <= _PLACES else None
        if more is None:
            return False
        queue.extend(more)
        put = _is_filled_with_answers(sources, place, number)
        if put is False:
            return False
        filled = filled or put is True
    return filled


def _before(sources: Sources, context: Context, value: int) -> Iterable[Value] | None:
    """Return what a map is; ``None``: not known."""
    instr = context.code[value] if value != NONE else None
    match instr:
        case ir.Cast():
            return [(context, instr.value)]
        case ir.Choice():
            return [(context, instr.then), (context, instr.other)]
        case ir.Const():
            return [] if instr.kind == "n" else None
        case ir.Load() if not instr.up and context.binder(instr.slot) is None:
            found = [(context, one.value) for one in context.stores(instr.slot) if not one.up]
            if not context.is_parameter(instr.slot):
                return found or None
            calls = sources.tracer.callers(context.ref, judged=True)
            if not 0 < len(calls) <= CALLERS or any(instr.slot >= len(args) for *_, args in calls):
                return None
            return [*found, *((caller, args[instr.slot]) for caller, _, args in calls)]
        case ir.Name() | ir.Field():
            field = context.field_of(value)
            stores = sources.tracer.values.stores(field) if field is not None else ()
            return [(place, store.value) for place, store in stores] or None
        case ir.New() if not context.targets(value):
            copied = [arg for arg in instr.args if sources.is_map(context, arg)]
            return [(context, one) for one in copied]
        case ir.Call():
            values = sources.tracer.values
            targets = context.targets(value)[:1]
            inner = [values.open(one) for one in targets if not values.asking.overriders(one)]
            return [(one, result) for one in inner for result in returned(one)] or None
        case _:
            return None


def _is_filled_with_answers(sources: Sources, context: Context, value: int) -> bool | None:
    """Tell whether what is put into the map of a local or field is an answer, ``None`` if nothing is put."""
    instr = context.code[value]
    field = context.field_of(value)
    if isinstance(instr, ir.Load):
        put = fills(sources, context, loads(context, instr.slot))
    elif field is not None:
        put = put_into(sources, field)
    else:
        return None
    found: bool | None = None
    for count, (place, key, given) in enumerate(put):
        if key == NONE or count == MOST:
            return False
        if known_text(sources.tracer.values.of(place, key)) is None:
            if not _is_answered(sources, place, given):
                return False
            found = True
    return found


def _is_answered(sources: Sources, context: Context, value: int) -> bool:
    """Tell whether a value is made of what a client has answered, as its body shows."""
    return any(_asks(sources, part) for part in parts(sources.tracer, context, value, HOPS))


def _asks(sources: Sources, part: Part) -> bool:
    """Tell whether a call hands something to an object whose class is called after a network protocol."""
    call = part.instr
    if not isinstance(call, ir.Call) or not call.args or call.object == NONE:
        return False
    type_ = part.context.receiver_type(call)
    named = words(simple(type_.name)) if type_ is not None else []
    return not sources.models.protocol_words.isdisjoint(named)
