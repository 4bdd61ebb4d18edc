"""Lines of frames: ``A.java`` is the source of today; chains are written ``go:4 one:8``, root first, one
frame for each word, with the line that the snapshot says."""

from __future__ import annotations

from conflens.diagnosis.frames import FrameIndex
from conflens.diagnosis.lines import LineBook
from conflens.profiling.building import FrameTable, TreeBuilder
from conflens.profiling.model import EventKind, Frame, Series, Snapshot, Unit
from flow.support import program

SOURCE = """class A {
    void go() {
        one();
        two(1);
        two(2);
        for (int i : items()) { two(3, 4); }
    }

    void one() {
        work();
    }

    void two(int... n) {
        work(); work();
        new B(one(),
            two(1));
        run(() -> {
            one();
        });
    }

    A(int n) { one(); }
    int first = start();
    int second = start();
}
class B { B(Object a, Object b) { } }
"""


def frames(chain: str) -> list[Frame]:
    found = []
    for word in chain.split():
        called, _, line = word.partition(":")
        owner, _, method = called.rpartition(".")
        found.append(Frame(owner or "A", method, line=int(line or 0)))
    return found


def book(
    *chains: str, source: str = SOURCE, taken: float = 0.0, modified: float | None = None
) -> LineBook:
    table = FrameTable()
    builder = TreeBuilder(table)
    for chain in chains:
        builder.add([table.number(frame) for frame in frames(chain)], 1, 1)
    series = Series(EventKind.CPU, Unit.SAMPLES, builder.tree())
    snapshot = Snapshot("s", "test", (series,), taken=taken, seconds=10.0 if taken else 0.0)
    times = {} if modified is None else {"A.java": modified}
    return LineBook(FrameIndex(program(source)), [snapshot], times)


def lines(made: LineBook, chain: str) -> list[int]:
    found = frames(chain)
    below = [*found[1:], None]
    return [made.line_of(frame, callee) for frame, callee in zip(found, below, strict=True)]


def called(made: LineBook, chain: str, position: int = 0) -> list[str]:
    program = made.index.program
    found = []
    for ref, at in made.sites(frames(chain), position):
        member = program.member(ref)
        instr = program.body(ref).code[at]
        text = SOURCE.encode()[member.at + instr.at : member.at + instr.end]
        found.append(" ".join(text.decode().split()))
    return found


GOOD = ("go:3 one:10 work", "go:4 two:14 work", "go:5 two:14 work")


def test_a_file_whose_calls_match_the_frame_lines_is_trusted() -> None:
    made = book(*GOOD)
    assert made.is_trusted("A.java")
    assert lines(made, "go:5 two:14 work:0") == [5, 14, 0]
    assert lines(made, "two:13") == [13]


def test_a_call_on_another_line_has_no_line_even_in_a_trusted_file() -> None:
    chains = [f"go:{line} two:{end} work" for line in (4, 5, 6) for end in (14, 14)]
    made = book(
        *chains, "go:3 one:10 work", "<init>:22 one:10 work", "two:18 one:10 work", "two:4 one"
    )
    assert not made.is_trusted("A.java"), "a line outside of its member"
    made = book(
        *chains,
        "go:3 one:10 work",
        "<init>:22 one:10 work",
        *["lambda$two$0:18 one:10 work"],
        "go:4 one",
    )
    assert not made.is_trusted("A.java"), "one of eight misses"
    more = (
        "lambda$two$0:18 one:10 work",
        "two:15 one:10 work",
        "two:16 two:14 work",
        "<init>:23 start",
    )
    made = book(
        *chains, "go:3 one:10 work", "<init>:22 one:10 work", *more, "<init>:24 start", "go:4 one"
    )
    assert made.is_trusted("A.java")
    assert lines(made, "go:4 one") == [0, 0]
    assert lines(made, "go:4 two:14 work") == [4, 14, 0]


def test_file_times_decide_where_lines_cannot_be_checked() -> None:
    assert book("two:13", taken=100.0, modified=90.0).is_trusted("A.java")
    assert not book("two:13", taken=100.0, modified=91.0).is_trusted("A.java")
    assert not book("two:13", taken=0.0, modified=91.0).is_trusted("A.java")
    assert not book("two:13", taken=100.0).is_trusted("A.java")


