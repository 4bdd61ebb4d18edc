"""Where the options' values go: one walk for each read, kept from one program to the next.

A walk stays right while none of the members whose bodies it rests on changes, and no changed member uses,
before or after, a name whose users it asked for.  A change that tells the others nothing new (``moved``)
only shifts the steps in that member (``shifted``).  What follows from surfaces is not on it: other surfaces
or other rows redo everything.

Absent: how a value flows (``flow``), what an operation is (``operations``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set

import attrs

from conflens.base.cancel import CancelToken
from conflens.base.span import Place
from conflens.facts.ir import NONE
from conflens.flow.engine import Engine, Start, StartKind, Walk, merge
from conflens.flow.library import Operations
from conflens.flow.results import NOTHING, FlowTable, OptionKey, Reach
from conflens.flow.rows import Rows
from conflens.models.load import Models
from conflens.options.discover import Discovery
from conflens.options.model import ReadKind
from conflens.options.moved import Comparer, Shift
from conflens.options.shifted import Shifter
from conflens.options.sites import Found, Site
from conflens.program.program import MemberRef, Program

Finder = Callable[[Program, Models, Rows], Operations]
"""Makes what finds the operations of a program's bodies."""

Walks = Mapping[tuple[Start, ...], tuple[Walk, ...]]


@attrs.frozen
class Traced:
    """All flows, and what is needed to find them again after an edit."""

    table: FlowTable
    walks: Mapping[Start, Walk] = attrs.field(repr=False)
    merged: Mapping[OptionKey, tuple[tuple[Reach, ...], Reach]] = attrs.field(repr=False)
    program: Program = attrs.field(repr=False)
    digest: str
    redone: frozenset[Start] = attrs.field(default=frozenset(), repr=False)
    """The walks that were made for this program; what incremental tests look at."""
    recalled: Set[Start] = attrs.field(default=frozenset(), repr=False)
    """The walks that another process made: what they took from bodies is not known here."""
    made: int = 0
    """The slices that were made for this program, likewise."""


def recalled(
    table: FlowTable, walks: Mapping[Start, Walk], program: Program, models: Models
) -> Traced:
    """Return what was traced in another process, to go on from after an edit of ``program``."""
    return Traced(table, walks, {}, program, models.digest, recalled=walks.keys())


def trace(
    discovery: Discovery,
    models: Models,
    finder: Finder,
    previous: Traced | None = None,
    changed: frozenset[str] | None = None,
    token: CancelToken | None = None,
) -> Traced:
    """Return the flows of all options that ``discovery`` found.

    ``previous`` is the result for the program before ``changed`` files changed.  Raises ``Cancelled``.
    """
    program = discovery.program
    token = token or CancelToken()
    starts = starts_of(discovery)
    rows = Rows(program, models)
    engine = Engine(program, models, finder(program, models, rows), rows)
    kept: Mapping[Start, Walk] = {}
    foreign: frozenset[Start] = frozenset()
    if (
        previous is not None
        and changed is not None
        and previous.program.memo is program.memo
        and previous.digest == models.digest
    ):
        kept = _kept(previous, changed, engine, models, finder)
        foreign = frozenset(kept.keys() & previous.recalled)
    walks: dict[Start, Walk] = {}
    redone: set[Start] = set()
    reads: dict[tuple[OptionKey, Place], Reach] = {}
    options: dict[OptionKey, Reach] = {}
    merged: dict[OptionKey, tuple[tuple[Reach, ...], Reach]] = {}
    before = previous.merged if previous is not None else {}
    for option in discovery.table.options:
        reaches: list[Reach] = []
        for read in option.reads:
            own: list[Reach] = []
            for start in starts.get(read.place, ()):
                walk = walks.get(start)
                if walk is None:
                    walk = kept.get(start)
                    if walk is None:
                        token.check()
                        walk = engine.walk(start)
                        redone.add(start)
                    walks[start] = walk
                if walk.reach.flows or walk.reach.cold:
                    own.append(walk.reach)
            if own:
                reach = merge(own)
                reads[option.key, read.place] = reach
                reaches.append(reach)
        if reaches:
            parts = tuple(reaches)
            old = before.get(option.key)
            same = old is not None and len(old[0]) == len(parts)
            if old is not None and same and all(map(_is, old[0], parts)):
                joined = old[1]
            else:
                joined = merge(parts)
            merged[option.key] = (parts, joined)
            options[option.key] = joined
    return Traced(
        FlowTable(options, reads),
        walks,
        merged,
        program,
        models.digest,
        frozenset(redone),
        frozenset(foreign.intersection(walks).difference(redone)),
        engine.slices.made,
    )


