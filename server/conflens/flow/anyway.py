"""Operations that run in any case: those below calls that no condition and no loop guards.

Terms
    beside  of a condition: calls of the same body that run whenever the condition is evaluated, before it or after it.

A condition does not switch an operation that calls beside it reach as well: it only adds another run.  Early exits do not count as
conditions here, since the answer only lowers the confidence.  Absent: arms of one condition that reach the same operation (``arrivals``).
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
"""Operations, and the bodies examined for them."""


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
        """Return the operations that calls beside the condition ``at`` reach, without the calls that it governs, and the bodies examined."""
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
        """Return the operations that run whenever a method runs, ``depth`` calls below the first body, and the bodies examined."""
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
