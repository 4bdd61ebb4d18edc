"""A made-up diagnosis for the toy project, written as comments at the end of the lines they are about.

``// heat cpu 34 41 13 +21`` on the line of a method's name: its own share in percent, that of what it calls too, its
share in the baseline and its variation; without the last two there is no baseline.  Several such comments are several
kinds.  ``// spent 12`` on a line gives it to the first kind of the method around it.  ``// hold a.b loop`` makes the
statement, loop or call on its line the hold of an option's chains; they begin at the option's first read.
Chains are given to ``profile``: ``a.b: 12 % A.run:7 x.Lib.call A.encode`` is what is explained, then frames with
their lines, the joint first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from conflens.base.span import Place
from conflens.diagnosis.frames import FrameIndex
from conflens.diagnosis.results import (
    Cause,
    Diagnosis,
    Heat,
    HotChain,
    Hotspot,
    Located,
    Suspect,
    Total,
    Under,
    Value,
    Verdict,
)
from conflens.facts import ir
from conflens.flow.results import (
    Confidence,
    Dependency,
    Hold,
    OptionKey,
    Path,
    Step,
    StepRole,
)
from conflens.ide.profile.profile import Profile
from conflens.profiling.model import EventKind, Frame, Unit
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.session.analysis import Analysis
from ide.toy_flows import on_line, read_at

_HEAT = re.compile(rb"// heat (\w+) ([\d.]+) ([\d.]+)(?: ([\d.]+) ([+-][\d.]+))?")
_SPENT = re.compile(rb"// spent ([\d.]+)")
_HOLD = re.compile(rb"// hold (\S+) (\w+)")
_CHAIN = re.compile(r"(\S+): ([\d.]+) % (.*)")
_HOLDS = (ir.If, ir.Loop, ir.ForEach, ir.Call, ir.New, ir.NewArray)


def profile(
    analysis: Analysis,
    *chains: str,
    under: Mapping[str, Under] | None = None,
    values: Mapping[str, Value] | None = None,
    verdicts: Mapping[str, Verdict] | None = None,
    note: str = "",
    compared: bool = True,
) -> Profile:
    """Return the diagnosis that comments and ``chains`` tell of."""
    program = analysis.program
    keys = {option.name: option.key for option in analysis.options.options}
    heat = _heat(analysis)
    holds = _holds(analysis, keys)
    causes: dict[str, list[Cause]] = {}
    index = FrameIndex(program)
    for text in chains:
        match = _CHAIN.fullmatch(text)
        assert match is not None, text
        hold = holds[match[1]]
        part, words = float(match[2]) / 100, match[3].split()
        cause = _cause(index, keys[match[1]], hold, part, words, heat, compared)
        causes.setdefault(match[1], []).append(cause)
    suspects = [
        Suspect(
            keys[name],
            (verdicts or {}).get(name, Verdict.LIKELY),
            sum(cause.explained for cause in found),
            {found[0].dependency: sum(cause.explained for cause in found)},
            (values or {}).get(name),
            tuple(found),
        )
        for name, found in causes.items()
    ]
    kinds = dict.fromkeys(row.kind for rows in heat.values() for row in rows)
    diagnosis = Diagnosis(
        ("good",) if compared else (),
        ("bad",),
        tuple(
            Total(kind, Unit.SAMPLES, 100.0 if compared else None, 150.0)
            for kind in kinds or (EventKind.CPU,)
        ),
        True,
        tuple(cause.hotspot for found in causes.values() for cause in found),
        tuple(suspects),
        {keys[name]: (item,) for name, item in (under or {}).items()},
        heat,
        values={keys[name]: item for name, item in (values or {}).items()},
    )
    return Profile(diagnosis, program, note)


def _heat(analysis: Analysis) -> dict[MemberRef, tuple[Heat, ...]]:
    found: dict[MemberRef, tuple[Heat, ...]] = {}
    program = analysis.program
    for path, facts in program.files.items():
        text = analysis.texts.text(path) or b""
        spent: dict[int, dict[int, float]] = {}
        for match in _SPENT.finditer(text):
            number = _member_at(program, path, match.start())
            line = text.count(b"\n", 0, match.start()) + 1
            spent.setdefault(number, {})[line] = float(match[1]) / 100
        for number, member in enumerate(facts.members):
            stop = text.find(b"\n", member.name_at)
            rows = tuple(
                Heat(
                    EventKind(match[1].decode()),
                    float(match[2]) / 100,
                    float(match[3]) / 100,
                    float(match[4]) / 100 if match[4] else None,
                    float(match[5]) / 100 if match[5] else None,
                    spent.get(number, {}) if at == 0 else {},
                )
                for at, match in enumerate(_HEAT.finditer(text, member.name_at, stop))
            )
            if rows:
                found[program.ref(path, number)] = rows
    return found


def _member_at(program: Program, path: str, offset: int) -> int:
    inside = [
        (member.end - member.at, number)
        for number, member in enumerate(program.files[path].members)
        if member.at <= offset <= member.end
    ]
    return min(inside)[1]


def _holds(analysis: Analysis, keys: Mapping[str, OptionKey]) -> dict[str, Hold]:
    found: dict[str, Hold] = {}
    program = analysis.program
    reads = {
        option.key: option.reads[0].place for option in analysis.options.options if option.reads
    }
    for path in program.files:
        text = analysis.texts.text(path) or b""
        for match in _HOLD.finditer(text):
            name = match[1].decode()
            start = text.rfind(b"\n", 0, match.start()) + 1
            ref, index = on_line(program, path, start, match.start(), _HOLDS)
            read = reads[keys[name]]
            first = read_at(program, read)
            steps = Step(*first, StepRole.READ), Step(ref, index, StepRole.GUARD)
            path_to = Path(steps, Confidence.HIGH, (), 0)
            dependency = Dependency(match[2].decode())
            found[name] = Hold(ref, index, dependency, (), None, path_to)
    return found


def _cause(
    index: FrameIndex,
    option: OptionKey,
    hold: Hold,
    explained: float,
    words: Sequence[str],
    heat: Mapping[MemberRef, tuple[Heat, ...]],
    compared: bool,
) -> Cause:
    frames = []
    for word in words:
        called, _, line = word.partition(":")
        owner, _, method = called.rpartition(".")
        frame = Frame(owner, method, line=int(line or 0))
        frames.append(Located(frame, index.locate(frame), int(line or 0)))
    chain = HotChain(tuple(frames), 10.0 if compared else 0.0, 30.0)
    last = frames[-1]
    rows = heat.get(last.ref, ()) if last.ref is not None else ()
    share = rows[0].own if rows else explained
    kind = rows[0].kind if rows else EventKind.CPU
    before, variation, change = (10.0, explained, 2.0) if compared else (None, None, None)
    after = share * 150.0
    hotspot = Hotspot(kind, last, before, after, share, variation, change, True, "", (chain,))
    return Cause(option, hold.dependency, hold, hotspot, chain, 0, explained)


def line_of(place: Place, analysis: Analysis) -> str:
    """Return ``A.java:3``."""
    return f"{place.path}:{analysis.line(place)}"
