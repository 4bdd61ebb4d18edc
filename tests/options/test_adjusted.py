"""What becomes of values outside of bounds: discovery of small programs."""

from __future__ import annotations

from typing import Any

import pytest

from conflens.facts import ir
from conflens.flow.code import Code
from conflens.options.adjustments import shown
from conflens.options.inference.adjusted import Adjusted
from conflens.options.inference.conditions import comparisons
from conflens.options.model import Effect, Option
from options.adjusted_support import READ, THROW, body, named, said, table
from options.bound_support import program

ADJUSTED = {
    "the larger of two": ("use(Math.max(1, n));", {("lower", "1", "raised", "1")}),
    "the smaller of two": ("use(Math.min(n, 100));", {("upper", "100", "lowered", "100")}),
    "between two": (
        "use(Math.min(100, Math.max(n, 1)));",
        {("lower", "1", "raised", "1")},
    ),
    "clamped": (
        "use(Math.clamp(n, 1, 64));",
        {("lower", "1", "raised", "1"), ("upper", "64", "lowered", "64")},
    ),
    "assigned anew": ("if (n < 2) n = 2; use(n);", {("lower", "2", "raised", "2")}),
    "assigned something else": ("if (n <= 0) n = 16; use(n);", {("lower", "1", "reset", "16")}),
    "chosen": ("use(n <= 0 ? Integer.MAX_VALUE : n);", set()),
    "chosen between constants": ("use(n < 5 ? 5 : n);", {("lower", "5", "raised", "5")}),
    "one value stands for another": (
        "if (n == -1) n = 20; use(n);",
        {("not", "-1", "reset", "20")},
    ),
    "in another variable": (
        "int m; if (n >= 0) { m = n; } else { m = 3; } use(m);",
        {("lower", "0", "reset", "3")},
    ),
    "off": ("if (n > 0) { start(); use(n); }", {("lower", "1", "off", "")}),
    "no pause": ("if (n > 0) { Thread.sleep(n); }", {("lower", "1", "off", "")}),
    "up to and with a number": (
        "use(n <= 2 ? 2 : n);",
        {("lower", "2", "raised", "2")},
    ),
    "not used": ("if (n > 0) { use(n); }", {("lower", "1", "ignored", "")}),
    "handed on within an object": (
        "if (n > 0) { Object made = java.util.List.of(n); use(made); }",
        {("lower", "1", "ignored", "")},
    ),
    "handed on within a function": (
        "if (n > 0) { later(() -> use(n)); }",
        {("lower", "1", "ignored", "")},
    ),
    "not used, but something else": (
        "if (n > 0) { use(n); return; } start();",
        {("lower", "1", "ignored", "")},
    ),
    "off by leaving": ("if (n <= 0) return; use(n);", {("lower", "1", "off", "")}),
    "off within a condition": (
        "if (n > 0 && other > 0) { use(n); }",
        {("lower", "1", "ignored", "")},
    ),
    "no limit": ("if (n > 0 && other > n) { use(other); }", {("lower", "1", "unlimited", "")}),
    "no limit of what goes on": (
        "while (n == 0 || other < n) { other++; }",
        {("not", "0", "unlimited", "")},
    ),
    "no limit in an inner condition": (
        f"if (n != -1) {{ if (other >= n) {{ {THROW} }} }}",
        {("not", "-1", "unlimited", "")},
    ),
    "no limit by leaving": (
        "if (n <= 0) return; int all = hashCode(); if (all >= n) { notifyAll(); return; } return;",
        {("lower", "1", "unlimited", "")},
    ),
    "nothing goes on": (
        "if (n > 0 && other < n) { use(other); }",
        {("lower", "1", "off", "")},
    ),
    "more than a limit": (
        "if (n > 0) { notifyAll(); if (other > n) { use(other); } }",
        {("lower", "1", "off", "")},
    ),
    "not fewer threads than others": (
        "new java.util.concurrent.ThreadPoolExecutor(6, n, 1, null, null);",
        {("lower", "6", "throws", "")},
    ),
    "not fewer than how many is not known": (
        "new java.util.concurrent.ThreadPoolExecutor(other, n, 1, null, null);",
        {("lower", "1", "throws", "")},
    ),
    "one value is off": ("if (n != -1) { use(n); start(); }", {("not", "-1", "off", "")}),
    "a loop that does not run": (
        "for (int i = 0; i < n; i++) { use(i); }",
        {("lower", "1", "off", "")},
    ),
    "in another unit": (
        "long bytes = n * 1024L; if (bytes < 4096) bytes = 4096; use(bytes);",
        {("lower", "4", "raised", "4")},
    ),
    "a call rejects it": ("Thread.sleep(n);", {("lower", "0", "throws", "")}),
    "an array of it": ("use(new byte[n]);", {("lower", "0", "throws", "")}),
    "divided by it": ("use(other / n);", {("not", "0", "throws", "")}),
    "rejected but for one value": (
        f"if (n != -1 && n < 1) {THROW} use(n);",
        {("lower", "-1", "throws", ""), ("not", "0", "throws", "")},
    ),
    "rejected but for the last value": (
        f"if (!(n == 0 || n > 0)) {THROW} use(n);",
        {("lower", "0", "throws", "")},
    ),
    "tried several times": (
        "for (int i = 0; i < n; i++) { if (start()) break; }",
        {("lower", "1", "ignored", "")},
    ),
    "tried until it succeeds": (
        "for (int i = 0; i < n; i++) { for (int j = 0; j < 3; j++) { if (j > 1) break; } if (start()) return; }",
        {("lower", "1", "ignored", "")},
    ),
    "a loop within which another one is left": (
        "for (int i = 0; i < n; i++) { for (int j = 0; j < 3; j++) { if (j > other) break; } start(); }",
        {("lower", "1", "off", "")},
    ),
    "a marker": ("if (n <= 0) n = -5; use(n);", {("lower", "1", "reset", "")}),
    "within what is tried": (
        "int m = 9; try { m = Integer.getInteger(\"pool.size\", 50); if (m < 4) { m = 4; } } catch (RuntimeException e) { use(e); } use(m);",
        {("lower", "4", "raised", "4")},
    ),
    "rejected before the rest of a loop": (
        "while (other > 0) { try { Thread.sleep(n); } catch (InterruptedException e) { return; } if (n > other) use(other); }",
        {("lower", "0", "throws", "")},
    ),
    "one less than it": ("n--; use(Math.max(n, 4));", {("lower", "5", "raised", "5")}),
    "one more than it": ("use(Math.min(++n, 4));", {("upper", "3", "lowered", "3")}),
    "minus it": ("use(Math.max(-n, 4));", {("upper", "-4", "lowered", "-4")}),
    "an amount between two whole ones": (
        "use(Math.max(n * 1000, 1500));",
        {("lower", "2", "reset", "")},
    ),
    "replaced by no whole number": (
        "long v = n * 1000L; if (v < 1500) v = 1500; use(v);",
        {("lower", "2", "reset", "")},
    ),
    "with a factor that is not whole": (
        "double v = n * 1.5; if (v < 4) throw new IllegalArgumentException(); use(v);",
        {("lower", "3", "throws", "")},
    ),
    "a constant beyond its type": (
        "use(Math.max(n, 60 * 1000 * 60 * 24 * 30));",
        {("lower", "-1.70297e+09", "raised", "-1702967296")},
    ),
    "a constant that is cast": ("use(Math.max(n, (int) 5.9));", {("lower", "5", "raised", "5")}),
    "a constant that is cast to fewer bits": (
        "use(Math.max(n, (byte) 300));",
        {("lower", "44", "raised", "44")},
    ),
    "a character": ("use(Math.max(n, '0'));", {("lower", "48", "raised", "48")}),
    "with a log statement": (
        'if (n < 2) { System.err.println("raised " + n); n = 2; } use(n);',
        {("lower", "2", "raised", "2")},
    ),
}  # fmt: skip
SILENT = {
    "used before": "use(n); if (n < 2) n = 2; use(n);",
    "only sometimes": "if (other > 0) { if (n < 2) n = 2; } use(n);",
    "together with something else": "if (n < 2 && other > 0) n = 2; use(n);",
    "one of two ways": "if (other > 0) use(Math.max(1, n)); else use(n);",
    "a threshold": "if (n > 100) { use(other); }",
    "against a local": "if (n < other) n = other; use(n);",
    "only reported": 'if (n < 5) { System.err.println("few"); } use(n);',
    "nothing known of the other": "use(Math.max(other, n));",
    "all but one of many": f"if (n != -7 && n < 1) {THROW} use(n);",
    "what it was before": "use(Math.max(n++, 4));",
    "what it was before, in a variable": "int v = n++; use(Math.max(v, 4));",
    "its bits": "use(Math.max(~n, 4));",
    "a number made of its bits": "use(Math.max(Integer.bitCount(n), 4));",
    "in another radix": "use(Math.max(Integer.parseInt(Integer.toHexString(n)), 4));",
    "in fewer bits": "use(Math.max((short) n, 4));",
    "without its fraction": "use(Math.max((int) (n * 1.5), 4));",
    "in seconds": "if (java.util.concurrent.TimeUnit.MILLISECONDS.toSeconds(n) > 2) throw new IllegalStateException(); use(n);",
    "some of them do something else": "if (n == 0) { notify(); n += 2; } if (n > 0) { start(); use(n); }",
}


