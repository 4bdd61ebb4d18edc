"""How expressions that need each other are evaluated: each once, the same whoever asks first, and never without end.

Terms
    key       what is being found out: a local at a place, a field, what a method returns.
    cut       a key that was needed while it was being found out itself, and so was left open; or a depth that was too great.
    height    how many steps of evaluation followed from each other below a result.
    pure      found without any cut: such a result is the same wherever it is asked for, if there is room for its height.

Where keys need each other in many ways, each way is another evaluation, and there are more of them than an analysis can make.  A
query that takes more than a bound of evaluations that are not pure (``Most``) is therefore given up as a whole; pure ones, which
may have been made before, do not count.

Pure results are cached permanently, with their dependencies (``trail``), and so is the result of each outermost query.  All
other results are cached only within one evaluation, for the same depth or greater, while every key that cut them is still being
evaluated.
Invariant: a result does not depend on what was evaluated before; what is kept for good has no other result in it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

import attrs

from conflens.program.trail import Seen, Trail

T = TypeVar("T")


class _TooManyError(Exception):
    """Raised where a query is given up."""


class Most(NamedTuple, Generic[T]):
    """How many evaluations that are not pure a query may take, and what it gives beyond."""

    evaluations: int
    given_up: T


@attrs.frozen
class _Kept(Generic[T]):
    """A result; ``depth`` is where it was found, ``deepest`` how deep that went."""

    found: T
    seen: Seen
    depth: int
    deepest: int
    cuts: frozenset[object]
    pure: bool


class Evaluation(Generic[T]):
    """See the module text; of one program."""

    def __init__(self, trail: Trail, most: int, unknown: T, ways: Most[T] | None = None) -> None:
        """``most``: the greatest depth; ``unknown``: what a key is while it is being found out; ``ways``: when a query is given up."""
        self._unknown = unknown
        self._ways = ways
        self._not_pure = 0
        self._trail = trail
        self._most = most
        self._busy: set[object] = set()
        self._kept: dict[object, _Kept[T]] = {}
        self._outside: dict[tuple[object, int], _Kept[T]] = {}
        self._passing: dict[object, _Kept[T]] = {}
        self._cuts: set[object] = set()
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

    def once(self, key: object, depth: int, make: Callable[[], T], *, keep: bool = True) -> T:
        """Return what ``make`` finds for a key at a depth; unknown while that is being found out.

        ``keep``: a pure result is kept for good.
        """
        if key in self._busy:
            self._cuts.add(key)
            self._pure = False
            return self._unknown
        if not self._busy:
            self._passing.clear()
            self._cuts.clear()
            outside = self._outside.get((key, depth))
            if outside is not None:
                self._trail.rest(outside.seen)
                return outside.found
        known = self._known(key, depth)
        if known is not None:
            return known
        around = self._cuts, self._pure, self._deepest
        self._cuts, self._pure, self._deepest = set(), True, depth
        self._busy.add(key)
        try:
            found, seen = self._trail.during(make if len(self._busy) > 1 else self._whole(make))
        finally:
            self._busy.discard(key)
            self._cuts.discard(key)
            cuts, pure, deepest = frozenset(self._cuts), self._pure, self._deepest
            self._cuts = around[0] | cuts
            self._pure = around[1] and pure
            self._deepest = max(around[2], deepest)
        self._not_pure += not pure
        if self._ways and self._busy and self._not_pure > self._ways.evaluations:
            raise _TooManyError
        kept = self._kept if keep and pure else self._passing
        kept[key] = made = _Kept(found, seen, depth, deepest, cuts, pure)
        if keep and not pure and not self._busy:
            self._outside[key, depth] = made
        return found

    def _whole(self, make: Callable[[], T]) -> Callable[[], T]:
        """Return what does a whole query, or gives it up."""

        def query() -> T:
            self._not_pure = 0
            try:
                return make()
            except _TooManyError:
                assert self._ways is not None
                self._pure = False
                return self._ways.given_up

        return query

    def _known(self, key: object, depth: int) -> T | None:
        for kept in (self._kept.get(key), self._passing.get(key)):
            if kept is None or not kept.cuts <= self._busy:
                continue
            deepest = kept.deepest + depth - kept.depth
            if deepest > self._most if kept.pure else kept.depth > depth:
                continue
            self._trail.rest(kept.seen)
            self._cuts |= kept.cuts
            self._pure = self._pure and kept.pure
            self._deepest = max(self._deepest, deepest)
            return kept.found
        return None
