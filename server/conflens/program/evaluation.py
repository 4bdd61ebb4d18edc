"""How expressions that need each other are evaluated: each once, the same whoever asks first, and never without end.

Terms
    key       what is being found out: a local at a place, a field, what a method returns.
    cut       a key that was needed while it was being found out itself, and so was left open; or a depth that was too great.
    height    how many steps of evaluation followed from each other below a result.
    pure      found without any cut: such a result is the same wherever it is asked for, if there is room for its height.

Pure results are kept for good, with what they looked at (``trail``).  Others are kept for the same depth: for good if nothing cut
them that is still being found out, and used while nothing that they needed is; else during one evaluation, while
everything that cut them is still being found out.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

from conflens.program.templates import UNKNOWN, Templates
from conflens.program.trail import Seen, Trail


@attrs.frozen
class _Kept:
    found: Templates
    seen: Seen
    height: int


@attrs.frozen
class _Settled:
    found: Templates
    seen: Seen
    deepest: int
    needed: frozenset[object]


@attrs.frozen
class _Passing:
    found: Templates
    seen: Seen
    cuts: frozenset[object]
    deepest: int
    pure: bool
    needed: frozenset[object]


class Evaluation:
    """See the module text; of one program."""

    def __init__(self, trail: Trail, most: int) -> None:
        """``most``: the greatest depth."""
        self._trail = trail
        self._most = most
        self._busy: set[object] = set()
        self._kept: dict[object, _Kept] = {}
        self._passing: dict[object, _Passing] = {}
        self._settled: dict[object, _Settled] = {}
        self._cuts: set[object] = set()
        self._needed: set[object] = set()
        """The keys of results that are not pure."""
        self._pure = True
        self._deepest = 0

    def too_deep(self, depth: int) -> bool:
        """Tell whether there is no room left at a depth."""
        if depth > self._deepest:
            self._deepest = depth
        if depth > self._most:
            self._pure = False
            return True
        return False

    def once(
        self, key: object, depth: int, make: Callable[[], Templates], *, keep: bool = True
    ) -> Templates:
        """Return what ``make`` finds for a key at a depth; unknown while that is being found out.

        ``keep``: a pure result is kept for good.
        """
        if key in self._busy:
            self._cuts.add(key)
            self._pure = False
            return UNKNOWN
        if not self._busy:
            self._passing.clear()
            self._cuts.clear()
            self._needed.clear()
        known = self._known(key, depth)
        if known is not None:
            return known
        around = self._cuts, self._needed, self._pure, self._deepest
        self._cuts, self._needed, self._pure, self._deepest = set(), {key}, True, depth
        self._busy.add(key)
        try:
            found, seen = self._trail.during(make)
        finally:
            self._busy.discard(key)
            self._cuts.discard(key)
            cuts, needed = frozenset(self._cuts), frozenset(self._needed)
            pure, deepest = self._pure, self._deepest
            self._cuts, self._needed = around[0], around[1]
            self._cuts |= cuts
            if not pure:
                self._needed |= needed
            self._pure = around[2] and pure
            self._deepest = max(around[3], deepest)
        if keep and pure:
            self._kept[key] = _Kept(found, seen, deepest - depth)
        elif keep and not cuts:
            self._settled[key, depth] = _Settled(found, seen, deepest, needed)
        else:
            self._passing[key, depth] = _Passing(found, seen, cuts, deepest, pure, needed)
        return found

    def _known(self, key: object, depth: int) -> Templates | None:
        kept = self._kept.get(key)
        if kept is not None and depth + kept.height <= self._most:
            self._look_at(kept.seen)
            self._deepest = max(self._deepest, depth + kept.height)
            return kept.found
        settled = self._settled.get((key, depth))
        if settled is not None and settled.needed.isdisjoint(self._busy):
            self._look_at(settled.seen)
            self._deepest = max(self._deepest, settled.deepest)
            self._needed |= settled.needed
            self._pure = False
            return settled.found
        passing = self._passing.get((key, depth))
        if passing is None or not passing.cuts <= self._busy:
            return None
        self._look_at(passing.seen)
        self._cuts |= passing.cuts
        self._needed |= passing.needed
        self._pure = self._pure and passing.pure
        self._deepest = max(self._deepest, passing.deepest)
        return passing.found

    def _look_at(self, seen: Seen) -> None:
        self._trail.files |= seen.files
        self._trail.names |= seen.names
