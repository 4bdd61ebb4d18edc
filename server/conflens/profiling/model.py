"""The one model that all importers fill.

Terms
    snapshot   what one file of a profiler says of one run.
    series     the weights of one kind of event, in one unit, by call chain.
    chain      the frames from the start of a thread (root) to the method at work (leaf).
    own        the weight of a node itself, without what it calls.
    count      invocations where the profiler counts them, else samples or events; 0 where the file
               says neither.

Invariants: node 0 of a tree is its root, which has no frame; a parent's number is below its
children's; weights and counts are never negative.  Kinds stay apart: nanoseconds of waiting are not added to
nanoseconds of computing by anything in this layer.  Absent: files, source places, options.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

import attrs


class EventKind(StrEnum):
    """What a weight stands for."""

    CPU = "cpu"
    WALL = "wall"
    """Time on the clock, running or not."""
    ALLOCATION = "allocation"
    LOCK = "lock"
    """Blocked because somebody else holds a lock or a permit."""
    WAIT = "wait"
    """Waiting for others' results or for work: a queue, a future, a condition."""
    SLEEP = "sleep"
    IO = "io"


BLOCKED = frozenset({EventKind.SLEEP, EventKind.WAIT})
"""Kinds of which a run that is longer for another reason has more, too."""


class Unit(StrEnum):
    """The unit of a weight."""

    SAMPLES = "samples"
    NANOSECONDS = "nanoseconds"
    BYTES = "bytes"


class Nature(StrEnum):
    """What a frame is."""

    JAVA = "java"
    NATIVE = "native"
    KERNEL = "kernel"
    THREAD = "thread"
    """A thread, at the top of its chains; ``method`` is its name, with ``*`` for numbers."""
    OBJECT = "object"
    """A leaf that names the class that is allocated or locked (``method``)."""
    OPAQUE = "opaque"
    """Something that the profiler left out or could not tell; ``method`` says what."""


class Frame(NamedTuple):
    """One frame.

    ``owner`` is the binary name of the class (``java.util.Map$Entry``; dots between packages), empty
    where there is none; ``simple`` says that the profiler gave it without its package.  ``descriptor`` is the
    JVM's (``(I[B)V``) or empty.  ``line`` is 1-based, 0 where it is not known.
    """

    owner: str
    method: str
    descriptor: str = ""
    line: int = 0
    nature: Nature = Nature.JAVA
    simple: bool = False


@attrs.frozen(eq=False)
class CallTree:
    """Call chains as columns, one entry for each node: see the module's invariants.

    ``parent`` is -1 for the root; ``frame`` is an index into ``frames`` (-1 for the root);
    ``own`` and ``count`` are those of the node itself.
    """

    frames: Sequence[Frame] = attrs.field(repr=False)
    parent: array[int] = attrs.field(repr=False)
    frame: array[int] = attrs.field(repr=False)
    own: array[int] = attrs.field(repr=False)
    count: array[int] = attrs.field(repr=False)

    def __len__(self) -> int:
        """Return the number of nodes, the root included."""
        return len(self.parent)

    def totals(self) -> array[int]:
        """Return for each node its own weight and that of everything below."""
        total = array("q", self.own)
        parent = self.parent
        for node in range(len(parent) - 1, 0, -1):
            total[parent[node]] += total[node]
        return total

    def chain(self, node: int) -> list[Frame]:
        """Return the frames from the root to ``node``."""
        found: list[Frame] = []
        while node > 0:
            found.append(self.frames[self.frame[node]])
            node = self.parent[node]
        found.reverse()
        return found

    def chains(self) -> Iterator[tuple[list[Frame], int, int]]:
        """Yield (frames root first, own weight, count) of every node that has either."""
        for node in range(1, len(self.parent)):
            if self.own[node] or self.count[node]:
                yield self.chain(node), self.own[node], self.count[node]


@attrs.frozen(eq=False)
class Series:
    """All weights of one kind in one unit.

    ``period``: what one sample stands for, in ns; 0 where weights are no samples or the file does not tell.
    ``counted``: counts are exact invocations (instrumentation), not samples.
    ``flat``: the chains are single methods; nothing is known of their callers.
    """

    kind: EventKind
    unit: Unit
    tree: CallTree = attrs.field(repr=False)
    period: int = 0
    counted: bool = False
    flat: bool = False

    @property
    def total(self) -> int:
        """The sum of all weights."""
        return sum(self.tree.own)


class Origin(StrEnum):
    """Where a value of the run was recorded."""

    SYSTEM_PROPERTY = "system property"
    ENVIRONMENT = "environment"
    ARGUMENT = "argument"
    JVM_ARGUMENT = "JVM argument"
    FLAG = "JVM flag"
    SETTING = "recording setting"
    URL_PARAMETER = "URL parameter"
    CONFIG_FILE = "config file"


class RunValue(NamedTuple):
    """A value that the run was configured with; of a redacted one only ``digest`` can be compared."""

    origin: Origin
    name: str
    value: str
    redacted: bool = False
    digest: str = ""


@attrs.frozen
class Snapshot:
    """One profiler file, imported.

    ``taken``: seconds since 1970 at which the recording ended, 0 if the file does not tell;
    ``seconds``: how long it ran, 0 if not told.  ``before``: the baseline's own
    weights, for a file that compares two runs (``series`` are then the violation's).
    ``notes``: what a person must know to read the figures right, whole sentences.
    """

    name: str
    format: str
    series: tuple[Series, ...]
    taken: float = 0.0
    seconds: float = 0.0
    values: tuple[RunValue, ...] = ()
    notes: tuple[str, ...] = ()
    before: tuple[Series, ...] = ()
    computing: float = 0.0
    """The CPU time of the whole process in seconds, 0 if not told."""
    others: float = 0.0
    """The share of the machine's processors that other processes used, 0 if not told."""

    def of(self, kind: EventKind) -> Series | None:
        """Return the series of a kind."""
        return next((series for series in self.series if series.kind is kind), None)


class ImportFailure(Exception):  # noqa: N818 - what happened, in words for a person
    """A file that cannot be imported: ``str`` is one line, ``NAME: PLACE: REASON``."""

    def __init__(self, name: str, place: str, reason: str) -> None:
        """``place``: "line 12", "byte 4096", or empty."""
        self.name, self.place, self.reason = name, place, reason
        text = ": ".join(part for part in (name, place, reason) if part)
        super().__init__(" ".join(text.split()))
