"""A diagnosis made by hand, so that outputs are tested without what diagnoses.

A service with three options: ``pool.jobs`` repeats ``pack``, ``disk.sync`` gates ``flush``, ``buffer.size``
goes straight into an allocation.  Everything that comes from a snapshot or a workspace can be made hostile.
"""

import math
from collections.abc import Mapping, Sequence

import attrs

from conflens.diagnosis.results import (
    Cause,
    Cost,
    Diagnosis,
    Difference,
    HotChain,
    Hotspot,
    Joint,
    Located,
    Suspect,
    Total,
    Under,
    Value,
    Verdict,
)
from conflens.facts import ir
from conflens.flow.results import Confidence, Dependency, Hold, OptionKey, Path, Step, StepRole
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
from conflens.program.refs import MemberRef
from conflens.session.analysis import Analysis
from ide.toy import analyse

PATH = "src/p/Größe #1.java"
SOURCE = """package p;
class Service {
    void serve(byte[] data) {
        int jobs = Integer.getInteger("pool.jobs", 4);
        for (int i = 0; i < jobs; i++) {
            pack(data);
        }
        if (Boolean.getBoolean("disk.sync")) {
            flush();
        }
    }

    void pack(byte[] data) {
        byte[] buffer = new byte[Integer.getInteger("buffer.size", 64)];
    }

    void flush() {
    }
}
"""
SERVICE = "p.Service"
SECRET = "hunter2"
JOBS: OptionKey = ("system-property", "pool.jobs")
SYNC: OptionKey = ("system-property", "disk.sync")
SIZE: OptionKey = ("system-property", "buffer.size")

THREAD = Frame("", "worker-*", nature=Nature.THREAD)
SERVE = Frame(SERVICE, "serve", "([B)V", 6)
SERVE_FLUSH = Frame(SERVICE, "serve", "([B)V", 9)
PACK = Frame(SERVICE, "pack", "([B)V", 14)
FLUSH = Frame(SERVICE, "flush", "()V", 18)
ARRAY = Frame("", "byte[]", nature=Nature.OBJECT)
DEFLATE = Frame("java.util.zip.Deflater", "deflate", "([BII)I", 0)
MS = 1_000_000


def analysis(source: str = SOURCE) -> Analysis:
    """The service, analysed by the toy."""
    return analyse({PATH: source.encode()})


def member(found: Analysis, name: str) -> MemberRef:
    members = found.program.files[PATH].members
    return found.program.ref(PATH, [item.name for item in members].index(name))


def instruction(found: Analysis, name: str, kind: type[ir.Instr], text: str = "") -> int:
    """The first instruction of a kind in a method whose source begins with ``text``."""
    ref = member(found, name)
    source, at = found.texts.text(PATH) or b"", found.program.member(ref).at
    return next(
        index
        for index, instr in enumerate(found.program.body(ref).code)
        if isinstance(instr, kind) and source[at + instr.at :].startswith(text.encode())
    )


def hold(
    found: Analysis,
    method: str,
    read: str,
    kind: type[ir.Instr],
    dependency: Dependency,
) -> Hold:
    """A hold of the first instruction of a kind, which the read in the same method comes to."""
    ref = member(found, method)
    index = instruction(found, method, kind)
    steps = (
        Step(ref, instruction(found, method, ir.Call, read), StepRole.READ),
        Step(ref, index, StepRole.OPERATION if kind is ir.NewArray else StepRole.GUARD),
    )
    return Hold(ref, index, dependency, (), None, Path(steps, Confidence.HIGH, (), 0))