def _is(one: Reach, other: Reach) -> bool:
    return one is other or (one is NOTHING and other is NOTHING)


def _kept(
    previous: Traced,
    changed: Iterable[str],
    engine: Engine,
    models: Models,
    finder: Finder,
) -> Mapping[Start, Walk]:
    """Return the walks that are still right, with their steps where they are now."""
    before = previous.program

    def earlier() -> Engine:
        rows = Rows(before, models)
        return Engine(before, models, finder(before, models, rows), rows)

    comparer = Comparer(before, engine, earlier)
    members: set[MemberRef] = set()
    names: set[str] = set()
    shifts: dict[MemberRef, Shift] = {}
    touched: set[MemberRef] = set()
    trusted = True
    for ref in changes(before, engine.program, changed):
        change = comparer.compare(ref)
        touched.add(ref)
        names |= change.names
        if change.askers is not None:
            members |= change.askers
            trusted = False
        if change.shift is None:
            members.add(ref)
        elif change.shift.by:
            shifts[ref] = change.shift
    shifter = Shifter(shifts)

    def right(start: Start, walk: Walk) -> bool:
        if start in previous.recalled and not (trusted and walk.members.isdisjoint(touched)):
            return False
        return walk.members.isdisjoint(members) and walk.names.isdisjoint(names)

    return {
        shifter.start(start): shifter.walk(walk)
        for start, walk in previous.walks.items()
        if right(start, walk)
    }


def changes(before: Program, after: Program, changed: Iterable[str]) -> list[MemberRef]:
    """Return the members whose bodies differ between programs with the same surfaces."""
    return [
        after.ref(path, number)
        for path in changed
        if path in before.files and path in after.files
        for number, (old, new) in enumerate(
            zip(before.files[path].bodies, after.files[path].bodies, strict=True)
        )
        if old != new
    ]


def starts_of(discovery: Discovery) -> dict[Place, tuple[Start, ...]]:
    """Return where the values of reads enter, by the place of the read."""
    found: dict[Place, dict[Start, None]] = {}
    for result in discovery.files.values():
        for site in (*result.settled, *result.dispatched, *result.loads):
            place = Place(site.ref.path, site.at, site.end)
            found.setdefault(place, {}).update(dict.fromkeys(_of_site(site)))
        for declared in result.declared:
            _declared(discovery.program, declared, found)
    for declared in discovery.roots:
        _declared(discovery.program, declared, found)
    return {place: tuple(starts) for place, starts in found.items()}


def _of_site(site: Site) -> Iterable[Start]:
    if site.followed != NONE:
        yield Start(StartKind.VALUE, site.ref, site.followed)
    if site.kind is ReadKind.DISPATCH and site.value != NONE:
        yield Start(StartKind.TEST, site.ref, site.value)
    elif site.value != NONE and site.followed == NONE:
        yield Start(StartKind.VALUE, site.ref, site.value)


def _declared(program: Program, declared: Found, found: dict[Place, dict[Start, None]]) -> None:
    """A field, parameter, accessor or setter that is given an option's value."""
    ref = declared.member
    place = Place(declared.path, declared.scope_at, declared.scope_end)
    if declared.enters is not None:
        start = Start(StartKind.PARAMETER, declared.enters, declared.parameter)
        found.setdefault(place, {}).setdefault(start)
    if not declared.is_read or ref is None:
        return
    member = program.member(ref)
    if member.kind in ("method", "constructor"):
        if len(member.params) == 1:
            start = Start(StartKind.PARAMETER, ref, 0)
        else:
            start = Start(StartKind.RESULT, ref, NONE)
    else:
        start = Start(StartKind.FIELD, ref, NONE)
    found.setdefault(place, {}).setdefault(start)