@pytest.mark.parametrize("case", ADJUSTED)
def test_what_all_uses_come_to_is_said(case: str) -> None:
    code, wanted = ADJUSTED[case]
    found = said(body(code))
    if wanted:
        assert found >= wanted, found
    assert all(effect != "throws" or wanted for _, _, effect, _ in found)


@pytest.mark.parametrize("case", SILENT)
def test_what_holds_on_one_way_only_is_not_said(case: str) -> None:
    assert said(body(SILENT[case])) == set()


TOLD_APART = {
    "a test of one value": "if (n == 0) start(); int m = Math.max(n, 16); if (other > 0) use(m);",
    "another cache": "if (n == 0) use(other); use(Math.max(n, 16));",
    "another value then": "int v = Math.max(n, 16); if (n == 0) v = 1000; use(v);",
    "another value of a choice then": "int v = n < 16 ? 16 : n; if (n < 0) v = 1000; use(v);",
    "something is off then": "if (n < 0) start(); use(Math.max(n, 16));",
    "one of two ways": "if (n <= 0) start(); else notify(); use(Math.max(n, 16));",
    "a constant": "if (n == OFF) start(); use(Math.max(n, 16));",
    "a loop beside it": "for (int i = 0; i < n; i++) start(); Thread.sleep(Math.max(n, 5) * 100L);",
    "a statement": 'sql("SET QUERY_TIMEOUT " + n); Thread.sleep(Math.max(n, 10));',
    "a part of a text": 'String all = "a?n=" + n; new java.net.URL(all + "&b"); Thread.sleep(Math.max(n, 10));',
    "a text with holes": 'sql(String.format("SET %d", n)); Thread.sleep(Math.max(n, 10));',
    "a property": 'System.setProperty("y", String.valueOf(n)); Thread.sleep(Math.max(n, 10));',
    "a map": 'new java.util.HashMap<String, String>().put("y", Integer.toString(n)); Thread.sleep(Math.max(n, 10));',
    "a command": 'new ProcessBuilder("x", String.valueOf(n)).start(); Thread.sleep(Math.max(n, 10));',
    "a text that a method returns": "sql(text(n)); Thread.sleep(Math.max(n, 10));",
    "another value is chosen": "int m = auto(n) ? 8 : n; use(Math.max(m, 4));",
    "another value, as something says so": "if (auto(n)) { n = 8; } use(Math.max(n, 4));",
}  # fmt: skip
NOT_TOLD_APART = {
    "a test beyond": "if (n > 100) start(); use(Math.max(n, 16));",
    "what it counts as is no other": "if (n > 16) start(); use(Math.max(n, 16));",
    "a log statement": 'if (n < 16) { System.err.println("few: " + n); } use(Math.max(n, 16));',
    "a message": 'if (n > 100) { throw new IllegalStateException("many: " + n); } use(Math.max(n, 16));',
    "a message that is made before": 'String all = "many: " + n; if (n > 100) { throw new IllegalStateException(all); } use(Math.max(n, 16));',
    "what is missing is chosen": "Integer m = n; int v = m == null ? 8 : m; use(Math.max(v, 16));",
    "what is missing": "Integer m = n; if (m == null) { m = 8; } use(Math.max(m, 16));",
}  # fmt: skip
MORE = (
    "static final int OFF = -1; void start() {} boolean auto(int v) { return v <= 0; }"
    ' void sql(String s) { new Other().execute(s); } String text(int v) { return "SET " + v; }'
)


