"""What speaks against a map of which only names say that it is configuration.

A map that is made from a request, a message or rows of a database is *data*, however it is called.  This is said of maps that
hold any objects, as parsed documents do, and of maps whose names, such as ``params``, do not say it plainly: requests have parameters as well.
A map that configuration is not seen to enter counts only if many plain words are looked up in it; a single ``options.get("limit")``
is not enough.
A map of texts whose name says plainly that it is configuration may have come a long way:
options that users enter in a program are stored and sent; only what it is taken from directly speaks against it.
Each caller speaks for itself: ``Properties`` are data if all callers hand data over.  Of a map called ``params`` one caller is enough,
unless it is asked for many names that are constants; and one that nothing enters needs many plain words (``unentered``).
Where one sign alone was often wrong, a second, independent one is required: being asked for many keys is not enough for a map whose names say nothing if
the keys are constants of a class named after data, and a map of numbers must itself be named as configuration, not only the object that it is a part of.
Absent: who decides (``unclear``).
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Modifier
from conflens.models.load import Models
from conflens.models.schema import ReadRow
from conflens.options.bundles import words
from conflens.options.member_types import simple
from conflens.options.origins.backward import CALLERS, HOPS, parts
from conflens.options.origins.maps import is_nested, is_of_numbers
from conflens.options.origins.sources import DATA, ENTERED, Sources
from conflens.options.origins.tracing import root
from conflens.options.reads.answers import is_answer
from conflens.options.reads.opened import is_opened, place_of
from conflens.options.reads.own_documents import is_own_document
from conflens.options.reads.run_arguments import is_given_by_run
from conflens.options.reads.unentered import entry, is_count
from conflens.options.reads.wired_maps import is_wired
from conflens.options.reads.written_back import is_written_back
from conflens.options.roles import CERTAIN, Role, Roles
from conflens.options.sites import Doubt
from conflens.program.body_uses import returned
from conflens.program.expressions import Context
from conflens.program.templates import Templates, known_text

PLAIN = 2
"""The score of a role from which on names say plainly that something is configuration."""
_IMPLIED = 6
"""Implied members between a map and where it comes from: an accessor, a constructor, a builder's method and its call."""
_BEHIND = frozenset({"v", "util", "utils", "helper", "helpers"})
"""Words behind that which says what a class is about."""
_HOLDERS = frozenset({"map", "values", "data", "copy", "from", "by", "name"})
"""Words after those that say what is held."""


def doubt(
    sources: Sources,
    context: Context,
    call: ir.Call,
    row: ReadRow,
    role: Role,
    lookup: tuple[Context, ir.Call],
    *,
    constant: bool,
) -> Doubt:
    """Return what speaks against the object that a call asks, whose role is ``role``, for a name that is a ``constant`` or not.

    The call stands for the ``lookup``, which asks a part of the object, perhaps in another body.
    """
    if is_written_back(sources, *lookup, row.name, role.domain or row.domain):
        return Doubt.AGAINST
    if role.score >= CERTAIN or role.domain is not None:
        return Doubt.DATA if is_of_sent_text(sources, context, call.object) else Doubt.NONE
    if row.domain != "settings":
        data = row.domain == "properties" and is_data(sources, context, call, HOPS)
        data = data and sources.is_fed_only_data(context, call.object, HOPS)
        return Doubt.DATA if data else Doubt.NONE
    key = call.args[row.name] if isinstance(row.name, int) else NONE
    own = context.ref == lookup[0].ref and key != NONE
    if own and is_wired(sources, context, call.object, key):
        return Doubt.AGAINST
    if own and is_given_by_run(sources, context, call, key):
        return Doubt.AGAINST
    if role.score <= 0 and is_of_data_class(sources, lookup[0], key):
        return Doubt.DATA
    type_ = context.receiver_type(call)
    if is_count(sources, context, call.object) or is_of_plain_numbers(sources, *lookup):
        return Doubt.DATA
    if own and is_own_document(sources, context, call.object, key):
        return Doubt.DATA
    nested = is_nested(type_)
    plain = role.score >= PLAIN and not (nested and is_about(sources.models, context, call.object))
    plain = plain and not is_attribute(sources.roles, context, call.object)
    plain = plain and not (nested and is_of_another(sources, context, call.object))
    near = plain and not nested and not is_of_data_class(sources, lookup[0], key)
    data = is_data(sources, context, call, 0 if near else HOPS)
    if data:
        # A header that takes itself out of the map that it is given is no configuration, however many keys it asks for.
        itself = is_called_data(sources.models, context.ref.owner)
        weak = not nested and role.score <= 0 and not itself
        if constant and not (nested or weak or itself):
            weak = not sources.is_fed_only_data(context, call.object, HOPS)
        return Doubt.WEAK if weak else Doubt.DATA
    if nested and is_of_schema(sources, context, call.object):
        return Doubt.DATA
    if plain and is_answer(sources, lookup[0], lookup[1].object):
        return Doubt.DATA
    if nested and not plain:
        return Doubt.NESTED
    return _unentered(sources, context, call.object) if role.weak else Doubt.NONE


