"""What is known of one recording while it is read, and the snapshot that comes of it.

Purpose: the one meeting place of the readers of ``.jfr`` and of what ``jfr print`` writes: they hand in chains, settings
and values of the run; this module names frames, keeps what events say in trees, and joins these by kind.

Terms
    source   an event and the kind that some or all of its weights have: an execution sample is CPU, a park
             is a lock or a wait.
    period   what a sample stands for; the recording's settings tell it for each event.

Invariants: sources of one kind are added up only in one unit; a source yields to a better one of its kind.  Frames of the
proxies that lambdas run through are left out, the lambda's body stays.  Secrets never reach a snapshot.

Absent: bytes, JSON, XML.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from conflens.profiling.building import LEFT_OUT, FrameTable, TreeBuilder
from conflens.profiling.jfr.byte_reader import Broken
from conflens.profiling.jfr.rows import EventRow, Rows
from conflens.profiling.jfr.run import jvm_arguments, nanoseconds, program_arguments
from conflens.profiling.model import (
    CallTree,
    EventKind,
    Frame,
    Nature,
    Origin,
    RunValue,
    Series,
    Snapshot,
    Unit,
)
from conflens.profiling.redaction import redacted

DROPPED = -1
"""In place of a frame: it is left out."""

NODES = 250_000
"""Nodes of one source's tree."""

MOST = 1 << 61
"""The sum of a source's weights; more cannot be added up in 64 bits once a factor is applied."""

LONGEST_PERIOD = 10_000_000_000
FRAMES = 300_000
"""Different frames; a large server has a tenth of that."""

LOADS = ("jvmUser", "jvmSystem", "machineTotal")
"""The fields of a processor load, shares of the machine, as ``Recording.load`` takes them."""
MOST_LOADS = 100_000
LEAST_LOADS = 4
"""Loads of a recording below which they say too little of it."""
PROCESSORS = 100_000

VALUES = 20_000
SETTINGS = 20_000
_NATURES = {
    "Native": Nature.NATIVE,
    "C++": Nature.NATIVE,
    "Kernel": Nature.KERNEL,
}
_DIGITS = re.compile(r"\d+")
_ADDRESS = re.compile(r"[+/.]0x[0-9a-fA-F]+(?:/\d+)?\Z")
"""What follows the name of a hidden class."""

_FORMS = "java.lang.invoke.LambdaForm$"
_SIMPLE = re.compile(r".*[.]")


