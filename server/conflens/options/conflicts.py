"""Which defaults of one option contradict each other.

Terms
    choice   the defaults among which one place decides: the arms of a condition, or fields of one class, also those that its
             initialiser sets, or methods of one
             class that read for their callers, or something that these give them, each of which take the option with a default of their own, or overrides of one
             method, one for each kind of object, or the arguments that one body declares for one value (``--color``, ``--no-color``).  The defaults stand
             side by side, so the difference is intended; so it is where each is a class that lies beside the code that uses it.

Two choices conflict where they have no value in common.  Reads of maps by two classes are of two things, unless these are the
environment or the system properties; so are reads of a name of one word, and reads that all ask a configuration that their methods are
handed: each class may be handed settings of its own.
A default with which the value is only compared where it is read is a mark for a value that is not set: it contradicts none.
Zero and a negative number are such marks as well: they do not contradict each other.
Absent: which files can meet in one program (``program.sharing``).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations

from conflens.base.span import Place
from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.transfer import EQUALITY
from conflens.options.amounts import amount
from conflens.options.model import Default, OptionType
from conflens.options.sites import Site
from conflens.program.body_uses import holders, loads, takers
from conflens.program.expressions import Context
from conflens.program.nesting import Nesting
from conflens.program.program import Program
from conflens.program.refs import MemberRef

Sites = Mapping[Place, Site]
"""The reads by the places of their defaults."""

_CONTAINERS = frozenset({"Map", "HashMap", "LinkedHashMap", "TreeMap", "ConcurrentHashMap"})
PLATFORM = frozenset({"system-property", "environment"})
"""Domains that all parts of a program share."""
_OF_FIELDS = frozenset({"field", "initializer"})
_COMPARES = frozenset({"==", "!=", "<", ">", "<=", ">="})
_NOTE = "arms before others"
_BARE = re.compile(r"\[?@?\w+\]?\Z")
_MOST = 40
"""Reads of one body, and different choices, that are compared with each other."""
_WHOLE = (OptionType.INTEGER, OptionType.FRACTION, OptionType.PORT)
_OF_PARTS = (OptionType.ADDRESS, OptionType.UNKNOWN)
"""Types of values of which one read may take another part than the next."""
LIMITLESS = (2.0**31 - 1, 2.0**63 - 1)
"""The largest numbers of Java's types: they set no limit."""
_TRUTH = frozenset({"true", "false"})
_SIGNS = frozenset("-?")
_WORDS = re.compile(r"[A-Za-z]+(?: [A-Za-z]+)+\Z")
_MEASURED = "as an amount"
_NUMBER = re.compile(r"-?\d+\.\d+\Z")
"""How ``spelled`` spells a number."""


def is_bare(name: str) -> bool:
    """Tell whether a name is one word (``debug``, ``[@enabled]``): two components may each have such an option."""
    return _BARE.match(name) is not None


def container_reader(program: Program, site: Site, name: str, *, handed: bool) -> str:
    """Return the class that reads a map, a name of one word, or a configuration that is ``handed`` to each of its readers, none of
    which say what they are a part of; else empty."""
    of_map = site.through is None and site.api.partition(".")[0] in _CONTAINERS
    if not of_map and not is_bare(name) and not handed:
        return ""
    member = program.member(site.ref)
    return f"{site.ref.path} {program.type_name(site.ref.path, member.owner)}"


def is_handed(program: Program, parts: Collection[str], site: Site) -> bool:
    """Tell whether a call asks, or hands a wrapper, a configuration that its own method is given; ``parts`` are the types of those
    that may be a part of another."""
    context = Context.of(program, site.ref)
    call = context.code[site.value] if site.value != NONE else None
    if not isinstance(call, ir.Call):
        return False
    asked = [call.object] if site.through is None else call.args
    for value in asked:
        instr = context.code[value] if value != NONE else None
        if isinstance(instr, ir.Load) and not instr.up and context.is_parameter(instr.slot):
            type_ = context.type_of(value)
            if type_ is not None and type_.name in parts:
                return True
    return False


def _is_given(program: Program, site: Site) -> bool:
    """Tell whether a method reads something that its caller gives it: a configuration, an element, a part of the name."""
    context = Context.of(program, site.ref)
    call = context.code[site.value] if site.value != NONE else None
    if not isinstance(call, ir.Call):
        return False
    asked = (call.object, *(call.args if site.through is not None else ()))
    given = [context.code[value] for value in asked if value not in (NONE, site.default_value)]
    return any(
        isinstance(one, ir.Load) and not one.up and context.is_parameter(one.slot) for one in given
    )


