"""Flows from options to performance operations: what the engine finds and everybody above shows.

Terms
    operation   an instruction that costs time or memory, with its kind and API.
    dependency  how an option reaches an operation (DiagConfig §2.2): ``direct`` (its value is an
                argument or sizes it), ``branch`` (it decides whether it runs), ``loop`` (how often).
    pattern     LearnConf's nine (§2, §3.2).
    path        the steps from an option read to an operation; the first step is the read, the last
                the operation.
    distance    call levels between the governed code and the operation; 0 for ``direct``.
    cold        a place where a trail ends although the value may go on, and why.

A step names an instruction (member and index), not an offset, so that a result outlives edits elsewhere
in the file; ``place_of`` gives the place in the program of the day.  Everything here is frozen and a
pure function of program, rows and reads.  Absent: options and their names (``options``), texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol, runtime_checkable

import attrs

from conflens.base.span import Place
from conflens.program.program import Program
from conflens.program.refs import MemberRef


class Dependency(StrEnum):
    """See the module text."""

    DIRECT = "direct"
    BRANCH = "branch"
    LOOP = "loop"


class Pattern(StrEnum):
    """LearnConf, Table 1."""

    DATA = "data"
    BRANCH_CONSTANT = "branch-constant"
    BRANCH_APPROACHING = "branch-approaching"
    BRANCH_BACK_AND_FORTH = "branch-back-and-forth"
    BRANCH_UNRELATED = "branch-unrelated"
    LOOP_BOUND = "loop-bound"
    LOOP_STRIDE = "loop-stride"
    SYNC_LOOP = "sync-loop"
    INFINITE_LOOP = "infinite-loop"


class Confidence(StrEnum):
    """How sure a path is; ``Path.reasons`` says why it is not ``high``."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"

    @property
    def rank(self) -> int:
        """0 for ``high``, 2 for ``low``."""
        return _RANKS[self]


_RANKS = {Confidence.HIGH: 0, Confidence.MEDIUM: 1, Confidence.LOW: 2}


class StepRole(StrEnum):
    """What a step does with the value."""

    READ = "read"
    ASSIGN = "assign"
    STORE = "store"
    LOAD = "load"
    ARGUMENT = "argument"
    RETURN = "return"
    COMPUTE = "compute"
    GUARD = "guard"
    CALL = "call"
    """A call below governed code, on the way to the operation; shown as ``guard`` in the contract."""
    OPERATION = "operation"


class Operation(NamedTuple):
    """Instruction ``instr`` of ``ref``.

    ``kind`` is ``memory``, ``io``, ``lock``, ``thread``, ``compute`` or one that the workspace file
    names; ``api`` is what a person would call it: ``FileChannel.write``, ``new byte[]``,
    ``synchronized``.
    """

    ref: MemberRef
    instr: int
    kind: str
    api: str


class Step(NamedTuple):
    """Instruction ``instr`` of ``ref`` (-1: the member itself) and what it does with the value."""

    ref: MemberRef
    instr: int
    role: StepRole


@attrs.frozen
class Path:
    """One way from a read to an operation; ``reasons`` are short phrases, empty when ``high``."""

    steps: Sequence[Step]
    confidence: Confidence
    reasons: tuple[str, ...]
    distance: int


@attrs.frozen
class Flow:
    """That an option reaches an operation in one way.

    ``paths`` are the best few, surest and then shortest first; ``total`` counts all that differ in
    the read they begin with or in the place where the option takes hold (the guard, the argument).
    """

    operation: Operation
    dependency: Dependency
    pattern: Pattern
    paths: tuple[Path, ...] = attrs.field(repr=False)
    total: int

    @property
    def confidence(self) -> Confidence:
        """That of the surest path."""
        return self.paths[0].confidence

    @property
    def distance(self) -> int:
        """That of the surest path."""
        return self.paths[0].distance

    @property
    def key(self) -> tuple[Operation, Dependency, Pattern]:
        """What tells flows of one option apart."""
        return self.operation, self.dependency, self.pattern


@attrs.frozen
class Hold:
    """Where an option takes hold of what runs, whether or not that costs: instruction ``index`` of ``ref``.

    ``direct``: the instruction takes the value as an argument, or is sized by it.  ``branch`` and ``loop``: it is a
    condition or a loop, and ``ranges`` are the half-open index ranges of the body that it governs; or, with
    ``target``, a call that runs this method because the option chose its object.
    """

    ref: MemberRef
    index: int
    dependency: Dependency
    ranges: tuple[tuple[int, int], ...]
    target: MemberRef | None
    path: Path = attrs.field(repr=False)
    """From the read to the hold."""

    @property
    def key(self) -> tuple[MemberRef, int, Dependency, MemberRef | None]:
        """What tells holds of one option apart."""
        return self.ref, self.index, self.dependency, self.target


class Cold(NamedTuple):
    """A trail ends at instruction ``instr`` of ``ref``; ``reason`` is one line for a person."""

    ref: MemberRef
    instr: int
    reason: str


