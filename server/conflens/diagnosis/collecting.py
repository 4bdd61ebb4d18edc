"""All that moved between the sides, shared out: hotspots, and what each option was given of them.

Terms
    beyond   the variation of a chain without what the run's length explains (``sharing``).
    whole    all that moved of all kinds, each with its factor; ``explained`` is a share of it.

Kinds of time are added up; being blocked and waiting count less, because they mostly follow from what others do.
Bytes are no time: all that moved of them counts as a part of all the time that moved.  Chains without a
method of the project (idle threads, the JVM's own) cannot be laid on an option and are left out of the whole, as is
what may be chance, and without a baseline all that is ``idle``.  Hotspots are in the order of what they count, those that
may be chance behind the others, and idle ones last.  Absent: verdicts on options (``suspects``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import attrs

from conflens.base.cancel import CancelToken
from conflens.diagnosis.hotspots import Moved, moved
from conflens.diagnosis.idle import is_idle
from conflens.diagnosis.merging import Merged
from conflens.diagnosis.results import HotChain, Hotspot, Scale
from conflens.diagnosis.sharing import Given, Sharing, Way
from conflens.diagnosis.significance import PERIOD
from conflens.flow.results import Dependency, OptionKey
from conflens.profiling.model import EventKind, Unit

FACTORS = {
    EventKind.CPU: 1.0,
    EventKind.WALL: 1.0,
    EventKind.IO: 1.0,
    EventKind.SLEEP: 1.0,
    EventKind.LOCK: 0.1,
    EventKind.WAIT: 0.05,
}
BYTES = 0.25
"""What all bytes that moved count, in all the time that moved."""
_MOST = 0.5
"""The part of a variation that must not follow from the run's length, so that it is no idling."""


@attrs.define
class Collected:
    """What was given to one option.

    ``withheld``: the part of the whole that it would have got, were its value not known to be the same.
    """

    explained: float = 0.0
    withheld: float = 0.0
    parts: dict[Dependency, float] = attrs.field(factory=dict)
    of_kinds: dict[EventKind, float] = attrs.field(factory=dict)
    """What it was given of each kind, as a part of what the baseline, or the only run, costs of it."""
    causes: list[tuple[Hotspot, HotChain, Way, Given, float]] = attrs.field(factory=list)


@attrs.frozen
class Found:
    """``unexplained``: the part of the whole that was given to no option.  ``extent``: the whole over what the cheaper
    side costs in all, 0 if nothing moved, infinite if that side costs nothing."""

    hotspots: tuple[Hotspot, ...]
    collected: dict[OptionKey, Collected]
    unexplained: float
    extent: float


@attrs.frozen
class _Row:
    sharing: Sharing
    moved: Moved
    weight: float
    """What moved beyond, without the kind's factor."""
    idle: frozenset[tuple[int, int]]
    """Those of its keys that are idle."""


def collect(
    sharings: Sequence[Sharing],
    threshold: float,
    most: int,
    chains: int,
    compared: bool,
    scale: Scale,
    token: CancelToken,
    blamed: frozenset[EventKind] | None = None,
) -> Found:
    """Find what moved beyond ``threshold`` and share it out; ``most`` hotspots, ``chains`` of each.

    ``blamed``: the kinds of cost that options are blamed for, ``None`` for all; changes of other kinds may be chance.
    """
    rows = [
        _row(sharing, one, compared)
        for sharing in sharings
        for one in moved(sharing.merged, threshold, compared)
    ]
    chosen = [row for row in rows if blamed is None or row.sharing.merged.kind in blamed]
    if not any(row.moved.significant and row.weight for row in chosen):
        chosen = rows
    of_kinds = sharings
    if chosen is not rows:
        of_kinds = [one for one in sharings if blamed is None or one.merged.kind in blamed]
    factors = _factors(rows, scale)
    counted = _factors(chosen, scale)
    whole = sum(
        row.weight * counted[row.sharing.merged.kind] for row in chosen if row.moved.significant
    )
    rows.sort(key=lambda row: -row.weight * factors[row.sharing.merged.kind])
    collected: dict[OptionKey, Collected] = {}
    hotspots: list[Hotspot] = []
    explained = 0.0
    for row in rows[:most]:
        token.check()
        kind = row.sharing.merged.kind
        hotspot, given = _hotspot(row, chains, compared)
        hotspots.append(hotspot)
        factor = counted[kind]
        if not whole or not factor:
            continue
        for at, way, part in given:
            share = abs(part.part) * factor / whole
            if not share and not part.withheld:
                continue
            mine = collected.setdefault(part.option, Collected())
            mine.withheld += abs(part.withheld) * factor / whole
            dependency = part.weighed.link.hold.dependency
            mine.explained += share
            if cost := row.sharing.merged.totals[0 if compared else 1]:
                mine.of_kinds[kind] = mine.of_kinds.get(kind, 0.0) + abs(part.part) / cost
            mine.parts[dependency] = mine.parts.get(dependency, 0.0) + share
            mine.causes.append((hotspot, hotspot.chains[at], way, part, share))
            explained += share
    order = {id(one): number for number, one in enumerate(hotspots)}
    hotspots.sort(key=lambda one: (one.idle, not one.significant, order[id(one)]))
    return Found(
        tuple(hotspots), collected, max(0.0, 1.0 - explained), _extent(whole, of_kinds, scale)
    )


