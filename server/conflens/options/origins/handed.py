"""Where the contents of a map come from when it is copied, filtered or handed on.

``System.getenv()`` may be copied into another map, reduced to known keys and passed to a method that looks names up:
what is looked up there still is an environment variable.  The walk goes back over locals, fields, copies, what
methods return and what *all* callers pass, to calls whose rows say that they give configuration of one domain.
Everything on the way must lead to the same domain; a map of which some part has another or an unknown origin has none.
A method that nothing here calls says nothing about its parameters.
Bounded by ``MOST`` values and ``HOPS`` calls and fields.
Absent: what is put under constant keys (``filled_here``); evidence by names (``roles``).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.transfer import PUTS
from conflens.options.origins.optionals import given, given_to, held
from conflens.options.origins.tracing import Tracer, root
from conflens.options.roles import CERTAIN, Roles
from conflens.program.body_uses import called, calls_with, loads
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.templates import known_text

MOST = 120
HOPS = 8
_MAP = "java.util.Map"
_LINKS = 12
"""Calls of a chain such as ``m.entrySet().stream().filter(…).collect(…)``."""

_Place = tuple[Context, int, int]


def domain_of(tracer: Tracer, roles: Roles, context: Context, value: int) -> str | None:
    """Return the domain that everything in a map comes from, ``None`` if that is not known."""
    domain: str | None = None
    queue: list[_Place] = [(context, value, 0)]
    seen: set[tuple[MemberRef, int]] = set()
    while queue:
        place, number, hops = queue.pop()
        key = (place.ref, number)
        if key in seen:
            continue
        seen.add(key)
        tracer.program.meter.spend()
        if number == NONE or len(seen) > MOST or hops > HOPS:
            return None
        found = _entry(roles, place, number)
        if found is None:
            more = _before(tracer, place, number, hops)
            if more is None:
                return None
            queue.extend(more)
        elif domain not in (None, found):
            return None
        else:
            domain = found
    return domain


def _entry(roles: Roles, context: Context, value: int) -> str | None:
    """Return the domain of a call that gives configuration, or of a local that one has filled."""
    if not isinstance(context.code[value], (ir.Call, ir.Load)):
        return None
    role = roles.of(context, value)
    return role.domain if role.score >= CERTAIN else None


def _before(tracer: Tracer, context: Context, value: int, hops: int) -> list[_Place] | None:
    """Return what a map is or is copied from; ``None``: not known."""
    instr = context.code[value]
    match instr:
        case ir.Const():
            return [] if instr.kind == "n" else None
        case ir.Cast():
            return [(context, instr.value, hops)]
        case ir.Choice():
            return [(context, arm, hops) for arm in (instr.then, instr.other)]
        case ir.Load():
            outer = context.outer(instr.up) if instr.up else context
            return _local(tracer, outer, instr.slot, hops) if outer is not None else None
        case ir.Name() | ir.Field():
            field = context.field_of(value)
            if field is None:
                return None
            stores = tracer.values.stores(field)
            return [(place, store.value, hops + 1) for place, store in stores] or None
        case ir.New() | ir.Call():
            return _made(tracer, context, value, instr, hops)
        case _:
            return None


def _made(
    tracer: Tracer, context: Context, value: int, call: ir.Call | ir.New, hops: int
) -> list[_Place] | None:
    """Return what a call gives back or copies: one map is made from one map."""
    targets = context.targets(value)
    if targets:
        inner = tracer.values.open(targets[0])
        if len(call.args) == 1 and _copies(tracer, inner):
            return [(context, call.args[0], hops)]
        results = [(inner, other, hops + 1) for other in given(inner)]
        return results if results and not tracer.values.asking.overriders(targets[0]) else None
    maps = tracer.values.trail.remembered(
        ("map arguments", context.ref, value),
        lambda: [arg for arg in call.args if is_map(tracer, context, arg)],
    )
    if len(maps) == 1:
        return [(context, maps[0], hops)]
    if isinstance(call, ir.Call) and not maps:
        inside = held(context, value, call)
        if inside != NONE:
            return [(context, inside, hops)]
        chained = _chained(tracer, context, call)
        return [(context, chained, hops)] if chained != NONE else None
    return None


def _copies(tracer: Tracer, inner: Context) -> bool:
    """Tell whether a method copies a map with all maps inside: it takes one object, puts something into a map, and calls itself."""
    member = inner.member
    return (
        len(member.params) == 1
        and member.params[0].type == member.type
        and member.name in tracer.program.files[inner.ref.path].calls
        and tracer.values.trail.remembered(
            ("copies", inner.ref),
            lambda: (
                any(inner.ref in inner.targets(one) for one, _ in called(inner, member.name))
                and any(True for name in PUTS for _ in called(inner, name))
            ),
        )
    )


def _chained(tracer: Tracer, context: Context, call: ir.Call) -> int:
    """Return the map whose entries a chain of library calls has gone through."""
    value = call.object
    for _ in range(_LINKS):
        if value == NONE or is_map(tracer, context, value):
            return value
        instr = context.code[value]
        if not isinstance(instr, ir.Call) or context.targets(value):
            return NONE
        value = instr.object
    return NONE


def _local(tracer: Tracer, context: Context, slot: int, hops: int) -> list[_Place] | None:
    if not 0 <= slot < len(context.body.locals):
        return None
    found: list[_Place] = []
    for store in context.stores(slot):
        if store.up:
            return None
        made = context.code[store.value]
        if (
            isinstance(made, ir.New)
            and not context.targets(store.value)
            and not any(is_map(tracer, context, arg) for arg in made.args)
        ):
            fillers: tuple[int, ...] = tracer.values.trail.remembered(
                ("fillers", context.ref, slot),
                partial(_all_filled, tracer, context, slot),
            )
            filled = [(context, value, hops) for value in fillers]
            if not filled:
                return None
            found += filled
        else:
            found.append((context, store.value, hops))
    if context.is_parameter(slot):
        calls = tracer.callers(context.ref, judged=True)
        if any(slot >= len(args) for _, _, args in calls):
            return None
        return found + [(caller, args[slot], hops + 1) for caller, _, args in calls]
    optional = given_to(context, slot)
    return [(context, optional, hops)] if optional != NONE else found or None


def _all_filled(tracer: Tracer, context: Context, slot: int) -> tuple[int, ...]:
    return tuple(dict.fromkeys(_filled(tracer, context, slot)))


def _filled(tracer: Tracer, context: Context, slot: int) -> Iterator[int]:
    """Yield the maps that one in a local is filled from: at once, or entry by entry in a loop."""
    held = frozenset(loads(context, slot))
    for _, call in calls_with(context, held):
        if call.object not in held:
            continue
        if len(call.args) == 1 and is_map(tracer, context, call.args[0]):
            yield call.args[0]
        elif len(call.args) == 2 and known_text(tracer.values.of(context, call.args[0])) is None:
            entry = _looped(tracer, context, call.args[0])
            if entry != NONE and entry == _looped(tracer, context, call.args[1]):
                yield entry
            elif entry != NONE:
                asked = _asked(context, call.args[0], call.args[1])
                if asked != NONE and is_map(tracer, context, asked):
                    yield asked


def _looped(tracer: Tracer, context: Context, value: int) -> int:
    """Return the map through whose entries a loop goes, if a value is one part of an entry."""
    instr = context.code[_part(context, _whole(context, value))]
    if not isinstance(instr, ir.Load) or instr.up:
        return NONE
    number, binder = context.binder(instr.slot) or (NONE, None)
    if isinstance(binder, ir.ForEach):
        entries = context.code[binder.iterable]
        return _chained(tracer, context, entries) if isinstance(entries, ir.Call) else NONE
    if isinstance(binder, ir.Lambda):
        for _, call in calls_with(context, (number,)):
            if number in call.args:
                return _chained(tracer, context, call)
    return NONE


def _whole(context: Context, value: int) -> int:
    """Return the text that a key is cut out of."""
    made = root(context, value)
    call = context.code[made] if made != NONE else None
    if not isinstance(call, ir.Call) or call.name != "substring":
        return value
    return root(context, call.object)


def _part(context: Context, value: int) -> int:
    """Return what a value is behind casts and one call without arguments, such as ``e.getKey()`` or ``k.toString()``."""
    for _ in range(_LINKS):
        instr = context.code[value]
        if not isinstance(instr, ir.Cast):
            break
        value = instr.value
    if isinstance(instr, ir.Call) and not instr.args and instr.object != NONE:
        return instr.object
    return value


def _asked(context: Context, key: int, value: int) -> int:
    """Return what a value is looked up in under a key that a loop goes through; ``NONE`` if it is not."""
    value = _part(context, value)
    while isinstance(cast := context.code[value], ir.Cast):
        value = cast.value
    call, named = context.code[value], context.code[_part(context, _whole(context, key))]
    if not isinstance(call, ir.Call) or len(call.args) != 1 or not isinstance(named, ir.Load):
        return NONE
    given = context.code[_part(context, call.args[0])]
    same = isinstance(given, ir.Load) and (given.slot, given.up) == (named.slot, named.up)
    return call.object if same else NONE


def is_map(tracer: Tracer, context: Context, value: int) -> bool:
    """Tell whether a value is a map by its type."""
    type_ = context.type_of(value)
    return type_ is not None and (
        type_.name == _MAP or _MAP in tracer.program.supertypes(type_.name)
    )