@attrs.frozen
class Reach:
    """What one read, or all reads of an option together, reach: sorted surest and nearest first."""

    flows: tuple[Flow, ...]
    cold: tuple[Cold, ...] = ()
    holds: tuple[Hold, ...] = attrs.field(default=(), repr=False)
    cells: tuple[MemberRef, ...] = attrs.field(default=(), repr=False)
    """The fields that keep the value, or an object made from it, and the constructors that are given it."""
    _files: dict[str, tuple[Flow, ...]] = attrs.field(
        init=False, factory=dict, eq=False, repr=False
    )
    _sure: dict[tuple[Dependency, str], int] = attrs.field(
        init=False, factory=dict, eq=False, repr=False
    )
    _nearest: list[Flow] = attrs.field(init=False, factory=list, eq=False, repr=False)

    def nearest(self) -> Sequence[Flow]:
        """Return the first, surest flow to each operation, in order; found at the first call."""
        if self.flows and not self._nearest:
            seen: dict[Operation, Flow] = {}
            for flow in self.flows:
                seen.setdefault(flow.operation, flow)
            self._nearest[:] = seen.values()
        return self._nearest

    def in_file(self, path: str) -> tuple[Flow, ...]:
        """Return the flows whose operation stands in a file; indexed at the first call."""
        if self.flows and not self._files:
            found: dict[str, list[Flow]] = {}
            for flow in self.flows:
                found.setdefault(flow.operation.ref.path, []).append(flow)
            self._files.update({at: tuple(flows) for at, flows in found.items()})
        return self._files.get(path, ())

    def sure(self) -> Mapping[tuple[Dependency, str], int]:
        """Return ``counts`` of the flows of high or medium confidence; counted at the first call."""
        if self.flows and not self._sure and self.flows[0].confidence is not Confidence.LOW:
            self._sure.update(
                counts(flow for flow in self.flows if flow.confidence is not Confidence.LOW)
            )
        return self._sure


NOTHING = Reach(())

OptionKey = tuple[str, str]
"""``(domain, name)``."""


class Taken(NamedTuple):
    """Where an option takes hold, and what keeps its value.

    ``places`` says of each of ``holds`` in which body it is and how; holds of a stored table are made when they are
    looked at.
    """

    option: OptionKey
    holds: Sequence[Hold]
    places: Sequence[tuple[MemberRef, Dependency]]
    cells: tuple[MemberRef, ...]


@runtime_checkable
class Held(Protocol):
    """Reaches that tell what is held without making the rest."""

    def taken(self) -> Iterator[Taken]:
        """See ``FlowTable.taken``."""

    def kinds(self, key: OptionKey) -> frozenset[str]:
        """See ``FlowTable.kinds``."""


@attrs.frozen
class FlowTable:
    """All flows of a program.

    ``options``: by option.  ``reads``: by option and place of the read; a read that reaches nothing and
    never goes cold may be absent.
    """

    options: Mapping[OptionKey, Reach] = attrs.field(factory=dict, repr=False)
    reads: Mapping[tuple[OptionKey, Place], Reach] = attrs.field(factory=dict, repr=False)
    _operations: dict[str, dict[Operation, list[tuple[OptionKey, Flow]]]] = attrs.field(
        init=False, factory=dict, eq=False, repr=False
    )

    def of_option(self, key: OptionKey) -> Reach:
        """Return what an option reaches."""
        return self.options.get(key, NOTHING)

    def of_read(self, key: OptionKey, place: Place) -> Reach:
        """Return what one read of an option reaches."""
        return self.reads.get((key, place), NOTHING)

    def taken(self) -> Iterator[Taken]:
        """Yield where each option takes hold and what keeps it; of a stored table without making its flows."""
        if isinstance(self.options, Held):
            yield from self.options.taken()
            return
        for key, reach in self.options.items():
            places = [(hold.ref, hold.dependency) for hold in reach.holds]
            yield Taken(key, reach.holds, places, reach.cells)

    def kinds(self, key: OptionKey) -> frozenset[str]:
        """Return the kinds of operations that an option reaches."""
        if isinstance(self.options, Held):
            return self.options.kinds(key)
        return frozenset(flow.operation.kind for flow in self.of_option(key).flows)

    def operations_in(self, path: str) -> Mapping[Operation, list[tuple[OptionKey, Flow]]]:
        """Return the operations of a file that options reach, with the flows that reach them; kept
        after the first call."""
        found = self._operations.get(path)
        if found is None:
            found = {}
            for key, reach in self.options.items():
                for flow in reach.in_file(path):
                    found.setdefault(flow.operation, []).append((key, flow))
            self._operations[path] = found
        return found


EMPTY = FlowTable()


def place_of(program: Program, ref: MemberRef, index: int) -> Place:
    """Return where an instruction stands; the member's name for index -1 or one that is gone."""
    member = program.member(ref)
    if index >= 0:
        code = program.body(ref).code
        if index < len(code):
            instr = code[index]
            return Place(ref.path, member.at + instr.at, member.at + instr.end)
    return Place(ref.path, member.name_at, member.name_end)


def counts(flows: Iterable[Flow]) -> dict[tuple[Dependency, str], int]:
    """Return how many operations of each kind are reached in each way."""
    seen: dict[tuple[Dependency, str], set[Operation]] = {}
    for flow in flows:
        seen.setdefault((flow.dependency, flow.operation.kind), set()).add(flow.operation)
    return {key: len(found) for key, found in seen.items()}


def order(flow: Flow) -> tuple[int, int, str, str, int, int]:
    """Sort key: surest and nearest first, then by place."""
    best = flow.paths[0]
    operation = flow.operation
    ref = operation.ref
    return (
        best.confidence.rank,
        best.distance,
        flow.dependency.value,
        ref.path,
        ref.number,
        operation.instr,
    )
