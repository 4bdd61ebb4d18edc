"""Maps of which only words for what anyone gives speak (``params``, ``args``), and that no configuration enters.

Requests, commands and logins have parameters as well.  Such a map is *entered* if something else on the way to it speaks for configuration, or if
the program puts into it under keys that are not its own, unless that is data or most keys are its own.  It is *open* where others may give it: it is the result of a library's method, or a
parameter of a method that nothing here calls, unless that is static; and of one that overrides the program's own, if it is made of a text.
Absent: maps that are plainly called configuration (``roles``); what else speaks against a map (``doubts``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Modifier
from conflens.flow.transfer import PUTS
from conflens.options.member_types import simple
from conflens.options.origins.backward import HOPS, Part, parts
from conflens.options.origins.maps import is_of_numbers
from conflens.options.origins.sources import DATA, ENTERED, TEXTS, UNKNOWN, Sources
from conflens.options.reads.opened import place_of
from conflens.program.body_uses import calls_with, loads, returned
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.templates import known_text

_USERS = 60
"""Members of a file that put something into the map of a field; what more of them put is not looked at."""
MOST = 40
"""Calls that put something into a map; of one that more of them fill these tell."""
_PUTS = 2
"""Maps that hold what is put into one another."""
_COPIES = frozenset({"putAll"})
_OWN = "Override"
"""An annotation that says nothing of who calls a method."""
_Put = tuple[Context, int, int]
"""A body, with a key and what is put under it; without a key, a map that is copied."""


def is_count(sources: Sources, context: Context, value: int) -> bool:
    """Tell whether a map that only the program makes, and of no text, gives numbers: its keys name things that are counted."""
    if value == NONE or not is_of_numbers(context.type_of(value)):
        return False
    key = ("count", context.ref, place_of(context, value))
    return sources.tracer.values.trail.remembered(
        key, lambda: not _is_made_of_text(sources, context, value, 0)
    )


def _is_made_of_text(sources: Sources, context: Context, value: int, depth: int) -> bool:
    """Tell whether numbers in a map may be parsed, or whether others may give the map."""
    for part in parts(sources.tracer, context, value):
        if _is_open(sources, part) or (_is_text(part) and not isinstance(part.instr, ir.Const)):
            return True
        if depth < _PUTS and any(
            _is_made_of_text(sources, place, given, depth + 1)
            for place, _, given in _put(sources, part)
        ):
            return True
    return False


def entry(sources: Sources, context: Context, value: int, depth: int = 0) -> int:
    """Return how a map is filled, as far as code shows it apart from the words of names: ``UNKNOWN`` if nothing is seen to enter it."""
    found, own, other = UNKNOWN, 0, 0
    for part in parts(sources.tracer, context, value):
        if _is_plain(sources, part) or _is_open(sources, part):
            return ENTERED
        for place, key, given in _put(sources, part):
            if own + other > MOST:
                return ENTERED if other >= own else found
            if key != NONE and known_text(sources.tracer.values.of(place, key)) is not None:
                own += 1
                continue
            speaks = sources.of(place, (given,), min(part.hops + 1, HOPS))
            if speaks != DATA and key != NONE:
                other += 1
            elif speaks != DATA and depth < _PUTS:
                speaks = entry(sources, place, given, depth + 1)
                if speaks == ENTERED:
                    return ENTERED
            found = speaks if speaks == DATA else found
    return ENTERED if other and other >= own else found


def _is_plain(sources: Sources, part: Part) -> bool:
    """Tell whether a map is called by more than words for what anyone gives."""
    if not sources.is_map(part.context, part.value):
        return False
    role = sources.roles.of(part.context, part.value)
    return role.score > 0 and not role.weak


def _is_open(sources: Sources, part: Part) -> bool:
    """Tell whether others may give a value, a map or the text that one is made of."""
    context, instr = part.context, part.instr
    is_map = sources.is_map(context, part.value)
    match instr:
        case ir.Load() if not instr.up and context.is_parameter(instr.slot):
            return (is_map or _is_text(part)) and _is_given(sources, context, is_map=is_map)
        case ir.Name() | ir.Field() if is_map:
            field = context.field_of(part.value)
            return field is None or not sources.tracer.values.stores(field)
        case ir.Call() if is_map:
            made = [one for one in ir.operands(instr) if one != NONE]
            copied = any(sources.is_map(context, one) for one in made)
            copied = copied or _is_factory(sources, context, instr)
            # What is declared only is implemented by what is not followed.
            opened = map(sources.tracer.values.open, context.targets(part.value)[:1])
            return not copied and not any(returned(inner) for inner in opened)
        case _:
            return False


def _is_factory(sources: Sources, context: Context, call: ir.Call) -> bool:
    """Tell whether a static method of the JDK makes a map of what it is given."""
    owner = context.denotes(call.object) if call.object != NONE else None
    return owner is not None and sources.tracer.program.jdk_type(owner) is not None


def _is_text(part: Part) -> bool:
    type_ = part.context.type_of(part.value)
    return type_ is not None and type_.name in TEXTS


def _is_given(sources: Sources, context: Context, *, is_map: bool) -> bool:
    """Tell whether others may call a method with a map, or with a text that one is made of."""
    if sources.tracer.callers(context.ref, judged=True):
        return False
    member = context.member
    notes = (*member.annotations, *(note for one in member.params for note in one.annotations))
    if any(simple(note.name) != _OWN for note in notes):
        return True
    own = member.modifiers & (Modifier.STATIC | Modifier.PRIVATE)
    overridden = sources.tracer.values.asking.overridden
    return not own and not (is_map and overridden(context.ref))


def _put(sources: Sources, part: Part) -> Iterator[_Put]:
    """Yield what is put into the map that a field or local holds."""
    context, instr = part.context, part.instr
    if not sources.is_map(context, part.value):
        return
    field = context.field_of(part.value)
    if field is not None:
        yield from put_into(sources, field)
    elif isinstance(instr, ir.Load) and not instr.up:
        yield from fills(sources, context, loads(context, instr.slot))


def put_into(sources: Sources, field: MemberRef) -> Iterator[_Put]:
    """Yield what is put into the map of a field."""
    values = sources.tracer.values
    name = values.program.member(field).name
    for user in dict.fromkeys((field, *values.asking.within(field.path, name)[:_USERS])):
        place = values.open(user)
        held = [one for one in place.named(name).loads if place.field_of(one) == field]
        yield from fills(sources, place, held)


def fills(sources: Sources, context: Context, held: Collection[int]) -> Iterator[_Put]:
    """Yield what a body puts into the map of these values."""
    for _, call in calls_with(context, held):
        if call.object not in held:
            continue
        if call.name in PUTS and len(call.args) == 2:
            yield from _given(sources, context, *call.args)
        elif call.name in _COPIES and len(call.args) == 1:
            yield context, NONE, call.args[0]


def _given(sources: Sources, context: Context, key: int, given: int) -> Iterator[_Put]:
    """Yield what each caller gives a method that puts it into a map under the key that it is given, too."""
    slots = [_parameter(context, one) for one in (key, given)]
    calls = sources.tracer.callers(context.ref, judged=True) if slots[0] != NONE else ()
    for caller, _, args in calls:
        if max(slots) < len(args):
            if slots[1] != NONE:
                yield caller, args[slots[0]], args[slots[1]]
            elif known_text(sources.tracer.values.of(caller, args[slots[0]])) is None:
                yield context, key, given
    if not calls:
        yield context, key, given


def _parameter(context: Context, value: int) -> int:
    instr = context.code[value] if value != NONE else None
    given = isinstance(instr, ir.Load) and not instr.up and context.is_parameter(instr.slot)
    return instr.slot if given and isinstance(instr, ir.Load) else NONE