@pytest.mark.parametrize("case", TOLD_APART)
def test_a_value_that_is_told_apart_counts_as_itself(case: str) -> None:
    found = said(body(TOLD_APART[case], MORE))
    assert not [one for one in found if one[2] in ("raised", "lowered", "reset")], found


@pytest.mark.parametrize("case", NOT_TOLD_APART)
def test_a_value_that_nothing_tells_apart_counts_as_another(case: str) -> None:
    assert ("lower", "16", "raised", "16") in said(body(NOT_TOLD_APART[case], MORE))


ANEW = {
    "by a helper's word": "if (auto(n)) { n = cores(); } Executors.newFixedThreadPool(n);",
    "by a flag": "boolean b = n <= 0; if (b) { n = cores(); } Executors.newFixedThreadPool(n);",
    "in a loop": "while (n <= 0) { n = cores(); } Executors.newFixedThreadPool(n);",
    "by another option": 'if (Boolean.getBoolean("x")) { n = cores(); } Executors.newFixedThreadPool(n);',
    "where another one is missing": 'String m = System.getProperty("x"); if (m == null) { n = cores(); } Executors.newFixedThreadPool(n);',
    "in a callee": "make(n, other);",
}  # fmt: skip
AS_IT_IS = {
    "only what is missing": 'Integer n = Integer.getInteger("pool.size"); if (n == null) { n = cores(); } Executors.newFixedThreadPool(n);',
    "only large values": "if (n > 100) { n = 100; } Executors.newFixedThreadPool(n);",
    "only large values, sometimes": "if (n > 100 && other > 0) { n = other; } Executors.newFixedThreadPool(n);",
    "a default before": 'int n = 4; if (other > 0) { n = Integer.getInteger("pool.size", 50); } Executors.newFixedThreadPool(n);',
    "what is no number": 'int n = 4; try { n = Integer.parseInt(System.getProperty("pool.size", "50")); } catch (NumberFormatException e) { n = 4; } Executors.newFixedThreadPool(n);',
}  # fmt: skip


