"""The JDK's signatures: what the packaged table says, and what a damaged one does."""

from __future__ import annotations

import importlib.util
import json
import math
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

import pytest

from conflens.models import jdk, resources
from conflens.models.jdk import JdkMethod, JdkTable, JdkTableError, JdkType

GENERATE = Path(__file__).parents[2] / "grammars" / "jdk" / "generate.py"


@pytest.fixture(scope="module")
def table() -> JdkTable:
    return jdk.packaged()


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    spec = importlib.util.spec_from_file_location("jdk_generate", GENERATE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def found(table: JdkTable, name: str) -> JdkType:
    jdk_type = table.type(name)
    assert jdk_type is not None, name
    return jdk_type


def overloads(table: JdkTable, owner: str, name: str) -> set[tuple[tuple[str, ...], str]]:
    return {(m.params, m.returns) for m in found(table, owner).methods[name]}


def flags(method: JdkMethod) -> str:
    names = ("static", "varargs", "abstract", "default")
    return " ".join(name for name in names if getattr(method, name))


# What the table says


def test_generic_interface(table: JdkTable) -> None:
    map_type = found(table, "java.util.Map")
    assert (map_type.kind, map_type.name, map_type.package) == (
        "interface",
        "java.util.Map",
        "java.util",
    )
    assert [(p.name, p.bound) for p in map_type.params] == [
        ("K", "java.lang.Object"),
        ("V", "java.lang.Object"),
    ]
    assert map_type.supers == ()
    assert map_type.nested == ("Entry",)
    (get,) = map_type.methods["get"]
    assert (get.name, get.params, get.returns, flags(get)) == (
        "get",
        ("java.lang.Object",),
        "V",
        "abstract",
    )
    (get_or_default,) = map_type.methods["getOrDefault"]
    assert (get_or_default.params, flags(get_or_default)) == (
        ("java.lang.Object", "V"),
        "default",
    )
    assert overloads(table, "java.util.Map", "entrySet") == {
        ((), "java.util.Set<java.util.Map.Entry<K,V>>")
    }


def test_wildcards(table: JdkTable) -> None:
    assert overloads(table, "java.util.Map", "putAll") == {
        (("java.util.Map<? extends K,? extends V>",), "void")
    }
    assert overloads(table, "java.util.ArrayList", "forEach") == {
        (("java.util.function.Consumer<? super E>",), "void")
    }
    assert overloads(table, "java.lang.Class", "forName") >= {
        (("java.lang.String",), "java.lang.Class<?>")
    }


def test_method_type_parameter_keeps_its_first_bound(table: JdkTable) -> None:
    bounds = {
        name: [(p.name, p.bound) for p in found(table, owner).methods[name][0].type_params]
        for owner, name in (
            ("java.lang.Enum", "valueOf"),
            ("java.util.Collections", "sort"),
            ("java.util.Collections", "max"),
            ("java.util.Optional", "map"),
        )
    }
    assert bounds == {
        "valueOf": [("T", "java.lang.Enum<T>")],
        "sort": [("T", "java.lang.Comparable<? super T>")],
        "max": [("T", "java.lang.Object")],
        "map": [("U", "java.lang.Object")],
    }


@pytest.mark.parametrize(
    ("owner", "name", "expected"),
    [
        (
            "java.util.Properties",
            "getProperty",
            {
                (("java.lang.String",), "java.lang.String"),
                (("java.lang.String", "java.lang.String"), "java.lang.String"),
            },
        ),
        (
            "java.lang.Integer",
            "getInteger",
            {
                (("java.lang.String",), "java.lang.Integer"),
                (("java.lang.String", "int"), "java.lang.Integer"),
                (("java.lang.String", "java.lang.Integer"), "java.lang.Integer"),
            },
        ),
        (
            "java.lang.System",
            "getenv",
            {
                (("java.lang.String",), "java.lang.String"),
                ((), "java.util.Map<java.lang.String,java.lang.String>"),
            },
        ),
        (
            "java.lang.String",
            "toCharArray",
            {((), "char[]")},
        ),
    ],
)
def test_overloads(
    table: JdkTable, owner: str, name: str, expected: set[tuple[tuple[str, ...], str]]
) -> None:
    assert overloads(table, owner, name) == expected


def test_readers_of_options_are_static(table: JdkTable) -> None:
    for owner, name in (("java.lang.System", "getenv"), ("java.lang.Integer", "getInteger")):
        assert {flags(m) for m in found(table, owner).methods[name]} == {"static"}


def test_varargs(table: JdkTable) -> None:
    files = found(table, "java.nio.file.Files")
    assert {(m.params, flags(m)) for m in files.methods["newBufferedReader"]} == {
        (("java.nio.file.Path",), "static"),
        (("java.nio.file.Path", "java.nio.charset.Charset"), "static"),
    }
    assert {(m.params, flags(m)) for m in files.methods["newInputStream"]} == {
        (("java.nio.file.Path", "java.nio.file.OpenOption[]"), "static varargs")
    }


def test_supertypes_with_the_superclass_first(table: JdkTable) -> None:
    assert found(table, "java.lang.Object").supers == ()
    assert found(table, "java.util.Properties").supers == (
        "java.util.Hashtable<java.lang.Object,java.lang.Object>",
    )
    assert found(table, "java.util.HashMap").supers == (
        "java.util.AbstractMap<K,V>",
        "java.util.Map<K,V>",
        "java.lang.Cloneable",
        "java.io.Serializable",
    )
    assert "java.util.Collection<E>" in found(table, "java.util.Set").supers


def test_nested_types(table: JdkTable) -> None:
    entry = found(table, "java.util.Map.Entry")
    assert (entry.kind, entry.package) == ("interface", "java.util")
    assert [m.returns for m in entry.methods["getValue"]] == ["V"]
    assert table.type("java.util.Map$Entry") is None
    assert found(table, "java.lang.ProcessBuilder.Redirect.Type").kind == "enum"


def test_constructors_omit_the_enclosing_object(table: JdkTable) -> None:
    assert overloads(table, "java.io.FileReader", jdk.CONSTRUCTOR) >= {
        (("java.lang.String",), "void"),
        (("java.io.File", "java.nio.charset.Charset"), "void"),
    }
    # An inner class: its class file has the tree as first parameter.
    handler = "javax.swing.JTree.TreeModelHandler"
    assert overloads(table, handler, jdk.CONSTRUCTOR) == {((), "void")}


def test_constants_are_compile_time_constants(table: JdkTable) -> None:
    def value(owner: str, field: str) -> object:
        return found(table, owner).fields[field].constant

    assert value("java.lang.Long", "MAX_VALUE") == 2**63 - 1
    assert value("java.lang.Integer", "MIN_VALUE") == -(2**31)
    assert value("java.lang.Character", "MIN_SURROGATE") == 0xD800
    assert value("java.lang.Double", "POSITIVE_INFINITY") == math.inf
    assert value("java.sql.Types", "VARCHAR") == 12
    assert value("javax.naming.Context", "PROVIDER_URL") == "java.naming.provider.url"
    assert value("java.awt.image.ImageObserver", "WIDTH") == 1
    # These depend on the machine or are objects.
    assert value("java.io.File", "separator") is None
    assert value("java.lang.Boolean", "TRUE") is None


def test_field_types(table: JdkTable) -> None:
    out = found(table, "java.lang.System").fields["out"]
    assert (out.type, out.static, out.enum_constant) == ("java.io.PrintStream", True, False)
    lock = found(table, "java.io.Reader").fields["lock"]
    assert (lock.type, lock.static) == ("java.lang.Object", False)


def test_enum_constants_in_order(table: JdkTable) -> None:
    unit = found(table, "java.util.concurrent.TimeUnit")
    assert unit.kind == "enum"
    assert [name for name, field in unit.fields.items() if field.enum_constant] == [
        "NANOSECONDS",
        "MICROSECONDS",
        "MILLISECONDS",
        "SECONDS",
        "MINUTES",
        "HOURS",
        "DAYS",
    ]
    assert unit.fields["DAYS"].type == "java.util.concurrent.TimeUnit"


def test_kinds(table: JdkTable) -> None:
    assert {
        name: found(table, name).kind
        for name in ("java.lang.String", "java.lang.Override", "java.lang.Runnable")
    } == {
        "java.lang.String": "class",
        "java.lang.Override": "annotation",
        "java.lang.Runnable": "interface",
    }


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("java.lang.Runnable", ["run"]),
        ("java.util.function.Function", ["apply"]),
        # equals(Object) is declared abstract there, and does not count (JLS 9.8).
        ("java.util.Comparator", ["compare"]),
        ("java.util.Iterator", ["hasNext", "next"]),
    ],
)
def test_functional_interfaces_are_recognized(
    table: JdkTable, name: str, expected: list[str]
) -> None:
    of_object = found(table, "java.lang.Object").methods
    abstract = [
        method.name
        for methods in found(table, name).methods.values()
        for method in methods
        if method.abstract and method.name not in of_object
    ]
    assert abstract == expected


