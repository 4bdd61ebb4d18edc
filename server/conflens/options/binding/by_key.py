"""Members that a filler finds by the key it has: the direction from the keys of a carrier to the members of a class.

The class is asked for the member by name (``type.getDeclaredField(key)``), the member is taken out of a
map under the key, or the members are gone through until the name of one equals the key
(``field.getName().equals(key)``), in the filler itself or in a method that it gives the key.
In all of them each key of the carrier can be meant, so each member has one.

Terms
    key    what the value is looked up under
    asked  what the member is found by: the key, or what is made from it

``asked`` without the start of the key (``key.substring(prefix.length())``) gives the prefix.
Absent: keys that are made from the members (``reflection``).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.origins.backward import PUTS, Part, parts
from conflens.options.origins.starts import begun, cut
from conflens.options.origins.tracing import Tracer
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.templates import Templates, known_text

_EQUALS = frozenset({"equals", "equalsIgnoreCase", "contentEquals"})
_TAKES_OUT = frozenset({"get", "getOrDefault", "remove"})
_MAPS = frozenset({"java.util.Map", "java.util.HashMap", "java.util.TreeMap"})
_TEXTS = frozenset({"java.lang.String", "java.lang.Object"})
_NAMED = (
    "java.lang.reflect.Field",
    "java.lang.reflect.Method",
    "java.lang.reflect.Member",
    "java.beans.PropertyDescriptor",
)

Place = tuple[MemberRef, int, bool]
"""A call by its number, or a local by its slot (``True``)."""


class Asked(NamedTuple):
    """``key`` is what the member is found by; ``name`` the member's name that it is compared with, if it is."""

    key: Part
    name: Part | None


class Entry(NamedTuple):
    """A lookup: the call, and the value or the local that is its key, or the calls that give it; ``tree`` is the node
    below which another is looked for."""

    call: ir.Call
    key: int
    slot: int = -1
    named: tuple[int, ...] = ()
    tree: int = NONE


def entry(part: Part) -> Entry | None:
    """Return the entry that a value is, where a method of the carrier gives each key with its value to a lambda."""
    context, load = part.context, part.instr
    if not isinstance(load, ir.Load) or load.up:
        return None
    number, made = context.binder(load.slot) or (NONE, None)
    if not isinstance(made, ir.Lambda) or len(made.params) != 2 or made.params[1] != load.slot:
        return None
    for _, call in context.calls():
        if isinstance(call, ir.Call) and call.args == (number,) and call.name == "forEach":
            return Entry(call, NONE, made.params[0])
    return None


def asked(
    tracer: Tracer, context: Context, member: int, listing: Part, found: Entry, lookup: Part
) -> Asked | None:
    """Return what the ``member`` of a setting is found by, if that is what the ``lookup`` is given."""
    wanted = _places(tracer, found, lookup)
    for one in _candidates(tracer, context, member, listing):
        for part in parts(tracer, one.key.context, one.key.value, one.key.hops):
            if _place(part) in wanted:
                return one
    return None


def stripped(tracer: Tracer, key: Part, top: MemberRef) -> Templates:
    """Return the start of the key that what the member is found by is without; empty text if it is whole.

    It is in terms of ``top``, the body that looks the key up.
    """
    for part in parts(tracer, key.context, key.value, key.hops):
        call = part.instr
        if not isinstance(call, ir.Call) or call.name != "substring" or len(call.args) != 1:
            continue
        start = cut(part.context, call.args[0])
        found = tracer.values.of(part.context, start) if start != NONE else ()
        text = known_text(found) if found else begun(tracer.values, part.context, call)
        if text:
            return ((text if text[-1] in "._-:/" else f"{text}.",),)
        if found and part.context.ref == top:
            return found
    return (("",),)


def _places(tracer: Tracer, found: Entry, lookup: Part) -> set[Place]:
    """Return where the key of a lookup comes from: its locals, and calls that give it."""
    context = lookup.context
    if found.key == NONE:
        if found.named:
            return {(context.ref, call, False) for call in found.named}
        return {(context.ref, found.slot, True)}
    places = (_place(part) for part in parts(tracer, context, found.key, lookup.hops))
    return {place for place in places if place is not None}


def _place(part: Part) -> Place | None:
    instr = part.instr
    if isinstance(instr, ir.Call):
        return part.context.ref, part.value, False
    if isinstance(instr, ir.Load):
        type_ = part.context.type_of(part.value)
        outer = part.context.outer(instr.up) if instr.up else part.context
        if outer is not None and (type_ is None or type_.name in _TEXTS):
            return outer.ref, instr.slot, True
    return None


def _candidates(tracer: Tracer, context: Context, member: int, listing: Part) -> Iterator[Asked]:
    """Yield what a member may be found by, on its way from the listing to the setting."""
    call = listing.instr
    if isinstance(call, ir.Call) and call.args:
        yield Asked(Part(listing.context, call.args[0], listing.hops), None)
        return
    bodies: dict[MemberRef, tuple[Context, int]] = {}
    taken: list[Part] = []
    for part in parts(tracer, context, member, changes=True):
        bodies.setdefault(part.context.ref, (part.context, part.hops))
        instr = part.instr
        if isinstance(instr, ir.Call) and instr.name in _TAKES_OUT and instr.args:
            type_ = part.context.receiver_type(instr)
            if type_ is not None and type_.name in _MAPS:
                taken.append(Part(part.context, instr.args[0], part.hops))
        if part.context.ref == listing.context.ref and part.value == listing.value:
            break
    kept = (found for body, hops in bodies.values() for found in _kept(body, hops))
    spelled = next(kept, None) if taken else None
    yield from (Asked(key, spelled) for key in taken)
    for body, hops in bodies.values():
        for _, other in body.calls():
            if isinstance(other, ir.Call) and other.name in _EQUALS:
                sides = (other.object, *other.args)[-2:]
                for name, key in (sides, sides[::-1]):
                    if key != NONE and _is_name(tracer, body, name, hops, listing):
                        yield Asked(Part(body, key, hops), Part(body, name, hops))


def _kept(context: Context, hops: int) -> Iterator[Part]:
    """Yield the keys under which a body puts members into a map."""
    for _, call in context.calls():
        if isinstance(call, ir.Call) and call.name in PUTS and len(call.args) == 2:
            type_ = context.type_of(call.args[1])
            if type_ is not None and type_.name in _NAMED:
                yield Part(context, call.args[0], hops)


def _is_name(tracer: Tracer, context: Context, value: int, hops: int, listing: Part) -> bool:
    """Tell whether a text is made from the name of a member, in its own body."""
    if value == NONE:
        return False
    for part in parts(tracer, context, value, hops):
        call = part.instr
        if part.context.ref != context.ref or not isinstance(call, ir.Call):
            continue
        if call.name != "getName" or call.args:
            continue
        type_ = context.receiver_type(call)
        if type_ is not None:
            return type_.name in _NAMED
        # The parameter of a lambda has no type: it is a member if it comes from the listing.
        return any(
            (one.context.ref, one.value) == (listing.context.ref, listing.value)
            for one in parts(tracer, context, call.object, hops)
        )
    return False
