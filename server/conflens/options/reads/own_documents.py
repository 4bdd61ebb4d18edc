"""Maps that an object of the project is made of and writes itself to: a document of the program's own, and no configuration.

``Ticket(Map<String, Object> map) { id = map.get("id"); }`` reads what ``Map<String, Object> asMap() { return Map.of("id", id); }`` of the
same class has written: an event, a row of a store, a message to another process.  The map must be a parameter of the constructor or static method
that reads it.  Another method, such as one that a framework calls with what it has kept, reads what a method beside it has put under the same key
into a map that it is given as well, if that neither asks for the key, as one that fills in a default does, nor takes the value from configuration.
The class must not be called configuration: a class of settings may be written as well.
Absent: maps that are filled on their way (``origins.filled_here``); what a plug-in is started with (``run_arguments``).
"""

from __future__ import annotations

from collections.abc import Iterator

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Modifier
from conflens.flow.transfer import PUTS
from conflens.options.member_types import simple
from conflens.options.origins.sources import Sources
from conflens.options.origins.tracing import root
from conflens.options.reads.run_arguments import is_configured
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.templates import known_text

_MAPS = frozenset({"Map", "ImmutableMap"})
_OF = "of"
"""The factory method of maps that takes keys and values in turn."""
_IF_ABSENT = "putIfAbsent"
_SERVICE = "java.util.Dictionary"
"""The type by which frameworks hand over what a service of theirs keeps for users, who may also set it through the program."""
_ORIGINS = 3
"""Calls around a member, which make a value of it (``FORMAT.format(created)``)."""


def is_own_document(sources: Sources, context: Context, value: int, key: int) -> bool:
    """Tell whether the class that looks a key up in a map that it is given puts something under the same key into a map."""
    if not _is_parameter(context, value):
        return False
    made = context.member.kind == "constructor" or context.member.modifiers & Modifier.STATIC
    text = known_text(sources.tracer.values.of(context, key))
    owner = context.ref.owner
    type_ = context.type_of(value)
    if text is None or sources.roles.named_type(simple(owner)).score > 0:
        return False
    if not made and (type_ is None or type_.name == _SERVICE):
        return False
    own, other = sources.tracer.values.trail.remembered(
        ("own document", owner), lambda: _written(sources, owner)
    )
    return text in own if made else text in other


def _written(sources: Sources, owner: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the keys under which methods of a class put its own members into a map, and those under which they put into one that they
    are given what is neither a default, nor fixed, nor configuration."""
    values = sources.tracer.values
    own: set[str] = set()
    other: set[str] = set()
    for context in of_objects(sources, owner):
        found = list(put(sources, context))
        asked = _asked(sources, context) if found else frozenset()
        for text, given, filled in found:
            if is_own(context, given):
                own.add(text)
            if (
                text not in asked
                and _is_parameter(context, filled)
                and known_text(values.of(context, given)) is None
                and not is_configured(sources, context, given)
            ):
                other.add(text)
    return frozenset(own), frozenset(other)


def of_objects(sources: Sources, owner: str) -> Iterator[Context]:
    """Yield the bodies of the methods that objects of a class have."""
    values = sources.tracer.values
    values.asking.shape(owner)
    for refs in values.program.own_methods(owner).values():
        for ref in refs:
            if not values.program.is_static(ref):
                yield values.open(ref)


def put(sources: Sources, context: Context) -> Iterator[tuple[str, int, int]]:
    """Yield the fixed keys, with their values, that a body puts into maps, and these."""
    for _, call in context.calls():
        for key, given in pairs(context, call) if isinstance(call, ir.Call) else ():
            text = known_text(sources.tracer.values.of(context, key))
            if text is not None and isinstance(call, ir.Call):
                yield text, given, call.object


def _is_parameter(context: Context, value: int) -> bool:
    """Tell whether a value is what a body is given."""
    value = root(context, value) if value != NONE else NONE
    load = context.code[value] if value != NONE else None
    return isinstance(load, ir.Load) and not load.up and context.is_parameter(load.slot)


def _asked(sources: Sources, context: Context) -> frozenset[str]:
    """Return the texts that calls of one body are given alone, or before a default."""
    return frozenset(
        text
        for _, call in context.calls()
        if isinstance(call, ir.Call)
        and call.args
        and call.name not in PUTS - {_IF_ABSENT}
        and (text := known_text(sources.tracer.values.of(context, call.args[0]))) is not None
    )


def pairs(context: Context, call: ir.Call) -> Iterator[tuple[int, int]]:
    """Yield the keys and values that a call puts into a map."""
    if call.name in PUTS and len(call.args) == 2:
        yield call.args[0], call.args[1]
    elif call.name == _OF and len(call.args) % 2 == 0 and call.object != NONE:
        made = context.code[call.object]
        if isinstance(made, (ir.Name, ir.Field)) and made.name in _MAPS:
            yield from zip(call.args[::2], call.args[1::2], strict=True)


def is_own(context: Context, value: int) -> bool:
    """Tell whether a value is a field of the object itself, or made of one."""
    for _ in range(_ORIGINS):
        value = root(context, value) if value != NONE else NONE
        instr = context.code[value] if value != NONE else None
        if isinstance(instr, (ir.Name, ir.Field)):
            return own_field(context, value) is not None
        if not isinstance(instr, ir.Call):
            return False
        if not instr.args and instr.object == NONE:
            return bool(context.targets(value))
        value = instr.args[0] if len(instr.args) == 1 else instr.object
    return False


def own_field(context: Context, value: int) -> MemberRef | None:
    """Return the field of an object that a value is, unless it belongs to a class."""
    field = context.field_of(value) if value != NONE else None
    if field is None or context.program.member(field).modifiers & Modifier.STATIC:
        return None
    return field
