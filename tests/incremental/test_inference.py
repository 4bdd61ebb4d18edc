"""What is inferred of an option follows edits of the files that its value goes to."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from conflens.options.model import Option
from conflens.session.analysis import Analysis
from session.support import session

READER = 'package p; class Reader { void m(Sink sink) { sink.take(System.getProperty("p.a")); } }'
SINK = "package p; class Sink {{ String held; void take(String text) {{ {body} }} }}"


def option(analysis: Analysis) -> Option:
    (found,) = analysis.options.options
    return found


@pytest.mark.parametrize(
    ("before", "after", "type_"),
    [
        ("", "Integer.parseInt(text);", "integer"),
        ("Integer.parseInt(text);", "Boolean.parseBoolean(text);", "boolean"),
        ("held = text;", "held = text; new java.io.File(held).delete();", "file"),
        ("Integer.parseInt(text);", "", "unknown"),
    ],
)
def test_the_body_that_receives_the_value_changes(before: str, after: str, type_: str) -> None:
    system = MemorySystem({"Reader.java": READER, "Sink.java": SINK.format(body=before)})
    one = session(system)
    first = one.scan()
    system.write("Sink.java", SINK.format(body=after))
    one.files_changed(["Sink.java"])
    second = one.rebuild()
    assert second.program.memo is first.program.memo
    assert option(second).type == type_
    assert option(second) == option(session(system).scan())


@pytest.mark.parametrize(
    ("before", "after", "default"),
    [
        ('return held.orElse("x");', 'return held.orElse("y");', ("y",)),
        ('return held.orElse("x");', "return held.get();", ()),
        ("return held.get();", 'return held.orElse("x");', ("x",)),
    ],
)
def test_the_default_stands_where_the_value_is_taken_out(
    before: str, after: str, default: tuple[str, ...]
) -> None:
    reader = (
        "package p; class Reader { void m(Sink sink)"
        ' { sink.take(java.util.Optional.ofNullable(System.getProperty("p.a"))); } }'
    )
    sink = (
        "package p; class Sink {{ java.util.Optional<String> held;"
        " void take(java.util.Optional<String> text) {{ held = text; }} }}"
    )
    taker = "package p; class Taker extends Sink {{ String m() {{ {body} }} }}"
    files = {
        "Reader.java": reader,
        "Sink.java": sink.format(),
        "Taker.java": taker.format(body=before),
    }
    system = MemorySystem(files)
    one = session(system)
    one.scan()
    system.write("Taker.java", taker.format(body=after))
    one.files_changed(["Taker.java"])
    second = option(one.rebuild())
    assert tuple(item.text for item in second.defaults) == default
    assert second == option(session(system).scan())


@pytest.mark.parametrize(
    ("before", "after", "default"),
    [
        ('"p.a", "x"', '"p.a", "y"', ("y",)),
        ('"p.a", "x"', '"p.b", "x"', ()),
        ('"p.b", "x"', '"p.a", "x"', ("x",)),
    ],
)
def test_the_default_stands_in_a_map(before: str, after: str, default: tuple[str, ...]) -> None:
    reader = 'package p; class Reader {{ String m() {{ return Load.all().getProperty("p.a"); }} }}'
    load = (
        "package p; import java.util.*; class Load {{ static Properties all() throws Exception {{"
        " Properties all = new Properties(); all.putAll(Base.MAP);"
        ' all.load(new java.io.FileReader("a.properties")); return all; }} }}'
    )
    base = "package p; class Base {{ static final java.util.Map<String, String> MAP = java.util.Map.of({of}); }}"
    files = {
        "Reader.java": reader.format(),
        "Load.java": load.format(),
        "Base.java": base.format(of=before),
    }
    system = MemorySystem(files)
    one = session(system)
    one.scan()
    system.write("Base.java", base.format(of=after))
    one.files_changed(["Base.java"])
    second = option(one.rebuild())
    assert tuple(item.text for item in second.defaults) == default
    assert second == option(session(system).scan())


@pytest.mark.parametrize(
    ("file", "before", "after", "default"),
    [
        ("Base.java", '"p.a", "x"', '"p.a", "y"', ("y",)),
        ("Base.java", '"p.b", "x"', '"p.a", "x"', ("x",)),
        ("Load.java", "Base.MAP.get(key)", '"z"', ("z",)),
        ("Load.java", "null", "Base.MAP.get(key)", ("x",)),
    ],
)
def test_a_wrapper_looks_the_default_up_by_the_key(
    file: str, before: str, after: str, default: tuple[str, ...]
) -> None:
    texts = {
        "Reader.java": 'package p; class Reader { String m() { return Load.get("p.a"); } }',
        "Load.java": (
            "package p; class Load { static String get(String key)"
            " { return System.getProperty(key, Base.MAP.get(key)); } }"
        ),
        "Base.java": (
            "package p; class Base { static final java.util.Map<String, String> MAP ="
            ' java.util.Map.of("p.a", "x"); }'
        ),
    }
    last = dict(texts, **{file: texts[file].replace('"p.a", "x"', after)})
    if file == "Load.java":
        texts[file] = texts[file].replace("Base.MAP.get(key)", before)
        last[file] = texts[file].replace(before, after)
    else:
        texts[file] = texts[file].replace('"p.a", "x"', before)
    system = MemorySystem(texts)
    one = session(system)
    one.scan()
    system.write(file, last[file])
    one.files_changed([file])
    second = option(one.rebuild())
    assert tuple(item.text for item in second.defaults) == default
    assert second == option(session(system).scan())


def test_another_file_starts_to_use_the_field_with_the_value() -> None:
    other = "package p; class Other {{ int m(Sink sink) {{ return {body}; }} }}"
    files = {
        "Reader.java": READER,
        "Sink.java": SINK.format(body="held = text;"),
        "Other.java": other.format(body="0"),
    }
    system = MemorySystem(files)
    one = session(system)
    assert option(one.scan()).type == "string"
    system.write("Other.java", other.format(body="Integer.parseInt(sink.held)"))
    one.files_changed(["Other.java"])
    assert option(one.rebuild()).type == "integer"


def test_the_facts_of_an_option_do_not_depend_on_the_order_of_its_reads() -> None:
    reads = """package p;