def test_a_hidden_supertype_is_resolved_but_not_listed(table: JdkTable) -> None:
    assert "java.lang.AbstractStringBuilder" in found(table, "java.lang.StringBuilder").supers
    hidden = found(table, "java.lang.AbstractStringBuilder")
    assert hidden.hidden
    assert "setLength" in hidden.methods
    assert "AbstractStringBuilder" not in table.top_level("java.lang")
    assert not found(table, "java.lang.StringBuilder").hidden


def test_packages(table: JdkTable) -> None:
    assert table.has_package("java.util")
    assert not table.has_package("java")
    assert not table.has_package("org.example")
    assert table.packages >= {
        "java.util.concurrent.atomic",
        "javax.management",
        "com.sun.net.httpserver",
        "org.w3c.dom",
        "sun.misc",
    }
    assert not [name for name in table.packages if name.startswith("jdk.internal")]
    assert table.top_level("java.util") >= {"Map", "Properties", "ArrayList"}
    assert "Map.Entry" not in table.top_level("java.util")
    assert table.top_level("org.example") == frozenset()


@pytest.mark.parametrize(
    "name", ["java.util.Nothing", "java.util", "Map", "", "java.util.Map.Nothing", "org.h2.Map"]
)
def test_unknown_type(table: JdkTable, name: str) -> None:
    assert table.type(name) is None


