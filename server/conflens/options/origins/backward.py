"""What a value is made from: a walk back over operands, locals, fields, calls, callers.

The walk yields instructions, nearest first; it says what *may* have been taken part, not how.  It enters
what project methods return (their parameters are the arguments of that call, not of others), goes from a parameter to
the callers' arguments and from a field to what is stored in it, together at most ``HOPS`` times, and ends after
``MOST`` values.
Absent: what the instructions mean (``reflection``, ``sources``).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.origins.referring import referring
from conflens.options.origins.tracing import Tracer
from conflens.program.body_uses import calls_with
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef

HOPS = 4
MOST = 400
PUTS = frozenset({"put", "putIfAbsent"})
_STREAMS = ("InputStream", "Reader")
_HOW = frozenset({"java.lang.String", "java.nio.charset.Charset"})
"""Types of what says how a stream is read."""
_REFLECTION = "java.lang.reflect."
_STORES = 8
CALLERS = 12


class Part(NamedTuple):
    """A value that another may be made from, and over how many calls and fields it was reached."""

    context: Context
    value: int
    hops: int

    @property
    def instr(self) -> ir.Instr:
        """Return the instruction that makes the value."""
        return self.context.code[self.value]


def parts(
    tracer: Tracer,
    context: Context,
    value: int,
    hops: int = 0,
    *,
    changes: bool = False,
    tools: Collection[str] = (),
) -> Iterator[Part]:
    """Yield the values that one is made from, itself first.

    ``changes``: what setters of a local are given counts too, and what members are put into it.  ``tools``: types of
    objects that make something of what they are given, and of which it does not matter where they come from.
    """
    return _walk(tracer, (Part(context, value, hops),), MOST, changes=changes, tools=tools)


def stored(tracer: Tracer, field: MemberRef, hops: int) -> Iterator[Part]:
    """Yield what ``parts`` yields behind a read of a field: the same for each of its reads."""
    return _walk(tracer, _stored(tracer, field, hops), MOST - 1)


def _walk(
    tracer: Tracer,
    starts: Iterable[Part],
    most: int,
    *,
    changes: bool = False,
    tools: Collection[str] = (),
) -> Iterator[Part]:
    queue = deque((part, False) for part in starts)
    seen: dict[tuple[MemberRef, int], bool] = {}
    while queue and len(seen) < most:
        part, inside = queue.popleft()
        key = (part.context.ref, part.value)
        if part.value == NONE or not seen.get(key, True) or (inside and key in seen):
            continue
        tracer.program.meter.spend()
        if key not in seen:
            yield part
        seen[key] = inside
        for other in _next(tracer, part, tools, inside=inside):
            queue.append((other, _is_inside(part, other, inside=inside)))
        if changes:
            queue.extend((other, inside) for other in _changes(part))


def _is_inside(part: Part, other: Part, *, inside: bool) -> bool:
    """Tell whether a body is only looked at for what a call gives back, whose arguments are looked at, too."""
    if isinstance(part.instr, (ir.Name, ir.Field)) and other.hops > part.hops:
        return False
    return inside or (isinstance(part.instr, ir.Call) and other.context.ref != part.context.ref)


def _next(tracer: Tracer, part: Part, tools: Collection[str], *, inside: bool) -> Iterator[Part]:
    context, instr, hops = part.context, part.instr, part.hops
    match instr:
        case ir.Load():
            outer = context.outer(instr.up) if instr.up else context
            if outer is not None and 0 <= instr.slot < len(outer.body.locals):
                yield from _local(tracer, outer, instr.slot, hops, inside=inside)
        case ir.Name() | ir.Field():
            field = context.field_of(part.value)
            if field is not None and hops < HOPS:
                yield from _stored(tracer, field, hops)
            elif isinstance(instr, ir.Field):
                yield Part(context, instr.object, hops)
        case ir.Lambda() | ir.ClassLiteral():
            return
        case _:
            tool = _tool(context, instr, tools) if tools else NONE
            for operand in _made_from(context, part.value, instr):
                if operand != tool or tool == NONE:
                    yield Part(context, operand, hops)
            if isinstance(instr, ir.Call) and hops < HOPS:
                for target in _entered(tracer, context, part.value):
                    inner = tracer.values.open(target)
                    for other in inner.code:
                        if isinstance(other, ir.Return) and other.kind == "return":
                            yield Part(inner, other.value, hops + 1)


def _entered(tracer: Tracer, context: Context, value: int) -> Iterator[MemberRef]:
    """Yield the method that a call enters: not a lookup in a tree of the project's own class, which gives a part of that object."""
    for target in context.targets(value)[:1]:
        if target.owner not in tracer.own_trees:
            yield target


