"""What a diagnosis says; everybody above shows these and nothing else.

Terms
    side        the repetitions of one configuration: *baseline* (may be missing) or *violation*.
    hotspot     a method whose own weight grew beyond the threshold; without a baseline, one with much own weight
                (DiagConfig §3.2).
    variation   (after - before) / total before: what a method adds, as a share of the whole baseline run, so that
                the variations of all methods add up to that of the run.
    cause       a cause-effect chain: option -> path -> hold -> call chain -> hotspot (DiagConfig §3.3).
    hold        where the option takes hold of what the profiler saw: a condition, a loop, an argument.
    explained   the part of the run's variation that is attributed to an option, 0 to 1; what several
                options are behind is shared among them, never counted twice.
    under       the share of a kind's weight in call chains that pass a hold of the option: options overlap here.

Weights are in the unit of their kind, averaged over repetitions and made comparable (``Diagnosis.scale``).  All
places are instructions (``flow.results``); ``line`` of a frame is 0 where the snapshot has none or the
source has moved since, so that no wrong line is ever shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

import attrs

from conflens.flow.results import Dependency, Hold, OptionKey
from conflens.profiling.model import EventKind, Frame, Unit
from conflens.program.refs import MemberRef


class Located(NamedTuple):
    """A frame of a profile and what it is in the source of today.

    ``ref`` is ``None`` for code outside of the project, and where several members could be meant.  ``line`` is
    the 1-based line in the source of today, or 0.
    """

    frame: Frame
    ref: MemberRef | None = None
    line: int = 0


@attrs.frozen
class HotChain:
    """One way in which a hotspot was called: frames root first, the hotspot last; ``counts`` are invocations
    or samples."""

    frames: tuple[Located, ...]
    before: float
    after: float


@attrs.frozen
class Hotspot:
    """A method; see the module text.

    ``before`` is ``None`` without a baseline, as are ``variation`` and ``change`` then; ``change`` is
    after / before - 1, ``inf`` for a method that is new.  ``share`` is of the violation's total of its
    kind.  ``note`` says how sure the difference is ("p = 0.01 by 5 + 5 runs"), or why it is not.
    """

    kind: EventKind
    method: Located
    before: float | None
    after: float
    share: float
    variation: float | None
    change: float | None
    significant: bool
    note: str
    chains: tuple[HotChain, ...] = attrs.field(repr=False)
    """Most variation (without a baseline: most weight) first."""
    idle: bool = False
    """It is the waiting of threads that have nothing to do (``idle``)."""


@attrs.frozen
class Cause:
    """A cause-effect chain.

    ``joint`` is the frame of ``chain`` in whose body the option takes hold; the frames after it are
    what the hold governs or feeds.  ``spawned``: the frames above ``joint`` were completed across a thread,
    because its body is where the work was handed over.  ``made``: the hold is where the object is made whose
    method ``joint`` runs.  ``explained`` is the part of the run's
    variation (without a baseline: of its weight) given to this chain.  ``effect`` says what the runs
    show at the joint: "runs only in the slow run", "5.2 times as often", … or is empty.
    """

    option: OptionKey
    dependency: Dependency
    hold: Hold
    hotspot: Hotspot
    chain: HotChain
    joint: int
    explained: float
    effect: str = ""
    spawned: bool = False
    made: bool = False

    @property
    def spent_in(self) -> MemberRef | None:
        """The member whose own work (``heat``) the hotspot is: itself, or the last one before a library."""
        refs = (located.ref for located in reversed(self.chain.frames))
        return next((ref for ref in refs if ref is not None), None)


class Verdict(StrEnum):
    """What is said of an option."""

    LIKELY = "likely"
    """Explains a part of a cost that differs by more than noise, or is the only recorded difference."""
    POSSIBLE = "possible"
    """What ran under it differs, but within the noise, or no chain shows how."""
    DIFFERS = "differs"
    """Explains little, but the runs differ where it decides: probably set differently."""
    BEHIND = "behind"
    """Takes hold of a part of the cost; without a baseline nothing more can be said."""
    UNCHANGED = "unchanged"
    """Would explain a part, but had the same value in both runs."""


class Value(NamedTuple):
    """An option's value in the runs as recorded; ``None`` where it was not, or redacted (``secret``)."""

    before: str | None
    after: str | None
    same: bool
    secret: bool = False


@attrs.frozen
class Suspect:
    """An option with what is held against it.

    ``values`` is ``None`` if no run recorded it.  ``parts``: ``explained`` by dependency.  ``reason`` says in a sentence or two
    what the runs show, and is empty without chains and values.
    """

    option: OptionKey
    verdict: Verdict
    explained: float
    parts: Mapping[Dependency, float]
    values: Value | None
    causes: tuple[Cause, ...] = attrs.field(repr=False)
    """Most explained first."""
    reason: str = ""


