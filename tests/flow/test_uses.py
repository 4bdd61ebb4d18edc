"""Where a value goes: each program calls ``read()`` and the test names the uses of its value."""

from __future__ import annotations

import attrs
import pytest

from conflens.flow.domain import Followed, Relation, Role
from conflens.flow.uses import Uses
from conflens.models.load import Models
from conflens.models.schema import BarrierRow
from flow.support import call, member, models, program


def follow(*sources: str, rows: Models | None = None) -> tuple[Uses, Followed]:
    """Follow the value of the first call of ``read``."""
    made = program(*sources)
    uses = Uses(made, rows or models())
    return uses, uses.values_of([call(made, "read")])


def roles(*sources: str) -> set[str]:
    """Return roles, arguments as ``method(place)``."""
    uses, followed = follow(*sources)
    found = set()
    for use in followed.uses:
        instr = uses.code(use.ref).code[use.index]
        name = getattr(instr, "name", None) or getattr(instr, "type", "")
        found.add(f"{name}({use.place})" if use.role is Role.ARGUMENT else str(use.role))
    return found


def body(code: str) -> str:
    """Return a class whose method runs ``code``."""
    return f"import java.util.*; class T {{ static String read() {{ return null; }} static String g(String s) {{ return s; }} void run() {{ {code} }} }}"


CASES = {
    "argument": ("System.load(read());", {"load(0)"}),
    "local": ("String s = read(); System.load(s);", {"load(0)"}),
    "parse": ("System.exit(Integer.parseInt(read().trim()));", {"parseInt(0)", "exit(0)"}),
    "killed": ('String s = read(); s = "x"; System.load(s);', set()),
    "kill in one arm": (
        'String s = read(); if (s.isEmpty()) s = "x"; System.load(s);',
        {"measured", "load(0)"},
    ),
    "other arm": ('String s = "x"; if (b()) s = read(); else System.load(s);', set()),
    "loop carries": (
        'String s = "x"; while (true) { System.load(s); s = read(); }',
        {"load(0)"},
    ),
    "fresh in each turn": (
        'while (true) { String s = "x"; System.load(s); s = read(); }',
        set(),
    ),
    "compared": ('if (read().equals("a")) { }', {"compared"}),
    "compared from the right": ('if ("a".equals(read())) { }', {"compared"}),
    "switched": ('switch (read()) { case "a": break; }', {"switched"}),
    "switch expression": (
        'int n = 1; String s = switch (n) { case 1 -> read(); default -> "x"; }; System.load(s);',
        {"load(0)"},
    ),
    "ternary": ('System.load(b() ? read() : "x");', {"load(0)"}),
    "cast": ("Object o = read(); System.load((String) o);", {"cast", "load(0)"}),
    "pattern": (
        "Object o = read(); if (o instanceof String s) { System.load(s); }",
        {"measured", "load(0)"},
    ),
    "array length": ("byte[] b = new byte[Integer.parseInt(read())];", {"parseInt(0)", "length"}),
    "index": ("b()[Integer.parseInt(read())] = 1;", {"parseInt(0)", "index"}),
    "loop bound": (
        "for (int i = 0, n = Integer.parseInt(read()); i < n; i++) { }",
        {"parseInt(0)", "loop"},
    ),
    "split": (
        'for (String s : read().split(",")) System.load(s);',
        {"split", "iterated", "load(0)"},
    ),
    "optional": (
        "Optional.ofNullable(read()).map(s -> s.trim()).ifPresent(s -> System.load(s));",
        {"load(0)", "ifPresent(-1)", "returned"},
    ),
    "method reference": (
        "Optional.ofNullable(read()).map(Integer::parseInt).ifPresent(System::exit);",
        {"parseInt(0)", "ifPresent(-1)"},
    ),
    "method reference of the project": (
        "System.exit(Optional.ofNullable(read()).map(T::g).get());",
        {"exit(0)"},
    ),
    "atomic": (
        "var a = new java.util.concurrent.atomic.AtomicReference<String>(read()); System.load(a.get());",
        {"load(0)"},
    ),
    "captured by a class": (
        "String s = read(); new Thread() { public void run() { System.load(s); } }.start();",
        {"load(0)"},
    ),
    "captured by a lambda": ("String s = read(); Runnable r = () -> System.load(s);", {"load(0)"}),
    "appended in a chain": (
        "var b = new StringBuilder(); b.append(' ').append(read()); System.load(b.toString());",
        {"load(0)"},
    ),
    "nothing": ("read();", set()),
}


