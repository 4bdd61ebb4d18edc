"""Collapsed stacks, small ones and those of real tools (``data/README.md``)."""

import re
from io import BytesIO
from itertools import pairwise

import pytest

from conflens.base.cancel import Cancelled
from conflens.profiling import building
from conflens.profiling.importing import Hints, read_snapshot
from conflens.profiling.model import EventKind, ImportFailure, Nature, Unit
from profiling.support import DATA, by_method, chains, golden, imported, only

AP = "async-profiler/"

REAL = {
    "default": (EventKind.CPU, Unit.SAMPLES),
    "dot_sig": (EventKind.CPU, Unit.SAMPLES),
    "simple_ann": (EventKind.CPU, Unit.SAMPLES),
    "ann_sig_threads": (EventKind.CPU, Unit.SAMPLES),
    "lib": (EventKind.CPU, Unit.SAMPLES),
    "sched": (EventKind.CPU, Unit.SAMPLES),
    "total": (EventKind.CPU, Unit.NANOSECONDS),
    "wall": (EventKind.WALL, Unit.SAMPLES),
    "alloc": (EventKind.ALLOCATION, Unit.SAMPLES),
    "alloc_total": (EventKind.ALLOCATION, Unit.BYTES),
    "alloc_dot_ann": (EventKind.ALLOCATION, Unit.SAMPLES),
    "lock": (EventKind.LOCK, Unit.SAMPLES),
    "lock_total": (EventKind.LOCK, Unit.NANOSECONDS),
    "conv_lines_threads": (EventKind.CPU, Unit.SAMPLES),
    "conv_bci": (EventKind.CPU, Unit.SAMPLES),
    "conv_simple": (EventKind.CPU, Unit.SAMPLES),
    "conv_alloc": (EventKind.ALLOCATION, Unit.BYTES),
    "conv_lock": (EventKind.LOCK, Unit.NANOSECONDS),
    "conv_wall": (EventKind.WALL, Unit.SAMPLES),
    "v2_threads": (EventKind.CPU, Unit.SAMPLES),
    "v2_alloc": (EventKind.ALLOCATION, Unit.SAMPLES),
    "v2_lock": (EventKind.LOCK, Unit.NANOSECONDS),
}


@pytest.mark.parametrize("name", REAL)
def test_real_files(name: str) -> None:
    text = golden(f"{AP}{name}.collapsed.gz").decode()
    # The name "file" tells nothing: kind and unit come from leaves and weights, wall from the hint.
    kind, unit = REAL[name]
    hints = Hints(kind=kind) if kind is EventKind.WALL else Hints()
    snapshot = imported(text, "file", hints)
    series = only(snapshot)
    assert (series.kind, series.unit) == (kind, unit)
    assert series.total == sum(int(line.rpartition(" ")[2]) for line in text.splitlines())
    counted = sum(series.tree.count)
    assert counted == (series.total if unit is Unit.SAMPLES else 0)
    prefix = "" if "simple" in name else "demo.app."
    methods = {(frame.owner, frame.method) for frame in series.tree.frames}
    assert (f"{prefix}Hot", "locked" if kind is EventKind.LOCK else "allocate") in methods
    for frame in series.tree.frames:
        assert "0x" not in frame.owner
        assert "/" not in frame.owner
        assert "_[" not in frame.method
        assert frame.nature is not Nature.JAVA or frame.simple == ("simple" in name)
        assert frame.nature is not Nature.OBJECT


def test_signatures_and_lines_of_real_files() -> None:
    dotted = only(imported(golden(AP + "dot_sig.collapsed.gz")))
    descriptors = {(f.owner, f.method): f.descriptor for f in dotted.tree.frames}
    assert descriptors["demo.app.Hot", "main"] == "([Ljava/lang/String;)V"
    assert descriptors["demo.app.Hot$Node", "<init>"] == "(ILdemo/app/Hot$Node;)V"
    lines = only(imported(golden(AP + "conv_lines_threads.collapsed.gz")))
    source = (DATA / AP / "Hot.java").read_text().splitlines()
    mixed = {f.line for f in lines.tree.frames if f.method == "mix"}
    assert mixed
    assert all("for" in source[line - 1] for line in mixed)