def _unentered(sources: Sources, context: Context, value: int) -> Doubt:
    """Return what speaks against a map of which only words for what anyone gives speak."""
    key = ("entered by", context.ref, place_of(context, value))
    said = sources.tracer.values.trail.remembered(key, lambda: entry(sources, context, value))
    return {ENTERED: Doubt.NONE, DATA: Doubt.DATA}.get(said, Doubt.WEAK)


def is_of_sent_text(sources: Sources, context: Context, value: int) -> bool:
    """Tell whether a tree or map is what a library's call makes of one text that is data, such as the content of an event."""
    made = root(context, value) if value != NONE else NONE
    call = context.code[made] if made != NONE else None
    if not isinstance(call, ir.Call) or len(call.args) != 1 or context.targets(made):
        return False
    key = ("sent text", context.ref, made)
    return sources.tracer.values.trail.remembered(
        key, lambda: sources.of(context, call.args) == DATA
    )


def is_of_plain_numbers(sources: Sources, context: Context, call: ir.Call) -> bool:
    """Tell whether a map that is asked holds numbers and is not itself called configuration, whatever it may be a part of."""
    return (
        is_of_numbers(context.receiver_type(call))
        and sources.roles.of(context, call.object).score <= 0
    )


def is_constant(context: Context, value: int) -> bool:
    """Tell whether a name is that of a constant, such as ``Names.URL``."""
    named = context.code[value]
    return isinstance(named, (ir.Name, ir.Field)) and named.name.isupper()


def is_of_data(sources: Sources, context: Context, value: int, given: int) -> bool:
    """Tell whether a name is what an object of the project that is data has, such as the topic that a request asks for.

    So is what is looked up in a ``given`` map that is called data, or is taken from data directly (``request.getOptions()``).
    """
    if given != NONE and (
        sources.roles.of(context, given).score < 0 or is_made_of_data(sources, context, given, 0)
    ):
        return True
    value = root(context, value) if value != NONE else NONE
    instr = context.code[value] if value != NONE else None
    if not isinstance(instr, ir.Call) or instr.args or instr.object == NONE:
        return False
    type_ = context.type_of(instr.object)
    known = sources.tracer.program.type(type_.name) if type_ is not None else None
    return known is not None and sources.roles.named_type(known.decl.name).score < 0


def is_of_data_class(sources: Sources, context: Context, key: int) -> bool:
    """Tell whether a name is a constant of a class that is called after data, perhaps after what its constants are (``MessageNames.ID``)."""
    field = context.field_of(key) if key != NONE else None
    if field is None or not sources.tracer.program.is_constant(field):
        return False
    named = words(simple(field.owner))
    if len(named) > 1 and named[-1] not in sources.models.roles_by_word:
        named.pop()
    return _is_data(sources.models, named)


def is_called_data(models: Models, name: str) -> bool:
    """Tell whether the last word of a class's name, before its version (``HeaderV2``) or its helpers (``MessageUtil``), says that it is data."""
    named = words(simple(name))
    while named[-1:] and (named[-1].isdigit() or named[-1] in _BEHIND):
        named.pop()
    return _is_data(models, named)


def _is_data(models: Models, named: list[str]) -> bool:
    row = models.roles_by_word.get(named[-1]) if named else None
    return row is not None and row.speaks == "against" and "type" in row.on


def is_plain_word(names: Templates) -> bool:
    """Tell whether names are words that anything may have, with no sign between their parts: ``limit``, but not ``pool.limit``."""
    known = [known_text((template,)) for template in names]
    return bool(known) and all(name is not None and name.isalnum() for name in known)


def is_attribute(roles: Roles, context: Context, value: int) -> bool:
    """Tell whether a map is only called the properties of an object that is no configuration, such as a message."""
    instr = context.code[root(context, value)]
    if not isinstance(instr, ir.Call) or instr.args or instr.object == NONE:
        return False
    if (
        not {"properties", "props"}.issuperset(words(instr.name)[1:2])
        or len(words(instr.name)) != 2
    ):
        return False
    return roles.of(context, instr.object).score <= 0


