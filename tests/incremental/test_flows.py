"""What is followed again after an edit, and that the flows are those of a trace from nothing."""

from __future__ import annotations

import random

import pytest

from conflens.flow.results import Dependency, FlowTable, Pattern, place_of
from conflens.flow.walk_types import Start
from incremental.tracing import BOUND, FILES, SIGNED, Edited, N, Q


@pytest.fixture
def program() -> Edited:
    return Edited(FILES)


def options_of(edited: Edited, starts: frozenset[Start]) -> set[str]:
    """The options whose walks these are, by the files in which they begin."""
    names = {"p/R.java": "r.n", "p/Q.java": "q.n", "p/W.java": "w.n"}
    return {names[start.ref.path] for start in starts}


def reached(table: FlowTable, key: tuple[str, str]) -> set[tuple[str, str]]:
    return {(flow.dependency, flow.operation.api) for flow in table.of_option(key).flows}


def test_the_program_has_the_flows_under_test(program: Edited) -> None:
    assert set(program.flows.options) == {N, Q, BOUND}
    assert reached(program.flows, Q) == {(Dependency.DIRECT, "new byte[]")}
    assert reached(program.flows, N) == {(Dependency.BRANCH, "Thread.yield")}
    (flow,) = program.flows.of_option(BOUND).flows
    assert flow.pattern is Pattern.BRANCH_UNRELATED


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("p/U.java", "int b = 2;", "int b = 2; synchronized (U.class) { }"),
        ("p/R.java", "int a = 1;", "if (a()) { return; }"),
        ("p/V.java", "int c = 3;", "Object d = new Object();"),
    ],
)
def test_a_method_on_no_flow(program: Edited, path: str, old: str, new: str) -> None:
    before = program.flows
    traced = program.replace(path, old, new)
    assert traced.redone == frozenset()
    assert traced.made == 0
    assert traced.table == before == program.fresh()
    assert all(traced.table.options[key] is before.options[key] for key in before.options)


def test_a_method_on_the_flows_of_one_option(program: Edited) -> None:
    before = program.flows
    traced = program.replace("p/Q.java", "byte[] all", "if (length > 1) { return; } byte[] all")
    assert options_of(program, traced.redone) == {"q.n"}
    assert traced.table.options[N] is before.options[N]
    assert traced.table.options[BOUND] is before.options[BOUND]
    assert traced.table == program.fresh() != before


def test_another_file_starts_to_read_the_field(program: Edited) -> None:
    before = program.flows
    traced = program.replace("p/V.java", "int c = 3;", "byte[] d = new byte[s.held];")
    assert options_of(program, traced.redone) == {"r.n"}
    assert reached(traced.table, N) - reached(before, N) == {(Dependency.DIRECT, "new byte[]")}
    assert traced.table == program.fresh()
    traced = program.replace("p/V.java", "byte[] d = new byte[s.held];", "int c = 3;")
    assert options_of(program, traced.redone) == {"r.n"}
    assert traced.table == before


def test_an_operation_two_calls_below_a_guard_in_another_file(program: Edited) -> None:
    traced = program.replace("p/U.java", "Thread.yield();", "synchronized (U.class) { }")
    assert options_of(program, traced.redone) == {"r.n"}
    assert reached(traced.table, N) == {(Dependency.BRANCH, "synchronized")}
    assert traced.table == program.fresh()


def test_an_update_two_calls_down_changes_the_pattern(program: Edited) -> None:
    traced = program.replace("p/W.java", "Thread.yield();", "Thread.yield(); count++;")
    assert options_of(program, traced.redone) == {"w.n"}
    (flow,) = traced.table.of_option(BOUND).flows
    assert flow.pattern is Pattern.BRANCH_APPROACHING
    assert traced.table == program.fresh()


def test_a_signature(program: Edited) -> None:
    traced = program.replace("p/U.java", "void idle()", "void idle(int more)")
    assert traced.redone == frozenset()
    assert traced.table == program.fresh()


def test_a_signature_on_a_flow(program: Edited) -> None:
    before = program.flows
    traced = program.replace("p/T.java", "work(int n)", "work(int more, int n)")
    assert options_of(program, traced.redone) == {"r.n"}
    assert traced.table.options[Q] is before.options[Q]
    assert traced.table == program.fresh() != before


def test_a_type_visible_only_to_callers_of_the_method_that_returns_it() -> None:
    program = Edited(SIGNED)
    program.replace("p/A.java", "B made()", "Object made()")
    assert program.flows == program.fresh()
    program.replace("p/A.java", "Object made()", "C made()")
    assert program.flows == program.fresh()


@pytest.mark.seeds(8)
def test_any_edits_of_declarations_and_bodies(seed: int) -> None:
    dice = random.Random(seed)
    program = Edited(SIGNED)
    done = 0
    while done < 25:
        make = program.any_signature if dice.random() < 0.6 else program.any_body
        edit = make(dice, sorted(SIGNED))
        if edit is not None:
            program.edit(*edit)
            done += 1
            told = f"edit {done} of {edit[0]} (seed {seed})"
            assert program.discovery.table == program.fresh_options(), told
            assert program.flows == program.fresh(), told
        if dice.random() < 0.15:
            path = dice.choice(sorted(SIGNED))
            program.edit(path, SIGNED[path])


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("p/S.java", "this.held = n;", "int more = 5; this.held = n;"),
        ("p/S.java", "this.held = n;", "// why\n        this.held = n;"),
        ("p/T.java", "n > 3", "n > 7"),
        ("p/T.java", "U.first();", 'System.getProperty("p.x"); U.first();'),
        ("p/U.java", "        second();", '        String text = "a" + 1;\n        second();'),
        ("p/U.java", "Thread.yield();", "int more = 5; int third = 6; Thread.yield();"),
    ],
)
def test_typing_that_keeps_the_summary_redoes_no_other_flow(
    program: Edited, path: str, old: str, new: str
) -> None:
    before = program.flows
    traced = program.replace(path, old, new)
    assert {start for start in traced.redone if start.ref.path != path} == set()
    assert traced.table == program.fresh()
    assert traced.table.options[Q] is before.options[Q]
    for flow in traced.table.of_option(N).flows:
        place = place_of(program.program, flow.operation.ref, flow.operation.instr)
        text = program.texts[place.path][place.start : place.end]
        assert text == b"Thread.yield()"


