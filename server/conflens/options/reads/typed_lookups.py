"""Classes that keep a map and answer typed lookups, of which only their users tell whether they hold configuration.

``class Params { Map<String, Object> map; int getInt(String key, int def) … boolean getBool(String key, boolean def) … }`` may be the
settings of a program or the attributes of a message.  Neither the map nor the class says it, so its lookups are reads
provided that somebody else does:

- the object that is asked is called configuration where it is asked, or the class that asks it is (``class ServerConfig { Params map; }``);
- or many names are asked for all over the program, nearly all of them with separators inside, as names of options have.

A class whose name speaks against it (``State``), or that may also be filled with data, needs more names.
Absent: maps that are asked directly (``unclear``, ``doubts``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.schema import ReadRow
from conflens.options.origins.backward import HOPS
from conflens.options.origins.sources import Sources
from conflens.options.reads.doubts import PLAIN, is_data
from conflens.options.roles import Role
from conflens.options.sites import Lookups, Site
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.templates import Templates, known_text
from conflens.program.types import BOXES, PRIMITIVES

_PRIMITIVE = {name.rpartition(".")[2]: primitive for name, primitive in BOXES.items()}

_KINDS = 2
"""Types, texts aside, that lookups must give."""
_FEW, _MANY = 8, 20
"""Names that must be asked for, without and with a word that speaks against the class."""
_SHARE = 0.75
"""The share of names with separators."""
_SEPARATED = re.compile(r"[A-Za-z]\w*(?:[.-]\w+)+\Z")
"""Names of parts; words joined by ``_`` are also the fields of messages."""


def lookups(
    sources: Sources, context: Context, call: ir.Call, row: ReadRow, role: Role
) -> Lookups | None:
    """Return the class whose lookup in a map of its own a call is, if its users must tell what it holds."""
    if row.domain not in ("settings", "properties") or role.domain is not None:
        return None
    owner = context.ref.owner
    field = context.field_of(call.object) if call.object != NONE else None
    if field is None or field.owner != owner or not _is_typed(sources, owner):
        return None
    if role.score < 0 and sources.roles.named_field(context.program.member(field).name).score < 0:
        return None
    against = role.score < 0 or is_data(sources, context, call, HOPS)
    return Lookups(owner, against)


class Asked(Enum):
    """What the object that is asked says of a lookup."""

    READ = 1
    UNCLEAR = 2
    DATA = 3


def asked(
    sources: Sources,
    context: Context,
    value: int,
    receiver: int,
    names: Templates,
    found: Lookups,
) -> Asked:
    """Return what ``receiver`` says of a lookup of ``names`` in it by a method of the class ``found``."""
    if context.ref.owner == found.owner:
        return Asked.UNCLEAR
    role = sources.roles.of(context, receiver)
    call = context.code[value]
    name = known_text(names)
    least = PLAIN if name is None or not _SEPARATED.match(name) else 1
    if role.score >= least and isinstance(call, ir.Call):
        plain = call.object == NONE or not is_data(sources, context, call, HOPS)
        return Asked.READ if plain else Asked.UNCLEAR
    return Asked.UNCLEAR if role.score >= 0 or found.against else Asked.DATA


def settled(program: Program, sites: Iterable[Site], known: Iterable[str]) -> frozenset[Lookups]:
    """Return the classes that hold configuration by what they are asked for; ``known``: names of surer reads."""
    names: dict[Lookups, set[str]] = {}
    kinds: dict[Lookups, set[str]] = {}
    for site in sites:
        name = known_text(site.names)
        if site.lookups is not None and name is not None:
            names.setdefault(site.lookups, set()).add(name)
            if site.through is not None:
                kind = _kind(program.member(site.through).type)
                kinds.setdefault(site.lookups, set()).add(kind)
    surer = frozenset(known)
    return frozenset(
        one for one, given in names.items() if _holds(one, given, surer, kinds.get(one, set()))
    )


def _holds(one: Lookups, given: set[str], known: frozenset[str], kinds: set[str]) -> bool:
    separated = {name for name in given if _SEPARATED.match(name)}
    if len(separated) < _SHARE * len(given) or len(kinds) < _KINDS:
        return False
    least = _MANY if one.against else _FEW
    return len(separated) >= least or len(separated & known) >= least / 2


def accepted(
    sites: Iterable[Site], kept: Iterable[Site], holding: frozenset[Lookups]
) -> list[Site]:
    """Return the lookups that are reads, but for those that are known to be."""
    have = {(site.ref, site.value) for site in kept}
    return [
        site
        for site in sites
        if site.lookups in holding
        and known_text(site.names) is not None
        and (site.ref, site.value) not in have
    ]


def _kind(type_: str) -> str:
    return _PRIMITIVE.get(type_, type_)


def _is_typed(sources: Sources, owner: str) -> bool:
    """Tell whether a class has lookups by text that give values of several types."""

    def find() -> bool:
        program = sources.roles.program
        kinds = set()
        sources.tracer.values.asking.shape(owner)
        for refs in program.own_methods(owner).values():
            for ref in refs:
                member = program.member(ref)
                if member.params and member.params[0].type == "String":
                    kinds.add(_kind(member.type))
        return len(kinds & (PRIMITIVES - {"void"})) >= _KINDS

    return sources.tracer.values.trail.remembered(("typed lookups", owner), find)