def anew(code: str) -> Option:
    read = "" if "pool.size" in code else READ
    source = (
        f"import java.util.concurrent.*; class T {{ void run(int other) {{ {read} {code} }}"
        " static int cores() { return Runtime.getRuntime().availableProcessors(); }"
        " static boolean auto(int v) { return v <= 0; }"
        " static void make(int n, int other) { if (other > 0) { n = cores(); } Executors.newFixedThreadPool(n); } }"
    )
    return named(table(source))


@pytest.mark.parametrize("case", ANEW)
def test_a_variable_that_may_be_stored_anew_rejects_nothing(case: str) -> None:
    assert not [one for one in said(anew(ANEW[case])) if one[2] == "throws"]


@pytest.mark.parametrize("case", AS_IT_IS)
def test_a_variable_that_no_such_value_comes_out_of_rejects(case: str) -> None:
    assert ("lower", "1", "throws", "") in said(anew(AS_IT_IS[case]))


@pytest.mark.parametrize(("many", "found"), [(8, {("lower", "0", "throws", "")}), (20, set())])
def test_assignments_that_are_looked_at_are_bounded(
    many: int, found: set[tuple[str, str, str, str]]
) -> None:
    cases = " ".join(f'case "{number}": n = m; break;' for number in range(many))
    source = f"""class T {{ void run(String way) throws Exception {{
        int m = Integer.getInteger("pool.size", 50), n = m; switch (way) {{ {cases} }} Thread.sleep(n); }} }}"""
    assert said(named(table(source))) == found


