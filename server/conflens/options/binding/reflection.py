"""Objects that project methods fill by reflection, and how the keys of their members are spelled.

Terms
    setting  ``field.set(object, value)`` or ``method.invoke(object, value)``
    listing  what gives fields or methods of a class (``getDeclaredFields``, ``getMethod``)
    lookup   a call that gives a value for a key

A setting fills its object with configuration when its member comes from a listing, and its value from a
lookup whose key comes from a listing, or by whose key the member is found (``by_key``): in one method or over
several.  A setter for all, which is given object, key and value, fills at each call what this one hands over.
The methods of ``Class``, ``Field``, ``Method``, ``Map`` and ``Properties`` are known here as
parts of that shape.
Libraries that list properties and set them in the same shape are model rows (``listing``, ``setting``).
Absent: libraries that fill a whole class (other rows); which classes the objects are of (``tracing``).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence

import attrs

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.load import Models
from conflens.models.schema import ReadRow
from conflens.options.binding.by_key import Entry, asked, entry, stripped
from conflens.options.binding.expand import PLAIN, Spelling
from conflens.options.constant_arguments import Reach, parameters_fit, receiver_is, words
from conflens.options.member_types import simple
from conflens.options.origins.backward import Part, parts
from conflens.options.origins.sections import carrier_of
from conflens.options.origins.sources import DATA, ENTERED, Sources
from conflens.options.origins.tracing import Call, Mode, Tracer, Value, root
from conflens.options.reads.fallbacks import alternatives
from conflens.options.reads.nodes import NODES, Nodes
from conflens.options.reads.picked_nodes import picks
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
_ANNOTATIONS = frozenset({"getAnnotation", "getDeclaredAnnotation"})
_KEYS = frozenset({"java.lang.String", "java.lang.Object"})
_REFLECTION = "java.lang.reflect."
_HELD = "held with a value"
_TYPE_NAMES = frozenset({"getName", "getSimpleName", "getTypeName", "getCanonicalName"})
_CALLS = 4
"""Calls above a setting in which its key and value are looked for."""
_WAYS = 60
_MANY = f"more than {_WAYS} ways of calls lead to this setting; classes that others fill are not analysed"


@attrs.frozen
class Fill:
    """A setting that fills ``object`` of the body ``context``; ``prefix`` is in terms of that body.

    ``mode`` tells whether ``object`` is the object or, for static fields, the token of its class.
    ``kinds`` are those of ``Members``.  ``entered`` is what ``sources`` says of the lookup; ``carrier`` is the object that
    is asked, if it is a value.  ``as_is``: the member is given what is looked up, unchanged, or a text.
    ``certain``: a row says of the lookup that it reads options; ``numbered``: what is looked up is one of a list with names.  ``tracer`` follows the object on the way that the
    value has come; the prefix is in terms of the end of this way.
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
    certain: bool
    numbered: bool
    tracer: Tracer


def fills(tracer: Tracer, sources: Sources, ref: MemberRef) -> Iterator[Fill]:
    """Yield what the settings in a member fill, for each way on which keys and values come to it."""
    context = tracer.values.open(ref)
    for _, instr in context.calls():
        if not isinstance(instr, ir.Call) or not _is_setting(sources.models, context, instr):
            continue
        found = list(_ways(tracer, sources, context, instr))
        if found:
            yield from found
            return


def _ways(tracer: Tracer, sources: Sources, context: Context, call: ir.Call) -> Iterator[Fill]:
    """Yield what a setting fills: once if its own body looks the value up, else once for each call that does.

    The object, the key and the value of a setter for all are those of one call.
    """
    queue: deque[tuple[MemberRef, dict[MemberRef, Call | None]]] = deque([(context.ref, {})])
    asked, given = 0, False
    tops: list[MemberRef] = []
    while queue and asked < _WAYS:
        top, chosen = queue.popleft()
        asked += 1
        way = tracer.at({**chosen, top: None})
        fill = _fill(way, sources, context, call, top)
        if fill is not None:
            given = given or fill.entered != DATA
            yield attrs.evolve(fill, tracer=tracer.at(chosen))
        elif len(chosen) < _CALLS and _is_given(way, context, call, top):
            tops.append(top)
            for made in tracer.callers(top, judged=True):
                if made[0].ref != top and made[0].ref not in chosen:
                    queue.append((made[0].ref, {**chosen, top: made}))
    if not given:
        return
    for top in tops:
        tracer.callers(top)  # says so if these are not all
    if queue:
        tracer.values.cut(context.ref, _MANY)


