"""What discovery joins, and what it compares with what was found before an edit."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from conflens.models.load import Models
from conflens.options.origins.posted import brought
from conflens.options.reads.derived import Feed
from conflens.options.reads.scan import Scan
from conflens.options.sites import Api, Found, Site
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.templates import Templates
from conflens.program.trail import Cut, Seen


def joined(trails: Iterable[Seen]) -> Seen:
    """Return what all of some results rest on."""
    seen = tuple(trails)
    return Seen(
        frozenset[str]().union(*(item.whole for item in seen)),
        frozenset[str]().union(*(item.names for item in seen)),
        frozenset[Cut]().union(*(item.cuts for item in seen)),
        frozenset[MemberRef]().union(*(item.bodies for item in seen)),
    )


def merge(scans: list[Scan]) -> Scan:
    """Return what several scans of one file found, each read once."""
    sites: dict[tuple[MemberRef, int, str, Templates], Site] = {}
    for scan in scans:
        for site in scan.sites:
            sites.setdefault((site.ref, site.value, site.domain, site.names), site)
    return Scan(
        tuple(sites.values()),
        tuple(api for scan in scans for api in scan.apis),
        tuple(site for scan in scans for site in scan.unclear),
        tuple(dict.fromkeys(item for scan in scans for item in scan.keyed)),
        frozenset[Feed]().union(*(scan.feeds for scan in scans)),
    )


def shape(founds: Iterable[Found]) -> list[tuple[str, str, MemberRef | None, bool, str]]:
    """Return what other files see of declarations."""
    return [
        (found.domain, found.name, found.member, found.loads_are_reads, found.inside)
        for found in founds
    ]


def apis_of(apis: Iterable[Api]) -> set[Api]:
    """Return the wrappers but for where they read, which may move."""
    return {attrs.evolve(api, at=-1, end=-1) for api in apis}


def same_requests(before: Program, after: Program, models: Models) -> bool:
    """Tell whether requests bring objects of the same classes, whatever declarations differ."""
    return brought(before, models) == brought(after, models)
