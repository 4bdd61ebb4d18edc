"""Defaults in control flow: each program has a method ``read`` whose call is the option's read."""

from __future__ import annotations

import attrs
import pytest

from conflens.flow.uses import Uses
from conflens.options.inference.defaults import default_of, wrapper_default
from conflens.options.inference.inference import Inferrer
from conflens.options.model import ReadKind
from conflens.options.sites import Site
from flow.support import call, member, models, program

_READ = "static String read() { return null; }"

LOCAL = {
    "returned early": ('String v = read(); if (v == null) return "x"; return v;', "x"),
    "returned early, or empty": (
        'String v = read(); if (v == null || v.isEmpty()) return "x"; return v.trim();',
        "x",
    ),
    "returned last": ('String v = read(); if (v != null) return v; return "x";', "x"),
    "returned else": ('String v = read(); if (v != null) return v; else return "x";', "x"),
    "of a function": ('return java.util.Optional.ofNullable(read()).orElseGet(() -> "x");', "x"),
    "of a block": (
        'return java.util.Optional.ofNullable(read()).orElseGet(() -> { return "x"; });',
        "x",
    ),
    "of a truth": (
        "return String.valueOf(java.util.Optional.ofNullable(read())"
        ".map(v -> Boolean.parseBoolean(v)).orElse(true));",
        "true",
    ),
    "of a helper": ('return or(read(), "x");', "x"),
    "of a helper's helper": ('return both(read(), "x");', "x"),
    "of a helper's own": ("return own(read());", "y"),
}
NOT = {
    "another question": ('String v = read(); if (v == null) return "x"; return "z" + v;', None),
    "another test": ('String v = read(); if (on()) return "x"; return v;', None),
    "more to come": (
        'String v = read(); if (v != null) return v; if (on()) return "z"; return "x";',
        None,
    ),
    "a function that asks": (
        'return java.util.Optional.ofNullable(read()).orElseGet(() -> { if (on()) return "x"; return "z"; });',
        None,
    ),
    "an answer": (
        'return "" + java.util.Optional.ofNullable(read()).map(v -> v.equals("x")).orElse(false);',
        None,
    ),
    "two defaults": ('String v = read(); if (v == null) return "x"; return or(v, "z");', None),
    "a helper that may be another": ('return this.open(read(), "x");', None),
    "a helper that keeps it": ('return kept(read(), "x");', None),
}
_HELPERS = """
    boolean on() { return true; }
    static String or(String text, String other) { return text == null ? other : text; }
    static String both(String text, String other) { return or(text.trim(), other); }
    static String own(String text) { if (text == null) return "y"; return text; }
    static String kept(String text, String other) { System.out.println(text); return other; }
    String open(String text, String other) { return text == null ? other : text; }
"""


@pytest.mark.parametrize("name", [*LOCAL, *NOT])
def test_the_default_of_a_read(name: str) -> None:
    code, wanted = {**LOCAL, **NOT}[name]
    made = program(
        f"class T {{ String run() {{ {code} }} {_READ} {_HELPERS} }}"
        " class U extends T { String open(String text, String other) { return text; } }"
    )
    ref, value = call(made, "read")
    uses = Uses(made, models())
    assert default_of(uses, uses.values_of([(ref, value)]), ref, set()) == wanted