class Total(NamedTuple):
    """What a kind cost in all: ``before`` is ``None`` without a baseline."""

    kind: EventKind
    unit: Unit
    before: float | None
    after: float


class Under(NamedTuple):
    """Shares (0 to 1) of a kind's weight that passes a hold of an option: in all, and by dependency, nearest
    hold first, so that the parts add up to the whole.  ``before`` is the share of the *baseline's* weight that does,
    ``None`` without one."""

    kind: EventKind
    share: float
    parts: Mapping[Dependency, float]
    before: float | None = None


class Difference(NamedTuple):
    """A recorded value that differs between the runs; ``option`` if it is one of the project's."""

    name: str
    origin: str
    before: str | None
    after: str | None
    option: OptionKey | None


class Cost(NamedTuple):
    """What the runs spent of one kind, and whether that differs (``violation``).

    ``kind`` is ``None`` for the length of the runs.  ``change`` is after / before - 1, ``inf`` from nothing; ``noise`` is the
    change up to which runs of one configuration may differ.  ``significant``: the change is larger than the noise and the
    threshold.  ``runs``: of each side.
    """

    kind: EventKind | None
    unit: Unit
    before: float
    after: float
    change: float
    noise: float
    significant: bool
    runs: tuple[int, int]


@attrs.frozen
class Heat:
    """What a member costs in the violation (or the single snapshot), by kind of event.

    ``own`` and ``whole`` are shares of the kind's total; ``before`` is the own share of the
    *baseline's* total, ``None`` without one.  ``lines``: own or inclusive share by line of today, only where
    the lines can be trusted.
    """

    kind: EventKind
    own: float
    whole: float
    before: float | None
    variation: float | None
    lines: Mapping[int, float]


class Joint(NamedTuple):
    """A method (class, name, descriptor) and the one that it calls, ``None`` for its own work."""

    caller: tuple[str, str, str]
    callee: tuple[str, str, str] | None


class Scale(StrEnum):
    """How two sides are made comparable."""

    WORK = "work"
    """Both did the same work: weights are compared as they are."""
    TIME = "time"
    """Both served a load: weights are divided by the seconds recorded."""
    SHARE = "share"
    """Weights are divided by the total of their kind."""


@attrs.frozen
class Diagnosis:
    """Everything said of one or two sides."""

    baseline: tuple[str, ...]
    violation: tuple[str, ...]
    totals: tuple[Total, ...]
    violated: bool
    """A kind of cost differs by more than noise (always true without a baseline)."""
    hotspots: tuple[Hotspot, ...] = attrs.field(repr=False)
    suspects: tuple[Suspect, ...] = attrs.field(repr=False)
    under: Mapping[OptionKey, tuple[Under, ...]] = attrs.field(repr=False)
    heat: Mapping[MemberRef, tuple[Heat, ...]] = attrs.field(repr=False)
    holds: Mapping[Joint, tuple[tuple[OptionKey, Dependency], ...]] = attrs.field(
        factory=dict, repr=False
    )
    """What ``under`` rests on: the options that take hold of a call, or of a method's own work."""
    differences: tuple[Difference, ...] = ()
    unexplained: float = 0.0
    """The part of the variation of the hotspots that no option was found for, 0 to 1."""
    scale: str = ""
    """How the sides were made comparable, one sentence."""
    notes: tuple[str, ...] = ()
    values: Mapping[OptionKey, Value] = attrs.field(factory=dict, repr=False)
    """Of the options that the runs recorded."""
    seconds: tuple[float, float] | None = None
    """How long the runs of each side were on average; ``None`` without a baseline, or where they do not tell."""
    covered: Mapping[EventKind, Under] = attrs.field(factory=dict, repr=False)
    """By kind what runs under any likely cause; without a baseline, under any option at all."""
    idle: frozenset[tuple[MemberRef, EventKind]] = attrs.field(default=frozenset(), repr=False)
    """The members of which all of a kind is idle waiting (``idle``)."""
    scaling: Scale = Scale.WORK
    """What weights are: as recorded, per second, or shares of their kind's total (0 to 1)."""
    costs: tuple[Cost, ...] = ()
    """Each kind of cost judged by itself, the length of the runs first; empty without a baseline and for shares."""

    def of_member(self, ref: MemberRef) -> tuple[Heat, ...]:
        """Return the heat of a member, hottest kind first."""
        return self.heat.get(ref, ())

    def suspects_of(self, ref: MemberRef) -> tuple[Suspect, ...]:
        """Return the suspects with a chain to a hotspot in ``ref`` or in what a library does for it, in their order."""
        return tuple(
            suspect
            for suspect in self.suspects
            if any(cause.spent_in == ref for cause in suspect.causes)
        )