class Reads {
    int one() { return Integer.parseInt(Known.get("p.a")); }
    int two() { return Integer.valueOf(System.getProperty("p.a")); }
    void idle() { }
}
"""
    known = "package p; class Known { static String get(String name) { return System.getProperty(name); } }"
    system = MemorySystem({"Reads.java": reads, "Known.java": known})
    one = session(system)
    first = option(one.scan())
    system.write("Reads.java", reads.replace("idle() { }", "idle() { int a = 1; }"))
    one.files_changed(["Reads.java"])
    second = one.rebuild()
    assert option(second) == option(session(system).scan())
    assert option(second).why == first.why


OTHER = "package p; class Other { void go(int a) { } void m() { go(1); } }"


@pytest.mark.parametrize(
    ("path", "old", "new", "kept"),
    [
        ("Other.java", "go(int a)", "go(long a)", True),
        ("Other.java", "void go(int a)", "static void go(int a)", True),
        ("Sink.java", "take(String text)", "take(Object text)", False),
        ("Sink.java", "void take(String text)", "void give(String text)", False),
        ("Reader.java", "void m(Sink sink)", "void m(int a, Sink sink)", False),
    ],
)
def test_the_declaration_of_a_member_changes(path: str, old: str, new: str, kept: bool) -> None:
    sink = SINK.format(body="Integer.parseInt(text);")
    system = MemorySystem({"Reader.java": READER, "Sink.java": sink, "Other.java": OTHER})
    one = session(system)
    first = one.scan()
    text = system.files[path].decode()
    assert old in text
    system.write(path, text.replace(old, new))
    one.files_changed([path])
    second = one.rebuild()
    assert second.program.memo is not first.program.memo
    assert (option(second) is option(first)) is kept
    assert option(second) == option(session(system).scan())