def test_evidence_overrides_file_times() -> None:
    outside = book("two:40", taken=100.0, modified=1.0)
    assert not outside.is_trusted("A.java")
    assert lines(outside, "two:13") == [0]
    missing = book("go:4 one", taken=100.0, modified=1.0)
    assert not missing.is_trusted("A.java")
    assert book(*GOOD, taken=1.0, modified=100.0).is_trusted("A.java")


def test_lines_of_a_member_that_moved_as_a_whole_are_shifted() -> None:
    made = book("go:103 one:910 work", "go:104 two:914 work", "go:105 two:914 work")
    assert not made.is_trusted("A.java")
    assert lines(made, "go:103 one") == [3, 0]
    assert lines(made, "go:105 two") == [5, 0]
    assert lines(made, "go:104") == [4], "between two that fit"
    assert lines(made, "go:106") == [0], "outside of them"
    assert lines(made, "one:910 work") == [0, 0], "one line proves nothing"


def test_lines_of_a_member_that_changed_inside_are_not_shifted() -> None:
    made = book("go:103 one:910 work", "go:104 two:914 work", "go:107 two:914 work")
    assert lines(made, "go:103 one") == [0, 0]
    ambiguous = book("go:104 two:914 work", "go:204 one:914")
    assert lines(ambiguous, "go:104 two") == [0, 0]


def test_generated_calls_do_not_count_as_mismatches() -> None:
    source = "class A { void go(Iterable<B> all) {\n all.iterator();\n for (B b : all) { b.work(); }\n } }"
    made = book(
        "go:3 java.util.List.iterator", "go:3 B.work", taken=9.0, modified=0.0, source=source
    )
    assert not made.is_trusted("A.java"), "too new a file"
    made = book(
        "go:3 java.util.List.iterator", "go:3 B.work", taken=99.0, modified=0.0, source=source
    )
    assert lines(made, "go:3 java.util.List.iterator") == [3, 0]


def test_which_call_a_frame_belongs_to() -> None:
    made = book(*GOOD)
    assert called(made, "go:4 two:14") == ["two(1)"]
    assert called(made, "go:5 two:14") == ["two(2)"]
    assert called(made, "go two:14") == ["two(1)", "two(2)", "two(3, 4)"]
    assert called(made, "go one:10") == ["one()"]
    assert called(made, "two:14 work") == ["work()", "work()"]
    assert called(made, "two:16 B.<init>") == ["new B(one(), two(1))"]
    assert called(made, "go other") == []
    assert called(made, "java.util.List.add one") == []


def test_lambdas_run_only_their_own_calls() -> None:
    made = book(*GOOD)
    assert called(made, "lambda$two$0 one") == ["one()"]
    assert [site.instr for site in made.sites(frames("lambda$two$0 one"), 0)] != [
        site.instr for site in made.sites(frames("two one"), 0)
    ]
    assert len(made.sites(frames("two one"), 0)) == 1


def test_glue_frames_between_are_skipped() -> None:
    made = book(*GOOD)
    assert called(made, "go access$000 one:10") == ["one()"]
    assert called(made, "two:17 A$$Lambda$3.get lambda$two$0") == []
    assert called(made, "two:17 run A$$Lambda$3.get lambda$two$0:18 one", 0) == [
        "run(() -> { one(); })"
    ]


def test_parts_of_an_initializer_are_distinguished_by_line() -> None:
    made = book("<init>:22 one:10 work", "<init>:23 start", "<init>:24 start")
    program = made.index.program

    def part(chain: str) -> str:
        found = frames(chain)
        ref = made.locate(found[0], found[1]).ref
        return "-" if ref is None else program.member(ref).key

    assert part("<init>:22 one:10") == "<init>(int)"
    assert part("<init>:24 start") == "second()"
    assert part("<init> one") == "<init>(int)"
    assert called(made, "<init>:24 start") == ["start()"]
    assert len(called(made, "<init> start")) == 2


def test_overloads_without_descriptors_are_distinguished_by_trusted_lines() -> None:
    source = "class A { void go() { work(); }\n void go(int i) {\n work();\n }\n void all() {\n go(); go(1); work();\n } }"
    frame = frames("go:3 work")
    trusted = book("all:6 go:3 work", "all:6 work", taken=99.0, modified=0.0, source=source)
    ref = trusted.locate(frame[0], frame[1]).ref
    assert ref is not None
    assert trusted.index.program.member(ref).key == "go(int)"
    assert book("all:6 go:3 work", source=source).locate(frame[0], frame[1]).ref is None
