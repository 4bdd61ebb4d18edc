"""Walks whose instructions have gone elsewhere in their bodies: the same flows with other numbers.

The steps of a path are made when somebody looks, and shifted then; a path that is shifted again and
again, as while typing, holds its first steps and the shifts since, joined where they can be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs
from typing_extensions import override

from conflens.base.lazy import LazySequence
from conflens.flow.results import Cold, Flow, Hold, Path, Reach, Step
from conflens.flow.walk_types import Start, StartKind, Walk
from conflens.options.incremental.body_diff import Shift
from conflens.options.incremental.borders import NO_BORDERS, Borders
from conflens.program.refs import MemberRef

Shifts = Mapping[MemberRef, tuple[Shift, ...]]


class Shifted(LazySequence[Step]):
    """The steps of a path after shifts; equal to any sequence of the same steps."""

    __slots__ = ("shifts", "steps")

    def __init__(self, steps: Sequence[Step], shifts: Shifts) -> None:
        """Shift ``steps`` by ``shifts`` when they are looked at."""
        super().__init__()
        self.steps = steps
        self.shifts = shifts

    @override
    def make(self) -> tuple[Step, ...]:
        """Return the steps where they are now."""
        return tuple(
            step._replace(instr=moved(self.shifts, step.ref, step.instr)) for step in self.steps
        )

    @override
    def __len__(self) -> int:
        return len(self.steps)


def moved(shifts: Shifts, ref: MemberRef, index: int) -> int:
    """Return where an instruction has gone."""
    for shift in shifts.get(ref, ()):
        index = shift.of(index)
    return index


class Shifter:
    """Shifts walks by the shifts of one edit."""

    def __init__(
        self, shifts: Mapping[MemberRef, Shift], borders: Mapping[MemberRef, Borders]
    ) -> None:
        """``shifts`` and ``borders``: by member; those of one edit."""
        self._borders = borders
        self._shifts: Shifts = {ref: (shift,) for ref, shift in shifts.items()}
        self._joined: dict[int, tuple[Shifts, Shifts]] = {}

    def start(self, start: Start) -> Start:
        """Return the beginning of a walk, shifted."""
        if start.kind is not StartKind.VALUE or start.ref not in self._shifts:
            return start
        return start._replace(at=moved(self._shifts, start.ref, start.at))

    def walk(self, walk: Walk) -> Walk:
        """Return a walk, shifted."""
        if walk.members.isdisjoint(self._shifts):
            return walk
        reach = walk.reach
        flows = tuple(map(self._flow, reach.flows))
        cold = tuple(
            Cold(item.ref, moved(self._shifts, item.ref, item.instr), item.reason)
            for item in reach.cold
        )
        holds = tuple(map(self._hold, reach.holds))
        return walk._replace(reach=Reach(flows, cold, holds, reach.cells))

    def _hold(self, hold: Hold) -> Hold:
        path = hold.path
        shifted = Path(self._steps(path.steps), path.confidence, path.reasons, path.distance)
        if hold.ref not in self._shifts:
            return attrs.evolve(hold, path=shifted)
        starts, ends = self._borders.get(hold.ref, NO_BORDERS)
        ranges = tuple(
            (
                starts[start] if start in starts else moved(self._shifts, hold.ref, start - 1) + 1,
                ends[end] if end in ends else moved(self._shifts, hold.ref, end),
            )
            for start, end in hold.ranges
        )
        index = moved(self._shifts, hold.ref, hold.index)
        return attrs.evolve(hold, index=index, ranges=ranges, path=shifted)

    def _flow(self, flow: Flow) -> Flow:
        operation = flow.operation
        if operation.ref in self._shifts:
            index = moved(self._shifts, operation.ref, operation.instr)
            operation = operation._replace(instr=index)
        paths = tuple(
            Path(self._steps(path.steps), path.confidence, path.reasons, path.distance)
            for path in flow.paths
        )
        return Flow(operation, flow.dependency, flow.pattern, paths, flow.total)

    def _steps(self, steps: Sequence[Step]) -> Sequence[Step]:
        if not isinstance(steps, Shifted):
            return Shifted(steps, self._shifts)
        known = self._joined.get(id(steps.shifts))
        if known is None:
            known = self._joined[id(steps.shifts)] = (steps.shifts, self._join(steps.shifts))
        return Shifted(steps.steps, known[1])

    def _join(self, before: Shifts) -> Shifts:
        joined = dict(before)
        for ref, (shift,) in self._shifts.items():
            earlier = joined.get(ref, ())
            joined[ref] = (*earlier[:-1], *earlier[-1].then(shift)) if earlier else (shift,)
        return joined
