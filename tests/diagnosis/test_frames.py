"""Frames to members.  ``frames/Shapes.frames`` lists every method with lines that javac 17 makes of
``frames/Shapes.java``: class, method, descriptor, lines, and after the arrow what the frame is: the members
that it may run with their lines, the instructions of a lambda, ``-`` for none, and whether it is glue."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from conflens.diagnosis.descriptors import Erased, Signature, parse_descriptor
from conflens.diagnosis.frames import FrameIndex
from conflens.diagnosis.sites import calls_to
from conflens.facts.lower import lower
from conflens.profiling.model import Frame, Nature
from conflens.program.program import Program
from flow.support import jdk, program

HERE = Path(__file__).parent / "frames"
ROWS = (HERE / "Shapes.frames").read_text(encoding="utf-8").splitlines()


@cache
def shapes() -> FrameIndex:
    text = (HERE / "Shapes.java").read_bytes()
    return FrameIndex(Program.build({"Shapes.java": lower(text)}, jdk()))


def told(index: FrameIndex, frame: Frame) -> str:
    """Return what is said of a frame, as in the file."""
    program = index.program
    places = index.places(frame)
    found = []
    for ref in places:
        member = program.member(ref)
        found.append(f"{member.key}@{index.line_at(ref.path, member.name_at)}")
    text = " + ".join(found) or "-"
    inside = index.lambda_range(frame, places[0]) if len(places) == 1 else None
    if inside is not None:
        text += f" [{inside[0]}:{inside[1]}]"
    return text + (" glue" if index.is_glue(frame) else "")


@pytest.mark.parametrize("row", ROWS)
def test_names_generated_by_javac(row: str) -> None:
    compiled, _, wanted = row.partition(" -> ")
    owner, method, descriptor, _ = compiled.split(" ")
    assert told(shapes(), Frame(owner, method, descriptor)) == wanted


def test_a_frame_maps_to_code_of_its_member() -> None:
    index = shapes()
    checked = 0
    for row in ROWS:
        owner, method, descriptor, lines = row.partition(" -> ")[0].split(" ")
        frame = Frame(owner, method, descriptor)
        ref = index.locate(frame)
        if ref is None or method == "<init>" or not index.declares(ref, descriptor):
            continue
        member = index.program.member(ref)
        first, _, last = lines.partition("-")
        assert index.line_at(ref.path, member.at) <= int(first)
        assert int(last) <= index.line_at(ref.path, member.end)
        checked += 1
    assert checked > 20


def test_half_typed_files_never_raise() -> None:
    text = (HERE / "Shapes.java").read_bytes()
    frames = []
    for row in ROWS:
        owner, method, descriptor, lines = row.partition(" -> ")[0].split(" ")
        frames.append(Frame(owner, method, descriptor, int(lines.partition("-")[0])))
    found = 0
    for size in range(0, len(text), 97):
        index = FrameIndex(Program.build({"Shapes.java": lower(text[:size])}, jdk()))
        for frame, callee in pairwise([*frames, *frames[:1]]):
            for ref in index.places(frame):
                index.lambda_range(frame, ref)
                calls_to(index, ref, callee, frame.line, frame)
                found += 1
            index.is_glue(frame, callee)
    assert found > 500


def test_malformed_names_resolve_to_nothing() -> None:
    index = FrameIndex(program("class A { void run() {} }"))
    for owner in ("", ".", "$", "A$", "A$$", "A.", "A$1$", "/", "A" * 100_000):
        for method in ("", "lambda$", "lambda$$", "lambda$x$" + "1" * 50_000 + "x", "<init", "$"):
            frame = Frame(owner, method, "(" + "[" * 1000)
            assert index.locate(frame) is None
            index.is_glue(frame, frame)


def name(index: FrameIndex, frame: Frame) -> str:
    ref = index.locate(frame)
    return "-" if ref is None else index.program.member(ref).key


def test_without_a_descriptor_only_methods_without_overloads_resolve() -> None:
    index = FrameIndex(program("class A { void one() {} void two() {} void two(int i) {} }"))
    assert name(index, Frame("A", "one")) == "one()"
    assert name(index, Frame("A", "two")) == "-"
    assert name(index, Frame("A", "two", "(I)V")) == "two(int)"


def test_a_method_whose_parameters_changed_resolves_by_name_if_unique() -> None:
    index = FrameIndex(
        program("class A { void one(long l) {} void two() {} void two(long l) {} }")
    )
    assert name(index, Frame("A", "one", "(I)V")) == "one(long)"
    assert name(index, Frame("A", "two", "(IZ)V")) == "-"


def test_a_bridge_method_resolves_to_its_target_and_is_glue_above_it() -> None:
    index = FrameIndex(
        program(
            "class A implements Comparable<A> { public int compareTo(A a) { return 0; }"
            " int loop(int n) { return n == 0 ? 0 : loop(n - 1); } }"
        )
    )
    bridge = Frame("A", "compareTo", "(Ljava/lang/Object;)I")
    real = Frame("A", "compareTo", "(LA;)I")
    assert name(index, bridge) == name(index, real) == "compareTo(A)"
    assert index.is_glue(bridge, real)
    assert not index.is_glue(real, Frame("java.lang.Integer", "compare"))
    bare = Frame("A", "compareTo")
    assert index.is_glue(bare, bare)
    recursive = Frame("A", "loop")
    assert not index.is_glue(recursive, recursive)


@pytest.mark.parametrize(
    "frame",
    [
        Frame("A", "access$000", "(LA;)V"),
        Frame("A$$Lambda$88+0x00007fd104007a08/266272063", "run"),
        Frame("A$$Lambda/0x0000000800c03000", "get"),
        Frame("A", "$values"),
    ],
)
def test_generated_code_is_glue(frame: Frame) -> None:
    index = FrameIndex(program("class A { }"))
    assert index.is_glue(frame)
    assert index.locate(frame) is None


def test_other_code_is_neither_located_nor_glue() -> None:
    index = FrameIndex(program("package p; class A { void run() {} }"))
    for frame in (
        Frame("java.util.ArrayList", "add"),
        Frame("q.A", "run"),
        Frame("", "read", nature=Nature.NATIVE),
        Frame("p.A", "run", nature=Nature.OBJECT),
        Frame("", "run"),
        Frame("p.A$1", "run"),
    ):
        assert index.locate(frame) is None
        assert not index.is_glue(frame)


def test_a_class_without_a_package_must_be_unique() -> None:
    index = FrameIndex(
        program(
            "package p; class A { void run() {} static class B { void go() {} } }",
            "package q; class A { void run() {} } ",
        )
    )
    assert index.locate(Frame("A", "run", simple=True)) is None
    assert name(index, Frame("A$B", "go", simple=True)) == "go()"
    assert index.locate(Frame("A$B", "go")) is None


def test_an_anonymous_class_whose_number_changed_resolves_by_its_method() -> None:
    index = FrameIndex(
        program(
            "class A { Object a = new Object() { void one() {} }, b = new Object() { void two() {} },"
            " c = new Object() { void two() {} }; }"
        )
    )
    assert name(index, Frame("A$2", "one")) == "one()"
    assert name(index, Frame("A$1", "two")) == "-"
    assert name(index, Frame("A$3", "two")) == "two()"
    assert name(index, Frame("A$9", "one")) == "one()"
    assert name(index, Frame("A$9", "<clinit>")) == "-"


def test_lambdas_are_numbered_through_the_class() -> None:
    index = FrameIndex(
        program(
            "class A { Runnable f = () -> first(); void go(int i) { run(() -> () -> second()); }"
            " void go() { run(() -> third()); } static Runnable s = () -> fourth(); }"
        )
    )
    assert told(index, Frame("A", "lambda$new$0")).startswith("f()")
    assert told(index, Frame("A", "lambda$go$1")) == "go(int)@1 [0:2]"
    assert told(index, Frame("A", "lambda$go$2")) == "go(int)@1 [0:4]"
    assert told(index, Frame("A", "lambda$go$3")) == "go()@1 [0:2]"
    assert told(index, Frame("A", "lambda$static$4")).startswith("s()")
    assert told(index, Frame("A", "lambda$null$1")) == "go(int)@1 [0:2]"
    assert told(index, Frame("A", "lambda$gone$1")) == "- glue"
    assert index.locate(Frame("A", "lambda$go$7")) is None


def test_types_with_equal_erasures_are_distinguished_by_package() -> None:
    index = FrameIndex(
        program(
            "package p; import a.One; class A { void go(One one) {} void go(b.One one) {} }",
            "package a; public class One {}",
            "package b; public class One {}",
        )
    )
    assert name(index, Frame("p.A", "go", "(La/One;)V")) == "go(One)"
    assert name(index, Frame("p.A", "go", "(Lb/One;)V")) == "go(b.One)"
    assert name(index, Frame("p.A", "go", "(Lc/One;)V")) == "-"


def test_mutually_bounded_type_variables_terminate() -> None:
    index = FrameIndex(
        program("class A { <T extends U, U extends T> void go(T t) {} void go(int i) {} }")
    )
    assert index.places(Frame("A", "go", "(Ljava/lang/String;)V"))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("()V", Signature((), Erased("void", 0))),
        (
            "(I[[Ljava/util/Map$Entry;J)[B",
            Signature(
                (Erased("int", 0), Erased("Map$Entry", 2), Erased("long", 0)), Erased("byte", 1)
            ),
        ),
        ("", None),
        ("(", None),
        ("()", None),
        ("(I", None),
        ("(Ljava/lang/String)V", None),
        ("(Q)V", None),
        ("(I)VV", None),
        ("([)V", None),
        ("(byte[ ], int)", None),
    ],
)
def test_descriptors(text: str, wanted: Signature | None) -> None:
    assert parse_descriptor(text) == wanted
