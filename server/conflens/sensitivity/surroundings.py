"""Where the operations of a flow stand: inside a loop, where requests are served, at start or stop; and whether they matter.

A *path* is looked at from the last place where the option takes hold (a guard, an argument) to the
operation, since what lies before says nothing of how often the operation runs.  Names of methods tell when
they run (``vocabulary``): a hint, not a proof.
"""

from __future__ import annotations

from typing import NamedTuple

from conflens.facts import ir
from conflens.flow.results import Flow, StepRole
from conflens.flow.trails import since
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.sensitivity.alternatives import Alternatives
from conflens.sensitivity.amounts import Amounts, Weight, packaged
from conflens.sensitivity.bodies import Bodies
from conflens.sensitivity.lexicon import split
from conflens.sensitivity.usage import Spare, Usage
from conflens.sensitivity.vocabulary import Vocabulary


class About(NamedTuple):
    """What is known of one flow; ``users`` counts the members that call its last method by name."""

    looped: bool
    request: bool
    start: bool
    users: int


class Surroundings:
    """Looks bodies of one program up; remembers what it saw."""

    def __init__(self, program: Program, vocabulary: Vocabulary) -> None:
        """Look in ``program``."""
        self._program = program
        self._vocabulary = vocabulary
        self._request = vocabulary.places["request"]
        self._start = vocabulary.places["start or stop"]
        self._loops: dict[MemberRef, tuple[tuple[int, int], ...]] = {}
        self._words: dict[MemberRef, tuple[bool, bool, int]] = {}
        rows = packaged()
        bodies = Bodies(program)
        self.amounts = Amounts(bodies, rows)
        self._usage = Usage(bodies, rows, self.amounts)
        self._alternatives = Alternatives(bodies, vocabulary)

    def spare(self, flow: Flow, is_object: bool) -> Spare | None:
        """Return why what a flow sizes matters less than its operation says: it is an object that is not used, or on all paths
        it is such an argument."""
        unused = self._usage.of(flow.operation) if is_object else None
        if unused is not None and unused.weight is Weight.NONE:
            return unused
        found = [self.amounts.of(path, flow.operation.api) for path in flow.paths]
        rows = [row for row in found if row is not None]
        if rows and len(rows) == len(found):
            least = min(rows, key=lambda row: row.weight is Weight.NONE)
            return Spare(least.weight, sizes=least.sizes)
        return unused

    def of(self, flow: Flow) -> About:
        """Return what is known of a flow's surest path."""
        tail = since(flow.paths[0].steps, StepRole.GUARD)
        known = [self._named(step.ref) for step in tail]
        return About(
            any(self.looped(step.ref, step.instr) for step in tail),
            any(request for request, _, _ in known),
            any(start for _, start, _ in known),
            known[0][2],
        )

    def chooses(self, flow: Flow) -> bool:
        """Tell whether a flow's condition decides which of several implementations is made (``alternatives``)."""
        return self._alternatives.has(flow)

    def looped(self, ref: MemberRef, index: int) -> bool:
        """Tell whether an instruction stands in a loop of its body."""
        found = self._loops.get(ref)
        if found is None:
            ranges = []
            for instr in self._program.body(ref).code:
                if isinstance(instr, ir.Loop):
                    ranges.append((min(instr.test_start, instr.body_start), instr.stop))
                elif isinstance(instr, ir.ForEach):
                    ranges.append((instr.start, instr.stop))
            found = self._loops[ref] = tuple(ranges)
        return any(start <= index < stop for start, stop in found)

    def _named(self, ref: MemberRef) -> tuple[bool, bool, int]:
        found = self._words.get(ref)
        if found is None:
            member = self._program.member(ref)
            first = split(member.name)[:1]
            start = member.kind != "method" or not self._start.isdisjoint(first)
            request = not start and not self._request.isdisjoint(first)
            found = request, start, len(self._program.users(member.name))
            self._words[ref] = found
        return found