def all_types(table: JdkTable) -> Iterator[JdkType]:
    todo = [f"{package}.{n}" for package in table.packages for n in table.top_level(package)]
    while todo:
        jdk_type = found(table, todo.pop())
        todo += [f"{jdk_type.name}.{nested}" for nested in jdk_type.nested]
        yield jdk_type


def test_every_listed_type_exists_and_every_supertype_too() -> None:
    table = jdk.packaged()
    names = set()
    for jdk_type in all_types(table):
        names.add(jdk_type.name)
        for supertype in jdk_type.supers:
            found(table, supertype.partition("<")[0])
    assert len(names) > 4000


def test_a_type_is_one_object_for_all_threads() -> None:
    table = jdk.packaged()
    names = [f"java.util.{name}" for name in sorted(table.top_level("java.util"))]
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: [table.type(name) for name in names], range(8)))
    assert all(a is b for result in results for a, b in zip(result, results[0], strict=True))


# The file

FORMAT_AT = len(b"conflens-jdk\n")


@pytest.fixture(scope="module")
def small(table: JdkTable) -> list[JdkType]:
    names = ("java.util.Map", "java.util.Map.Entry", "java.lang.Runnable", "java.lang.Long")
    return [found(table, name) for name in names]


def test_pack_is_read_back(small: list[JdkType]) -> None:
    table = jdk.load(jdk.pack("21.0.2", small))
    assert table.jdk == "21.0.2"
    assert table.packages == {"java.lang", "java.util"}
    assert table.top_level("java.lang") == {"Runnable", "Long"}
    assert [table.type(jdk_type.name) for jdk_type in small] == small


def test_pack_does_not_depend_on_order(small: list[JdkType]) -> None:
    assert jdk.pack("21", small[::-1]) == jdk.pack("21", small)


def test_pack_refuses_two_types_of_one_name(small: list[JdkType]) -> None:
    with pytest.raises(JdkTableError, match=r"two types named java\.util\.Map$"):
        jdk.pack("21", [*small, small[0]])


