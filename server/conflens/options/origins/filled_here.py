"""Maps that only the program itself fills: what it puts in is data on its way, not configuration.

A map is *made here* when all that it can be is ``new`` somewhere in the program, and *given* when some of it
is a parameter whose annotation speaks of a request or a message.  The *keys put* are those of ``put`` calls on the map, or
on a field that holds it, whose value is neither a constant nor the argument of a
method that nothing here calls; the keys are constants, or parameters for
which all callers give constants.  It is *open* when some key is not known: then what is looked up
can come from outside.  A library that is given the map is taken to put nothing in.
Bounded by ``MOST`` places that hold one map and ``_HOPS`` calls and fields between them.
Absent: words that speak for or against (``roles``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import attrs

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.origins.tracing import Tracer
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.templates import Param, Templates, known_text

MOST = 200
_HOPS = 8
_PUTS = frozenset({"put", "putIfAbsent", "setProperty"})
_MANY = frozenset({"putAll", "load", "loadFromXML", "computeIfAbsent", "merge", "compute"})


@attrs.define
class _Contents:
    keys: set[str] = attrs.Factory(set)
    made: bool = False
    open: bool = False
    given: bool = False


@attrs.frozen
class Map:
    """What the program puts into one map; ``given``: a request or message brings all of it."""

    keys: frozenset[str]
    open: bool
    given: bool = False

    def holds(self, names: Templates) -> bool:
        """Tell whether what is looked up is what the program itself has put there."""
        text = known_text(names)
        if self.given or self.open:
            return self.given
        return bool(self.keys) if text is None else text in self.keys


UNKNOWN_MAP = Map(frozenset(), open=True)


def contents(tracer: Tracer, context: Context, value: int, is_data: Callable[[str], bool]) -> Map:
    """Return what the program puts into a map; one of unknown origin holds nothing that is known.

    ``is_data`` tells whether an annotation's name says that a parameter is data.
    """
    found = _Contents()
    seen: set[tuple[MemberRef, int]] = set()
    fields: set[MemberRef] = set()
    queue = [(context, value, 0)]
    while queue:
        place, number, hops = queue.pop()
        key = (place.ref, number)
        if number == NONE or key in seen:
            continue
        seen.add(key)
        tracer.program.meter.spend()
        if len(seen) > MOST or hops > _HOPS:
            return UNKNOWN_MAP
        more = _alias(tracer, place, number, hops, found, fields)
        if more is None:
            if not _is_given(place, number, is_data):
                return UNKNOWN_MAP
            found.given = True
        else:
            queue.extend(more)
    if not found.made and not found.given:
        return UNKNOWN_MAP
    return Map(frozenset(found.keys), found.open, found.given)


def _is_given(context: Context, value: int, is_data: Callable[[str], bool]) -> bool:
    instr = context.code[value]
    if not isinstance(instr, ir.Load) or instr.up or instr.slot >= len(context.member.params):
        return False
    return any(is_data(note.name) for note in context.member.params[instr.slot].annotations)


def _alias(
    tracer: Tracer,
    context: Context,
    value: int,
    hops: int,
    found: _Contents,
    fields: set[MemberRef],
) -> list[tuple[Context, int, int]] | None:
    """Return the values that one may be, and note what is put into it; ``None`` if it may be anything."""
    instr = context.code[value]
    match instr:
        case ir.New():
            found.made = True
            return [] if not any(_is_object(context, arg) for arg in instr.args) else None
        case ir.Cast():
            return [(context, instr.value, hops)]
        case ir.Choice():
            return [(context, instr.then, hops), (context, instr.other, hops)]
        case ir.Const():
            return []
        case ir.Load() if not instr.up:
            local = _local_puts(tracer, context, instr.slot)
            found.keys |= local.keys
            found.open |= local.open
            more = [(context, store.value, hops) for store in context.stores(instr.slot)]
            if context.is_parameter(instr.slot):
                calls = tracer.callers(context.ref)
                more += [
                    (caller, args[instr.slot], hops + 1)
                    for caller, _, args in calls
                    if instr.slot < len(args)
                ]
            return more or None
        case ir.Name() | ir.Field():
            field = context.field_of(value)
            if field is None:
                return None
            if field not in fields:
                fields.add(field)
                _field_puts(tracer, field, found)
            stores = tracer.values.stores(field)
            return [(place, store.value, hops + 1) for place, store in stores] or None
        case ir.Call():
            targets = context.targets(value)
            if len(targets) == 0:
                return None
            inner = tracer.values.open(targets[0])
            returned = [
                (inner, other.value, hops + 1)
                for other in inner.code
                if isinstance(other, ir.Return) and other.kind == "return"
            ]
            return returned or None
        case _:
            return None


def _is_object(context: Context, arg: int) -> bool:
    type_ = context.type_of(arg)
    return type_ is None or type_.name not in ("int", "float")


def _loads(context: Context, slot: int) -> set[int]:
    return {
        number
        for number, instr in enumerate(context.code)
        if isinstance(instr, ir.Load) and instr.slot == slot and not instr.up
    }


def _local_puts(tracer: Tracer, context: Context, slot: int) -> _Contents:
    """Return what one body puts into a local, looked for once however often the local is read."""

    def find() -> _Contents:
        found = _Contents()
        _puts(tracer, context, _loads(context, slot), found)
        return found

    return tracer.values.trail.remembered(("puts", context.ref, slot), find)


def _field_puts(tracer: Tracer, field: MemberRef, found: _Contents) -> None:
    name = tracer.program.member(field).name
    tracer.values.trail.names.add(name)
    users = [field, *tracer.program.mentions(name)]
    found.open |= len(users) > MOST  # keys that are not looked for
    for user in dict.fromkeys(users[:MOST]):
        if user.path != field.path:
            continue
        context = tracer.values.open(user)
        places = {
            number
            for number, instr in enumerate(context.code)
            if isinstance(instr, ir.Name | ir.Field)
            and instr.name == name
            and context.field_of(number) == field
        }
        _puts(tracer, context, places, found)


def _puts(tracer: Tracer, context: Context, places: set[int], found: _Contents) -> None:
    """Note what calls in one body put into the values ``places``, or may put."""
    for number, call in context.calls():
        if not isinstance(call, ir.Call):
            continue
        if call.object in places:
            if call.name in _PUTS and len(call.args) == 2:
                _put(tracer, context, call, found)
            elif call.name in _MANY:
                found.open = True
        elif not places.isdisjoint(call.args):
            _passed(tracer, context, number, call, places, found)


def _passed(
    tracer: Tracer,
    context: Context,
    number: int,
    call: ir.Call,
    places: set[int],
    found: _Contents,
) -> None:
    """Look one call further: a helper that puts one key into a map it is given."""
    targets = context.targets(number)
    if not targets:
        return
    inner = tracer.values.open(targets[0])
    for slot, arg in enumerate(call.args):
        if arg not in places:
            continue
        loads = _loads(inner, slot)
        for _, other in inner.calls():
            if not isinstance(other, ir.Call) or other.object not in loads:
                continue
            if other.name in _PUTS and len(other.args) == 2:
                key = tracer.values.of(inner, other.args[0])
                text = known_text(_argument(tracer, context, call, key))
                if text is None:
                    found.open = True
                else:
                    found.keys.add(text)
            elif other.name in _MANY:
                found.open = True


def _argument(tracer: Tracer, context: Context, call: ir.Call, key: Templates) -> Templates:
    slot = _slot(key)
    if slot < 0 or slot >= len(call.args):
        return key
    return tracer.values.of(context, call.args[slot])


def _put(tracer: Tracer, context: Context, call: ir.Call, found: _Contents) -> None:
    value = context.code[call.args[1]]
    if isinstance(value, ir.Const):
        return
    given = isinstance(value, ir.Load) and not value.up and context.is_parameter(value.slot)
    if given and not tracer.callers(context.ref):
        found.open = True
        return
    for text in _keys(tracer, context, call.args[0], 0):
        if text is None:
            found.open = True
        else:
            found.keys.add(text)


def _keys(tracer: Tracer, context: Context, value: int, hops: int) -> Iterator[str | None]:
    """Yield the keys that a value can be; ``None``: some that is not known."""
    names = tracer.values.of(context, value)
    slot = _slot(names)
    if slot < 0:
        yield known_text(names)
        return
    calls = tracer.callers(context.ref) if hops < 2 else []
    if not calls:
        yield None
    for caller, _, args in calls:
        if slot < len(args):
            yield from _keys(tracer, caller, args[slot], hops + 1)


def _slot(names: Templates) -> int:
    """Return the parameter that a text is, else -1."""
    if len(names) == 1 and len(names[0]) == 1:
        part = names[0][0]
        if isinstance(part, Param) and not part.name:
            return part.slot
    return -1
