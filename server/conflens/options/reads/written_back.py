"""Keys of documents that the program itself writes, and that nobody else is meant to set.

``json.put("activatedAt", activatedAt)`` writes what ``activatedAt = Instant.now().toString()`` has set: the time at which the program has done
something is its own state, in a file of configuration as well.  What a class reads from a document is its own, too, if the class is not
called configuration, nor the document, and writes a member of itself, or another class one of an object, under the same key.
Bounded by ``_MOST`` members that mention the constant which is a key, and ``_ORIGINS`` calls around the time.
Absent: maps that a class is made of (``own_documents``); objects of a library's configuration types (``own_entries``).
"""

from __future__ import annotations

from conflens.base.paths import is_test_path
from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.member_types import simple
from conflens.options.origins.sources import Sources
from conflens.options.origins.tracing import root
from conflens.options.reads.own_documents import is_own, of_objects, own_field, pairs, put
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.templates import known_text

_DOCUMENTS = frozenset({"json", "yaml"})
"""The domains of files that programs write as easily as they read them."""
_MOST = 60
_ORIGINS = 4
_NEW = "<init>"


def is_written_back(
    sources: Sources, context: Context, call: ir.Call, name: int | str, domain: str
) -> bool:
    """Tell whether what a call looks up in a document of a domain, or in a map, is what the program has written; ``name`` is the
    place of the key."""
    values = sources.tracer.values
    key = call.args[name] if isinstance(name, int) and 0 <= name < len(call.args) else NONE
    text = known_text(values.of(context, key)) if key != NONE else None
    if text is None:
        return False
    owner = context.ref.owner
    own, stamped = values.trail.remembered(
        ("written back", owner), lambda: _written(sources, owner)
    )
    if text in stamped:
        return True
    if domain not in _DOCUMENTS or _is_configuration(sources, owner):
        return False
    if _is_called_configuration(sources, context, call.object):
        return False
    field = context.field_of(key)
    if field is None or not values.program.is_constant(field):
        return text in own
    return text in own or values.trail.remembered(
        ("put elsewhere", field), lambda: _is_put(sources, field)
    )


def _is_configuration(sources: Sources, owner: str) -> bool:
    return sources.roles.named_type(simple(owner)).score > 0


def _is_called_configuration(sources: Sources, context: Context, value: int) -> bool:
    instr = context.code[value] if value != NONE else None
    name = instr.name if isinstance(instr, (ir.Name, ir.Field)) else ""
    if isinstance(instr, ir.Load) and not instr.up:
        name = context.body.locals[instr.slot].name
    return sources.roles.named_field(name).score > 0


def _written(sources: Sources, owner: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the keys under which a class puts its own members, and those of them that it sets to the present time."""
    values = sources.tracer.values
    own: set[str] = set()
    stamped: set[str] = set()
    for context in of_objects(sources, owner):
        for text, given, _ in put(sources, context):
            field = own_field(context, given)
            if is_own(context, given):
                own.add(text)
            if field is not None and any(
                _is_time(sources, place, store.value) for place, store in values.stores(field)
            ):
                stamped.add(text)
    return frozenset(own), frozenset(stamped)


def _is_put(sources: Sources, key: MemberRef) -> bool:
    """Tell whether a class that is not called configuration puts a member of an object under a constant key."""
    values = sources.tracer.values
    for user in values.asking.mentions(values.program.member(key).name)[:_MOST]:
        if is_test_path(user.path) or _is_configuration(sources, user.owner):
            continue
        context = values.open(user)
        for _, call in context.calls():
            for one, given in pairs(context, call) if isinstance(call, ir.Call) else ():
                if own_field(context, given) is not None and context.field_of(one) == key:
                    return True
    return False


def _is_time(sources: Sources, context: Context, value: int, hops: int = 0) -> bool:
    """Tell whether a value is the present time, perhaps as a text, or what a setter is given as that."""
    clocks = sources.models.clocks_by_method
    for _ in range(_ORIGINS):
        value = root(context, value) if value != NONE else NONE
        instr = context.code[value] if value != NONE else None
        if isinstance(instr, ir.New):
            type_ = context.type_of(value)
            rows = clocks.get(_NEW, ()) if not instr.args and type_ is not None else ()
            return any(type_ is not None and row.type == type_.name for row in rows)
        if isinstance(instr, ir.Load) and not instr.up and context.is_parameter(instr.slot):
            return not hops and any(
                instr.slot < len(args) and _is_time(sources, caller, args[instr.slot], 1)
                for caller, _, args in sources.tracer.callers(context.ref, judged=True)[:_MOST]
            )
        if not isinstance(instr, ir.Call):
            return False
        if instr.object != NONE:
            type_ = context.receiver_type(instr)
            asked = {context.denotes(instr.object), type_.name if type_ is not None else None}
            if any(row.type in asked for row in clocks.get(instr.name, ())):
                return True
        value = instr.args[0] if len(instr.args) == 1 else instr.object
    return False