WRAPPERS = {
    "chosen": (
        "int get(String key) { String v = raw(key); return v == null ? 42 : Integer.parseInt(v); }",
        "42",
    ),
    "returned early": (
        'String get(String key) { String v = raw(key); if (v == null) return "x"; return v; }',
        "x",
    ),
    "of a prefix": (
        'String get(String key) { String v = raw("a." + key); return v == null ? "x" : v; }',
        "x",
    ),
    "of the object": ('String get() { String v = raw(name); return v == null ? "x" : v; }', "x"),
    "of a wrapper inside": ("String get(String key) { return inner(key); }", "i"),
    "its own first": (
        'String get(String key) { String v = inner(key); return v == null ? "x" : v; }',
        "x",
    ),
    "none": ("String get(String key) { return raw(key); }", None),
    "its caller's": (
        "String get(String key, String d) { String v = raw(key); return v == null ? d : v; }",
        None,
    ),
    "of something else": (
        'String get(String key) { String v = raw("a"); return v == null ? "x" : v; }',
        None,
    ),
    "of an answer": (
        'boolean get(String key) { String v = raw(key); return v == null ? false : v.equals("x"); }',
        None,
    ),
    "for ever": ("String get(String key) { return get(key); }", None),
}


@pytest.mark.parametrize("name", WRAPPERS)
def test_the_default_of_a_wrapper(name: str) -> None:
    code, wanted = WRAPPERS[name]
    made = program(
        f"class T {{ String name; {code}"
        ' String inner(String key) { String v = raw(key); return v == null ? "i" : v; }'
        " String raw(String key) { return System.getProperty(key); } }"
    )
    text, files = wrapper_default(Uses(made, models()), member(made, "get"))
    assert text == wanted
    assert files == {"A.java"}


TIMES = {
    "Duration.ofHours(2).toMinutes()": "120",
    "LENGTH.toSeconds()": "90",
    "(int) LENGTH.toMillis()": "90000",
    "TimeUnit.MINUTES.toSeconds(3)": "180",
    "COUNT": "90000000000",
    "Duration.ofHours(length).toMillis()": None,
    "LENGTH.getNano()": None,
    "ONE": None,
    "other.toMillis()": None,
}


@pytest.mark.parametrize("text", TIMES)
def test_a_duration_as_default(text: str) -> None:
    made = program(
        "import java.time.Duration; import java.util.concurrent.TimeUnit; class T { long length; Duration other;"
        " static final Duration LENGTH = Duration.ofSeconds(90); static final long COUNT = LENGTH.toNanos();"
        " static final Duration ONE = TWO.toMillis(); static final Duration TWO = ONE.toMillis();"
        f" long run() {{ String v = read(); return v == null ? {text} : Long.parseLong(v); }} {_READ} }}"
    )
    ref, value = call(made, "read")
    uses = Uses(made, models())
    assert default_of(uses, uses.values_of([(ref, value)]), ref, set()) == TIMES[text]


def test_the_files_that_a_default_depends_on() -> None:
    made = program(
        'class A { void run() { get("a"); } static int get(String key) { return B.inner(key); } }',
        "class B { static int inner(String key) { String v = System.getProperty(key); return C.or(v, 7); } }",
        "class C { static int or(String v, int d) { return v == null ? D.nine(d) : Integer.parseInt(v); } }",
        "class D { static int nine(int d) { return d; } }",
    )
    text, files = wrapper_default(Uses(made, models()), member(made, "get"))
    assert text is None
    assert files == {"A.java", "B.java", "C.java"}


def test_a_read_through_a_wrapper_depends_on_its_file() -> None:
    made = program(
        'class A { int run() { return B.get("a"); } }',
        "class B { static int get(String key) { String v = System.getProperty(key);"
        " return v == null ? 42 : Integer.parseInt(v); } }",
    )
    ref, value = call(made, "get")
    site = Site(
        ref, value, ReadKind.CALL, "d", "B.get", (("a",),), -1, 0, 0, 0, 0, 0, followed=value
    )
    plain = Inferrer(made, models()).infer(site, None, "a")
    assert (plain.default, "B.java" in plain.files) == (None, False)
    through = attrs.evolve(site, through=member(made, "get"))
    found = Inferrer(made, models()).infer(through, None, "a")
    assert (found.default, found.files) == ("42", {"A.java", "B.java"})
    told = attrs.evolve(through, default=(("7",),))
    assert Inferrer(made, models()).infer(told, "7", "a").default is None