def snapshot(name: str, times: int, values: Mapping[str, str] | None = None) -> Snapshot:
    """A run that packs ``times`` as often as once, and flushes if that is more."""
    table = FrameTable()
    cpu, memory = TreeBuilder(table), TreeBuilder(table)

    def chain(*frames: Frame) -> list[int]:
        return [table.number(frame) for frame in frames]

    cpu.add(chain(THREAD, SERVE), 50 * MS, 5)
    cpu.add(chain(THREAD, SERVE, PACK), 100 * MS * times, 10 * times)
    cpu.add(chain(THREAD, SERVE, PACK, DEFLATE), 200 * MS * times, 20 * times)
    if times > 1:
        cpu.add(chain(THREAD, SERVE_FLUSH, FLUSH), 90 * MS, 9)
    memory.add(chain(THREAD, SERVE, PACK, ARRAY), 4096 * times, times)
    recorded = [
        RunValue(Origin.SYSTEM_PROPERTY, key, text) for key, text in (values or {}).items()
    ]
    recorded.append(
        RunValue(Origin.SYSTEM_PROPERTY, "db.password", "", redacted=True, digest=str(times))
    )
    return Snapshot(
        name,
        "collapsed",
        (
            Series(EventKind.CPU, Unit.NANOSECONDS, cpu.tree(), 10 * MS),
            Series(EventKind.ALLOCATION, Unit.BYTES, memory.tree()),
        ),
        values=tuple(recorded),
    )


BASELINE = snapshot("good.jfr", 1, {"pool.jobs": "4"})
VIOLATION = snapshot("bad.jfr", 4, {"pool.jobs": "64"})


def chain_of(found: Analysis, frames: Sequence[Frame], before: float, after: float) -> HotChain:
    """The frames with their members, as far as the program has them."""
    names = {"serve", "pack", "flush"}
    located = tuple(
        Located(frame, member(found, frame.method), frame.line)
        if frame.owner == SERVICE and frame.method in names
        else Located(frame)
        for frame in frames
    )
    return HotChain(located, before, after)


