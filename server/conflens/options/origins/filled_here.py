"""Maps that only the program itself fills: what it puts in is data on its way, not configuration.

A map is *made here* when all that it can be is ``new`` somewhere in the program, and *given* when some of it
is a parameter whose annotation speaks of a request or a message.  The *keys put* are those of ``put`` calls on the map, or
on a field that holds it, whose value is neither a constant nor the argument of a
method that nothing here calls; the keys are constants, or parameters for
which all callers give constants, or the keys that another object has in the same field.  A constant value may be a default of what is loaded later; it counts for a map that no field holds and no
other method is given.  A map is *open* when some key is not known: then what is looked up
can come from outside.  A library that is given the map is taken to put nothing in.
Bounded by ``MOST`` places that hold one map and ``_HOPS`` calls and fields between them.
Absent: words that speak for or against (``roles``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection

import attrs

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.transfer import PUTS
from conflens.options.origins.sections import elements_of
from conflens.options.origins.tracing import Tracer, root
from conflens.program.body_uses import calls_with, loads, returned
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.templates import Param, Templates, known_text

MOST = 200
_HOPS = 8
_KEYS = frozenset({"toString", "getKey", "keySet", "entrySet"})
"""What leads from a key to the map that is gone through."""
_MANY = frozenset({"putAll", "load", "loadFromXML", "computeIfAbsent", "merge", "compute"})


@attrs.define
class _Contents:
    keys: set[str] = attrs.Factory(set)
    constants: set[str] = attrs.Factory(set)
    """The keys of constant values."""
    made: bool = False
    open: bool = False
    given: bool = False
    shared: bool = False
    """A field holds the map, or another method is given it."""
    copied: set[MemberRef] = attrs.Factory(set)
    """The fields with maps whose keys are put."""

    def add(self, other: _Contents) -> None:
        """Count what one more place puts in."""
        self.keys |= other.keys
        self.constants |= other.constants
        self.open |= other.open
        self.shared |= other.shared


@attrs.frozen
class _Helper:
    """What a method puts into a map that it is given: ``given`` are the parameters that are keys."""

    keys: frozenset[str]
    given: tuple[int, ...]
    open: bool


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

    def puts(self, names: Templates) -> bool:
        """Tell whether the program puts what is looked up, whatever else may be there."""
        return known_text(names) in self.keys


UNKNOWN_MAP = Map(frozenset(), open=True)


def contents(tracer: Tracer, context: Context, value: int, is_data: Callable[[str], bool]) -> Map:
    """Return what the program puts into a map; one of unknown origin holds nothing that is known.

    ``is_data`` tells whether an annotation's name says that a parameter is data.
    """
    field = None if value == NONE else context.field_of(value)
    if field is None:
        return _contents(tracer, context, value, is_data)
    return tracer.values.trail.remembered(
        ("map", field, is_data), lambda: _contents(tracer, context, value, is_data)
    )


def _contents(tracer: Tracer, context: Context, value: int, is_data: Callable[[str], bool]) -> Map:
    found = _Contents()
    seen: set[object] = set()
    queue = [(context, value, 0)]
    while queue:
        place, number, hops = queue.pop()
        if number == NONE or (key := _holder(place, number)) in seen:
            continue
        seen.add(key)
        tracer.program.meter.spend()
        if len(seen) > MOST or hops > _HOPS:
            return UNKNOWN_MAP
        more = _alias(tracer, place, number, hops, found)
        if more is None:
            if not _is_given(place, number, is_data):
                return UNKNOWN_MAP
            found.given = True
        else:
            queue.extend(more)
    if not found.made and not found.given:
        return UNKNOWN_MAP
    keys = found.keys if found.open or found.shared else found.keys | found.constants
    return Map(frozenset(keys), found.open, found.given)


def _holder(context: Context, value: int) -> object:
    """Return what holds a map, whichever instruction loads it: a field or a local, else the instruction."""
    instr = context.code[value]
    if isinstance(instr, ir.Load) and not instr.up:
        return context.ref, "local", instr.slot
    return context.field_of(value) or (context.ref, value)


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
            found.add(local)
            more = [(context, store.value, hops) for store in context.stores(instr.slot)]
            if context.is_parameter(instr.slot):
                calls = tracer.callers(context.ref, judged=True)
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
            found.add(_field_puts(tracer, field))
            found.shared = True
            stores = tracer.values.stores(field)
            return [(place, store.value, hops + 1) for place, store in stores] or None
        case ir.Call():
            targets = context.targets(value)
            if len(targets) == 0:
                return None
            inner = tracer.values.open(targets[0])
            return [(inner, other, hops + 1) for other in returned(inner)] or None
        case _:
            return None


def _is_object(context: Context, arg: int) -> bool:
    type_ = context.type_of(arg)
    return type_ is None or type_.name not in ("int", "float")


def _local_puts(tracer: Tracer, context: Context, slot: int) -> _Contents:
    """Return what one body puts into a local, looked for once however often the local is read."""

    def find() -> _Contents:
        found = _Contents()
        _puts(tracer, context, loads(context, slot), found)
        found.open |= bool(found.copied)
        return found

    return tracer.values.trail.remembered(("puts", context.ref, slot), find)


def _field_puts(tracer: Tracer, field: MemberRef) -> _Contents:
    """Return what the file of a field puts into it, looked for once however often the field is read."""

    def find() -> _Contents:
        found = _Contents()
        name = tracer.program.member(field).name
        users = [field, *tracer.values.asking.within(field.path, name)]
        found.open = len(users) > MOST  # keys that are not looked for
        for user in dict.fromkeys(users[:MOST]):
            context = tracer.values.open(user)
            places = [one for one in context.named(name).loads if context.field_of(one) == field]
            _puts(tracer, context, places, found)
        # What another object has in the same field is no other key.
        found.open |= not found.copied <= {field}
        return found

    return tracer.values.trail.remembered(("puts", field), find)


def _puts(tracer: Tracer, context: Context, places: Collection[int], found: _Contents) -> None:
    """Note what calls in one body put into the values ``places``, or may put."""
    places = frozenset(places)
    helped: set[tuple[MemberRef, int]] = set()
    for number, call in calls_with(context, places):
        if call.object in places:
            if call.name in PUTS and len(call.args) == 2:
                _put(tracer, context, call, found)
            elif call.name in _MANY:
                found.open = True
        else:
            found.shared = True
            _passed(tracer, context, number, call, places, helped, found)


def _passed(
    tracer: Tracer,
    context: Context,
    number: int,
    call: ir.Call,
    places: Collection[int],
    helped: set[tuple[MemberRef, int]],
    found: _Contents,
) -> None:
    """Look one call further: a helper that puts one key into a map it is given."""
    targets = context.targets(number)
    if not targets:
        return
    for slot, arg in enumerate(call.args):
        if arg not in places:
            continue
        helper = _helper(tracer, targets[0], slot)
        if (targets[0], slot) not in helped:
            helped.add((targets[0], slot))
            found.keys |= helper.keys
            found.open |= helper.open
        for given in helper.given:
            if given >= len(call.args):
                found.open = True
                continue
            text = known_text(tracer.values.of(context, call.args[given]))
            if text is None:
                found.open = True
            else:
                found.keys.add(text)


def _helper(tracer: Tracer, ref: MemberRef, slot: int) -> _Helper:
    """Return what a method puts into the map that it is given as parameter ``slot``."""

    def find() -> _Helper:
        inner = tracer.values.open(ref)
        keys: set[str] = set()
        given: dict[int, None] = {}
        is_open = False
        places = frozenset(loads(inner, slot))
        for _, call in calls_with(inner, places):
            if call.object not in places:
                continue
            if call.name in PUTS and len(call.args) == 2:
                key = tracer.values.of(inner, call.args[0])
                text = known_text(key)
                if (param := _slot(key)) >= 0:
                    given[param] = None
                elif text is not None:
                    keys.add(text)
                else:
                    is_open = True
            elif call.name in _MANY:
                is_open = True
        return _Helper(frozenset(keys), tuple(given), is_open)

    return tracer.values.trail.remembered(("helper", ref, slot), find)


def _put(tracer: Tracer, context: Context, call: ir.Call, found: _Contents) -> None:
    value = context.code[call.args[1]]
    if isinstance(value, ir.Const):
        text = known_text(tracer.values.of(context, call.args[0]))
        found.constants |= {text} if text is not None else set()
        return
    given = isinstance(value, ir.Load) and not value.up and context.is_parameter(value.slot)
    if given and not tracer.callers(context.ref, judged=True):
        found.open = True
        return
    keys = _keys(tracer, context, call.args[0], 0)
    found.open |= None in keys
    found.keys.update(text for text in keys if isinstance(text, str))
    found.copied.update(field for field in keys if isinstance(field, MemberRef))


_Key = str | MemberRef | None


def _keys(tracer: Tracer, context: Context, value: int, hops: int) -> Collection[_Key]:
    """Return the keys that a value can be; a field: any that the map in it has; ``None``: some that is not known."""
    field = _gone_through(context, value)
    if field is not None:
        return (field,)
    names = tracer.values.of(context, value)
    slot = _slot(names)
    if slot < 0:
        return (known_text(names),)
    return tracer.values.trail.remembered(
        ("keys", context.ref, slot, hops), lambda: _given_keys(tracer, context, slot, hops)
    )


def _gone_through(context: Context, value: int) -> MemberRef | None:
    """Return the field with the map that a loop, or a function, goes through whose key a value is."""
    element = False
    for _ in range(_HOPS):
        value = root(context, value)
        instr = context.code[value] if value != NONE else None
        if isinstance(instr, ir.Load) and not instr.up and not context.is_parameter(instr.slot):
            value = next(elements_of(context, instr.slot), NONE)
            element = True
        elif isinstance(instr, ir.Call) and not instr.args and instr.name in _KEYS:
            value = instr.object
        else:
            return context.field_of(value) if instr is not None and element else None
    return None


def _given_keys(tracer: Tracer, context: Context, slot: int, hops: int) -> frozenset[_Key]:
    calls = tracer.callers(context.ref, judged=True) if hops < 2 else []
    found: set[_Key] = set() if calls else {None}
    for caller, _, args in calls:
        tracer.program.meter.spend()
        if slot < len(args):
            found.update(_keys(tracer, caller, args[slot], hops + 1))
    return frozenset(found)


def _slot(names: Templates) -> int:
    """Return the parameter that a text is, else -1."""
    if len(names) == 1 and len(names[0]) == 1:
        part = names[0][0]
        if isinstance(part, Param) and not part.owner:
            return part.slot
    return -1
