"""Keys asked of objects of unclear role: options if there are several, converted like options, or known elsewhere, by the name or by its class."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set

import attrs

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.reads import namespaces, typed_lookups
from conflens.options.reads.scan import Scan
from conflens.options.sites import Doubt, Lookups, Site
from conflens.program.body_uses import calls_with
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.templates import known_text

_SEPARATED = re.compile(r"[._-]")
"""What tells a name from an ordinary word."""
_SEVERAL = re.compile(r"[._-]|[a-z][A-Z]|[A-Z]{2}")
"""What tells a name from a single word, which anything may be called that two parts of a program ask for."""
STRUCTURAL = 3
"""Distinct constant keys that make an object of unclear role an option map."""
_MANY = 4
"""Distinct constant keys of a map on the way to which a name speaks of data."""


def settled(
    program: Program,
    scans: Mapping[str, Scan],
    known: Set[str],
    declared: Set[tuple[str, str]] = frozenset(),
) -> dict[str, tuple[Site, ...]]:
    """Return the sites of each file with those of unclear role that are reads.

    ``known``: the names of surer reads; ``declared``: domains and names of options that calls declare.
    """
    unclear = (site for scan in scans.values() for site in scan.unclear)
    holding = typed_lookups.settled(program, unclear, known)
    spaces = namespaces.spaces((scan.sites, scan.unclear) for scan in scans.values())
    return {
        path: _settled(program, scan, known, holding, spaces, declared)
        for path, scan in scans.items()
    }


def _settled(
    program: Program,
    scan: Scan,
    known: Set[str],
    holding: frozenset[Lookups],
    spaces: Mapping[str, str],
    declared: Set[tuple[str, str]],
) -> tuple[Site, ...]:
    if not scan.unclear:
        return scan.sites
    groups: dict[tuple[object, Doubt], list[Site]] = {}
    accepted = [*scan.sites, *typed_lookups.accepted(scan.unclear, scan.sites, holding)]
    for site in scan.unclear:
        if site.doubt is Doubt.INHERITED:
            if (site.domain, known_text(site.names) or "") in declared:
                accepted.append(attrs.evolve(site, doubt=Doubt.NONE))
            continue
        if (named := namespaces.settled(site, spaces)) is not None:
            accepted.append(named)
            continue
        if site.lookups or site.doubt in (Doubt.AGAINST, Doubt.HANDED):
            continue
        groups.setdefault((_receiver(program, site), site.doubt), []).append(site)
    for (key, doubt), sites in groups.items():
        names = {name for site in sites if (name := known_text(site.names)) is not None}
        telling = _SEPARATED if doubt else _SEVERAL
        shared = {name for name in names & known if telling.search(name)}
        strong = len(shared) >= min(2, len(names)) and bool(shared)
        if key is not None and doubt is Doubt.WEAK:
            strong = strong or len(names) >= _MANY
        elif key is not None and doubt is Doubt.FAINT:
            strong = strong or (len(names) >= _MANY and _converted(program, sites))
        elif key is not None and not doubt:
            strong = strong or (len(names) >= STRUCTURAL and _converted(program, sites))
        if strong:
            accepted.extend(
                attrs.evolve(site, guessed=True)
                for site in sites
                if known_text(site.names) is not None
            )
    return tuple(accepted)


def _receiver(program: Program, site: Site) -> object:
    """Return what tells one object from another: a field, or a parameter by its name."""
    context = Context.of(program, site.ref)
    call = context.code[site.value]
    if not isinstance(call, ir.Call) or call.object == NONE:
        return None
    instr = context.code[call.object]
    field = context.field_of(call.object)
    if field is not None:
        return field
    if isinstance(instr, ir.Load) and not instr.up and context.is_parameter(instr.slot):
        return (site.ref.owner, context.body.locals[instr.slot].name)
    return None


def _converted(program: Program, sites: list[Site]) -> bool:
    """Tell whether most values are texts that are parsed; what is only cast was no text, so a part of the program has put it there."""
    count = 0
    for site in sites:
        taking = calls_with(Context.of(program, site.ref), (site.value,))
        count += any(
            site.value in call.args and call.name.startswith(("parse", "valueOf", "decode", "to"))
            for _, call in taking
        )
    return count * 2 >= len(sites)
