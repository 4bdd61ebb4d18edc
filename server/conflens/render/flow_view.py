"""Views of flows: the spot, text, place and role of each instruction on the way, resolved once.

Every feature and format that shows a flow makes it from these.  A *step* is an instruction that a flow passes, with its
roles there; a *line* of a path is the steps on the same code (a read, and the assignment of what was read) as one.  A
*truncation* is where the analysis stopped following a value (``flow.results.Cold``).
Invariants: a view belongs to the analysis that it was made from; what it says is worked out when it is first asked for,
since an option can have thousands of flows of which three are shown.
Absent: which flows count and in which order (``flows``), phrases (``flow_phrases``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice

import attrs

from conflens.base.span import Place
from conflens.base.words import shorten
from conflens.flow.instructions import method_of, operation_text, spot_of, text_of
from conflens.flow.results import (
    Cold,
    Confidence,
    Dependency,
    Flow,
    Operation,
    OptionKey,
    Path,
    Reach,
    StepRole,
)
from conflens.operations.flows import is_sure, most_telling, sure_counts, verb_of
from conflens.options.model import Option, Read
from conflens.program.refs import MemberRef
from conflens.render.flow_phrases import doubt, manner
from conflens.render.flows import reach_of
from conflens.render.links import link_to
from conflens.render.phrases import Wording, code, plain
from conflens.session.analysis import Analysis

MAX_TEXT = 100
MAX_LINES = 40
_MAX_SOURCE = 1000
_MAX_REASON = 200


@attrs.frozen(eq=False)
class StepView:
    """Instruction ``index`` of ``ref`` (-1: the member itself); ``roles`` are what a flow does there."""

    analysis: Analysis = attrs.field(repr=False)
    ref: MemberRef
    index: int
    roles: tuple[StepRole, ...] = ()

    @property
    def key(self) -> tuple[MemberRef, int, tuple[StepRole, ...]]:
        """What tells steps apart."""
        return self.ref, self.index, self.roles

    @cached_property
    def place(self) -> Place | None:
        """The spot; ``None`` for an instruction that is gone."""
        return spot_of(self.analysis, self.ref, self.index)

    @property
    def line(self) -> int:
        """The 1-based line of the spot; 0 for an instruction that is gone."""
        return self.analysis.line(self.place) if self.place is not None else 0

    @cached_property
    def method(self) -> str:
        """``Type.method`` around the instruction."""
        return method_of(self.analysis, self.ref)

    def text(self, limit: int) -> str:
        """Return the source on one line; empty when it is not known."""
        return text_of(self.analysis, self.ref, self.index, limit)

    def link(self, wording: Wording) -> str:
        """Return a Markdown link to the spot; empty for an instruction that is gone."""
        return link_to(self.analysis, self.place, wording) if self.place is not None else ""

    def where(self, wording: Wording) -> str:
        """Return ``in Type.method, [File.java:12](…)``."""
        method = plain(self.method, MAX_TEXT)
        return f"in {method}, {self.link(wording) or 'which is gone'}"


@attrs.frozen(eq=False)
class PathView:
    """One way from a read to an operation or a hold."""

    analysis: Analysis = attrs.field(repr=False)
    path: Path

    @cached_property
    def steps(self) -> tuple[StepView, ...]:
        """The steps in order, the read first."""
        return tuple(
            StepView(self.analysis, step.ref, step.instr, (step.role,)) for step in self.path.steps
        )

    @property
    def read(self) -> StepView:
        """The read that the path begins with."""
        first = self.path.steps[0]
        return StepView(self.analysis, first.ref, first.instr, (first.role,))

    @cached_property
    def lines(self) -> tuple[StepView, ...]:
        """The steps with those joined of which one's source holds the other's; an operation stands alone."""
        lines: list[StepView] = []
        before = ""
        for step in self.steps:
            text = step.text(_MAX_SOURCE)
            last = lines[-1] if lines else None
            is_around = last is not None and last.ref == step.ref and before and before in text
            if last is not None and is_around and StepRole.OPERATION not in step.roles:
                roles = tuple(dict.fromkeys((*last.roles, *step.roles)))
                lines[-1] = attrs.evolve(step, roles=roles)
            else:
                lines.append(step)
            before = text
        return tuple(lines)

    def numbered(self, skipped: int = 0) -> Sequence[tuple[int, StepView]]:
        """Return the lines after the first ``skipped`` with their numbers; of more than ``MAX_LINES`` the two ends."""
        numbered = list(enumerate(self.lines, 1))[skipped:]
        half = MAX_LINES // 2
        return numbered if len(numbered) <= MAX_LINES else numbered[:half] + numbered[-half:]

    @property
    def sureness(self) -> str:
        """The confidence with its reasons, as Markdown: ``medium confidence (dynamic call).``"""
        words = f"{self.path.confidence} confidence"
        if self.path.confidence is Confidence.HIGH or not self.path.reasons:
            return f"{words}."
        return f"{words} ({plain(', '.join(self.path.reasons), _MAX_REASON)})."


@attrs.frozen(eq=False)
class FlowView:
    """That an option reaches an operation in one way."""

    analysis: Analysis = attrs.field(repr=False)
    flow: Flow

    @cached_property
    def operation(self) -> StepView:
        """The operation as a step."""
        operation = self.flow.operation
        return StepView(self.analysis, operation.ref, operation.instr, (StepRole.OPERATION,))

    @property
    def api(self) -> str:
        """What a person calls the operation: ``FileChannel.write``."""
        return self.flow.operation.api

    @property
    def kind(self) -> str:
        """The kind of the operation as it is shown."""
        return self.flow.operation.kind

    @property
    def dependency(self) -> Dependency:
        """In which way the option reaches it."""
        return self.flow.dependency

    @property
    def is_sure(self) -> bool:
        """Whether the flow counts."""
        return is_sure(self.flow)

    @property
    def verb(self) -> str:
        """What the option does to the operation: ``sizes``, ``repeats``."""
        return verb_of(self.flow.dependency, self.flow.operation.kind)

    @property
    def manner(self) -> str:
        """How the option reaches it: ``branch (branch-constant), 2 call levels below``."""
        return manner(self.flow)

    @property
    def doubt(self) -> str:
        """Why the flow is not of high confidence, empty if it is."""
        return doubt(self.flow)

    @cached_property
    def paths(self) -> tuple[PathView, ...]:
        """The best few paths, surest first."""
        return tuple(PathView(self.analysis, path) for path in self.flow.paths)

    def text(self, limit: int) -> str:
        """Return the operation as its source shows it, or else its API."""
        return operation_text(self.analysis, self.flow.operation, limit)


@attrs.frozen(eq=False)
class TruncationView:
    """Where the analysis stopped following a value, and why (one line)."""

    step: StepView
    reason: str

    @staticmethod
    def of(analysis: Analysis, cold: Cold) -> TruncationView:
        """Return the view of a truncation."""
        return TruncationView(StepView(analysis, cold.ref, cold.instr), cold.reason)


@attrs.frozen(eq=False)
class ReachView:
    """What one read of an option reaches, or all its reads together."""

    analysis: Analysis = attrs.field(repr=False)
    reach: Reach

    @cached_property
    def counts(self) -> dict[tuple[Dependency, str], int]:
        """How many sure operations of each shown kind are reached in each way."""
        return sure_counts([self.reach])

    @property
    def operations(self) -> int:
        """How many operations are reached, surely or not."""
        return len(self.reach.nearest())

    @cached_property
    def nearest(self) -> tuple[FlowView, ...]:
        """The surest flow to each operation, most telling first."""
        return tuple(self._views(most_telling(self.reach.nearest())))

    @cached_property
    def by_operation(self) -> dict[Operation, list[FlowView]]:
        """All flows to each operation, the most telling operation first."""
        flows: dict[Operation, list[FlowView]] = {view.flow.operation: [] for view in self.nearest}
        for view in self._views(self.reach.flows):
            flows[view.flow.operation].append(view)
        return flows

    @cached_property
    def truncations(self) -> tuple[TruncationView, ...]:
        """Where the analysis stopped."""
        return tuple(TruncationView.of(self.analysis, cold) for cold in self.reach.cold)

    def _views(self, flows: Iterable[Flow]) -> Iterator[FlowView]:
        return (FlowView(self.analysis, flow) for flow in flows)


@attrs.frozen(eq=False)
class Reacher:
    """That the option ``key`` reaches an operation; ``flow`` is the surest way it does."""

    key: OptionKey
    flow: FlowView
    dependencies: tuple[Dependency, ...]


def reach_view(analysis: Analysis, option: Option, read: Read | None = None) -> ReachView:
    """Return the view of what one read of an option reaches, or all of them."""
    return ReachView(analysis, reach_of(analysis, option, read))


def line_text(line: StepView, wording: Wording) -> str:
    """Return a line of a path as Markdown: ``read, assign `int n = …` in Pool.init, [Pool.java:12](…)``."""
    text = line.text(_MAX_SOURCE)
    source = f" {code(shorten(text, MAX_TEXT))}" if text else ""
    return f"{', '.join(line.roles)}{source} {line.where(wording)}"


def operation_places(analysis: Analysis, flows: Iterable[Flow], limit: int) -> tuple[Place, ...]:
    """Return the spots of the first ``limit`` operations, in order of place."""
    first = islice(dict.fromkeys(flow.operation for flow in flows), limit)
    spots = [spot_of(analysis, operation.ref, operation.instr) for operation in first]
    return tuple(sorted({spot for spot in spots if spot is not None}))


def operations_at(
    analysis: Analysis, path: str, offset: int
) -> tuple[Place, dict[Operation, tuple[Reacher, ...]]] | None:
    """Return the reached operations that a cursor touches, with who reaches them, surest first.

    Of nested operations the innermost counts.  An answer costs what the member at the cursor holds,
    not what the file does.
    """
    facts = analysis.program.files.get(path)
    if facts is None:
        return None
    best: Place | None = None
    touched: list[Operation] = []
    reached = analysis.flows.operations_in(path)
    for operation in reached:
        number = operation.ref.number
        if number >= len(facts.members):
            continue
        if not facts.members[number].at <= offset <= facts.members[number].end:
            continue
        spot = spot_of(analysis, operation.ref, operation.instr)
        if spot is None or not spot.holds(offset):
            continue
        if best is None or spot.end - spot.start < best.end - best.start:
            best, touched = spot, []
        if spot == best:
            touched.append(operation)
    if best is None:
        return None
    return best, {operation: _reachers(analysis, reached[operation]) for operation in touched}


def _reachers(analysis: Analysis, flows: Sequence[tuple[OptionKey, Flow]]) -> tuple[Reacher, ...]:
    by_key: dict[OptionKey, list[Flow]] = {}
    for key, flow in flows:
        by_key.setdefault(key, []).append(flow)
    surest_first = {key: sorted(ways, key=_rank) for key, ways in by_key.items()}
    ordered = sorted(surest_first.items(), key=lambda item: (_rank(item[1][0]), item[0]))
    return tuple(
        Reacher(
            key, FlowView(analysis, ways[0]), tuple(dict.fromkeys(way.dependency for way in ways))
        )
        for key, ways in ordered
    )


def _rank(flow: Flow) -> tuple[int, int, bool]:
    return flow.confidence.rank, flow.distance, flow.dependency is not Dependency.DIRECT
