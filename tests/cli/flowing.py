"""A project with flows made by hand, so that formats are tested without what finds flows."""

import attrs

from conflens.base.span import Place
from conflens.documents import DocumentIndex
from conflens.facts.lower import lower
from conflens.flow.results import (
    Cold,
    Confidence,
    Dependency,
    Flow,
    FlowTable,
    Operation,
    Path,
    Pattern,
    Reach,
    Step,
    StepRole,
)
from conflens.models import jdk
from conflens.options.model import Option, OptionTable, OptionType, Read, ReadKind
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.session.analysis import Analysis, Problem, Stats

PATH = "src/größe #1/Pool%.java"
SOURCE = """package p;
class Pool {
    int size = Integer.getInteger("pool.size", 4);
    java.io.OutputStream out;
    /* 😀é */ byte[] buffer = new byte[size];

    void fill() throws Exception {
        for (int i = 0;
                i < size; i++) {
            if (size > 3 && ok(")")) { out
                    .write(i); }
        }
        do { out.flush(); } while (size < 2);
        Runnable r = new Runnable() {
            public void run() { synchronized (Pool.this) { touch(size); } }
        };
    }

    synchronized void touch(int n) { }

    boolean ok(String s) { return s.isEmpty(); }
}
"""
PROBLEMS = (Problem(".conflens.toml", 3, 1, "workspace-file", "unknown key {nmae}"),)


@attrs.frozen
class Texts:
    """One text for the one file."""

    source: bytes | None

    def text(self, path: str) -> bytes | None:
        return self.source if path == PATH else None


class Finder:
    """Finds instructions by their source text."""

    def __init__(self, source: str) -> None:
        self.source = source.encode()
        facts = lower(self.source)
        assert facts.problems == ()
        self.program = Program.build({PATH: facts}, jdk.packaged())

    def member(self, key: str) -> MemberRef:
        members = self.program.files[PATH].members
        return self.program.ref(PATH, [member.key for member in members].index(key))

    def step(self, key: str, text: str, role: StepRole = StepRole.OPERATION) -> Step:
        """The last instruction of a member whose text begins with ``text``."""
        ref = self.member(key)
        at = self.program.member(ref).at
        found = [
            index
            for index, instr in enumerate(self.program.body(ref).code)
            if self.source[at + instr.at : at + instr.end].startswith(text.encode())
        ]
        return Step(ref, found[-1], role)

    def place(self, text: str) -> Place:
        start = self.source.index(text.encode())
        return Place(PATH, start, start + len(text.encode()))


def flow(
    steps: list[Step],
    kind: str,
    api: str,
    dependency: Dependency,
    pattern: Pattern,
    confidence: Confidence = Confidence.HIGH,
    more: int = 0,
) -> Flow:
    """A flow with one path, and ``more`` that are like it and less sure."""
    last = steps[-1]
    reasons = () if confidence is Confidence.HIGH else ("a field is one cell for all objects",)
    best = Path(tuple(steps), confidence, reasons, 0)
    other = Path(tuple(steps), Confidence.LOW, ("dynamic dispatch over 9 targets",), 1)
    operation = Operation(last.ref, last.instr, kind, api)
    return Flow(operation, dependency, pattern, (best, *[other] * min(more, 2)), 1 + more)


def flows_of(finder: Finder) -> FlowTable:
    """What the tests show: a buffer, a write in a loop, a lock of a method, and a cold trail."""
    read = finder.step("size()", 'Integer.getInteger("pool.size"', StepRole.READ)
    store = finder.step("size()", "size =", StepRole.STORE)
    load = finder.step("fill()", "size", StepRole.LOAD)
    loop = finder.step("fill()", "for (int i", StepRole.GUARD)
    branch = finder.step("fill()", "if (size", StepRole.GUARD)
    again = finder.step("fill()", "do {", StepRole.GUARD)
    call = finder.step("run()", "touch(size)", StepRole.CALL)
    touch = Step(finder.member("touch(int)"), -1, StepRole.OPERATION)
    flows = (
        flow(
            [read, store, finder.step("buffer()", "new byte")],
            "memory",
            "new byte[]",
            Dependency.DIRECT,
            Pattern.DATA,
        ),
        flow(
            [read, store, load, loop, finder.step("fill()", "out\n")],
            "io",
            "OutputStream.write",
            Dependency.LOOP,
            Pattern.LOOP_BOUND,
            more=4,
        ),
        flow(
            [read, store, branch, finder.step("fill()", "out\n")],
            "io",
            "OutputStream.write",
            Dependency.BRANCH,
            Pattern.BRANCH_CONSTANT,
            Confidence.MEDIUM,
        ),
        flow(
            [read, store, again, finder.step("fill()", "out.flush")],
            "io",
            "OutputStream.flush",
            Dependency.LOOP,
            Pattern.LOOP_BOUND,
            Confidence.MEDIUM,
        ),
        flow(
            [read, store, call, touch],
            "lock",
            "synchronized",
            Dependency.BRANCH,
            Pattern.BRANCH_UNRELATED,
            Confidence.LOW,
        ),
    )
    isolated = finder.step("ok(String)", "s.isEmpty")
    cold = (Cold(isolated.ref, isolated.instr, "no caller is known"),)
    return FlowTable({("system-property", "pool.size"): Reach(flows, cold)})


def option(finder: Finder, name: str, domain: str = "system-property") -> Option:
    place = finder.place('Integer.getInteger("pool.size", 4)')
    named = finder.place('"pool.size"')
    read = Read(
        place,
        named,
        place.end,
        ReadKind.CALL,
        "Pool.size",
        "Integer.getInteger",
        None,
        True,
        True,
        False,
    )
    return Option(
        name=name,
        domain=domain,
        type=OptionType.INTEGER,
        why="Integer.getInteger",
        values=(),
        unit="",
        defaults=(),
        conflict=False,
        description="",
        declarations=(),
        reads=(read,),
    )


def flowing(source: str = SOURCE, on_disk: str | None = SOURCE) -> Analysis:
    """The analysis of ``source``, while the disk has another text or none."""
    finder = Finder(source)
    text = source if on_disk == SOURCE else on_disk
    options = [
        option(finder, "pool.size"),
        option(finder, "pool.wait"),
        option(finder, "fs.*.impl", "hadoop"),
    ]
    return Analysis(
        revision=1,
        complete=True,
        program=finder.program,
        options=OptionTable.of(options, []),
        documents=DocumentIndex.build({}),
        left_out=(),
        problems=PROBLEMS,
        stats=Stats(files=1, lines=22, seconds=0.5, peak_mb=80.25, cached_files=0),
        texts=Texts(text.encode() if text is not None else None),
        flows=flows_of(finder),
    )