def test_summaries_of_untouched_methods_in_an_edited_file_are_kept(program: Edited) -> None:
    traced = program.replace("p/W.java", "two();\n", "two(); synchronized (this) { }\n")
    assert options_of(program, traced.redone) == {"w.n"}
    assert traced.made == 1, "what the edited method itself does"


@pytest.mark.seeds(4)
def test_any_edits_give_the_flows_of_a_fresh_analysis(seed: int) -> None:
    dice = random.Random(seed)
    program = Edited(FILES)
    done = 0
    while done < 25:
        edit = program.any_body(dice, sorted(FILES))
        if edit is not None:
            program.edit(*edit)
            done += 1
            assert program.flows == program.fresh(), f"edit {done} of {edit[0]} (seed {seed})"
        if dice.random() < 0.1:
            path = dice.choice(sorted(FILES))
            program.edit(path, FILES[path])


def test_another_class_starts_to_store_the_read_value() -> None:
    program = Edited(
        {
            "p/H.java": "package p;\nclass H {\n byte[] data;\n H(byte[] d) { this.data = d; }\n}\n",
            "p/A.java": "package p;\nclass A {\n void a(java.util.List<H> l, H h) {\n"
            '  if (Boolean.getBoolean("x.on")) { l.add(h); }\n }\n}\n',
            "p/B.java": "package p;\nclass B {\n H b(java.io.InputStream in, int n)"
            " throws java.io.IOException {\n  byte[] d = new byte[n];\n  int c = 3;\n"
            "  return new H(d);\n }\n}\n",
        }
    )
    key = ("system-property", "x.on")
    assert not program.flows.of_option(key).flows
    traced = program.replace("p/B.java", "int c = 3;", "in.read(d);")
    assert traced.table.of_option(key).flows
    assert traced.table == program.fresh()


def test_where_the_analysis_stops_follows_an_edit_of_that_body() -> None:
    calls = "".join(
        f"    static void m{number}(int n) {{ m{number + 1}(n); }}\n" for number in range(11)
    )
    program = Edited(
        {
            "p/R.java": 'package p;\nclass R {\n    void run() { C.m0(Integer.getInteger("r.n", 4)); }\n}\n',
            "p/C.java": "package p;\nclass C {\n    static int held;\n"
            f"{calls}    static void m11(int n) {{ held = n; }}\n}}\n",
            "p/Z.java": "package p;\nclass Z {\n    void use() {\n        int a = 1;\n"
            "        Object o = new byte[C.held];\n    }\n}\n",
        }
    )
    (end,) = program.flows.of_option(N).cold
    assert (end.ref.path, end.reason) == ("p/Z.java", "the way is too long")
    traced = program.replace("p/Z.java", "int a = 1;", "int a = 1; int b = 2;")
    assert traced.table.of_option(N).cold != (end,)
    assert traced.table == program.fresh()


def test_a_cast_says_of_which_class_the_value_of_a_field_is() -> None:
    program = Edited(
        {
            "p/H.java": "package p;\nclass H {\n Object last;\n void keep(Object given) { last = (Integer) given; }\n"
            " byte[] use() { return new byte[((Short) last).intValue()]; }\n}\n",
            "p/R.java": 'package p;\nclass R {\n void run(H h) { Number n = Integer.getInteger("r.n"); h.keep(n); }\n}\n',
        }
    )
    assert not program.flows.of_option(N).flows
    traced = program.replace("p/H.java", "(Integer) given", "(Number) given")
    assert traced.table == program.fresh()
    assert traced.table.of_option(N).flows


def test_what_holds_the_objects_of_a_bound_class_is_read_now() -> None:
    program = Edited(
        {
            "p/App.java": "package p;\nimport org.springframework.boot.context.properties.ConfigurationProperties;\n"
            '@ConfigurationProperties("app")\nclass App {\n private java.util.List<Pool> pools;\n'
            " public java.util.List<Pool> getPools() { return pools; }\n"
            " public void setPools(java.util.List<Pool> pools) { this.pools = pools; }\n"
            " static class Pool {\n  private int size;\n  public int getSize() { return size; }\n"
            "  public void setSize(int size) { this.size = size; }\n }\n}\n",
            "p/Main.java": "package p;\nclass Main {\n byte[] run(App app, App.Pool pool) {\n  int some = 1;\n"
            "  return new byte[pool.getSize()];\n }\n}\n",
        }
    )
    key = ("spring", "app.pools.*.size")
    assert key not in program.flows.options
    traced = program.replace("p/Main.java", "int some = 1;", "app.getPools();")
    assert traced.table == program.fresh()
    assert traced.table.of_option(key).flows
    again = program.replace("p/Main.java", "app.getPools();", "int some = 1;")
    assert again.table == program.fresh()
    assert key not in again.table.options