def choices(program: Program, defaults: Sequence[Default], sites: Sites) -> list[list[Default]]:
    """Group defaults of one option by the choice that they belong to."""
    bodies: dict[MemberRef, list[Default]] = {}
    fields: dict[tuple[str, int], list[Default]] = {}
    own: dict[tuple[str, str], list[Default]] = {}
    made: dict[tuple[str, int], list[Default]] = {}
    beside: list[Default] = []
    found: list[list[Default]] = []
    reading = {sites[one.place].ref for one in defaults if one.place in sites}
    for default in defaults:
        site = sites.get(default.place)
        if site is None:
            maker = _maker(program, default.place)
            if maker is None:
                found.append([default])
            else:
                made.setdefault(maker, []).append(default)
            continue
        if site.through in reading and site.default_value == NONE:
            continue  # a read of its own in the method, seen once more where that is called
        member = program.member(site.ref)
        if _is_beside(program, default, defaults):
            beside.append(default)
        elif _is_mark(program, site, default):
            continue
        elif member.kind in _OF_FIELDS:
            fields.setdefault((site.ref.path, member.owner), []).append(default)
        elif site.through is not None and site.default_value == NONE:
            own.setdefault((site.through.path, site.through.owner), []).append(default)
        else:
            bodies.setdefault(site.ref, []).append(default)
    found += (*fields.values(), *own.values(), *made.values(), *([beside] if beside else ()))
    of_one: dict[MemberRef | tuple[str, str], list[list[Default]]] = {}
    declared = {ref: _first_declared(program, ref) for ref in bodies}
    overridden = {first for ref, first in declared.items() if first != ref}
    for ref, together in bodies.items():
        if len(together) > _MOST:
            found += [[default] for default in together]
            continue
        shared: MemberRef | tuple[str, str] = declared[ref]
        if (
            shared == ref
            and ref not in overridden
            and all(_is_given(program, sites[one.place]) for one in together)
        ):
            shared = ref.path, ref.owner
        groups = of_one.setdefault(shared, [])
        for number, group in enumerate(_joined(Context.of(program, ref), together, sites)):
            if number < len(groups):
                groups[number] += group
            else:
                groups.append(group)
    for groups in of_one.values():
        found += groups
    return found


def _maker(program: Program, place: Place) -> tuple[str, int] | None:
    """Return the body around a declaration that calls make; ``None`` for one that a field is."""
    for number, member in enumerate(program.files[place.path].members):
        if member.at <= place.start < member.end and member.kind != "field":
            return place.path, number
    return None


def _is_mark(program: Program, site: Site, default: Default) -> bool:
    """Tell whether a value is only compared with its default: ``"none".equals(get("mode", "none"))``, ``get("size", -1) < 0``."""
    context = Context.of(program, site.ref)
    if site.value == NONE:
        return False
    held = {site.value}
    for slot in holders(context, site.value):
        if len(context.stores(slot, 2)) != 1:
            return False
        held.update(loads(context, slot))
    tests = [
        taker
        for value in sorted(held)
        for taker in takers(context, value)
        if not isinstance(context.code[taker], ir.Store)
    ]
    stated = (site.default_value, default.text)
    return bool(tests) and all(_tests(context, one, held, stated) for one in tests)


def _tests(context: Context, number: int, held: Collection[int], stated: tuple[int, str]) -> bool:
    """Tell whether an instruction compares one of some values with the default, or with zero where that is negative."""
    instr = context.code[number]
    if isinstance(instr, ir.Call) and instr.name in EQUALITY and len(instr.args) == 1:
        sides = (instr.object, instr.args[0])
    elif isinstance(instr, ir.Binary) and instr.op in _COMPARES:
        sides = (instr.left, instr.right)
    else:
        return False
    value, text = stated
    other = next((side for side in sides if side not in held), NONE)
    known = _literal(context, other)
    if known is None:
        field = context.field_of(other) if other != NONE else None
        return field is not None and value != NONE and field == context.field_of(value)
    return known == text or (known == "0" and text.startswith("-"))


def _literal(context: Context, value: int) -> str | None:
    """Return the text of a literal, or of a negated one."""
    instr = context.code[value] if value != NONE else None
    if isinstance(instr, ir.Unary) and instr.op == "-":
        inner = _literal(context, instr.operand)
        return f"-{inner}" if inner is not None else None
    return instr.value if isinstance(instr, ir.Const) else None


def _first_declared(program: Program, ref: MemberRef) -> MemberRef:
    """Return the method of the highest supertype that a method overrides, or itself."""
    return next(reversed(program.overridden(ref)), ref)


