"""Classes of constants that name options: what is looked up under one of their constants is an option, too.

A project declares the names of its options as constants of one class (``Config.WORKER_THREADS``) and passes the map of values through
interfaces and reflection to the code that it configures.  The origin of the map is lost on the way, but the constants identify it:
if several of a class are looked up in maps that come from where configuration enters, and most of those that are looked up at
all are known to be options, the others are options as well.  A class that also names the fields of messages, or columns, is not such a class, as
what is looked up under those is data.
Absent: what is done with names as texts (``unclear``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import attrs

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.origins.sources import Sources
from conflens.options.reads.opened import is_opened
from conflens.options.roles import CERTAIN, Role
from conflens.options.sites import Doubt, Named, Site
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.templates import known_text

_ENTERED = 4
"""Names that must be looked up where configuration is known to have entered."""
_SEPARATED = re.compile(r"[A-Za-z]\w*(?:[.-]\w+)+\Z")
"""Names of several parts: a single word names anything."""


def class_of(program: Program, context: Context, key: int) -> str:
    """Return the class whose constant a key is; nothing for other keys and for what a class keeps to itself."""
    field = context.field_of(key) if key != NONE else None
    if field is None or not program.is_constant(field) or field.owner == context.ref.owner:
        return ""
    return field.owner


def named(sources: Sources, context: Context, call: ir.Call, owner: str, role: Role) -> Named:
    """Return what a lookup under a constant of ``owner`` in something whose role is ``role`` says of that class."""
    entered = role.score >= CERTAIN or is_opened(sources, context, call.object)
    return Named(owner, entered)


def spaces(scans: Iterable[tuple[Iterable[Site], Iterable[Site]]]) -> dict[str, str]:
    """Return the classes whose constants name options, by what is known to be read in each file and what is not.

    The value is the domain of all that is read, or nothing if there are several.
    """
    entered: dict[str, set[str]] = {}
    read: dict[str, set[str]] = {}
    other: dict[str, set[str]] = {}
    domains: dict[str, set[str]] = {}
    for sites, unclear in scans:
        for site in sites:
            if site.named is not None:
                _note(read, site)
                domains.setdefault(site.named.owner, set()).add(site.domain)
                if site.named.entered:
                    _note(entered, site)
        for site in unclear:
            _note(other, site)
    return {
        owner: "".join(domains[owner]) if len(domains[owner]) == 1 else ""
        for owner, names in entered.items()
        if len(names) >= _ENTERED
        and len(read[owner]) >= len(other.get(owner, set()) - read[owner])
    }


def _note(found: dict[str, set[str]], site: Site) -> None:
    name = known_text(site.names)
    if site.named is not None and name is not None:
        found.setdefault(site.named.owner, set()).add(name)


def settled(site: Site, known: Mapping[str, str]) -> Site | None:
    """Return a lookup of unclear role as a read if it is one under the name of an option; ``known``: the classes that have such names."""
    if site.named is None or site.named.owner not in known or site.doubt is Doubt.AGAINST:
        return None
    name = known_text(site.names)
    if name is None or not _SEPARATED.match(name):
        return None
    return attrs.evolve(site, domain=known[site.named.owner] or site.domain)