def test_threads_of_real_files() -> None:
    threads = only(imported(golden(AP + "ann_sig_threads.collapsed.gz"))).tree
    roots = {
        threads.frames[threads.frame[node]].method
        for node in range(1, len(threads))
        if threads.parent[node] == 0
    }
    assert "pool-*-thread-*" in roots
    # "[SCHED_OTHER]" stands in front of the thread and is no frame.
    scheduled = only(imported(golden(AP + "sched.collapsed.gz"))).tree
    natures = {
        scheduled.frames[scheduled.frame[node]].nature
        for node in range(1, len(scheduled))
        if scheduled.parent[node] == 0
    }
    assert natures == {Nature.THREAD}


def test_allocations_belong_to_the_allocating_method() -> None:
    series = only(imported(golden(AP + "alloc_total.collapsed.gz")))
    own = by_method(series)
    assert own["demo.app.Hot$Node", "<init>"] > own["demo.app.Hot", "compress"] > 0
    assert not [method for owner, method in own if "[]" in method or not owner]


def test_the_same_methods_in_all_styles() -> None:
    text = "java/lang/Thread.run;a/b/C$D.m;a/b/C.<init> 7\n"
    slashes = by_method(only(imported(text)))
    dots = by_method(only(imported(text.replace("/", "."))))
    suffixed = by_method(only(imported(text.replace(";", "_[j];").replace(" ", "_[i] "))))
    assert slashes == dots == suffixed == {("a.b.C", "<init>"): 7}


def test_unqualified_names_are_reported() -> None:
    assert chains(only(imported("Thread.run;C.m 3\n"))) == [
        "Thread.run (simple) > C.m (simple) 3/3"
    ]
    # A class without a package among others with one is no simple name.
    assert chains(only(imported("java/lang/Thread.run;C.m 3\n"))) == [
        "java.lang.Thread.run > C.m 3/3"
    ]


def test_blank_lines_carriage_returns_and_fractions() -> None:
    text = "\ufeffa/B.m 3\r\n\r\n\na/B.m;a/B.n 4.7\r\na/B.m 1"
    assert chains(only(imported(text))) == ["a.B.m 4/4", "a.B.m > a.B.n 4/4"]


def test_stacks_of_annotation_frames_only_or_none() -> None:
    text = "[CPU-3] 2\n[CPU-1];a/B.m 3\n"
    assert chains(only(imported(text))) == ["opaque no frames 2/2", "a.B.m 3/3"]


def test_two_weights_are_baseline_and_slow_run() -> None:
    snapshot = imported("a/B.m 10 30\na/B.m;a/B.n 5 0\na/B.o 0 2\n")
    assert chains(snapshot.series[0]) == ["a.B.m 30/30", "a.B.o 2/2"]
    assert chains(snapshot.before[0]) == ["a.B.m 10/10", "a.B.m > a.B.n 5/5"]


def test_kind_and_unit_come_from_hints_first() -> None:
    snapshot = imported("a/B.m 3\n", "wall.txt", Hints(EventKind.IO, Unit.NANOSECONDS))
    series = only(snapshot)
    assert (series.kind, series.unit) == (EventKind.IO, Unit.NANOSECONDS)
    assert snapshot.notes == ()
    assert series.tree.count[1] == 0


def test_guesses_are_reported() -> None:
    snapshot = imported("a/B.m 3\n", "run-wall-2.collapsed")
    assert only(snapshot).kind is EventKind.WALL
    assert any("by its name" in note for note in snapshot.notes)
    assert any("samples" in note for note in snapshot.notes)
    # "block" is not "lock".
    assert only(imported("a/B.m 3\n", "block.txt")).kind is EventKind.CPU