def _is_given(way: Tracer, context: Context, call: ir.Call, top: MemberRef) -> bool:
    """Tell whether what a setting is given may be a parameter of a member."""
    return any(
        part.context.ref == top
        and isinstance(part.instr, ir.Load)
        and not part.instr.up
        and part.context.is_parameter(part.instr.slot)
        for value in (call.object, *call.args)
        for part in parts(way, context, value, changes=True)
    )


def candidates(program: Program, models: Models) -> Iterator[MemberRef]:
    """Yield the members that may hold a setting."""
    reach = Reach(program)
    rows = [row for row in models.bindings if row.shape in ("listing", "setting")]
    settings = SETTINGS | {row.method for row in rows if row.shape == "setting"}
    types = (*_MEMBERS, *_BEANS, *(row.type for row in rows))
    for path, facts in program.files.items():
        numbers = {index for name in settings & facts.calls.keys() for index in facts.calls[name]}
        if numbers and (not LISTINGS.isdisjoint(facts.calls.keys()) or reach.can(path, types)):
            for index in sorted(numbers):
                yield program.ref(path, index)


def _is_setting(models: Models, context: Context, call: ir.Call) -> bool:
    if call.object == NONE or len(call.args) < 2:
        return False
    types = [
        row.type for row in models.bindings_by_method.get(call.name, ()) if row.shape == "setting"
    ]
    if call.name in SETTINGS:
        types += _MEMBERS
    type_ = context.receiver_type(call)
    return bool(types) and (type_ is None or type_.name in types)


def _fill(
    tracer: Tracer, sources: Sources, context: Context, call: ir.Call, top: MemberRef
) -> Fill | None:
    listing = _listing(tracer, context, call.object)
    if listing is None:
        return None
    other: Fill | None = None
    for value in call.args[1:]:
        for part in parts(tracer, context, value, changes=True):
            row = row_of(sources, part)
            found = looked_up(part, row) or _picked(tracer, part)
            if found is None:
                continue
            key, by = found.key if found.call.args else NONE, None
            row = row if found.call is part.instr else None
            if key != NONE and _is_listed(tracer, part, key):
                prefix, spelling = spelling_of(tracer, part, key)
                if found.tree != NONE:
                    spelling = _of_members(tracer, part, key, spelling)
            elif found.tree != NONE:
                continue
            else:
                by = asked(tracer, context, call.object, listing, found, part)
                if by is None:
                    continue
                prefix, spelling = stripped(tracer, by.key, top), PLAIN
                if by.name is not None:
                    before, spelling = spelling_of(tracer, by.name, by.name.value)
                    prefix = concat(prefix, before)
            spelling = stated_defaults(tracer, part, found, row, spelling)
            certain = row is not None and row.evidence == "certain"
            entered, domain = ENTERED, row.domain if row is not None else None
            if not certain:
                entered, domain = _carried(sources, part, found, spelling)
            listed = listing.instr
            filled: tuple[Context, int, Mode] = (context, call.args[0], "object")
            kinds = "setter" if by is None else "invoked"
            if call.name in SETTINGS and call.name != "invoke":
                kinds = "field"
            if isinstance(context.code[call.args[0]], ir.Const) and isinstance(listed, ir.Call):
                filled, kinds = (listing.context, listed.object, "token"), "static"
            carrier = carrier_of(part.context, found.call.object)
            held = (part.context, carrier) if carrier != NONE else None
            numbered = row is not None and bool(row.named_by)
            texts = {"text"} if certain or numbered else set()
            as_is = (
                certain
                or numbered
                or (part.context.ref == context.ref and root(context, value) == part.value)
            )
            made = Fill(
                *filled,
                prefix,
                spelling,
                frozenset({kinds, *texts}),
                domain,
                entered,
                held,
                as_is,
                certain,
                numbered,
                tracer,
            )
            if found.tree == NONE or _is_named(tracer, part, key):
                return made
            # It may look for what is around the member's own node first.
            other = other or made
    return other