PRINTED_TYPE = """[
    "class", "p.q.Box.Lid", "p.q", [["T", "java.lang.Object"]], ["java.lang.Object"],
    {"HOT": ["HOT", "double", true, false, Infinity], "on": ["on", "boolean", true, false, true]},
    {"<init>": [["<init>", ["T[]"], "void", false, true, false, false, []]]},
    ["Hinge"], false
]"""


def test_packing_the_output_of_the_generator(generate: ModuleType) -> None:
    lines = ['"17.0.1"', json.dumps(json.loads(PRINTED_TYPE))]
    data = generate.packed(lines)
    assert data == generate.packed(lines)
    table = jdk.load(data)
    lid = found(table, "p.q.Box.Lid")
    assert table.jdk == "17.0.1"
    assert (lid.kind, lid.package, lid.nested, lid.hidden) == ("class", "p.q", ("Hinge",), False)
    assert lid.fields["HOT"].constant == math.inf
    assert lid.fields["on"].constant is True
    (constructor,) = lid.methods[jdk.CONSTRUCTOR]
    assert (constructor.params, flags(constructor)) == (("T[]",), "varargs")


def test_truncated_data_is_refused(small: list[JdkType]) -> None:
    data = jdk.pack("21", small)
    for length in range(len(data)):
        with pytest.raises(JdkTableError):
            jdk.load(data[:length])
    with pytest.raises(JdkTableError, match="bytes of types, expected"):
        jdk.load(data + b"\0")


def test_other_files_and_formats_are_named(small: list[JdkType]) -> None:
    data = jdk.pack("21", small)
    with pytest.raises(JdkTableError, match="not a signature table"):
        jdk.load(b"PK" + data[2:])
    with pytest.raises(JdkTableError, match="only 0 bytes"):
        jdk.load(b"")
    newer = (jdk.FORMAT + 1).to_bytes(2, "big")
    with pytest.raises(JdkTableError, match=f"format {jdk.FORMAT + 1}, but this is for"):
        jdk.load(data[:FORMAT_AT] + newer + data[FORMAT_AT + 2 :])


def test_damaged_index(small: list[JdkType]) -> None:
    data = bytearray(jdk.pack("21", small))
    data[FORMAT_AT + 6 + 10] ^= 0xFF
    with pytest.raises(JdkTableError, match="the index is damaged"):
        jdk.load(bytes(data))


def test_damaged_package_is_named_and_leaves_the_others(small: list[JdkType]) -> None:
    data = bytearray(jdk.pack("21", small))
    # The last bytes are the checksum of the last package, java.util.
    data[-1] ^= 0xFF
    table = jdk.load(bytes(data))
    with pytest.raises(JdkTableError, match=r"package java\.util is damaged"):
        table.type("java.util.Map")
    assert table.type("java.lang.Runnable") == small[2]


def test_damaged_type_is_named() -> None:
    module = JdkType("module", "p.M", "p", (), (), {}, {}, (), False)  # type: ignore[arg-type]
    table = jdk.load(jdk.pack("21", [module]))
    with pytest.raises(JdkTableError, match=r"type p\.M is damaged"):
        table.type("p.M")


def test_opening_unpacks_no_package(small: list[JdkType], monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    decompress = zlib.decompress

    def counted(data: bytes) -> bytes:
        calls.append(len(data))
        return decompress(data)

    monkeypatch.setattr(zlib, "decompress", counted)
    table = jdk.load(jdk.pack("21", small))
    assert len(calls) == 1
    table.type("java.util.Map")
    table.type("java.util.Map.Entry")
    assert len(calls) == 2


# Where data files lie


def test_the_packaged_copy_takes_precedence_over_the_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout = resources.grammar_file("jdk/signatures.bin")
    packaged = tmp_path / "_grammars" / "jdk" / "signatures.bin"
    packaged.parent.mkdir(parents=True)
    packaged.write_bytes(b"packaged")
    monkeypatch.setattr(resources, "_PACKAGED", tmp_path / "_grammars")
    assert resources.grammar_file("jdk/signatures.bin") == b"packaged" != checkout


def test_missing_data_file_is_named() -> None:
    with pytest.raises(FileNotFoundError, match=r"jdk/nothing\.bin"):
        resources.grammar_file("jdk/nothing.bin")