@pytest.mark.parametrize(("many", "judged"), [(60, 60), (600, 0)])
def test_statements_that_are_judged_of_one_number_are_bounded(
    many: int, judged: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[object] = []
    real = Adjusted._uncovered

    def counted(*given: Any) -> Any:
        found.append(given)
        return real(*given)

    monkeypatch.setattr(Adjusted, "_uncovered", counted)
    code = "".join(f"use(Math.max(n, {number}));" for number in range(many))
    assert said(body(code)) == set()
    assert len(found) == judged


@pytest.mark.parametrize(("many", "found"), [(40, 80), (600, 0)])
def test_comparisons_in_one_test_are_bounded(many: int, found: int) -> None:
    test = " && ".join(f"n != {number}" for number in range(many))
    parts = program(f"class T {{ void run(int n) {{ if ({test}) run(1); }} }}")
    (ref,) = parts.own_methods("T")["run"]
    code = Code(parts, ref)
    branch = code.code[code.branches[0]]
    assert isinstance(branch, ir.If)
    assert len(list(comparisons(code, branch.test, truth=False))) == found


def test_a_method_in_between_may_adjust_or_reject() -> None:
    getter = 'static int size() { int n = Integer.getInteger("pool.size", 50); if (n < 2) { n = 2; } return n; }'
    source = f"class T {{ {getter} Object all() {{ return new byte[size()]; }} }}"
    assert said(named(table(source))) == {("lower", "2", "raised", "2")}
    check = "static int positive(int v) { if (v <= 0) throw new IllegalArgumentException(); return v; }"
    source = (
        f'class T {{ {check} int size = positive(Integer.getInteger("pool.size", 50));'
        " byte[] all() { return new byte[size]; } }"
    )
    assert said(named(table(source))) == {("lower", "1", "throws", "")}


def test_what_a_constructor_rejects_no_field_holds() -> None:
    source = (
        "class Pool { private final int size; Pool(int size) { this.size = size;"
        f" if (this.size < 1) {THROW} }} int twice() {{ return size * 2; }} }}"
        ' class T { Pool pool = new Pool(Integer.getInteger("pool.size", 50)); }'
    )
    assert said(named(table(source))) == {("lower", "1", "throws", "")}


@pytest.mark.parametrize(
    ("first", "wanted"),
    [
        ("size = 20", ("lower", "20", "raised", "20")),
        ("size = start()", ("lower", "21", "ignored", "")),
    ],
)
def test_a_setter_that_keeps_only_larger_values_keeps_the_first_otherwise(
    first: str, wanted: tuple[str, ...]
) -> None:
    source = (
        f"class T {{ private int {first}; "
        "void set(int v) { if (v > 20) { this.size = v; } }"
        ' void run() { set(Integer.getInteger("pool.size", 50)); } byte[] all() { return new byte[size]; } }'
    )
    assert wanted in said(named(table(source)))


def test_a_field_that_is_its_own_default_holds_the_value_as_it_is() -> None:
    source = (
        "class T { private int size = 4 * 5; void set(int v) { if (v > 0) { this.size = v; } }"
        ' void run() { set(Integer.getInteger("pool.size", size)); } byte[] all() { return new byte[size]; } }'
    )
    assert ("lower", "1", "reset", "20") in said(named(table(source)))


def test_what_another_caller_rejects_is_not_said_to_be_replaced() -> None:
    source = """class T {
    void delay(int value) { use(value < 0 ? 0 : value); }
    void use(Object n) { System.setProperty("x", n.toString()); }
    void run() { delay(Integer.getInteger("pool.size", 50)); }
    void statement(int value) { %s delay(value); }
}"""
    assert said(named(table(source % ""))) == {("lower", "0", "raised", "0")}
    assert said(named(table(source % f"if (value < 0) {THROW}"))) == set()


def test_a_field_that_is_given_nothing_holds_zero() -> None:
    source = (
        "class T { private int size; void set(int v) { if (v > 0) { this.size = v; } }"
        ' void run() { set(Integer.getInteger("pool.size", 50)); } byte[] all() { return new byte[size]; } }'
    )
    assert ("lower", "0", "raised", "0") in said(named(table(source)))


def test_a_helper_may_be_given_the_bound() -> None:
    helper = (
        "static int least(int v, int least, String what) { if (v < least) throw new IllegalArgumentException(what); return v; }"
        " static int most(int v, int most) { return Math.min(v, most); }"
    )
    read = 'Integer.getInteger("pool.size", 50)'
    source = f'class T {{ {helper} byte[] all = new byte[%s]; int other = least(9, 7, "") + most(8, 6); }}'
    checked = said(named(table(source % f'least({read}, 3, "size")')))
    assert checked == {("lower", "3", "throws", "")}
    lowered = said(named(table(source % f"most({read}, 64)")))
    assert ("upper", "64", "lowered", "64") in lowered


def test_a_constructor_of_a_subclass_may_hand_on_another_number() -> None:
    source = (
        "class Cache extends java.util.HashMap<String, String> { Cache(int size) { super(size / 4); } }"
        ' class T { Cache cache = new Cache(Integer.getInteger("pool.size", 50)); }'
    )
    assert said(named(table(source))) == set()


def test_a_counter_is_not_the_value() -> None:
    source = (
        'class T { private final int every = Integer.getInteger("pool.size", 50); private int left;'
        " void tick(Runnable r) { if (left <= 0) { r.run(); left = every; } left--; } }"
    )
    assert said(named(table(source))) == set()


def test_of_two_bounds_of_one_call_the_tighter_one_is_said() -> None:
    source = (
        'class T { final int pause = Integer.getInteger("pool.size", 50); final java.util.Timer timer = new java.util.Timer();'
        " void run(java.util.TimerTask task) { timer.scheduleAtFixedRate(task, pause, pause); } }"
    )
    found = table(source)
    assert [(one.value, one.effect) for one, _ in shown(found, named(found))] == [
        (1, Effect.THROWS)
    ]


def test_no_value_lies_beyond_the_largest_number() -> None:
    source = (
        'class T { void run() { long n = Long.getLong("pool.size", 50);'
        f" if (n > Long.MAX_VALUE) {THROW} if (n < 1) {THROW} use(n); }}"
        ' void use(Object n) { System.setProperty("x", n.toString()); } }'
    )
    assert said(named(table(source))) == {("lower", "1", "throws", "")}


def test_two_options_bound_each_other() -> None:
    source = (
        "class T { private final int low, high; T() {"
        ' low = Integer.getInteger("pool.least", 1); high = Integer.getInteger("pool.most", 9);'
        f" if (low > high) {THROW} }} byte[] all() {{ return new byte[low + high]; }} }}"
    )
    found = table(source)
    least = shown(found, named(found, "pool.least"))
    most = shown(found, named(found, "pool.most"))
    assert [(one.bound, other.name) for one, other in least if other] == [("upper", "pool.most")]
    assert [(one.bound, other.name) for one, other in most if other] == [("lower", "pool.least")]


def test_reads_that_differ_say_only_what_is_rejected() -> None:
    one = 'class A { byte[] a() { return new byte[Math.max(1, Integer.getInteger("pool.size", 5))]; } }'
    two = 'class B { int b() { return use(Integer.getInteger("pool.size", 5)); } int use(int n) { return n * 2; } }'
    assert said(named(table(one, two))) == set()
    assert said(named(table(one))) == {("lower", "1", "raised", "1")}


def test_what_one_of_several_reads_rejects_is_not_said() -> None:
    one = 'class A { byte[] a() { return new byte[Integer.getInteger("pool.size", 5)]; } }'
    two = 'class B { int b() { int n = Integer.getInteger("pool.size", 5); return n < 0 ? 20 : n; } }'
    tighter = 'class C { byte[] c() { int n = Integer.getInteger("pool.size", 5); if (n < 1) throw new IllegalStateException(); return new byte[n]; } }'
    assert said(named(table(one, two))) == set()
    assert said(named(table(one, tighter))) == {("lower", "0", "throws", "")}


def test_values_of_one_effect_are_said_once() -> None:
    code = "if (n == 0) { return; } for (int i = 0; i < n; i++) { notify(); }"
    found = table(f"class T {{ void run(int other) {{ {READ} {code} }} }}")
    option = named(found)
    assert ("not", "0", "off", "") in said(option)
    assert [(one.bound, one.effect.value) for one, _ in shown(found, option)] == [("lower", "off")]


def test_of_values_some_of_which_do_something_unknown_nothing_is_said() -> None:
    code = "if (n == 0) { use(other); } else if (n > 0) { notify(); System.out.println(n); }"
    found = table(f"class T {{ void run(int other) {{ {READ} {code} }} }}")
    assert shown(found, named(found)) == ()


def test_a_share_that_is_rejected_is_said_once() -> None:
    source = (
        'class T { void run() { double n = Double.parseDouble(System.getProperty("pool.size", "0.5"));'
        f" if (n < 0 || n > 1) {THROW} use(n); }} void use(double n) {{ System.out.println(n * 64); }} }}"
    )
    found = table(source)
    assert said(named(found)) == {("lower", "0", "throws", ""), ("upper", "1", "throws", "")}


def test_a_default_that_is_rejected_means_something_else() -> None:
    source = 'class T { void run() throws Exception { Thread.sleep(Integer.getInteger("pool.size", -1)); } }'
    assert said(named(table(source))) == set()


def test_a_value_that_is_exempt_is_told_apart() -> None:
    option = body("if (n != -1) { Thread.sleep(n); }")
    assert said(option) == {("not", "-1", "off", ""), ("lower", "0", "throws", "")}
