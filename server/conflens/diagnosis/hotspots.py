"""Methods whose own weight differs between the sides (DiagConfig §3.2), or is large on the only side.

A method outside of the project is looked at for each method of the project that it works for: that ``write`` takes
longer says little, that it does so for ``Journal.append`` says where to look.
"""

from __future__ import annotations

from typing import NamedTuple

from conflens.diagnosis.merging import Merged
from conflens.diagnosis.significance import Means, judged
from conflens.profiling.model import EventKind, Unit

_MOVED = 0.0005
"""The share of a total that a method must have moved by to be looked at."""


MEASURED = frozenset({EventKind.LOCK, EventKind.WAIT, EventKind.SLEEP, EventKind.IO})
"""Kinds of which every event was timed, none sampled."""


class Moved(NamedTuple):
    """A method with its own weights; ``keys`` are its leaves in the merged tree."""

    method: int
    before: float
    after: float
    significant: bool
    note: str
    keys: list[tuple[int, int]]


def moved(merged: Merged, threshold: float, compared: bool) -> list[Moved]:
    """Return the methods that moved beyond ``threshold`` of themselves, most moved first.

    Without a baseline: all that weigh anything, heaviest first.
    """
    keys: dict[tuple[int, int], list[tuple[int, int]]] = {}
    weights: dict[tuple[int, int], list[float]] = {}
    counts: dict[tuple[int, int], list[float]] = {}
    near = merged.near()
    for key, pair in merged.leaves.items():
        node, leaf = key
        group = leaf, near[node]
        keys.setdefault(group, []).append(key)
        mine = weights.setdefault(group, [0.0, 0.0])
        mine[0] += pair[0]
        mine[1] += pair[1]
        times = counts.setdefault(group, [0.0, 0.0])
        times[0] += merged.counts[key][0]
        times[1] += merged.counts[key][1]
    least = max(merged.totals) * _MOVED
    means = Means.SAMPLED
    if merged.invocations is not None:
        means = Means.COUNTED
    elif merged.kind in MEASURED:
        means = Means.MEASURED
    heaviest = (
        max(
            (merged.totals[side] / max(1.0, sum(pair[side] for pair in merged.counts.values())))
            for side in (0, 1)
        )
        or 1.0
    )
    found = []
    for group, (before, after) in weights.items():
        method = group[0]
        if not compared:
            if after > least:
                found.append(Moved(method, 0.0, after, True, "", keys[group]))
            continue
        if abs(after - before) < least or abs(after - before) < threshold * before:
            continue
        runs = [[run.get(group, 0.0) for run in side] for side in merged.runs]
        seen = counts[group][0], counts[group][1]
        if merged.unit is Unit.BYTES:
            # How many objects are sampled depends on the run's length; what they weigh does not.
            seen = before / heaviest, after / heaviest
        significant, note = judged(runs[0], runs[1], seen, means)
        found.append(Moved(method, before, after, significant, note, keys[group]))
    return sorted(found, key=lambda one: -abs(one.after - one.before))