def _tool(context: Context, instr: ir.Instr, tools: Collection[str]) -> int:
    """Return the object that a call asks to make something of its arguments."""
    if not isinstance(instr, ir.Call) or not instr.args or instr.object == NONE:
        return NONE
    return instr.object if _type_name(context, instr.object) in tools else NONE


def _made_from(context: Context, value: int, instr: ir.Instr) -> Iterable[int]:
    """Return the operands that a value is made from: of a library's call with a stream not the text beside it, its encoding."""
    operands = ir.operands(instr)
    if not isinstance(instr, (ir.Call, ir.New)) or len(instr.args) < 2 or context.targets(value):
        return operands
    types = {arg: _type_name(context, arg) for arg in instr.args}
    if not any(name.endswith(_STREAMS) for name in types.values()):
        return operands
    return [one for one in operands if types.get(one) not in _HOW]


def _type_name(context: Context, value: int) -> str:
    type_ = context.type_of(value) if value != NONE else None
    return type_.name if type_ is not None else ""


def _stored(tracer: Tracer, field: MemberRef, hops: int) -> Iterator[Part]:
    for place, store in tracer.values.stores(field)[:_STORES] if hops < HOPS else ():
        yield Part(place, store.value, hops + 1)


def _changes(part: Part) -> Iterator[Part]:
    """Yield what is given to the setters of the object in a local, and the members of classes that are put into the map in one."""
    context, load = part.context, part.instr
    if not isinstance(load, ir.Load) or load.up:
        return
    for _, call in context.calls():
        if not isinstance(call, ir.Call) or call.object == NONE:
            continue
        setter = call.name.startswith("set") and len(call.args) == 1
        held = context.code[call.object] if setter or len(call.args) == 2 else None
        own = isinstance(held, ir.Load) and held.slot == load.slot and not held.up
        if own and (setter or _is_member(context, call)):
            yield Part(context, call.args[-1], part.hops)


def _is_member(context: Context, call: ir.Call) -> bool:
    """Tell whether a call puts a member of a class into a map."""
    type_ = context.type_of(call.args[1]) if call.name in PUTS else None
    return type_ is not None and type_.name.startswith(_REFLECTION)


def _local(
    tracer: Tracer, context: Context, slot: int, hops: int, *, inside: bool
) -> Iterator[Part]:
    for store in context.stores(slot):
        if not store.up:
            yield Part(context, store.value, hops)
    binder = context.binder(slot)
    if binder is not None:
        number, instr = binder
        if isinstance(instr, ir.ForEach):
            yield Part(context, instr.iterable, hops)
        else:
            for _, call in calls_with(context, (number,)):
                if number in call.args:
                    yield Part(context, call.object, hops)
    if context.is_parameter(slot) and hops < HOPS and not inside:
        for caller, _, args in tracer.callers(context.ref, judged=True)[:CALLERS]:
            if slot < len(args):
                yield Part(caller, args[slot], hops + 1)
        for place, taker in referring(tracer.values, context.ref)[:CALLERS]:
            run = place.code[taker]
            if isinstance(run, ir.Call):
                yield Part(place, run.object, hops + 1)
