"""Programs and profiles as text, and what a diagnosis says of them.

A profile is lines of call chains, root first, with what each weighs in the baseline and in the violation::

    cpu
    Main.main; Store.write@flush; Journal.flush      40 -> 160
    [worker]; Main$Task.run; java.io.FileOutputStream.write   10 11 -> 30 33

Several numbers on a side are several runs; ``-`` is none; without an arrow there is no baseline.  ``12/3`` is a
weight of 12 in three samples, events or invocations, a plain number as many samples as it weighs.
``@flush`` is the line of the program that ends in ``// @flush``.  ``[worker]`` is a thread, ``{byte[]}`` an object,
``(left out)`` an opaque frame, ``~read`` a native one, ``-`` alone no frame at all.
A line of words begins another kind: ``sleep ms``, ``allocation bytes``, ``cpu ns counted``, ``cpu flat``
(of the baseline, ``flatter`` of the violation); without a unit weights are samples.

Values of a run are words: ``-Dname=text`` a system property, ``$NAME=text`` of the environment, others are arguments;
a text that begins with ``#`` is a digest of what was redacted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

import attrs

from conflens.base.system import MemorySystem
from conflens.diagnosis.diagnose import DiagnosisSettings, Subject, diagnose
from conflens.diagnosis.results import Cause, Diagnosis, Suspect, Verdict
from conflens.profiling.building import FrameTable, TreeBuilder
from conflens.profiling.model import (
    EventKind,
    Frame,
    Nature,
    Origin,
    RunValue,
    Series,
    Snapshot,
    Unit,
)
from conflens.session.analysis import Analysis
from session.support import session

MS = 1_000_000
PATH = "Main.java"
TAKEN = 2_000.0
WRITTEN = 1_000.0
_UNITS = {
    "samples": (Unit.SAMPLES, 1),
    "ns": (Unit.NANOSECONDS, 1),
    "ms": (Unit.NANOSECONDS, MS),
    "bytes": (Unit.BYTES, 1),
}
_MARK = re.compile(r"// @(\w+)\s*$")
_WEIGHT = r"(?:-|[\d/]+(?: +[\d/]+)*)"
_ROW = re.compile(rf"(.*?)\s{{2,}}({_WEIGHT})(?:\s*->\s*({_WEIGHT}))?")


@cache
def analysed(java: str) -> Analysis:
    """Return the real analysis of a program in one file."""
    return session(MemorySystem({PATH: java.encode()})).scan()


def frame(text: str, marks: Mapping[str, int] | None = None) -> Frame:
    """Return the frame that a word of the notation stands for."""
    if text.startswith("["):
        return Frame("", text[1:-1], nature=Nature.THREAD)
    if text.startswith("{"):
        return Frame("", text[1:-1], nature=Nature.OBJECT)
    if text.startswith("("):
        return Frame("", text[1:-1], nature=Nature.OPAQUE)
    if text.startswith("~"):
        return Frame("", text[1:], nature=Nature.NATIVE)
    called, _, mark = text.partition("@")
    called, _, params = called.partition("(")
    owner, _, method = called.rpartition(".")
    line = (marks or {})[mark] if mark else 0
    return Frame(owner, method, f"({params}" if params else "", line)


@attrs.define
class _Kind:
    kind: EventKind
    unit: Unit = Unit.SAMPLES
    factor: int = 1
    counted: bool = False
    flat: tuple[bool, bool] = (False, False)
    rows: list[tuple[list[Frame], tuple[list[str], ...]]] = attrs.field(factory=list)


def _parse(profile: str, marks: Mapping[str, int]) -> list[_Kind]:
    kinds: list[_Kind] = []
    for line in filter(None, map(str.strip, profile.splitlines())):
        words = line.split()
        if words[0] in set(EventKind):
            unit, factor = next((_UNITS[one] for one in words if one in _UNITS), _UNITS["samples"])
            kinds.append(
                _Kind(
                    EventKind(words[0]),
                    unit,
                    factor,
                    "counted" in words,
                    ("flat" in words, "flatter" in words),
                )
            )
            continue
        match = _ROW.fullmatch(line)
        assert match is not None, line
        frames = [frame(word.strip(), marks) for word in match[1].split(";") if word != "-"]
        sides = tuple([] if side == "-" else side.split() for side in (match[2], match[3]) if side)
        kinds[-1].rows.append((frames, sides))
    return kinds


def _series(kind: _Kind, side: int, run: int, table: FrameTable) -> Series:
    builder = TreeBuilder(table)
    for frames, sides in kind.rows:
        if run < len(sides[side]):
            weight, _, count = sides[side][run].partition("/")
            numbers = [table.number(one) for one in frames]
            builder.add(
                numbers[-1:] if kind.flat[side] else numbers,
                int(weight) * kind.factor,
                int(count or weight),
            )
    tree = builder.tree()
    return Series(kind.kind, kind.unit, tree, counted=kind.counted, flat=kind.flat[side])


def values_of(text: str) -> tuple[RunValue, ...]:
    """Return the recorded values that words stand for."""
    found = []
    for word in text.split():
        origin, rest = Origin.ARGUMENT, ""
        if word.startswith("-D"):
            origin, rest = Origin.SYSTEM_PROPERTY, word[2:]
        elif word.startswith("$"):
            origin, rest = Origin.ENVIRONMENT, word[1:]
        else:
            found.append(RunValue(origin, "", word))
            continue
        name, _, value = rest.partition("=")
        if value.startswith("#"):
            found.append(RunValue(origin, name, "", True, value[1:]))
        else:
            found.append(RunValue(origin, name, value))
    return tuple(found)


def snapshots(
    profile: str,
    java: str = "",
    before: str | Sequence[str] = "",
    after: str | Sequence[str] = "",
    seconds: tuple[float | Sequence[float], float | Sequence[float]] = (0.0, 0.0),
) -> tuple[list[Snapshot], list[Snapshot]]:
    """Return the runs of both sides; ``before`` and ``after`` are the values, the same for all runs of a side or
    one text for each."""
    marks = {
        match[1]: number
        for number, line in enumerate(java.splitlines(), 1)
        if (match := _MARK.search(line))
    }
    kinds = _parse(profile, marks)
    count = max((len(sides) for kind in kinds for _, sides in kind.rows), default=2)
    made: tuple[list[Snapshot], list[Snapshot]] = ([], [])
    for side in range(count):
        runs = max((len(sides[side]) for kind in kinds for _, sides in kind.rows), default=1)
        for run in range(max(runs, 1)):
            table = FrameTable()
            given = (before, after)[side] if count == 2 else after
            text = given if isinstance(given, str) else given[run]
            lasted = seconds[side if count == 2 else 1]
            snapshot = Snapshot(
                f"{('good', 'bad')[side] if count == 2 else 'only'}{run + 1}",
                "collapsed",
                tuple(_series(kind, side, run, table) for kind in kinds),
                TAKEN,
                lasted[run] if isinstance(lasted, Sequence) else lasted,
                values_of(text),
            )
            made[side if count == 2 else 1].append(snapshot)
    return made


def subject(java: str, modified: float | None = WRITTEN) -> Subject:
    """Return a program to diagnose; its file was written before the runs, unless ``modified`` says otherwise."""
    found = analysed(java)
    times = {} if modified is None else {PATH: modified}
    return Subject(found.program, found.options, found.flows, times, found.sensitivity)


@attrs.frozen
class Told:
    """What a diagnosis says, by the names of options."""

    diagnosis: Diagnosis

    def suspect(self, name: str) -> Suspect | None:
        """Return what is held against an option."""
        return next((one for one in self.diagnosis.suspects if one.option[1] == name), None)

    @property
    def order(self) -> list[str]:
        """All suspects in their order, as ``likely jobs``."""
        return [f"{one.verdict.value} {one.option[1]}" for one in self.diagnosis.suspects]

    @property
    def likely(self) -> list[str]:
        """The options that are likely causes, in their order."""
        return [one.option[1] for one in self.diagnosis.suspects if one.verdict is Verdict.LIKELY]

    def explained(self, name: str) -> float:
        """Return what an option explains, 0 if nothing is held against it."""
        found = self.suspect(name)
        return found.explained if found is not None else 0.0

    def cause(self, name: str) -> Cause:
        """Return the chain that explains most of what an option explains."""
        found = self.suspect(name)
        assert found is not None, f"{name} is not among {self.order}"
        return found.causes[0]

    def chain(self, name: str) -> str:
        """Return that chain: ``Main.main > *Store.write > Journal.flush``, the joint with a star."""
        cause = self.cause(name)
        return " > ".join(
            f"{'*' * (at == cause.joint)}{one.frame.owner}.{one.frame.method}"
            for at, one in enumerate(cause.chain.frames)
        )

    def under(self, name: str) -> dict[str, float]:
        """Return the shares of the first kind below an option, rounded, by dependency."""
        rows = next((rows for key, rows in self.diagnosis.under.items() if key[1] == name), ())
        return {one.value: round(part, 3) for one, part in rows[0].parts.items()} if rows else {}


def told(
    java: str,
    profile: str,
    settings: DiagnosisSettings | None = None,
    before: str | Sequence[str] = "",
    after: str | Sequence[str] = "",
    seconds: tuple[float | Sequence[float], float | Sequence[float]] = (0.0, 0.0),
    modified: float | None = WRITTEN,
) -> Told:
    """Diagnose a profile of a program."""
    sides = snapshots(profile, java, before, after, seconds)
    return Told(diagnose(subject(java, modified), *sides, settings or DiagnosisSettings()))