def _carried(
    sources: Sources, part: Part, found: Entry, spelling: Spelling
) -> tuple[int, str | None]:
    """Return what is said of the carrier that a lookup asks, and its domain.

    The words of the annotations that spell the keys are those of the filler: they say nothing of where a tree comes from.
    """
    if found.tree == NONE:
        return sources.carrier(part.context, part.value, found.call, part.hops)
    own = {word for type_, _ in spelling.elements for word in words(simple(type_))}
    opened = sources.opened(part.context, found.tree, own)
    return ENTERED if opened else sources.of(part.context, (found.tree,), part.hops, own), NODES


def _listing(tracer: Tracer, context: Context, value: int, hops: int = 0) -> Part | None:
    for part in parts(tracer, context, value, hops, changes=True):
        instr = part.instr
        listed = isinstance(instr, ir.Call) and _lists(tracer.values.models, instr.name)
        if listed and not part.context.targets(part.value):
            return part
    return None


def _lists(models: Models | None, method: str) -> bool:
    rows = models.bindings_by_method.get(method, ()) if models is not None else ()
    return method in LISTINGS or any(row.shape == "listing" for row in rows)


def _is_listed(tracer: Tracer, lookup: Part, key: int) -> bool:
    """Tell whether a key is made from what a listing gives, and the names nearest to it are not only those of types.

    A converter is looked up under the name of a member's type (``converters.get(field.getType().getName())``).
    """
    made = list(parts(tracer, lookup.context, key, lookup.hops))
    if not any(_is_member_annotation(part) for part in made) and (
        _listing(tracer, lookup.context, key, lookup.hops) is None
    ):
        return False
    nearest: MemberRef | None = None
    for part in made:
        call = part.instr
        if not isinstance(call, ir.Call) or call.name not in _TYPE_NAMES or call.args:
            continue
        if nearest is not None and part.context.ref != nearest:
            break
        nearest = part.context.ref
        type_ = part.context.receiver_type(call)
        if type_ is None or type_.name != "java.lang.Class":
            return True
    return nearest is None


def _is_member_annotation(part: Part) -> bool:
    """Tell whether a value is an annotation of a field or method, which is then one of those that are gone through."""
    call = part.instr
    if not isinstance(call, ir.Call) or call.name not in _ANNOTATIONS:
        return False
    type_ = part.context.receiver_type(call)
    return type_ is not None and type_.name in _MEMBERS


def _of_members(tracer: Tracer, lookup: Part, key: int, spelling: Spelling) -> Spelling:
    """Return a spelling with the elements of annotations that members are asked for, if there are any."""
    asked_for = {
        type_.args[0].name
        for part in parts(tracer, lookup.context, key, lookup.hops)
        if _is_member_annotation(part)
        and isinstance(part.instr, ir.Call)
        and part.instr.args
        and (type_ := part.context.type_of(part.instr.args[0])) is not None
        and type_.args
    }
    own = tuple(pair for pair in spelling.elements if pair[0] in asked_for)
    return attrs.evolve(spelling, elements=own) if own else spelling


def _is_named(tracer: Tracer, lookup: Part, key: int) -> bool:
    """Tell whether a key may be the name of a member."""
    for part in parts(tracer, lookup.context, key, lookup.hops):
        call = part.instr
        if isinstance(call, ir.Call) and call.name == "getName" and not call.args:
            type_ = part.context.receiver_type(call)
            if type_ is not None and type_.name in _MEMBERS:
                return True
    return False


def row_of(sources: Sources, part: Part) -> ReadRow | None:
    """Return the row that says of a call that it looks an option up."""
    call = part.instr
    if not isinstance(call, ir.Call):
        return None
    best: tuple[int, ReadRow | None] = (-1, None)
    for row in sources.models.reads_by_method.get(call.name, ()):
        if (
            not (row.write or row.presence)
            and isinstance(row.name, int)
            and max(row.min_args, row.name + 1) <= len(call.args)
            and (row.max_args is None or len(call.args) <= row.max_args)
            and receiver_is(part.context, part.value, call, (row.type, *row.also_types))
        ):
            fits = parameters_fit(part.context, call.args, row.parameters)
            if fits > best[0]:
                best = (fits, row)
    return best[1]