def is_of_another(sources: Sources, context: Context, value: int) -> bool:
    """Tell whether a map is what an object of a class without source has (``connector.getConfig()``), which is not called configuration.

    A library's class, or one that is made of a schema, may describe what runs elsewhere.
    """

    key = ("of another", context.ref, place_of(context, value))
    return sources.tracer.values.trail.remembered(
        key,
        lambda: (
            _is_of_another(sources, context, value, 0) and not is_opened(sources, context, value)
        ),
    )


def _is_of_another(
    sources: Sources, context: Context, value: int, hops: int, implied: int = 0
) -> bool:
    """Tell whether an object of a class without source has a map; what code implies, such as a builder, is no step of its own."""
    if implied > _IMPLIED:
        return False

    def behind(place: Context, value: int) -> bool:
        own = bool(place.member.modifiers & Modifier.IMPLIED)
        return _is_of_another(sources, place, value, hops + (not own), implied + own)

    value = root(context, value)
    instr = context.code[value] if value != NONE else None
    if isinstance(instr, ir.Load) and not instr.up and context.is_parameter(instr.slot):
        return hops < HOPS and any(
            behind(caller, args[instr.slot])
            for caller, _, args in sources.tracer.callers(context.ref, judged=True)[:CALLERS]
            if instr.slot < len(args)
        )
    if isinstance(instr, ir.Load) and not instr.up:
        # ``root`` stops at a local that is assigned several times; a loop may assign it to itself.
        stores = context.stores(instr.slot, CALLERS) if hops < HOPS else ()
        return any(
            _is_of_another(sources, context, store.value, hops + 1, implied) for store in stores
        )
    field = context.field_of(value) if instr is not None else None
    if field is not None:
        return hops < HOPS and any(
            behind(place, store.value)
            for place, store in sources.tracer.values.stores(field)[:CALLERS]
        )
    if not isinstance(instr, ir.Call) or instr.args or instr.object == NONE:
        return False
    targets = context.targets(value)
    if targets:
        inner = sources.tracer.values.open(targets[0])
        return hops < HOPS and any(behind(inner, one) for one in returned(inner))
    type_ = context.receiver_type(instr)
    if type_ is None:
        return _is_of_another(sources, context, instr.object, hops, implied)
    program = sources.tracer.program
    if "." not in type_.name or program.type(type_.name) or program.jdk_type(type_.name):
        return False
    return sources.roles.named_type(simple(type_.name)).score <= 0


def is_about(models: Models, context: Context, value: int) -> bool:
    """Tell whether a name says that something is about configuration (``configInfo``) rather than configuration itself."""
    instr = context.code[value]
    if isinstance(instr, ir.Load):
        name = "" if instr.up else context.body.locals[instr.slot].name
    else:
        name = instr.name if isinstance(instr, (ir.Name, ir.Field)) else ""
    named = [word for word in words(name) if word not in _HOLDERS and not word.isdigit()]
    rows = [models.roles_by_word.get(word) for word in named]
    speaks = [row is not None and row.speaks == "for" for row in rows]
    return any(speaks) and not speaks[-1]


def is_of_schema(sources: Sources, context: Context, value: int) -> bool:
    """Tell whether a map is, or is part of, one whose name says that it describes configuration (``propertiesSchema``)."""
    return sources.tracer.values.trail.remembered(
        ("of schema", context.ref, place_of(context, value)),
        lambda: any(
            _is_schema(sources.models, part.context, part.value)
            for part in parts(sources.tracer, context, value)
            if sources.is_map(part.context, part.value)
        ),
    )


def _is_schema(models: Models, context: Context, value: int) -> bool:
    """Tell whether a name says that something describes configuration."""
    instr = context.code[value]
    name = instr.name if isinstance(instr, (ir.Name, ir.Field, ir.Call)) else ""
    if isinstance(instr, ir.Load) and not instr.up:
        name = context.body.locals[instr.slot].name
    named = words(name)
    rows = [models.roles_by_word.get(word) for word in named[:-1]]
    described = any(row is not None and row.speaks == "for" and "head" in row.on for row in rows)
    return described and named[-1] in models.schema_words


def is_data(sources: Sources, context: Context, call: ir.Call, hops: int) -> bool:
    """Tell whether the object that a call asks is made from data within some calls and fields."""
    return is_made_of_data(sources, context, call.object, hops)


def is_made_of_data(sources: Sources, context: Context, value: int, hops: int) -> bool:
    """Tell the same of any object."""
    return sources.tracer.values.trail.remembered(
        ("data", context.ref, place_of(context, value), hops),
        lambda: sources.is_fed_data(context, value, hops),
    )