@pytest.mark.parametrize("name", CASES)
def test_within_a_method(name: str) -> None:
    code, expected = CASES[name]
    assert roles(body(code)) == expected


def test_fields_are_shared_by_all_objects_and_across_files() -> None:
    one = "class A { static String at; static String read() { return null; } void set() { at = read(); } }"
    two = "class B { void use() { System.load(A.at); } }"
    assert roles(one, two) == {"load(0)"}


def test_a_record_component_is_read_through_its_accessor() -> None:
    source = (
        "record R(String at) { }"
        "class T { static String read() { return null; }"
        " R make() { return new R(read()); } }"
    )
    made = program(source + "class U { void use(R r) { System.load(r.at()); } }")
    followed = Uses(made, models()).field(member(made, "at"))
    assert [use.role for use in followed.uses] == [Role.ARGUMENT]


def test_returned_to_all_callers_when_the_value_starts_inside() -> None:
    source = (
        "class T { static String read() { return null; } private String get() { return read(); }"
        " void a() { System.load(get()); } void b() { System.exit(get().length()); } }"
    )
    assert roles(source) == {"load(0)", "measured"}


def test_returned_only_to_the_call_it_entered_by() -> None:
    source = (
        "class T { static String read() { return null; } static String id(String s) { return s; }"
        " void a() { System.load(id(read())); } void b() { System.loadLibrary(id(null)); } }"
    )
    assert roles(source) == {"load(0)"}


def test_into_every_overriding_method() -> None:
    source = (
        "interface I { void f(String s); }"
        "class A implements I { public void f(String s) { System.load(s); } }"
        "class B implements I { public void f(String s) { System.loadLibrary(s); } }"
        "class T { static String read() { return null; } void run(I i) { i.f(read()); } }"
    )
    assert roles(source) == {"load(0)", "loadLibrary(0)"}


def test_recursion_terminates() -> None:
    source = (
        "class T { static String read() { return null; }"
        " String f(String s) { return f(g(s)); } String g(String s) { return f(s); }"
        " void run() { System.load(f(read())); } }"
    )
    assert "load(0)" not in roles(source)


@pytest.mark.parametrize(
    ("code", "relation", "factor"),
    [
        ("System.exit(1000 * n);", Relation.SAME, 1000.0),
        ("System.exit(n / 60);", Relation.SAME, 1 / 60),
        ("System.exit(n << 10);", Relation.SAME, 1024.0),
        ("System.exit(n + 5);", Relation.SAME, 1.0),
        ("System.exit(n * other);", Relation.SCALED, 1.0),
        ("System.exit(n % 7);", Relation.SCALED, 1.0),
    ],
)
def test_arithmetic(code: str, relation: Relation, factor: float) -> None:
    _, followed = follow(
        "class T { static int other; static int read() { return 0; } void run() { int n = read(); "
        f"{code} }} }}"
    )
    exits = [use.trace for use in followed.uses if use.role is Role.ARGUMENT]
    assert [(trace.relation, trace.factor) for trace in exits] == [(relation, factor)]


def test_a_time_unit_scales() -> None:
    _, followed = follow(
        "import java.util.concurrent.TimeUnit;"
        "class T { static long read() { return 0; } void run() throws Exception {"
        " Thread.sleep(TimeUnit.SECONDS.toMillis(read())); } }"
    )
    assert [use.trace.factor for use in followed.uses] == [1.0, 1000.0]


def test_a_text_records_whether_the_value_comes_first() -> None:
    for code, relation in (('read() + "/x"', Relation.HEAD), ('"x" + read()', Relation.PIECE)):
        _, followed = follow(body(f"System.load({code});"))
        last = followed.uses[-1]
        assert (last.role, last.trace.relation) == (Role.ARGUMENT, relation)