def test_locks_and_allocations_are_distinguished_by_arrays() -> None:
    lock = only(imported("a/B.m;java.lang.Object_[i] 90\na/B.n;int[]_[i] 1\n"))
    assert (lock.kind, chains(lock)) == (EventKind.LOCK, ["a.B.m 90/90", "a.B.n 1/1"])
    allocation = only(imported("a/B.m;java.lang.String_[i] 10\na/B.n;byte[]_[k] 20\n"))
    assert allocation.kind is EventKind.ALLOCATION


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a/B.m 3\n" * 30 + "a/B.m\n", "file: line 31: has no weight at its end"),
        ("a/B.m 3\n" * 30 + "a/B.m -4\n", "file: line 31: has no weight at its end"),
        (
            f"a/B.m 3\na/B.m {10**30}\n",
            "file: line 2: the weights add up to more than any run has",
        ),
        (
            f"a/B.m {10**18 - 1}\n" * 5,
            "file: line 5: the weights add up to more than any run has",
        ),
    ],
)
def test_damaged_lines_have_a_place(text: str, reason: str) -> None:
    with pytest.raises(ImportFailure) as failure:
        imported(text)
    assert str(failure.value) == reason


def test_a_missing_weight_late_in_a_file_has_a_place() -> None:
    with pytest.raises(
        ImportFailure, match="line 60001: has one weight where the others have two"
    ):
        imported("a 1 2\n" * 60_000 + "a 1\n")


def test_an_endless_line_is_refused() -> None:
    head = b"a/B.m 3\n" * 10_000
    with pytest.raises(ImportFailure, match="line 10001: is longer than 1 MB"):
        imported(head + b"x;" * 2_000_000)


def test_deep_stacks_keep_both_ends() -> None:
    stack = ";".join(f"a/B.m{number}" for number in range(50_000))
    series = only(imported(f"{stack} 5\n"))
    assert len(series.tree) == building.DEPTH + 2
    (line,) = chains(series)
    assert line.startswith("a.B.m0 > a.B.m1 >")
    assert "opaque frames left out" in line
    assert line.endswith("a.B.m49999 5/5")


def test_endless_names_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "FRAMES", 100)
    text = "".join(f"a/B.m{number} 1\n" for number in range(1_000))
    snapshot = imported(text)
    assert len(only(snapshot).tree.frames) == 101
    assert only(snapshot).total == 1_000
    assert any("further methods" in note for note in snapshot.notes)


def test_progress_and_cancelling() -> None:
    data = b"".join(b"a/B.m%d;a/C.n 1\n" % (number % 50) for number in range(100_000))
    told: list[int] = []
    read_snapshot(BytesIO(data), "file", told.append)
    assert told[-1] == len(data)
    assert told == sorted(told)
    assert max(b - a for a, b in pairwise(told)) <= 64 * 1024

    def stop(done: int) -> None:
        if done > 200_000:
            raise Cancelled

    stream = BytesIO(data)
    with pytest.raises(Cancelled):
        read_snapshot(stream, "file", stop)
    assert stream.tell() < 300_000


def test_goldens_contain_the_cases_the_reference_warns_of() -> None:
    """The traps are in the goldens, so that the tests above are about them."""
    wanted = {
        "ann_sig_threads": (r"\(\[Ljava/lang/String\|\)V_\[0\]", r"\[pool-1-thread-\d tid=\d+\]"),
        "simple_ann": (r"(^|;)Hot\.mix_\[j\]",),
        "lib": (r"libjvm\.so`", r"Hot\$\$Lambda\$1\.call"),
        "conv_bci": (r"Hot\.mix@\d+_\[",),
        "wall": (r"\[tid=\d+\]",),
        "lock": (r";java\.lang\.Object_\[i\] \d", r";int\[\]_\[i\] \d"),
        "alloc_dot_ann": (r";byte\[\] \d", r"lambda\$locked\$0_\[j\]"),
        "default": (r"\$\$Lambda\$1\.0x[0-9a-f]+\.call",),
    }
    for name, patterns in wanted.items():
        text = golden(f"{AP}{name}.collapsed.gz").decode()
        for pattern in patterns:
            assert re.search(pattern, text, re.MULTILINE), (name, pattern)
