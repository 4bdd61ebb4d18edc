"""The part of a document that a class of configuration is made of, where objects of the program hand it on.

``context.getSenderConfig()`` gives what ``context::setSenderConfig`` was given, which some store took out of a document by a key
(``store.fetch().map(all -> all.get("sender"))``): the members of the class are ``sender.*``.
Both the class and the nearest name on the way must say that this is configuration.
Absent: keys of lookups in the body that fills the class, and in its callers (``binding``).
"""

from __future__ import annotations

from collections.abc import Iterator

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.binding.classes import Classes
from conflens.options.origins.backward import HOPS
from conflens.options.origins.referring import referring
from conflens.options.origins.sources import DATA, Sources
from conflens.options.origins.taken import taken
from conflens.options.origins.tracing import Value, root
from conflens.program.body_uses import returned
from conflens.program.expressions import Context
from conflens.program.templates import known_text

_STEPS = 40
_MOST = 8
"""Places that a value may come from in one step."""


def part_of(sources: Sources, classes: Classes, name: str, carrier: Value | None) -> str:
    """Return the prefix of the members of a class that a part of a document holds; empty where it is not known to be one."""
    if carrier is None or not classes.is_plain(name) or not sources.speaks(carrier):
        return ""
    context, value = carrier
    key = ("handed part", context.ref, value)
    return sources.tracer.values.trail.remembered(key, lambda: _key(sources, carrier))


def _key(sources: Sources, carrier: Value) -> str:
    queue, seen = [carrier], set()
    for _ in range(_STEPS):
        if not queue:
            break
        context, value = queue.pop(0)
        sources.tracer.program.meter.spend()
        found = taken(context, value)
        if found is not None:
            text = known_text(sources.tracer.values.of(*found[0]))
            place, document = found[1]
            sent = sources.of(place, (document,), HOPS) == DATA
            return f"{text}." if text and not sent else ""
        for other in _before(sources, context, root(context, value)):
            if (other[0].ref, other[1]) not in seen:
                seen.add((other[0].ref, other[1]))
                queue.append(other)
    return ""


def _before(sources: Sources, context: Context, value: int) -> Iterator[Value]:
    """Yield what a value is of the program's own that hands it on."""
    values = sources.tracer.values
    instr = context.code[value] if value != NONE else None
    if isinstance(instr, ir.Load) and not instr.up and context.is_parameter(instr.slot):
        for caller, _, args in sources.tracer.callers(context.ref, judged=True)[:_MOST]:
            if instr.slot < len(args):
                yield caller, args[instr.slot]
        for place, taker in referring(values, context.ref)[:_MOST]:
            run = place.code[taker]
            if isinstance(run, ir.Call):
                yield place, run.object
    elif isinstance(instr, (ir.Name, ir.Field)):
        field = context.field_of(value)
        for place, store in values.stores(field)[:_MOST] if field is not None else ():
            yield place, store.value
    elif isinstance(instr, ir.Call):
        for target in context.targets(value)[:1]:
            for one in (target, *values.asking.overriders(target)[:_MOST]):
                inner = values.open(one)
                yield from ((inner, made) for made in returned(inner))