class Recording:
    """Collects one recording."""

    def __init__(self, rows: Rows, name: str, salt: bytes) -> None:
        """``name``: of the file, for messages; ``salt``: see ``redaction``."""
        self.rows = rows
        self.name = name
        self.table = FrameTable()
        self.left_out = self.table.number(LEFT_OUT)
        self.notes: list[str] = []
        self.start = 0
        """Nanoseconds since 1970 at which the recording began; 0 as long as it is not known."""
        self.end = 0
        self.cut = 0
        """Events with a stack that the recording cut at its depth."""
        self.seen = 0
        """Events with a stack."""
        self._salt = salt
        self._sources: dict[tuple[str, EventKind], TreeBuilder] = {}
        self._totals: dict[tuple[str, EventKind], int] = {}
        self._threads: dict[str, int] = {}
        self._settings: dict[tuple[str, str], set[str]] = {}
        self._values: dict[RunValue, None] = {}
        self._named: set[tuple[Origin, str]] = set()
        self._informed = False
        self._loads: dict[float, tuple[float, float]] = {}
        """By time in nanoseconds: the load by this process, and by others, since the time before."""
        self._processors = 0

    def thread(self, name: str) -> int:
        """Return the frame of a thread; threads that differ in numbers only are one."""
        found = self._threads.get(name)
        if found is None:
            shown = _DIGITS.sub("*", name) or "(no name)"
            found = self.table.number(Frame("", shown, nature=Nature.THREAD))
            if len(self._threads) < 100_000:
                self._threads[name] = found
        return found

    def frame(self, owner: str, method: str, descriptor: str, line: int, form: str) -> int:
        """Return the number of a frame, or ``DROPPED``.

        ``owner``: the class as the recording writes it; ``form``: the frame's type (``Inlined``, ``Native``, …).
        """
        if len(self.table.frames) > FRAMES:
            return self.left_out
        named = _ADDRESS.sub("", owner)
        hidden = len(named) < len(owner)
        owner = named.replace("/", ".")
        if "$$Lambda" in owner or (hidden and owner.startswith(_FORMS)):
            return DROPPED
        nature = _NATURES.get(form, Nature.JAVA)
        if not method:
            return self.table.number(Frame(owner, "(unknown)", nature=Nature.OPAQUE))
        if line > 0xFFFFFF or line < 0:
            line = 0
        return self.table.number(Frame(owner, method, descriptor, line, nature))

    def chain(self, thread: int, frames: Sequence[int], cut: bool) -> list[int]:
        """Return a chain, root first, of frames that are leaf first and may hold ``DROPPED``."""
        chain = [thread]
        if cut:
            chain.append(self.left_out)
        chain += [frame for frame in reversed(frames) if frame >= 0]
        return chain

    def add(
        self, row: EventRow, chain: Sequence[int], decider: str, weight: int, count: int
    ) -> None:
        """Add ``count`` events with their weight; ``decider``: what the row's deciding field says."""
        kind: EventKind | None = EventKind(row.kind)
        if row.decider:
            kind = self.rows.decided(row, decider.replace("/", "."))
        elif row.native:
            leaf = self.table.frames[chain[-1]]
            kind = self.rows.leaf(row, leaf.owner, leaf.method)
        if kind is None:
            return
        builder = self._sources.get((row.name, kind))
        if builder is None:
            builder = self._sources[row.name, kind] = TreeBuilder(self.table, NODES)
            self._totals[row.name, kind] = 0
        self._totals[row.name, kind] += weight
        if self._totals[row.name, kind] > MOST:
            raise Broken("weights that add up to more than anything real")
        builder.add(chain, weight, count)
        if len(chain) > 1:
            self.seen += count
            if chain[1] == self.left_out:
                self.cut += count

    def span(self, start: int, end: int) -> None:
        """Take into account that something happened from ``start`` to ``end``, nanoseconds since 1970."""
        self.start = min(self.start, start) if self.start else start
        self.end = max(self.end, end)

    def setting(self, event: str, name: str, value: str) -> None:
        """Take note of a setting of an event."""
        if len(self._settings) < SETTINGS:
            known = self._settings.setdefault((event, name), set())
            if len(known) < 8:
                known.add(value)

    def value(self, origin: Origin, name: str, value: str) -> None:
        """Take note of a value of the run; the first of a name counts."""
        if name and (origin, name) not in self._named and len(self._values) < VALUES:
            self._named.add((origin, name))
            self._values[redacted(RunValue(origin, name, value), self._salt)] = None

    def command(self, jvm: str, flags: str, program: str) -> None:
        """Take note of the command lines of the run; the first ones count."""
        if self._informed:
            return
        self._informed = True
        found = [*jvm_arguments(jvm), *jvm_arguments(flags), *program_arguments(program)]
        for value in found[: VALUES - len(self._values)]:
            self._values[redacted(value, self._salt)] = None

    def processors(self, number: str) -> None:
        """Take note of how many hardware threads the machine has."""
        if number.isdecimal() and 0 < int(number[:9]) <= PROCESSORS:
            self._processors = int(number[:9])

    def load(self, at: float, user: str, system: str, machine: str) -> None:
        """Take note of a load of the processors, in shares of the machine, at some nanosecond."""
        try:
            own, whole = float(user) + float(system), float(machine)
        except ValueError:
            return
        if 0 <= own <= 1.5 and 0 <= whole <= 1.5 and len(self._loads) < MOST_LOADS:
            self._loads[at] = min(own, 1.0), max(0.0, min(1.0, whole) - own)

    def _shares(self) -> tuple[float, float]:
        """Return which shares of the machine this process and others used on average; zeros if too little is known."""
        times = sorted(self._loads)
        if len(times) < LEAST_LOADS:
            return 0.0, 0.0
        span = times[-1] - times[0]
        own = sum((b - a) * self._loads[b][0] for a, b in pairwise(times)) / span
        others = sum((b - a) * self._loads[b][1] for a, b in pairwise(times)) / span
        return own, others

    def period(self, row: EventRow) -> int:
        """Return what a sample of an event stands for in nanoseconds; 0 if that is not known or has changed."""
        found = self._durations(row.name, ("period", "interval"))
        if len(found) != 1 or found[0] > LONGEST_PERIOD:
            return 0
        total = max((self._totals.get((row.name, kind), 0) for kind in EventKind), default=0)
        return found[0] if total * found[0] <= MOST else 0

    def snapshot(self, form: str, pace: Callable[[int], None]) -> Snapshot:
        """Return what was collected; the trees are this object's own, so it is done then.

        ``pace`` is told of 0 bytes now and then, and may raise to stop."""
        series: list[Series] = []
        for kind in EventKind:
            found = self._series(kind, pace)
            if found is not None:
                series.append(found)
        self._note_cut()
        self._note_thresholds()
        seconds = max(0, self.end - self.start) / 1e9 if self.start else 0.0
        own, others = self._shares()
        return Snapshot(
            self.name,
            form,
            tuple(series),
            self.end / 1e9,
            seconds,
            tuple(self._values),
            tuple(dict.fromkeys(self.notes)),
            computing=own * seconds * self._processors,
            others=others,
        )

    def _durations(self, event: str, names: Iterable[str]) -> list[int]:
        values = {value for name in names for value in self._settings.get((event, name), ())}
        return sorted({found for value in values if (found := nanoseconds(value)) > 0})

    def _series(self, kind: EventKind, pace: Callable[[int], None]) -> Series | None:
        present = {name for name, of in self._sources if of is kind}
        rows = [
            row
            for row in self.rows.events.values()
            if row.name in present and not present.intersection(row.yields_to)
        ]
        if not rows:
            return None
        sampled = [row for row in rows if row.unit == Unit.SAMPLES]
        periods = {row.name: self.period(row) for row in sampled}
        unit = Unit(rows[0].unit)
        if not sampled:
            pass
        elif all(periods.values()):
            unit = Unit.NANOSECONDS
        elif len(sampled) == len(rows):
            periods = dict.fromkeys(periods, 1)
            self.notes.append(
                f"The recording does not tell one sampling period, so {kind} is counted in samples."
            )
        else:
            rows = [row for row in rows if row.unit != Unit.SAMPLES or periods[row.name]]
            unit = Unit.NANOSECONDS
        builders = [(self._sources.pop((row.name, kind)), row) for row in rows]
        base, tree = joined([(one, periods.get(row.name, 1)) for one, row in builders], pace)
        if base.folded:
            self.notes.append(
                f"There are so many different call chains for {kind} that frames in the middle of rare ones were left out."
            )
        period = 0
        if unit is Unit.NANOSECONDS and kind in (EventKind.CPU, EventKind.WALL):
            count = sum(tree.count)
            period = periods[sampled[0].name] if sampled else sum(tree.own) // max(1, count)
        return Series(kind, unit, tree, period)

    def _note_cut(self) -> None:
        if self.cut * 100 >= self.seen > 0:
            self.notes.append(
                f"{100 * self.cut // self.seen} % of the stacks were cut when they were recorded; "
                "record with -XX:FlightRecorderOptions=stackdepth=256 to have them whole."
            )

    def _note_thresholds(self) -> None:
        by_threshold: dict[str, list[str]] = {}
        for row in self.rows.events.values():
            if not row.threshold:
                continue
            texts = self._settings.get((row.name, "threshold"), set())
            longest = max(
                (text for text in texts if nanoseconds(text) > 0), key=nanoseconds, default=""
            )
            if longest:
                by_threshold.setdefault(longest, []).append(_SIMPLE.sub("", row.name))
        for threshold, names in by_threshold.items():
            self.notes.append(
                f"JFR did not record {', '.join(names)} events shorter than {threshold}."
            )