def _row(sharing: Sharing, one: Moved, compared: bool) -> _Row:
    idle = frozenset(key for key in one.keys if is_idle(sharing, key[0]))
    # With a baseline what a longer run makes longer is left out by ``beyond``, and what is then left is a difference.
    counted = (key for key in _of_project(sharing, one) if compared or key not in idle)
    return _Row(sharing, one, sum(abs(sharing.beyond(key)) for key in counted), idle)


def _extent(whole: float, sharings: Sequence[Sharing], scale: Scale) -> float:
    """Return what moved over what the cheaper side costs, in time if any time was measured."""
    if not whole:
        return 0.0
    timed = [sharing.merged for sharing in sharings if sharing.merged.unit is not Unit.BYTES]
    if not timed:
        costs = [sum(one.merged.totals[side] for one in sharings) for side in (0, 1)]
    else:
        costs = [sum(one.totals[side] * _factor(one, scale) for one in timed) for side in (0, 1)]
    return whole / min(costs) if min(costs) else math.inf


def _factor(merged: Merged, scale: Scale) -> float:
    """Return what a unit of a kind of time counts."""
    sampled = merged.unit is Unit.SAMPLES and scale is not Scale.SHARE
    return FACTORS.get(merged.kind, 1.0) * (PERIOD if sampled else 1)


def _factors(rows: Sequence[_Row], scale: Scale) -> dict[EventKind, float]:
    """Return what a unit of each kind counts."""
    found: dict[EventKind, float] = {}
    time = moved_bytes = 0.0
    for row in rows:
        merged = row.sharing.merged
        if merged.unit is Unit.BYTES:
            moved_bytes += row.weight if row.moved.significant else 0.0
            continue
        found[merged.kind] = _factor(merged, scale)
        if row.moved.significant:
            time += row.weight * found[merged.kind]
    if moved_bytes:
        of_bytes = BYTES * time / moved_bytes if time else 1.0
        for row in rows:
            if row.sharing.merged.unit is Unit.BYTES:
                found[row.sharing.merged.kind] = of_bytes
    return {kind: found.get(kind, 0.0) for kind in EventKind}


def _of_project(sharing: Sharing, one: Moved) -> list[tuple[int, int]]:
    near = sharing.near
    return [key for key in one.keys if near[key[0]] >= 0]


def _hotspot(
    row: _Row, chains: int, compared: bool
) -> tuple[Hotspot, list[tuple[int, Way, Given]]]:
    """Return a hotspot with what its chains give: number of the chain, its frames, the part."""
    sharing, one = row.sharing, row.moved
    merged = sharing.merged
    ways = sorted(
        ((key, *_weights(merged, key)) for key in one.keys), key=lambda way: -abs(way[2] - way[1])
    )
    found: list[HotChain] = []
    given: list[tuple[int, Way, Given]] = []
    for key, before, after in ways[:chains]:
        way = sharing.way(*key)
        found.append(HotChain(way.frames, before, after))
        if not one.significant or sharing.near[key[0]] < 0:
            continue
        if key in row.idle and not compared:
            continue
        if compared:
            links = sharing.links(way, key[1], before, after)
        else:
            links = sharing.plain_links(way, key[1])
        given += [
            (len(found) - 1, way, part) for part in sharing.share(links, sharing.beyond(key))
        ]
    idle = len(row.idle) == len(one.keys)
    if compared:
        # Else it waited longer than the run became.
        idle = idle and row.weight < _MOST * abs(one.after - one.before)
    return _described(merged, one, tuple(found), compared, idle), given


def _weights(merged: Merged, key: tuple[int, int]) -> tuple[float, float]:
    pair = merged.leaves[key]
    return pair[0], pair[1]


def _described(
    merged: Merged, one: Moved, chains: tuple[HotChain, ...], compared: bool, idle: bool
) -> Hotspot:
    total_before, total_after = merged.totals
    method = merged.methods.located[one.method]
    line = max(
        (chain.frames[-1].line for chain in chains if chain.frames[-1].ref == method.ref),
        default=0,
    )
    method = method._replace(line=line)
    share = one.after / total_after if total_after else 0.0
    if not compared:
        return Hotspot(
            merged.kind, method, None, one.after, share, None, None, True, "", chains, idle
        )
    grown = one.after - one.before
    variation = grown / total_before if total_before else math.inf
    change = grown / one.before if one.before else math.inf
    return Hotspot(
        merged.kind,
        method,
        one.before,
        one.after,
        share,
        variation,
        change,
        one.significant,
        one.note,
        chains,
        idle,
    )
