"""Maps of values that were read once for many options, and are looked up by the object that names the option.

``for (Option o : Option.values()) times.put(o, parse(config.get(o)))`` *feeds* the maps from ``Option`` to the type of
the value; ``times.get(Option.WAIT)``, here or anywhere else, reads the option of its key.  Which map it is does not
matter: one from objects that name options to values of the same type is taken for a map that was fed.

Absent: maps that are filled by streams.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import attrs

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.load import Models
from conflens.options.reads.fallbacks import made_of
from conflens.options.sites import Api, Site
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.templates import RESULT, Param, SelfField, Templates, Turn, concat, turned
from conflens.program.types import JavaType
from conflens.program.values import Values

GENERIC = ("properties", "settings")
"""Domains of reads from maps, the more telling one first."""


_NOTE = "values put into maps"
_Variable = tuple[int, int]
"""A local variable: how many bodies around, and its slot."""


class Feed(NamedTuple):
    """The type of the keys of a map and that of its values, as texts."""

    key: str
    value: str


@attrs.frozen
class Keyed:
    """A lookup in a map by an object of the project: a read of the option that it names, if such maps are fed.

    ``site`` has no name yet; its ``name_value`` is the key.
    """

    site: Site
    feed: Feed


class Naming(NamedTuple):
    """How objects of class ``owner`` name options: by their field ``key``, turned and put between two texts."""

    owner: str
    key: str
    how: tuple[Turn, ...]
    before: str
    after: str


def namings(program: Program, values: Values, apis: Iterable[Api]) -> dict[Naming, str]:
    """Return how objects name the options that ``apis`` read, with the domains of these."""
    domains: dict[Naming, dict[str, None]] = {}
    for api in apis:
        for template in api.names:
            holes = [part for part in template if not isinstance(part, str)]
            part = holes[0] if len(holes) == 1 else None
            if not isinstance(part, SelfField) and not (isinstance(part, Param) and part.name):
                continue
            if program.type(part.owner) is None:
                continue
            at = template.index(part)
            before, after = (
                "".join(text for text in texts if isinstance(text, str))
                for texts in (template[:at], template[at + 1 :])
            )
            whole = not part.name.startswith(RESULT)
            for owner, key in members(program, values, part):
                # Which of the classes behind a method are read below a prefix, only callers tell.
                texts = (before, after) if whole else ("", "")
                naming = Naming(owner, key, part.how, *texts)
                domains.setdefault(naming, {})[api.domain] = None
    return {naming: _telling(list(found)) for naming, found in domains.items()}


def members(
    program: Program, values: Values, part: SelfField | Param
) -> Iterator[tuple[str, str]]:
    """Yield the classes and fields that a hole means: the one it names, or what the method gives that it asks."""
    if not part.name.startswith(RESULT):
        yield part.owner, part.name
        return
    method = part.name.removeprefix(RESULT)
    for owner in (part.owner, *program.all_subtypes(part.owner)):
        program.meter.spend()
        for ref in program.own_methods(owner).get(method, ()):
            given = values.returned(ref, 0) if not program.member(ref).params else None
            if given is not None and len(given) == 1 and len(given[0]) == 1:
                own = given[0][0]
                if isinstance(own, SelfField) and not own.how:
                    yield own.owner, own.name


def _telling(domains: list[str]) -> str:
    """Return the domain that says most of where a name lives."""
    for domain in (*(name for name in domains if name not in GENERIC), *GENERIC):
        if domain in domains:
            return domain
    return domains[0]


def feed_of(type_: JavaType | None) -> Feed | None:
    """Return what a map's type says; ``None`` for other types and for maps of unknown types."""
    if type_ is None or len(type_.args) != 2:
        return None
    return Feed(type_.args[0].name, type_.args[1].text())


def fed(models: Models, context: Context, value: int, named: int) -> set[Feed]:
    """Return the maps that get a value read under the name of an object, under that object."""
    subject = _variable(context, named)
    if subject is None:
        return set()
    put = _put(models, context).get(subject)
    if put is None:
        return set()
    made = made_of(context, (value,))
    context.program.meter.spend(1 + len(made))
    return {feed for one in made for feed in put.get(one, ())}


def _put(models: Models, context: Context) -> Mapping[_Variable, Mapping[int, Iterable[Feed]]]:
    """Return the maps that a body puts values into, by the variable of the key and the value; worked out once."""
    kept = context.notes.get(_NOTE)
    if isinstance(kept, dict):
        return kept
    found: dict[_Variable, dict[int, list[Feed]]] = {}
    for _, call in context.calls():
        if not isinstance(call, ir.Call) or call.object == NONE:
            continue
        subjects: set[_Variable] = set()
        for row in models.cells_by_method.get(call.name, ()):
            if row.put is None or row.key is None or len(call.args) <= max(row.put, row.key):
                continue
            subject = _variable(context, call.args[row.key])
            if subject is None or subject in subjects:
                continue
            subjects.add(subject)
            feed = feed_of(context.receiver_type(call))
            if feed is not None:
                found.setdefault(subject, {}).setdefault(call.args[row.put], []).append(feed)
    context.notes[_NOTE] = found
    return found


def _variable(context: Context, value: int) -> _Variable | None:
    """Return the local variable that a value is, or that it is asked of."""
    for _ in range(3):
        if value == NONE:
            return None
        instr = context.code[value]
        if isinstance(instr, ir.Load):
            return instr.up, instr.slot
        if isinstance(instr, ir.Call) and instr.args:
            return None
        if not isinstance(instr, (ir.Call, ir.Field)):
            return None
        value = instr.object
    return None


def resolved(
    program: Program,
    values: Values,
    keyed: Iterable[Keyed],
    feeds: frozenset[Feed],
    names: Mapping[Naming, str],
) -> list[Site]:
    """Return the lookups that read an option, with their names."""
    found: list[Site] = []
    for item in keyed:
        if item.feed not in feeds:
            continue
        for naming, domain in names.items():
            if not program.is_subtype(item.feed.key, naming.owner):
                continue
            context = values.open(item.site.ref)
            field = SelfField(naming.owner, naming.key)
            own = values.receiver_field(context, item.site.name_value, field, 0)
            for turn in naming.how:
                own = turned(own, turn)
            whole: Templates = concat(concat(((naming.before,),), own), ((naming.after,),))
            found.append(attrs.evolve(item.site, names=whole, domain=domain))
            break
    return found
