"""The options of a bound class: its properties' names in a file, through nested classes.

Members of a list's elements or a map's values are named by a pattern, ``name.*.member``.
Bounded: a class inside itself is not entered again, nesting ends at ``DEPTH``, a root has at most
``MOST`` options, and at most ``LOOKS`` members are looked at to find them: classes that hold each other have far
more paths than options.  One class may be bound under many prefixes: the classes that are bound in one file, or by code, have
at most ``TOGETHER`` options.
Absent: which classes are bound (``bound``, ``annotations_classes``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

import attrs

from conflens.base.budget import Pieces
from conflens.models.words import Naming
from conflens.options.annotation_elements import Stated, Use, fitting, known, stated, uses
from conflens.options.binding.classes import Classes
from conflens.options.binding.made_with import NOTHING_GIVEN, Given, made_with
from conflens.options.binding.makeable import can_be_filled, is_makeable
from conflens.options.binding.members import Members, Variants, option_uses
from conflens.options.binding.properties import Property
from conflens.options.binding.replaced import is_marked, is_replaced
from conflens.options.constant_arguments import rendered, words
from conflens.options.member_types import accessor_name, element_of, from_text, simple, unwrapped
from conflens.options.model import Limits, OptionType
from conflens.options.sites import Found, Hint
from conflens.program.program import Program
from conflens.program.templates import Templates
from conflens.program.types import JavaType

DEPTH = 6
MOST = 3000
LOOKS = 30_000
TOGETHER = 15_000
_COST = 100
"""Steps of the budget that an option costs, with what is inferred and said of it later."""
_BEAN = frozenset({"setter", "invoked"})
REFLECTION = "reflection"
"""The API of a class that the project itself fills: there is an object before a value is set."""

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_STEP = "/"
"""What parts the steps of names that are paths of XML elements."""
_PROPERTIES = "properties"
"""The domain of files in which a mapper finds the entries of a map one by one."""
_TEXT = JavaType("java.lang.String")
_CAPITALS = re.compile(r"(?<=[^A-Z_])(?=[A-Z])")


@attrs.frozen
class Spelling:
    """How a key is made from a member: fixed text around it, or elements of annotations.

    ``elements`` are annotation types with the element that is asked: one on the member gives the key, one on
    its class the prefix.  ``separator`` goes between the words of the name, ``case`` is ``lower``, ``upper`` or empty.
    ``defaults`` are elements that give what is used if there is no value.  ``whole``: an accessor's name is the key
    as it stands.
    """

    suffix: str = ""
    elements: tuple[tuple[str, str], ...] = ()
    separator: str = ""
    case: str = ""
    defaults: tuple[tuple[str, str], ...] = ()
    whole: bool = False

    def called(self) -> Spelling:
        """Return the spelling of keys that are whole names of methods."""
        return attrs.evolve(self, whole=True)


PLAIN = Spelling()


@attrs.frozen(kw_only=True)
class Root:
    """A class that is bound, and how its members are named.

    ``prefix`` includes its separator.  ``nodes``: a property that has members of its own is an
    option too (a key of a YAML file); else only its members are, a collection of them is one too where
    beans are filled, and a map of single values is ``name.*``.  Names with the ``separator`` ``/`` are paths of XML elements.  ``as_is``: the filler gives members what the file
    holds, which is never an object of the project's own.  ``records``: classes of which a collection is a value as a whole.
    ``flat``: only members count that one text can set, or a collection of such.  ``apart``: an annotation of classes that are bound by
    themselves: a member that holds one is an option as a whole.
    """

    type: str
    prefix: str
    domain: str
    api: str
    naming: Naming = "field"
    kinds: frozenset[str]
    nodes: bool
    is_read: bool
    loads_are_reads: bool
    spelling: Spelling = PLAIN
    as_is: bool = False
    separator: str = "."
    records: frozenset[str] = frozenset()
    flat: bool = False
    apart: str = ""


def kebab(name: str) -> str:
    """Return ``maxSize`` as ``max-size``."""
    return _HUMP.sub("-", name).lower().replace("_", "-")


def named(naming: Naming | None, name: str, owner: str = "") -> str:
    """Return the name that a naming gives to a Java member of class ``owner``."""
    match naming:
        case "kebab":
            return kebab(name)
        case "long-option":
            return f"--{kebab(name)}"
        case "dotted":
            return name.replace("__", "\0").replace("_", ".").replace("\0", "_")
        case "fqcn.field":
            return f"{owner}.{name}"
        case "snake":
            return _parted(name, "_")
        case "upper-snake":
            return _parted(name, "_").upper()
        case "dots":
            return _parted(name, ".")
        case "camel":
            return name[:1].upper() + name[1:]
        case "lower":
            return name.lower()
        case _:
            return name


def _parted(name: str, separator: str) -> str:
    """Return ``maxURLSize`` as ``max_urlsize``: as mappers do, which part a name only before the first of some capitals."""
    return _CAPITALS.sub(separator, name.lstrip("_")).lower()


def expand(members: Members, root: Root) -> Iterator[Found]:
    """Yield the options of a bound class, as many as the bounds allow; ``members.cut`` has it where there are more."""
    looks = iter(range(LOOKS))
    found = _variants(members, root, looks)
    for item in islice(found, min(MOST, TOGETHER - members.bound)):
        members.program.meter.spend(_COST)
        members.bound += 1
        yield item
    if next(found, None) is None:
        return
    if members.bound < TOGETHER:
        what = f"has more than {MOST:,} options"
    else:
        what = f"is one of the bound classes that have more than {TOGETHER:,} options together"
    members.cut[root.type] = f"{what}, of which only the first are known"


def note_cuts(members: Members, pieces: Pieces | None) -> None:
    """Leave a fault for each class that was cut short."""
    for name, what in sorted(members.cut.items()) if pieces is not None else ():
        info = members.program.type(name)
        if info is not None and pieces is not None:
            message = f"{info.decl.name} {what}"
            pieces.note(("cut", name), info.path, info.decl.name_at, message)


def _variants(members: Members, root: Root, looks: Iterator[int]) -> Iterator[Found]:
    """Yield what a bound class has whose values may be of others, and the key that chooses."""
    variants = members.variants(root.type)
    info = members.program.type(root.type)
    if info is not None:
        decl = info.decl
        name_end = decl.name_at + len(decl.name.encode())
        places = (info.path, decl.name_at, name_end, decl.at, decl.end)
    if info is not None and root.prefix and (held := _entries(members.program, root.type)):
        entry = Property("*", held, *places, decl.name, None, None, ())
        kind, _ = element_of(members.program, held)
        found = _found(root, entry, Stated(), f"{root.prefix}*", kind)
        yield attrs.evolve(found, is_read=True)
    if variants.key and info is not None:
        key = Property(variants.key, _TEXT, *places, decl.name, None, None, ())
        found = _found(root, key, _choice(variants), f"{root.prefix}{variants.key}", "")
        yield attrs.evolve(found, is_read=True)
    for name in variants.classes:
        yield from _expand(members, root, name, root.prefix, (root.type,), looks)


def _entries(program: Program, name: str) -> JavaType | None:
    """Return the type of the values of a class that is a map of texts itself, any of whose keys names an option."""
    for above in program.direct_supers(name):
        kind, held = element_of(program, above)
        if kind == "map" and len(above.args) == 2 and above.args[0] == _TEXT:
            return held
    return None


def _choice(variants: Variants) -> Stated:
    """Return what is said of the key that chooses a variant."""
    return Stated(
        type=OptionType.MODE,
        values=variants.names,
        default=variants.default or None,
        java_type=_TEXT.name,
    )


def _expand(
    members: Members,
    root: Root,
    type_: str,
    prefix: str,
    inside: tuple[str, ...],
    looks: Iterator[int],
    given: Given = NOTHING_GIVEN,
) -> Iterator[Found]:
    program = members.program
    naming = (members.naming(type_) if root.nodes else None) or root.naming
    for item in members.of(type_, root.kinds):
        if item.member is not None and item.member in given:
            item = attrs.evolve(item, default=given[item.member], implied=False)
        if next(looks, None) is None:
            members.cut[root.type] = (
                f"holds classes with more than {LOOKS:,} members, of which only the first are known"
            )
            return
        program.meter.spend()
        obeyed = [use for use in item.uses if root.nodes or not _by_mapper(members, use)]
        said = stated(program, members.models, members.values, obeyed)
        if said.ignored:
            continue
        bean = not _BEAN.isdisjoint(root.kinds)
        by_itself = root.domain in option_uses(program, members.models, item)
        if by_itself and not (bean and members.is_set(item)):
            continue
        called = item.name if root.spelling.whole else _java_name(program, item)
        own = said.name or named(naming, called, type_)
        if said.reference and not said.name:
            own = members.element(element_of(program, unwrapped(item.type))[1].name)
        if root.separator == _STEP:
            own = f"{_wrapped(said, called)}{'@' if said.attribute else ''}{own}"
        if root.spelling != PLAIN:
            own = _spelled(members, root.spelling, item, own)
            if not own:
                continue
        full = prefix.removesuffix(root.separator) if said.parent_name else f"{prefix}{own}"
        held = unwrapped(item.type)
        kind, element = element_of(program, held)
        element = unwrapped(element)
        variants = members.variants(element.name)
        tree = members.is_expression(element.name, root.kinds)
        whole = said.parsed or tree or members.is_whole(element.name)
        whole = whole or bool(kind and element.name in root.records)
        apart = bool(root.apart) and _has(members, element.name, root.apart)
        whole = whole or apart
        nested = not whole and any(
            members.structured(JavaType(name)) and members.of(name, root.kinds)
            for name in variants.classes
        )
        if root.as_is and nested and not kind:
            continue
        if root.flat and (nested or not from_text(program, element)):
            continue
        if nested and bean and not (root.nodes or "method" in root.kinds):
            nested = (
                is_makeable(members, element.name)
                if kind
                else can_be_filled(members, item, element.name)
            )
        if bean and not (nested or kind or whole) and members.is_collaborator(item):
            continue
        if bean and nested and not kind and is_replaced(members.values, item):
            continue
        if root.nodes and is_marked(members.values, item):
            continue
        below = f"{full}.*." if kind else f"{full}."
        if root.separator == _STEP:
            below = f"{full}{_STEP}"
        if said.parent_name and not full:
            below = "*." if kind else ""
        if root.nodes or not nested or (kind and bean):
            in_tree = root.nodes and (root.domain != _PROPERTIES or root.api == REFLECTION)
            entries = kind == "map" and not in_tree and not nested
            opened = bean and not (kind or nested or whole) and _is_open(members, said, element)
            entries = entries or opened
            name = f"{full}.*" if entries else full
            if name.strip(".*"):
                told = _with_default(members, root.spelling, item)
                found = attrs.evolve(_found(root, told, said, name, kind), holder=type_)
                if entries and not said.java_type:
                    hint = attrs.evolve(found.hint, java_type="" if opened else element.text())
                    found = attrs.evolve(found, hint=hint)
                if entries:
                    found = attrs.evolve(found, inside=type_)
                if (nested or whole) and not kind:
                    found = attrs.evolve(
                        found, hint=attrs.evolve(found.hint, members=nested or tree or apart)
                    )
                yield found
        if not nested or root.as_is or element.name in inside:
            continue
        if len(inside) >= DEPTH:
            what = f"holds classes more than {DEPTH} deep, of which only the outer ones are known"
            members.cut.setdefault(root.type, what)
            continue
        if variants.key:
            plain = attrs.evolve(item, default=None)
            found = _found(root, plain, _choice(variants), f"{below}{variants.key}", "")
            yield attrs.evolve(found, holder=type_)
        made = NOTHING_GIVEN if kind else made_with(members.models, members.values, item)
        around = (*inside, element.name)
        for name in variants.classes:
            for found in _expand(members, root, name, below, around, looks, made):
                held_by = () if item.member is None else (item.member,)
                yield attrs.evolve(found, around=(*held_by, *found.around))


def _has(members: Members, name: str, annotation: str) -> bool:
    """Tell whether a class has an annotation."""
    info = members.program.type(name)
    own = uses(info.decl.annotations, info.path, name) if info is not None else ()
    return any(
        row.type == annotation
        for use in own
        for row in fitting(members.program, members.models, use)
    )


def _is_open(members: Members, said: Stated, type_: JavaType) -> bool:
    """Tell whether a member is an object of a class without source that is called the configuration of something: its parts are
    options.  A class that is only called ``Settings`` says less."""
    if said.java_type or said.type is not None or members.program.type(type_.name) is not None:
        return False
    package, _, _ = type_.name.rpartition(".")
    known = bool(package) and not package.startswith(("java.", "javax."))
    known = known and len(words(simple(type_.name))) > 1
    return known and Classes(members.models, members.values).is_plain(type_.name)


def _wrapped(said: Stated, own: str) -> str:
    """Return the XML element around another, with what follows it."""
    return "" if said.wrapper is None else f"{said.wrapper or own}{_STEP}"


def _spelled(members: Members, spelling: Spelling, item: Property, own: str) -> str:
    """Return the key that reflection makes of a member; empty if it has none."""
    if spelling.elements:
        written = _element(members, spelling.elements, item.uses)
        if written is None:
            return ""
        info = members.program.type(item.member.owner) if item.member is not None else None
        prefix = ""
        if info is not None:
            above = uses(info.decl.annotations, info.path, info.outer or info.name)
            prefix = _element(members, spelling.elements, above) or ""
        own = written or own
        return f"{prefix}.{own}" if prefix and prefix[-1].isalnum() else f"{prefix}{own}"
    if spelling.separator:
        own = _HUMP.sub(spelling.separator, own)
    if spelling.case:
        own = own.lower() if spelling.case == "lower" else own.upper()
    return f"{own}{spelling.suffix}"


def _by_mapper(members: Members, use: Use) -> bool:
    """Tell whether only the mapper of a file obeys an annotation."""
    return any(row.mapper for row in fitting(members.program, members.models, use))


def _with_default(members: Members, spelling: Spelling, item: Property) -> Property:
    """Return a property with the default that its annotation states, if the filler asks for one."""
    text = _element(members, spelling.defaults, item.uses) if spelling.defaults else None
    if not text:
        return item
    return attrs.evolve(item, default=(text, item.at, item.end), implied=False)


def _element(
    members: Members, elements: Iterable[tuple[str, str]], found: Iterable[Use]
) -> str | None:
    """Return what the first annotation says that is asked, empty if nothing; ``None`` if there is none."""
    for use in found:
        resolved = members.program.resolve_name(use.annotation.name, use.path, use.owner)
        for type_, element in elements:
            if resolved is not None and resolved.name == type_:
                return known(members.values, use, element) or ""
    return None


def _java_name(program: Program, item: Property) -> str:
    if item.member is not None:
        member = program.member(item.member)
        if member.kind == "method" and member.name == item.name:
            return accessor_name(item.name, ("get", "is"))
    return item.name


def _excludes_zero(limits: Limits) -> bool:
    return (
        (limits.minimum is not None and limits.minimum > 0)
        or (limits.maximum is not None and limits.maximum < 0)
        or (limits.above is not None and limits.above >= 0)
        or (limits.under is not None and limits.under <= 0)
    )


def _found(root: Root, item: Property, said: Stated, name: str, kind: str) -> Found:
    default, implied = item.default, item.implied
    # Without an object of its own nothing is there but what is set.
    made = not _BEAN.isdisjoint(root.kinds) or root.api == REFLECTION
    if implied and (not made or said.required or _excludes_zero(said.limits)):
        default, implied = None, False
    if said.default is not None:
        implied = False
        default = (said.default, said.default_at, said.default_end)
    type_ = said.type or (OptionType.LIST if kind == "list" else None)
    if type_ is None and item.constant and not said.java_type:
        type_ = OptionType.MODE
    return Found(
        root.domain,
        name,
        "field",
        item.path,
        item.at,
        item.end,
        item.scope_at,
        item.scope_end,
        item.symbol,
        root.api,
        default=default[0] if default is not None else None,
        default_at=default[1] if default is not None else -1,
        default_end=default[2] if default is not None else -1,
        hint=Hint(
            type_,
            said.unit,
            said.values,
            said.java_type or unwrapped(item.type).text(),
            said.limits,
            said.deprecated,
            converter=said.converter,
        ),
        description=said.description,
        is_read=root.is_read,
        member=item.member,
        loads_are_reads=root.loads_are_reads,
        implied=implied,
    )


def texts_of(prefix: Templates) -> list[str]:
    """Return the texts that a prefix can be, each with its separator; ``*`` for what is not known."""
    found: dict[str, None] = {}
    for template in prefix:
        text = rendered(template)
        found[f"{text}." if text and text[-1] not in "._-:/@" else text] = None
    return list(found)