def test_a_barrier_stops_the_value() -> None:
    source = (
        body("System.load(Mask.hide(read()));")
        + "class Mask { static String hide(String s) { return s; } }"
    )
    barrier = BarrierRow(type="Mask", method="hide", provenance="test")
    _, followed = follow(source, rows=attrs.evolve(models(), barriers=(barrier,)))
    assert len(followed.uses) == 1
    _, followed = follow(source)
    assert [use.trace.relation for use in followed.uses] == [Relation.SAME]


@pytest.mark.parametrize(
    ("source", "unused"),
    [
        (body("read();"), True),
        (body("String s = read();"), True),
        (body("String s = (String) read();"), True),
        (body("if (read() != null) { }"), False),
        ("class T { private String f = read(); static String read() { return null; } }", True),
        ("class T { String f = read(); static String read() { return null; } }", False),
        (
            "class T { static String read() { return null; } String get() { return read(); } }",
            False,
        ),
        (body("unknown(read());"), False),
        (body("Integer.parseInt(read());"), False),
        (body("Objects.requireNonNull(read());"), False),
        (
            body("run2(read());").replace(
                "void run()", "private void run2(String s) { int n = 1; } void run()"
            ),
            True,
        ),
        (
            body("run2(read());").replace(
                "void run()", "public void run2(String s) { int n = 1; } void run()"
            ),
            False,
        ),
    ],
)
def test_unused_is_conservative(source: str, unused: bool) -> None:
    _, followed = follow(source)
    assert followed.unused is unused


def test_the_files_that_were_examined() -> None:
    one = "class A { static String read() { return null; } void set() { B.at(read()); } }"
    two = "class B { static void at(String s) { System.load(s); } }"
    _, followed = follow(one, two, "class C { }")
    assert followed.files == {"A.java", "B.java"}


HIDDEN = {
    "annotated": "class T { @Getter private String f = read(); %s }",
    "in an annotated type": "@lombok.Data class T { private String f = read(); %s }",
    "in a subtype of an annotated type": "class T extends B { private String f = read(); %s } @Bean class B { }",
    "serialised": "class T implements java.io.Serializable { private String f = read(); %s }",
    "of an enum": "enum T { ONE; private String f = read(); %s }",
    "named in a text": 'class T { private String f = read(); String n = "f"; %s }',
    "near native code": "class T { private String f = read(); public native void go(); %s }",
    "half-typed": "class T { private String f = read(); void go() { x. } %s }",
}
NOT_HIDDEN = {
    "annotated for the compiler": '@Deprecated class T { @SuppressWarnings("x") private String f = read(); %s }',
    "never serialised": "class T implements java.io.Serializable { private static String f = read(); %s }",
    "another text": 'class T { private String f = read(); String n = "g"; %s }',
    "near empty methods": (
        "abstract class T { private String f = read(); public synchronized void go() { }"
        " @Override public void no() { } protected abstract void on(); %s }"
    ),
}


@pytest.mark.parametrize("name", HIDDEN)
def test_a_private_field_may_be_loaded_by_generated_code(name: str) -> None:
    _, followed = follow(HIDDEN[name] % "static String read() { return null; }")
    assert not followed.unused


@pytest.mark.parametrize("name", NOT_HIDDEN)
def test_a_private_field_that_nothing_loads(name: str) -> None:
    _, followed = follow(NOT_HIDDEN[name] % "static String read() { return null; }")
    assert followed.unused


@pytest.mark.parametrize(
    ("method", "unused"),
    [
        ("private void take(String s) { }", True),
        ("private static void take(String s) { }", True),
        ("private native void take(String s);", False),
        ("private static native void take(String s);", False),
        ("static void take(String s) { }", False),
        ("void take(String s) { }", False),
    ],
)
def test_a_method_without_code(method: str, unused: bool) -> None:
    _, followed = follow(body("take(read());").replace("void run()", f"{method} void run()"))
    assert followed.unused is unused