def diagnosis(found: Analysis, *, single: bool = False) -> Diagnosis:
    """What there is to say of the service; ``single``: without a baseline."""

    def spot(
        kind: EventKind,
        frames: Sequence[Frame],
        before: float,
        after: float,
        share: float,
        variation: float,
        note: str,
    ) -> Hotspot:
        chain = chain_of(found, frames, 0.0 if single else before, after)
        change = after / before - 1 if before else math.inf
        return Hotspot(
            kind,
            chain.frames[-1],
            None if single else before,
            after,
            share,
            None if single else variation,
            None if single else change,
            True,
            note,
            (chain,),
        )

    def cause(
        key: OptionKey, held: Hold, hotspot: Hotspot, joint: int, part: float, effect: str
    ) -> Cause:
        return Cause(
            key,
            held.dependency,
            held,
            hotspot,
            hotspot.chains[0],
            joint,
            part,
            "" if single else effect,
        )

    cpu = EventKind.CPU
    packing = THREAD, SERVE, PACK
    deflate = spot(cpu, (*packing, DEFLATE), 200e6, 800e6, 0.60, 1.71, "p = 0.01 by 3 + 3 runs")
    pack = spot(cpu, packing, 100e6, 400e6, 0.30, 0.857, "")
    flush = spot(cpu, (THREAD, SERVE_FLUSH, FLUSH), 0.0, 90e6, 0.07, 0.257, "one run on each side")
    array = spot(EventKind.ALLOCATION, (*packing, ARRAY), 4096.0, 16384.0, 1.0, 3.0, "")
    loop = hold(found, "serve", "Integer", ir.Loop, Dependency.LOOP)
    gate = hold(found, "serve", "Boolean", ir.If, Dependency.BRANCH)
    sized = hold(found, "pack", "Integer", ir.NewArray, Dependency.DIRECT)
    accused = Verdict.BEHIND if single else Verdict.LIKELY
    suspects = (
        Suspect(
            JOBS,
            accused,
            0.71,
            {Dependency.LOOP: 0.71},
            Value(None if single else "4", "64", False),
            (
                cause(JOBS, loop, deflate, 1, 0.5, "4 times as often"),
                cause(JOBS, loop, pack, 1, 0.21, "4 times as often"),
            ),
            "It controls how often Service.pack runs.",
        ),
        Suspect(
            SYNC,
            accused,
            0.09,
            {Dependency.BRANCH: 0.08, Dependency.DIRECT: 0.01},
            Value(None, None, False, secret=True),
            (cause(SYNC, gate, flush, 1, 0.09, "runs only in the slow run"),),
        ),
        Suspect(
            SIZE,
            accused if single else Verdict.UNCHANGED,
            0.0,
            {Dependency.DIRECT: 0.0},
            Value(None if single else "64", "64", True),
            (cause(SIZE, sized, array, 2, 0.0, ""),),
            "" if single else "Both runs had the same value.",
        ),
    )
    under = {
        JOBS: (
            Under(cpu, 0.9, {Dependency.LOOP: 0.9}, None if single else 0.84),
            Under(EventKind.ALLOCATION, 1.0, {Dependency.LOOP: 1.0}, None if single else 1.0),
        ),
        SYNC: (Under(cpu, 0.07, {Dependency.BRANCH: 0.07}, None if single else 0.0),),
    }
    return Diagnosis(
        () if single else ("good.jfr",),
        ("bad.jfr",),
        (
            Total(cpu, Unit.NANOSECONDS, None if single else 350e6, 1340e6),
            Total(EventKind.ALLOCATION, Unit.BYTES, None if single else 4096.0, 16384.0),
        ),
        True,
        (deflate, pack, flush, array),
        suspects,
        under,
        {},
        {
            Joint(SERVE[:3], PACK[:3]): ((JOBS, Dependency.LOOP),),
            Joint(SERVE[:3], FLUSH[:3]): ((SYNC, Dependency.BRANCH),),
            Joint(PACK[:3], ARRAY[:3]): ((SIZE, Dependency.DIRECT),),
        },
        ()
        if single
        else (
            Difference("pool.jobs", "system property", "4", "64", JOBS),
            Difference("db.password", "system property", None, None, None),
            Difference("user.dir", "system property", "/a", None, None),
        ),
        0.2,
        "" if single else "Both runs did the same work, so weights are compared as they are.",
        ("Stacks of bad.jfr end after five frames.",),
        covered={cpu: Under(cpu, 0.9, {}, None if single else 0.84)},
        costs=()
        if single
        else (Cost(cpu, Unit.NANOSECONDS, 350e6, 1340e6, 2.8286, 0.2, True, (1, 1)),),
    )


HOSTILE = "a|b`<script>alert(1)</script>\x1b[31m\r\n\u202e\"'&]]>😀\x00{x}](y)"
"""A name as somebody may give it who wants to be seen, or obeyed."""


def hostile(found: Analysis) -> Diagnosis:
    """The same where every text that comes from outside is ``HOSTILE``."""
    plain = diagnosis(found)
    key = ("env", HOSTILE)
    frame = Frame(f"p.{HOSTILE}", HOSTILE, HOSTILE, 3)
    hotspot = attrs.evolve(
        plain.hotspots[0],
        method=Located(frame),
        note=HOSTILE,
        chains=(HotChain((Located(THREAD), Located(frame)), 1.0, 2.0),),
    )
    first = plain.suspects[0]
    cause = attrs.evolve(
        first.causes[0],
        option=key,
        hotspot=hotspot,
        chain=hotspot.chains[0],
        joint=1,
        effect=HOSTILE,
    )
    suspect = attrs.evolve(
        first,
        option=key,
        values=Value(HOSTILE, HOSTILE, False),
        causes=(cause,),
        reason=HOSTILE,
    )
    return attrs.evolve(
        plain,
        baseline=(HOSTILE,),
        violation=(HOSTILE,),
        hotspots=(hotspot,),
        suspects=(suspect,),
        under={key: plain.under[JOBS]},
        differences=(Difference(HOSTILE, HOSTILE, HOSTILE, HOSTILE, key),),
        scale=HOSTILE,
        notes=(HOSTILE,),
    )