def looked_up(part: Part, row: ReadRow | None) -> Entry | None:
    """Return what a value is looked up under; the key of an entry stands for the entry that gives the value."""
    call = part.instr
    if not isinstance(call, ir.Call) or (row is None and call.name not in LOOKUPS):
        return entry(part)
    if row is not None and row.named_by:
        return Entry(call, NONE, named=tuple(_names(part.context, call, row)))
    type_ = part.context.receiver_type(call)
    if type_ is not None and type_.name.startswith(_REFLECTION):
        return None
    if not call.args:
        return Entry(call, call.object)
    key = call.args[row.name if row is not None and isinstance(row.name, int) else 0]
    named = part.context.type_of(key)
    return Entry(call, key) if named is None or named.name in _KEYS else None


def _picked(tracer: Tracer, part: Part) -> Entry | None:
    """Return the lookup that a helper of the project does which picks the node of a given name below another."""
    call = part.instr
    for target in part.context.targets(part.value)[:1] if isinstance(call, ir.Call) else ():
        named, tree = picks(
            tracer.program, Nodes(tracer.values.models), tracer.values.open(target)
        )
        if isinstance(call, ir.Call) and max(named, tree) < len(call.args) and named != NONE:
            return Entry(
                call, call.args[named], tree=call.args[tree] if tree != NONE else call.object
            )
    return None


def stated_defaults(
    tracer: Tracer, lookup: Part, found: Entry, row: ReadRow | None, spelling: Spelling
) -> Spelling:
    """Add the elements of annotations that give what is used instead of a value that is not there.

    They are the default argument of the lookup, or another thing that a variable with the looked-up value holds.
    """
    context, args = lookup.context, found.call.args
    other: list[int] = []
    place = row.default if row is not None and isinstance(row.default, int) else 1
    if found.key != NONE and place < len(args):
        other += alternatives(context, args[place])
    for held in _held_with(context).get(lookup.value, ()):
        other += held
    pairs = dict.fromkeys(
        pair
        for value in other
        if (pair := _element(tracer.program, context, value)) is not None
        and pair not in spelling.elements
    )
    return attrs.evolve(spelling, defaults=tuple(pairs)) if pairs else spelling


def _held_with(context: Context) -> Mapping[int, Sequence[Sequence[int]]]:
    """Return what variables and choices of a body hold that may be a value, by the value."""
    kept = context.notes.get(_HELD)
    if isinstance(kept, dict):
        return kept
    found: dict[int, list[Sequence[int]]] = {}
    for number, instr in enumerate(context.code):
        if isinstance(instr, (ir.Load, ir.Choice)):
            held = alternatives(context, number)
            for value in held:
                found.setdefault(value, []).append(held)
    context.notes[_HELD] = found
    return found


def _element(program: Program, context: Context, value: int) -> tuple[str, str] | None:
    """Return the annotation type and its element that a call asks for."""
    call = context.code[value]
    receiver = context.receiver_type(call) if isinstance(call, ir.Call) else None
    info = program.type(receiver.name) if receiver is not None else None
    if info is None or info.decl.kind != "annotation" or not isinstance(call, ir.Call):
        return None
    return info.name, call.name


def _names(context: Context, call: ir.Call, row: ReadRow) -> Iterator[int]:
    """Yield the calls that give the name of what is looked up by number."""
    asked = context.code[call.object] if call.object != NONE else None
    for number, other in context.calls():
        if isinstance(other, ir.Call) and other.name in row.named_by and other.object != NONE:
            held = context.code[other.object]
            if (
                isinstance(held, ir.Load)
                and isinstance(asked, ir.Load)
                and held.slot == asked.slot
            ):
                yield number


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


def spelling_of(tracer: Tracer, lookup: Part, key: int) -> tuple[Templates, Spelling]:
    """Return the prefix of a key that is made from a member, and how the rest of it is."""
    context, program = lookup.context, tracer.program
    spelling = PLAIN
    for part in parts(tracer, context, key, lookup.hops):
        instr = part.instr
        if not isinstance(instr, ir.Call):
            continue
        pair = _element(program, part.context, part.value)
        if pair is not None:
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
