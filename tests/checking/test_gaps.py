"""Where options are said to be missing, and where they are not."""

from __future__ import annotations

import attrs
import pytest

from conflens.base.system import MemorySystem
from conflens.checking.gaps import Gap, gaps
from session.support import session

KEYS = "\n".join(f"part{number}.size{number} = {number}" for number in range(30))
NAMING = 'class Loader { void load() throws Exception { open("conf/broker.conf"); } void open(String n) { } }'
READING = "import java.util.Properties;\nclass Reading {{ void m(Properties p) throws Exception {{ p.load(open()); {} }}\njava.io.Reader open() {{ return null; }} }}"


def found(files: dict[str, str]) -> tuple[Gap, ...]:
    return gaps(session(MemorySystem(files)).scan())


def test_a_file_that_code_names_and_nothing_reads_is_a_gap() -> None:
    (gap,) = found({"conf/broker.conf": KEYS, "Loader.java": NAMING})
    assert (gap.path, gap.size) == ("conf/broker.conf", 30)
    assert gap.message == "No read was found for any of its 30 keys. Loader refers to this file."


@pytest.mark.parametrize(("read", "told"), [(5, 25), (20, 0)])
def test_what_is_read_counts(read: int, told: int) -> None:
    reads = "".join(f'p.getProperty("part{one}.size{one}");' for one in range(read))
    files = {
        "conf/broker.conf": KEYS,
        "Loader.java": NAMING,
        "Reading.java": READING.format(reads),
    }
    assert [gap.size for gap in found(files)] == ([told] if told else [])


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("conf/other.conf", KEYS),
        ("src/test/resources/broker.conf", KEYS),
        ("conf/broker.conf", "a.b = 1\nc.d = 2"),
        ("conf/broker.conf", "\n".join(f"row{one}.name = x" for one in range(50))),
    ],
    ids=["nobody names it", "of tests", "small", "a table of data"],
)
def test_what_is_no_gap(path: str, text: str) -> None:
    assert not found({path: text, "Loader.java": NAMING})


def test_what_a_framework_reads_by_itself_needs_no_name() -> None:
    (gap,) = found({"src/main/resources/application.properties": KEYS, "A.java": "class A { }"})
    assert gap.message == "No read was found for any of its 30 keys."


def _bean(name: str, fields: int) -> str:
    body = "".join(
        f"private int size{one}; public int getSize{one}() {{ return size{one}; }}"
        f" public void setSize{one}(int v) {{ size{one} = v; }}\n"
        for one in range(fields)
    )
    return f"public class {name} {{ {body} }}"


def _user(name: str, fields: int, call: str) -> str:
    calls = " ".join(call.format(one) for one in range(fields))
    return f"class User {{ void use({name} c) {{ {calls} }} }}"


def test_a_class_that_is_asked_and_never_filled_is_a_gap() -> None:
    reads = _user("StoreConfig", 12, "c.getSize{}();")
    (gap,) = found({"StoreConfig.java": _bean("StoreConfig", 12), "User.java": reads})
    assert (gap.path, gap.at, gap.size) == ("StoreConfig.java", 13, 12)
    assert gap.message == (
        "StoreConfig looks like configuration: nothing in the project sets 12 of its 12 fields,"
        " and no read of an option was found for them."
    )


@pytest.mark.parametrize(
    ("name", "fields", "call"),
    [
        ("StoreConfig", 12, "c.getSize{0}(); c.setSize{0}(1);"),
        ("StoreConfig", 12, ""),
        ("StoreConfig", 5, "c.getSize{}();"),
        ("Customer", 12, "c.getSize{}();"),
    ],
    ids=["filled by code", "never asked", "small", "named after data"],
)
def test_which_classes_are_no_gaps(name: str, fields: int, call: str) -> None:
    files = {f"{name}.java": _bean(name, fields), "User.java": _user(name, fields, call)}
    assert not found(files)


def test_nothing_is_missing_before_all_files_have_been_seen() -> None:
    analysis = session(MemorySystem({"conf/broker.conf": KEYS, "Loader.java": NAMING})).scan()
    assert not gaps(attrs.evolve(analysis, complete=False))


def test_sources_in_other_languages_are_counted_where_they_are_many() -> None:
    others = {f"src/main/kotlin/A{one}.kt": "" for one in range(6)}
    scala = {"src/main/scala/B.scala": "", "src/test/scala/BTest.scala": ""}
    (gap,) = found({"A.java": "class A { }", **others, **scala})
    assert (gap.path, gap.size) == ("src/main/kotlin/A0.kt", 7)
    assert (
        gap.message
        == "ConfLens reads Java only: 6 Kotlin files and 1 Scala file are not analysed."
    )


def test_a_few_sources_in_other_languages_are_no_gap() -> None:
    java = {f"A{one}.java": f"class A{one} {{ }}" for one in range(60)}
    assert not found({**java, **{f"B{one}.kt": "" for one in range(5)}})
    assert not found({"A.java": "class A { }", "build.groovy": ""})
