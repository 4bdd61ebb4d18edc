"""What a body comes to in any case: operations below calls that no condition and no loop stands before.

Terms
    beside  of a condition: calls of the same body that run whenever the condition is asked, before it or after it.

An operation below a condition that calls beside it come to as well is not switched by it: the condition adds one run more.  Early
exits are no conditions here, since the answer is a doubt only.  Absent: arms of one condition that come to the same (``arrivals``).
"""

from __future__ import annotations

from collections.abc import Set

from conflens.facts.ir import NONE
from conflens.flow.below import LEVELS, Below, Edge
from conflens.flow.code import Code
from conflens.flow.forms import Doubt
from conflens.flow.guards import Range
from conflens.program.refs import MemberRef

Spot = tuple[MemberRef, int]
"""An operation: an instruction of a body."""

_Found = tuple[frozenset[Spot], frozenset[MemberRef]]
"""Operations, and the bodies looked into for them."""


class Anyway:
    """Finds what runs in any case in one program."""

    def __init__(self, below: Below) -> None:
        """Ask ``below`` for the calls of bodies."""
        self.below = below
        self.library = below.library
        self._known: dict[tuple[MemberRef, int], tuple[_Found, float]] = {}

    def beside(
        self, code: Code, at: int, ranges: tuple[Range, ...], wanted: Set[Spot]
    ) -> tuple[set[Spot], set[MemberRef]]:
        """Return which operations calls beside the condition ``at`` come to, but for those that it governs, and the bodies looked into."""
        found: set[Spot] = set()
        looked: set[MemberRef] = set()
        owners = {ref for ref, _ in wanted}
        for edge in self.below.profile(code).edges:
            if not self._is_sure(edge) or any(a <= edge.instr < b for a, b in ranges):
                continue
            start, stop = code.region(edge.instr)
            if not start <= at < stop:
                continue
            spots, bodies = self.of(edge.targets[0], 1)
            looked |= bodies
            if not owners.isdisjoint(bodies):
                found |= spots & wanted
        return found, looked

    def of(self, ref: MemberRef, depth: int) -> _Found:
        """Return the operations that a method comes to whenever it runs, ``depth`` calls below the first body, and the bodies looked into."""
        key = (ref, depth)
        meter = self.below.program.meter
        kept = self._known.get(key)
        if kept is None:
            with meter.sharing() as spent:
                kept = self._known[key] = self._find(ref, depth), spent()
        meter.uses((Anyway, key), kept[1])
        return kept[0]

    def _find(self, ref: MemberRef, depth: int) -> _Found:
        code = self.below.open(ref)
        whole = (0, len(code.code))
        spots = {
            (ref, sink.instr)
            for sink in self.library.sinks(code).values()
            if (sink.instr == NONE or code.region(sink.instr) == whole)
            and self.library.costs(code, sink)
        }
        bodies = {ref}
        edges = self.below.profile(code).edges if depth < LEVELS else ()
        code.context.program.meter.spend(1 + len(edges))
        for edge in edges:
            if self._is_sure(edge) and code.region(edge.instr) == whole:
                further, looked = self.of(edge.targets[0], depth + 1)
                spots |= further
                bodies |= looked
        return frozenset(spots), frozenset(bodies)

    @staticmethod
    def _is_sure(edge: Edge) -> bool:
        return edge.function == NONE and len(edge.targets) == 1 and edge.doubt == Doubt.NONE
