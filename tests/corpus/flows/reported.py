"""Reported flows in plain form: options by name, places as lines, so that tables can be held against them.

Terms
    spot   where an instruction stands: its file, its first and last line, and the lines of the
           member around it.  Of a statement with a body only the head counts, so that the line
           of a condition names one statement.
Invariant: flows stand in the order of the flow table, options by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import attrs

from conflens.base.text import Encoding
from conflens.facts import ir
from conflens.flow.results import Flow, Path, Step, StepRole
from conflens.options.assembly import method_name
from conflens.program.refs import MemberRef
from conflens.session.analysis import Analysis

Lines = tuple[int, int]
"""First and last line, 1-based."""


@attrs.frozen
class Spot:
    """See the module text; ``method`` is ``Type.method``."""

    path: str
    lines: Lines
    member: Lines
    method: str = ""

    def at(self, path: str, line: int) -> bool:
        """Tell whether this is the place ``path:line``."""
        return self.path == path and self.lines[0] <= line <= self.lines[1]

    def near(self, path: str, line: int) -> bool:
        """Tell whether ``path:line`` lies in the same member."""
        return self.path == path and self.member[0] <= line <= self.member[1]

    @property
    def place(self) -> str:
        """``path:line``."""
        return f"{self.path}:{self.lines[0]}"


@attrs.frozen
class Shown:
    """A step of a path."""

    role: str
    spot: Spot


@attrs.frozen
class Chain:
    """A path from a read to an operation."""

    steps: tuple[Shown, ...]
    confidence: str
    reasons: tuple[str, ...]
    distance: int

    def guards(self) -> tuple[Spot, ...]:
        """Return where the option decides whether or how often the rest runs."""
        return tuple(step.spot for step in self.steps if step.role == StepRole.GUARD.value)


@attrs.frozen
class Reported:
    """That an option reaches an operation in one way; ``total`` counts its chains."""

    option: str
    domain: str
    dependency: str
    pattern: str
    kind: str
    api: str
    operation: Spot
    confidence: str
    chains: tuple[Chain, ...] = attrs.field(repr=False, default=())
    total: int = 1

    @property
    def key(self) -> tuple[str, str, str, str, str, int]:
        """What tells flows apart, for sorting."""
        place = self.operation
        return self.option, self.dependency, self.pattern, self.api, place.path, place.lines[0]


def reported(analysis: Analysis) -> Iterator[Reported]:
    """Yield every flow of an analysis in plain form."""
    spot = _spots(analysis)
    for (domain, name), reach in sorted(
        analysis.flows.options.items(), key=lambda pair: (pair[0][1], pair[0][0])
    ):
        for flow in reach.flows:
            yield _plain(name, domain, flow, spot)


def _plain(name: str, domain: str, flow: Flow, spot: Callable[[MemberRef, int], Spot]) -> Reported:
    operation = flow.operation
    return Reported(
        name,
        domain,
        flow.dependency.value,
        flow.pattern.value,
        operation.kind,
        operation.api,
        spot(operation.ref, operation.instr),
        flow.confidence.value,
        tuple(_chain(path, spot) for path in flow.paths),
        flow.total,
    )


def _chain(path: Path, spot: Callable[[MemberRef, int], Spot]) -> Chain:
    def shown(step: Step) -> Shown:
        return Shown(step.role.value, spot(step.ref, step.instr))

    steps = tuple(shown(step) for step in path.steps)
    return Chain(steps, path.confidence.value, path.reasons, path.distance)


def _spots(analysis: Analysis) -> Callable[[MemberRef, int], Spot]:
    """Return a function that places instructions; each is placed once."""
    known: dict[tuple[MemberRef, int], Spot] = {}
    program = analysis.program

    def line(path: str, offset: int) -> int:
        return analysis.position(path, offset, Encoding.UTF8)[0] + 1

    def spot(ref: MemberRef, index: int) -> Spot:
        found = known.get((ref, index))
        if found is None:
            member = program.member(ref)
            code = program.body(ref).code if index >= 0 else ()
            if 0 <= index < len(code):
                first, end = _head(code, index)
                start, stop = member.at + first, member.at + end
            else:
                start = stop = member.name_at
            found = known[ref, index] = Spot(
                ref.path,
                (line(ref.path, start), line(ref.path, stop)),
                (line(ref.path, member.at), line(ref.path, member.end)),
                method_name(program, ref.path, ref.number),
            )
        return found

    return spot


def _head(code: tuple[ir.Instr, ...], index: int) -> Lines:
    """Return the offsets of an instruction, of one with a body those of its head."""
    instr = code[index]
    subject = ir.NONE
    if isinstance(instr, ir.If | ir.Loop):
        subject = instr.test
    elif isinstance(instr, ir.ForEach):
        subject = instr.iterable
    elif isinstance(instr, ir.Switch):
        subject = instr.subject
    elif isinstance(instr, ir.Sync):
        subject = instr.lock
    elif not isinstance(instr, ir.Try | ir.Lambda | ir.Block):
        if isinstance(instr, ir.New) and instr.body >= 0:
            return instr.at, instr.at
        return instr.at, instr.end
    if subject < 0:
        return instr.at, instr.at
    test = code[subject]
    if isinstance(instr, ir.Loop) and instr.kind == "do":
        return test.at, test.end
    return instr.at, test.end