def _is_beside(program: Program, default: Default, others: Sequence[Default]) -> bool:
    """Tell whether a default is a class of the project in the folder of the code that uses it, or in the one source root that has
    this default: each part brings its own."""
    info = program.type(default.text) if "." in default.text else None
    if info is None:
        return False
    here = default.place.path
    if _folder(info.path) == _folder(here):
        return True
    root = _root(here)
    return root == _root(info.path) != "" and all(
        one.text == default.text for one in others if _root(one.place.path) == root
    )


def _root(path: str) -> str:
    """Return what comes before the packages in a path; empty if no folder says where these begin."""
    before, sources, _ = path.partition("/java/")
    return before if sources else ""


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _joined(context: Context, defaults: Sequence[Default], sites: Sites) -> list[list[Default]]:
    """Group defaults of one body: those of which each run meets only one go together."""
    groups: list[list[Default]] = []
    for default in defaults:
        at = sites[default.place].value
        for group in groups:
            if all(_is_either(context, at, sites[other.place].value) for other in group):
                group.append(default)
                break
        else:
            groups.append([default])
    return groups


def _is_either(context: Context, one: int, other: int) -> bool:
    """Tell whether one of two instructions runs only where the other does not."""
    low, high = sorted((one, other))
    return any(arm.stop <= high < arm.item for arm in _firsts(context).around(low) if low != high)


def _firsts(context: Context) -> Nesting[int]:
    """Return the arms of a body behind which another arm of the same choice stands, with where the last of them ends."""
    kept = context.notes.get(_NOTE)
    if isinstance(kept, Nesting):
        return kept
    code = context.code
    found: list[tuple[int, int, int]] = []
    for number, instr in enumerate(code):
        match instr:
            case ir.If():
                end = len(code) if _leaves(code, instr.else_start) else instr.stop
                found.append((instr.then_start, instr.else_start, end))
            case ir.Choice():
                found.append((instr.then_start, instr.other_start, number))
            case ir.Switch():
                last = max((case.stop for case in instr.cases), default=0)
                found += [(case.start, case.stop, last) for case in instr.cases]
            case _:
                pass
    context.notes[_NOTE] = nesting = Nesting(found)
    return nesting


def _leaves(code: Sequence[ir.Instr], stop: int) -> bool:
    """Tell whether what ends before an instruction leaves the method."""
    return stop > 0 and isinstance(code[stop - 1], (ir.Return, ir.Throw))


def differ(groups: Iterable[Sequence[Default]], type_: OptionType) -> bool:
    """Tell whether two choices have no value in common."""
    found: dict[frozenset[str], None] = {}
    for group in groups:
        values = frozenset(
            value for one in group if (value := spelled(one.text, type_)) is not None
        )
        if values:
            found[values] = None
    if len(found) > _MOST:
        return True
    return any(
        one.isdisjoint(other)
        and not (type_ in _OF_PARTS and _is_mixed(one | other))
        and not _is_half_true(one | other)
        and not all(map(_is_none, one | other))
        for one, other in combinations(found, 2)
    )


def _is_half_true(values: Iterable[str]) -> bool:
    """Tell whether some values are truth values and some are words of another kind, one of which may mean the same: ``false`` and
    ``never``."""
    return len({value.lower() in _TRUTH for value in values}) > 1


def _is_none(value: str) -> bool:
    """Tell whether a value is zero, a negative number or the largest of its type, which stand for none or any."""
    return _NUMBER.match(value) is not None and (float(value) <= 0 or float(value) in LIMITLESS)


def _is_mixed(values: Iterable[str]) -> bool:
    """Tell whether some values are numbers and some are not, as the port and the host of an address."""
    return len({_NUMBER.match(value) is None for value in values}) > 1


def spelled(text: str, type_: OptionType) -> str | None:
    """Return the value that a default text spells, ``None`` where it spells none.

    Durations and sizes are equal in whatever units they are written.  Empty ones and dashes or question marks stand for none, bracketed ones (``(unset)``) and several words (``Unknown job``) are for a reader, and what is no
    number or truth value where one is wanted is another thing than a default.
    """
    text = text.strip()
    if _SIGNS.issuperset(text) or _WORDS.match(text) or (text[0] in "(<[" and text[-1] in ")>]"):
        return None
    try:
        return str(float(text))
    except ValueError:
        pass
    measured = amount(text, type_)
    if measured is not None:
        return f"{measured:.6g} {_MEASURED}"
    lower = text.lower()
    if type_ is OptionType.BOOLEAN:
        return lower if lower in ("true", "false") else None
    if type_ is OptionType.CLASS:
        return text if "." in text else None
    return None if type_ in _WHOLE else text