def joined(
    sources: Sequence[tuple[TreeBuilder, int]], pace: Callable[[int], None]
) -> tuple[TreeBuilder, CallTree]:
    """Return the tree of all sources, each with the factor for its weights, built in the largest one."""
    ordered = sorted(sources, key=lambda source: -source[0].size)
    base, factor = ordered[0]
    if factor != 1:
        base.scale(factor)
    for other, factor in ordered[1:]:
        tree = other.tree()
        for node in range(1, len(tree)):
            if node % 1_000 == 0:
                pace(0)
            if tree.own[node] or tree.count[node]:
                base.add(_numbers(tree, node), tree.own[node] * factor, tree.count[node])
        base.folded += other.folded
    return base, base.tree()


def overlap(one: Snapshot, other: Snapshot) -> float:
    """Return for how many seconds two snapshots tell of the same time.

    A running recording that is dumped twice gives two files, of which the second holds what is in the first. Such two are
    neither repetitions nor baseline and violation.
    """
    start = max(one.taken - one.seconds, other.taken - other.seconds)
    return max(0.0, min(one.taken, other.taken) - start)


def paced(check: Callable[[int], None]) -> Callable[[int], None]:
    """Return a function that adds up the bytes that it is told and tells ``check`` the sum."""
    done = 0

    def pace(size: int) -> None:
        nonlocal done
        done += size
        check(done)

    return pace


def _numbers(tree: CallTree, node: int) -> array[int]:
    found = array("i")
    while node > 0:
        found.append(tree.frame[node])
        node = tree.parent[node]
    found.reverse()
    return found
