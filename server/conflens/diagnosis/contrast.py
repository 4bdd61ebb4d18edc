"""Where on a call chain the two runs begin to differ: the dynamic half of cause-effect chains.

A hotspot's chain passes many holds, and most have nothing to do with the variation.  What decides is the
*contrast* of a hold: how much more (or less) than its surroundings that which it governs grew.  If a method is run
five times as often, and so is all that its caller does, then the cause is not in the caller.

Terms
    governed      the weight, before and after, of the calls (and of the own work) that a hold governs at a node.
    surroundings  what else the node does; where that is too little to tell, what else the node above does, and so
                  on; at last the run as a whole, which did the same work on both sides.
    contrast      log of the growth of what is governed, less that of its surroundings, as a share of the
                  growth of the hotspot on this chain: 1 if all of it begins here, 0 if none.

Threads that sleep and wait in the background do so the longer, the longer the run: for these kinds the run as a whole
grew by its length.  How long one sleep is says more of them than all together, so each is looked at by itself.

If of all that a hold governs only a part grew, and the rest did not, then the cause is further down: the contrast
of a hold is at most what any node below it on the chain shows beside the chain.

Where invocations were counted on both sides they are compared instead of weights: they are exact.
Absent: options; sharing out (``sharing``).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from conflens.diagnosis.merging import Merged

_LITTLE = 0.004
"""The share of a kind's total below which a weight tells nothing of growth."""
_FLOOR = 0.001
"""The share of a kind's total that is added to both sides of a ratio, so that nothing grows without bound."""
_GONE = 0.1
"""What a method may weigh on the side that it is gone from, in what it weighs on the other."""
_TELLING = 0.01
"""The share of a kind's total that must lie beside a chain to tell that it did not grow with it."""
_COUNTED_FLOOR = 0.5
_FEW = 3
"""Events of a side below which their mean says nothing."""


_NOTHING = (0.0, 0.0)

Inside = Mapping[int, Sequence[float]]
"""By node: before and after."""


class Contrasts:
    """Growth in one merged tree."""

    def __init__(self, merged: Merged, run: float = 0.0) -> None:
        """Add up what nodes weigh with all below; ``run``: the growth of the run as a whole."""
        self.merged = merged
        self.run = run
        self.before, self.after = merged.whole()
        self.floor = max(merged.totals) * _FLOOR or 1.0
        self.little = max(merged.totals) * _LITTLE
        self._children: dict[int, list[int]] = {}
        for node in range(1, len(merged.parent)):
            self._children.setdefault(merged.parent[node], []).append(node)
        self._methods: dict[int, list[float]] = {}
        for node in range(1, len(merged.parent)):
            pair = self._methods.setdefault(merged.method[node], [0.0, 0.0])
            pair[0] += self.before[node]
            pair[1] += self.after[node]

    def children(self, node: int) -> Sequence[int]:
        """Return the nodes called from a node."""
        return self._children.get(node, ())

    def growth(self, before: float, after: float) -> float:
        """Return the logarithm of after / before."""
        return math.log((after + self.floor) / (before + self.floor))

    def comes_or_goes(self, method: int) -> bool:
        """Tell whether a method runs on one side only, as it would if its object were chosen otherwise."""
        counts = self.merged.invocations
        pair = self._methods[method] if counts is None else counts.get(method, [0.0, 0.0])
        return min(pair) <= _GONE * max(pair)

    def counted(self, method: int) -> float | None:
        """Return the growth of a method's exact invocations, ``None`` where nobody counted or none were."""
        counts = self.merged.invocations
        if counts is None:
            return None
        pair = counts.get(method)
        if pair is None or not any(pair):
            return None
        return math.log((pair[1] + _COUNTED_FLOOR) / (pair[0] + _COUNTED_FLOOR))

    def of_call(
        self, node: int, governed: Collection[int], inside: Inside | None = None
    ) -> tuple[float, float]:
        """Return the growth of what is governed at ``node`` (nodes called from it), and of its surroundings.

        ``inside``: all that the same hold governs (``inside_of``); it is in nobody's surroundings.
        """
        exact = [self.counted(self.merged.method[child]) for child in governed]
        mine = self.counted(self.merged.method[node]) if node > 0 else None
        if mine is not None and exact and all(one is not None for one in exact):
            return max((one for one in exact if one is not None), key=abs), mine
        before = sum(self.before[child] for child in governed)
        after = sum(self.after[child] for child in governed)
        if inside is None:
            inside = self.inside_of(governed)
        return self.growth(before, after), self._surroundings(node, inside)

    def inside_of(self, governed: Collection[int]) -> Inside:
        """Return for every node what lies below it of the nodes that a hold governs, before and after."""
        found: dict[int, list[float]] = {}
        parent = self.merged.parent
        for child in governed:
            above: list[int] = []
            node = parent[child]
            while node > 0 and node not in governed:
                above.append(node)
                node = parent[node]
            if node > 0:
                # It is inside of another one.
                continue
            for node in above:
                pair = found.setdefault(node, [0.0, 0.0])
                pair[0] += self.before[child]
                pair[1] += self.after[child]
        return found

    def of_own(self, node: int, before: float, after: float) -> tuple[float, float]:
        """Return the growth of own work at ``node``, and of its surroundings."""
        mine = self.counted(self.merged.method[node])
        if mine is not None:
            return self.growth(before, after), mine
        inside: dict[int, list[float]] = {node: [before, after]}
        above = self.merged.parent[node]
        while above > 0:
            inside[above] = [self.before[node], self.after[node]]
            above = self.merged.parent[above]
        return self.growth(before, after), self._surroundings(node, inside)

    def _surroundings(self, node: int, inside: Inside) -> float:
        while node > 0:
            mine = inside.get(node, _NOTHING)
            rest = self.before[node] - mine[0], self.after[node] - mine[1]
            if max(rest) > self.little:
                return self.growth(max(0.0, rest[0]), max(0.0, rest[1]))
            node = self.merged.parent[node]
        return self.run

    def below(self, node: int, child: int) -> float | None:
        """Return the growth of what ``node`` does besides ``child``; ``None`` where that is too little to tell."""
        exact = self.counted(self.merged.method[node])
        if exact is not None:
            return exact
        rest = self.before[node] - self.before[child], self.after[node] - self.after[child]
        if max(rest) < _TELLING * max(self.merged.totals):
            return None
        return self.growth(max(0.0, rest[0]), max(0.0, rest[1]))

    def each(self, key: tuple[int, int]) -> float:
        """Return the growth of a single event of a leaf; 0 where one side has too few of them."""
        weights, counts = self.merged.leaves[key], self.merged.counts[key]
        if min(counts) < _FEW or min(weights) <= 0:
            return 0.0
        return math.log((weights[1] / counts[1]) / (weights[0] / counts[0]))


def share_of(growth: float, around: float, wanted: float) -> float:
    """Return which part of a hotspot's growth begins at a hold, 0 to 1."""
    if abs(wanted) < 1e-9:
        return 0.0
    return min(1.0, max(0.0, (growth - around) / wanted))


def effect(growth: float, around: float, before: float, after: float) -> str:
    """Say in a few words what the runs show at a hold."""
    if before <= 0 < after:
        return "runs only in the slow run"
    if after <= 0 < before:
        return "runs only in the baseline"
    factor = math.exp(growth - around)
    if factor >= 1.1:
        return f"{factor:.1f} times as much as around it"
    if factor <= 0.9:
        return f"{factor:.2f} times as much as around it"
    return ""
