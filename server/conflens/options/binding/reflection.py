"""Objects that project methods fill by reflection, and how the keys of their members are spelled.

Terms
    setting  ``field.set(object, value)`` or ``method.invoke(object, value)``
    listing  what gives fields or methods of a class (``getDeclaredFields``, ``getMethod``)
    lookup   a call that gives a value for a key

A setting fills its object with configuration when its member comes from a listing, and its value from a
lookup whose key comes from a listing, or by whose key the member is found (``by_key``): in one method or over
several.  The methods of ``Class``, ``Field``, ``Method``, ``Map`` and ``Properties`` are known here as
parts of that shape.
Absent: libraries that do the same (model rows); which classes the objects are of (``tracing``).
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.binding.by_key import Entry, asked, entry, stripped
from conflens.options.binding.expand import PLAIN, Spelling
from conflens.options.constant_arguments import Reach
from conflens.options.origins.backward import Part, parts
from conflens.options.origins.sections import carrier_of
from conflens.options.origins.sources import Sources
from conflens.options.origins.tracing import Mode, Tracer, Value, root
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.templates import DYNAMIC, Dynamic, Templates, concat

LISTINGS = frozenset(
    {
        "getMethods",
        "getDeclaredMethods",
        "getMethod",
        "getDeclaredMethod",
        "getFields",
        "getDeclaredFields",
        "getField",
        "getDeclaredField",
        "getPropertyDescriptors",
    }
)
SETTINGS = frozenset(
    {"invoke", "set", "setInt", "setLong", "setBoolean", "setDouble", "setFloat", "setShort"}
)
LOOKUPS = frozenset({"getProperty", "get", "getOrDefault", "getString", "getenv", "getValue"})
_MEMBERS = ("java.lang.reflect.Field", "java.lang.reflect.Method", "java.lang.reflect.Member")
_BEANS = ("java.beans.PropertyDescriptor",)
_KEYS = frozenset({"java.lang.String", "java.lang.Object"})
_REFLECTION = "java.lang.reflect."


@attrs.frozen
class Fill:
    """A setting that fills ``object`` of the body ``context``; ``prefix`` is in terms of that body.

    ``mode`` tells whether ``object`` is the object or, for static fields, the token of its class.
    ``kinds`` are those of ``Members``.  ``entered`` is what ``sources`` says of the lookup; ``carrier`` is the object that
    is asked, if it is a value.  ``as_is``: the member is given what is looked up, unchanged.
    """

    context: Context
    object: int
    mode: Mode
    prefix: Templates
    spelling: Spelling
    kinds: frozenset[str]
    domain: str | None
    entered: int
    carrier: Value | None
    as_is: bool


def fills(tracer: Tracer, sources: Sources, ref: MemberRef) -> Iterator[Fill]:
    """Yield what the settings in a member fill."""
    context = tracer.values.open(ref)
    for _, instr in context.calls():
        if not isinstance(instr, ir.Call) or not _is_setting(context, instr):
            continue
        fill = _fill(tracer, sources, context, instr)
        if fill is not None:
            yield fill
            return


def candidates(program: Program) -> Iterator[MemberRef]:
    """Yield the members that may hold a setting."""
    reach = Reach(program)
    for path, facts in program.files.items():
        numbers = {index for name in SETTINGS & facts.calls.keys() for index in facts.calls[name]}
        if numbers and (
            not LISTINGS.isdisjoint(facts.calls.keys()) or reach.can(path, (*_MEMBERS, *_BEANS))
        ):
            for index in sorted(numbers):
                yield program.ref(path, index)


def _is_setting(context: Context, call: ir.Call) -> bool:
    if call.name not in SETTINGS or call.object == NONE or len(call.args) < 2:
        return False
    type_ = context.receiver_type(call)
    return type_ is None or type_.name in _MEMBERS


def _fill(tracer: Tracer, sources: Sources, context: Context, call: ir.Call) -> Fill | None:
    listing = _listing(tracer, context, call.object)
    if listing is None:
        return None
    for value in call.args[1:]:
        for part in parts(tracer, context, value, changes=True):
            found = _lookup(part)
            if found is None:
                continue
            key = found.key if found.call.args else NONE
            if key != NONE and _listing(tracer, part.context, key, part.hops) is not None:
                prefix, spelling = _spelling(tracer, part, key)
            else:
                by = asked(tracer, context, call.object, listing, found, part)
                if by is None:
                    continue
                prefix, spelling = stripped(tracer, by.key), PLAIN
                if by.name is not None:
                    before, spelling = _spelling(tracer, by.name, by.name.value)
                    prefix = concat(prefix, before)
            entered, domain = sources.carrier(part.context, part.value, found.call, part.hops)
            listed = listing.instr
            filled: tuple[Context, int, Mode] = (context, call.args[0], "object")
            kinds = "setter" if call.name == "invoke" else "field"
            if isinstance(context.code[call.args[0]], ir.Const) and isinstance(listed, ir.Call):
                filled, kinds = (listing.context, listed.object, "token"), "static"
            carrier = carrier_of(part.context, found.call.object)
            held = (part.context, carrier) if carrier != NONE else None
            as_is = part.context.ref == context.ref and root(context, value) == part.value
            return Fill(
                *filled, prefix, spelling, frozenset({kinds}), domain, entered, held, as_is
            )
    return None


def _listing(tracer: Tracer, context: Context, value: int, hops: int = 0) -> Part | None:
    for part in parts(tracer, context, value, hops):
        instr = part.instr
        listed = isinstance(instr, ir.Call) and instr.name in LISTINGS
        if listed and not part.context.targets(part.value):
            return part
    return None


def _lookup(part: Part) -> Entry | None:
    """Return what a value is looked up under; the key of an entry stands for the entry that gives the value."""
    call = part.instr
    if not isinstance(call, ir.Call) or call.name not in LOOKUPS:
        return entry(part)
    type_ = part.context.receiver_type(call)
    if type_ is not None and type_.name.startswith(_REFLECTION):
        return None
    if not call.args:
        return Entry(call, call.object)
    named = part.context.type_of(call.args[0])
    return Entry(call, call.args[0]) if named is None or named.name in _KEYS else None


# -- keys ----------------------------------------------------------------------------------------


def _is_initial(tracer: Tracer, part: Part, value: int) -> bool:
    """Tell whether a text is cut out of a name: changing its case turns ``setSize`` into ``size``, not all of a key."""
    return any(
        isinstance(made.instr, ir.Call)
        and (
            made.instr.name == "charAt"
            or (made.instr.name == "substring" and len(made.instr.args) == 2)
        )
        for made in parts(tracer, part.context, value, part.hops)
    )


def _spelling(tracer: Tracer, lookup: Part, key: int) -> tuple[Templates, Spelling]:
    context, program = lookup.context, tracer.program
    spelling = PLAIN
    for part in parts(tracer, context, key, lookup.hops):
        instr = part.instr
        if not isinstance(instr, ir.Call):
            continue
        receiver = part.context.receiver_type(instr)
        info = program.type(receiver.name) if receiver is not None else None
        if info is not None and info.decl.kind == "annotation":
            pair = (info.name, instr.name)
            elements = tuple(dict.fromkeys((*spelling.elements, pair)))
            spelling = attrs.evolve(spelling, elements=elements)
        elif instr.name in ("toUpperCase", "toLowerCase") and not instr.args:
            if _is_initial(tracer, part, instr.object):
                continue
            spelling = attrs.evolve(spelling, case=instr.name[2:7].lower())
        elif instr.name == "replaceAll" and len(instr.args) == 2:
            with_ = part.context.code[instr.args[1]]
            if isinstance(with_, ir.Const) and "$1" in with_.value:
                separator = with_.value.replace("$1", "").replace("$2", "").strip("${}")
                spelling = attrs.evolve(spelling, separator=separator[:1])
    prefixes, suffix = [], ""
    for template in tracer.values.of(context, key):
        # The last hole is the member; what stands before it is the prefix.
        holes = [number for number, part in enumerate(template) if not isinstance(part, str)]
        last = holes[-1] if holes else len(template)
        prefix = template[:last]
        if lookup.hops:
            prefix = tuple(part for part in prefix if isinstance(part, str))
        prefixes.append(tuple(part for part in prefix if not isinstance(part, Dynamic)) or ("",))
        rest = template[-1] if holes else ""
        suffix = rest if isinstance(rest, str) else ""
    return tuple(dict.fromkeys(prefixes)) or ((DYNAMIC,),), attrs.evolve(spelling, suffix=suffix)
