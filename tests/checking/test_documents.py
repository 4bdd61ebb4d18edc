"""What documents and code say differently, and what documents list that no code reads."""

from __future__ import annotations

import pytest

from checking.small import option, subject
from conflens.checking import documents
from conflens.checking.defaults import differ
from conflens.checking.namespaces import of_libraries
from conflens.checking.results import Code, Finding
from conflens.options.model import OptionType

T = OptionType
HADOOP = "import org.apache.hadoop.conf.Configuration;\n"


@pytest.mark.parametrize(
    ("type_", "unit", "code", "document", "wanted"),
    [
        (T.TIME, "ms", "10000", "10s", False), (T.TIME, "ms", "10000", "10 s", False),
        (T.TIME, "ms", "10000", "11s", True), (T.TIME, "s", "60", "1m", False),
        (T.TIME, "", "10000", "10s", False), (T.TIME, "ms", "864000000", "10d", False),
        (T.TIME, "ms", "864000000", "1d", True), (T.TIME, "", "864000000", "10d", False),
        (T.FRACTION, "", "0.5d", "0.5", False), (T.SIZE, "bytes", "65536", "64KB", False),
        (T.SIZE, "bytes", "65536", "64 * 1024", False), (T.SIZE, "bytes", "1 << 16", "65536", False),
        (T.SIZE, "bytes", "65536", "32KB", True), (T.INTEGER, "", "1000", "1,000", False),
        (T.INTEGER, "", "2147483647", "Integer.MAX_VALUE", False), (T.INTEGER, "", "5", "`5`", False),
        (T.INTEGER, "", "5", "6", True), (T.INTEGER, "", "5", "none", False),
        (T.INTEGER, "", "5", "see below", False), (T.INTEGER, "", "5", "${other}", False),
        (T.FRACTION, "", "0.50", ".5", False), (T.FRACTION, "", "0.5", "0.6", True),
        (T.BOOLEAN, "", "true", "TRUE", False), (T.BOOLEAN, "", "true", "false", True),
        (T.BOOLEAN, "", "true", "maybe", False), (T.MODE, "", "FAST", "fast", False),
        (T.MODE, "", "FAST", "slow", True), (T.MODE, "", "HH_MM_SS", "HH:mm:ss", False), (T.MODE, "", "Profile", "a.b.Profile", False),
        (T.INTEGER, "", "2147483647", "-1", False), (T.INTEGER, "", "2147483647", "7", True), (T.PORT, "", "-1", "5671", True), (T.PORT, "", "5672", "5671", True), (T.INTEGER, "", "-1", "5671", True), (T.CLASS, "", "a.b.Codec", "c.Codec", False),
        (T.CLASS, "", "a.b.Codec", "a.b.Other", True), (T.CLASS, "", "a.b.Codec", "none", False),
        (T.STRING, "", "localhost:80", "0.0.0.0:80", True), (T.STRING, "", "a b", "c d", False),
        (T.STRING, "", "127.0.0.1", "127.0.0.1:9000", False), (T.STRING, "", "127.0.0.1", "127.0.0.2:9000", True),
        (T.STRING, "", "102400", "100KiB", False), (T.STRING, "", "16384", "16K", False), (T.STRING, "", "16385", "16K", True),
        (T.STRING, "", "1.0", "1", False), (T.LIST, "", "a,b", "b", False), (T.PASSWORD, "", "a", "b", False),
    ],
)  # fmt: skip
def test_defaults_are_compared_as_values(
    type_: OptionType, unit: str, code: str, document: str, wanted: bool
) -> None:
    one = option("a.x", type_, unit=unit)
    assert differ(one, code, document) is wanted
    assert differ(one, document, code) is wanted


def read(*calls: str) -> str:
    return (
        f"{HADOOP}class T {{ void run(Configuration conf) {{ use({', '.join(calls)}); }}"
        " void use(Object... o) {} }"
    )


def page(*entries: tuple[str, str], more: str = "") -> str:
    rows = "".join(
        f"<property><name>{name}</name><value>{value}</value><description>It is {name}.{more}</description></property>\n"
        for name, value in entries
    )
    return f'<?xml version="1.0"?>\n<configuration>\n{rows}</configuration>\n'


CALLS = [f'conf.getInt("pool.size.n{n}", {n})' for n in range(8)]
ENTRIES = [(f"pool.size.n{n}", str(n)) for n in range(8)]
PATH = "conf/core-default.xml"


def both(*calls: str, text: str, path: str = PATH) -> tuple[list[Finding], list[Finding]]:
    looked = subject(read(*calls), documents={path: text})
    return list(documents.defaults(looked, "0.java")), list(documents.findings(looked, path))


def test_a_different_default_is_reported_in_code_and_document() -> None:
    text = page(*ENTRIES[:7], ("pool.size.n7", "70"))
    (code,), (document,) = both(*CALLS, text=text)
    assert code.code is document.code is Code.DEFAULT_MISMATCH
    assert code.message == "pool.size.n7 defaults to 7 here, but core-default.xml says 70."
    assert document.message == "pool.size.n7 defaults to 70 here, but to 7 in code."
    assert text[document.place.start : document.place.end] == "pool.size.n7"
    assert code.related == ((document.place, "Default 70."),)
    assert document.related == ((code.place, "Default 7."),)


def test_places_are_byte_offsets() -> None:
    text = page(("pool.size.n7", "70")).replace("<name>", "<!-- größer, é --><name>")
    _, (document,) = both(*CALLS, text=text)
    data = text.encode()
    assert data[document.place.start : document.place.end] == b"pool.size.n7"


def test_equal_and_unknown_defaults_are_not_reported() -> None:
    assert both(*CALLS, text=page(*ENTRIES)) == ([], [])
    assert both(*CALLS, text=page(("pool.size.n7", "${other}"))) == ([], [])
    assert both('conf.get("pool.size.n7")', text=page(("pool.size.n7", "70"))) == ([], [])
    conflicting = ('conf.getInt("pool.size.n7", 1)', 'conf.getInt("pool.size.n7", 2)')
    assert both(*conflicting, text=page(("pool.size.n7", "70"))) == ([], [])


def test_a_document_that_states_the_right_default_elsewhere_is_correct() -> None:
    looked = subject(
        read(*CALLS),
        documents={
            PATH: page(("pool.size.n7", "70")),
            "x-default.xml": page(("pool.size.n7", "7")),
        },
    )
    assert list(documents.defaults(looked, "0.java")) == []


@pytest.mark.parametrize(
    ("folder", "told"),
    [("app/src/main/resources", False), ("src/main/resources", False), ("conf", True)],
)
def test_what_the_packaged_config_file_sets_is_what_users_get(folder: str, told: bool) -> None:
    looked = subject(
        read(*CALLS),
        documents={
            PATH: page(("pool.size.n7", "70")),
            f"{folder}/app.properties": "pool.size.n7=70\n",
        },
    )
    assert bool(list(documents.defaults(looked, "0.java"))) is told
    assert bool(list(documents.findings(looked, PATH))) is told


@pytest.mark.parametrize(("own", "told"), [("other", 0), ("size", 1)])
def test_a_page_on_another_component_states_no_default_of_a_word(own: str, told: int) -> None:
    config = "import org.apache.commons.configuration2.Configuration;\n"
    hook = f'class Hook {{ int n(Configuration c) {{ return c.getInt("lines", 5) + c.getInt("{own}", 6); }} }}'
    bag = 'class Bag { int n(Configuration c) { return c.getInt("size", 6); } }'
    rows = "| `lines` | 5 |\n| `size` | 64 |\n"
    page = f"# Hook\n\n| name | default |\n|---|---|\n{rows}"
    looked = subject(config + hook, config + bag, documents={"docs/hook.md": page})
    assert len(list(documents.findings(looked, "docs/hook.md"))) == told


@pytest.mark.parametrize(
    ("code", "document", "told"), [(-1, 5671, 0), (17000, -1, 1), (5672, 5671, 1)]
)
def test_a_port_below_zero_in_code_stands_for_another(code: int, document: int, told: int) -> None:
    found, _ = both(f'conf.getInt("app.port", {code})', text=page(("app.port", str(document))))
    assert len(found) == told


def test_a_packaged_file_of_defaults_is_a_document() -> None:
    path = "app/src/main/resources/core-default.xml"
    assert len(both(*CALLS, text=page(("pool.size.n7", "70")), path=path)[0]) == 1


def test_a_document_about_something_else_states_no_default() -> None:
    others = [(f"other.thing.n{n}", "1") for n in range(9)]
    assert both(*CALLS, text=page(("pool.size.n7", "70"), *others)) == ([], [])


@pytest.mark.parametrize(
    ("comment", "told"),
    [("Default is 70.", True), ("The default: 70", True), ("To use another size, uncomment this.", False),
     ("The default is 7, this is large.", False)],
)  # fmt: skip
def test_a_commented_out_value_is_a_default_only_if_the_file_says_so(
    comment: str, told: bool
) -> None:
    text = f"# {comment}\n#pool.size.n7=70\n"
    code, _ = both(*CALLS, text=text, path="conf/app.properties")
    assert bool(code) is told


@pytest.mark.parametrize(
    ("line", "told"),
    [("pool.size.n7=7", False), ("pool.size.n7=70", True), ("#pool.size.n7=7", True)],
)
def test_a_comment_above_a_key_that_is_set_to_its_default_is_about_another_key(
    line: str, told: bool
) -> None:
    text = f"# size-cache default is 1000, 10min expired\n{line}\npool.size.n6=60\n"
    code, _ = both(*CALLS, text=text, path="conf/app.properties")
    assert bool(code) is told


@pytest.mark.parametrize(
    ("folder", "told"),
    [("docs", True), ("docs/version-4.10.0", False), ("docs/4.x/9.2.1", False), ("docs/log4j2", True), ("v2", True), ("v2.0", False)],
)  # fmt: skip
def test_documents_of_one_version_are_right_for_that_one(folder: str, told: bool) -> None:
    text = page(*ENTRIES[:7], ("pool.size.n7", "70"))
    code, document = both(*CALLS, text=text, path=f"{folder}/core-default.xml")
    assert (bool(code), bool(document)) == (told, told)


# -- unused options ------------------------------------------------------------------------------------


def unused(text: str, *calls: str, path: str = PATH) -> list[str]:
    looked = subject(read(*(calls or CALLS)), documents={path: text})
    return [one.name for one in documents.findings(looked, path) if one.code is Code.UNUSED_OPTION]


def test_an_entry_that_no_code_reads() -> None:
    text = page(*ENTRIES, ("pool.size.gone", "1"))
    (finding,) = both(*CALLS, text=text)[1]
    assert finding.code is Code.UNUSED_OPTION
    assert finding.message == "Nothing in the code of this project reads pool.size.gone."
    assert text[finding.place.start : finding.place.end] == "pool.size.gone"


def test_markdown_tables_are_checked() -> None:
    rows = "".join(f"| `{name}` | {value} | It is. |\n" for name, value in ENTRIES)
    head = "# Options\n\n| option | default | meaning |\n|---|---|---|\n"
    table = f"{head}{rows}| `pool.size.gone` | 1 | It is. |\n"
    assert unused(table, path="docs/options.md") == ["pool.size.gone"]


@pytest.mark.parametrize(
    "call",
    [
        'conf.get("pool." + name)',
        'name.equals("pool.size.gone")',
        'name.startsWith("pool.size.")',
        'name + ".gone"',
        'conf.get(name + ".size.of.the." + name)',
        '"-Dpool.size.gone=1"',
    ],
)
def test_no_report_where_code_may_build_the_name(call: str) -> None:
    gone = "pool.size.of.the.gone" if "of.the" in call else "pool.size.gone"
    source = read(*CALLS).replace(
        "} }", f"}} Object o(Configuration conf, String name) {{ return {call}; }} }}"
    )
    looked = subject(source, documents={PATH: page(*ENTRIES, (gone, "1"))})
    assert [
        one for one in documents.findings(looked, PATH) if one.code is Code.UNUSED_OPTION
    ] == []


def test_no_report_in_documents_of_other_programs() -> None:
    others = [(f"pool.size.m{n}", "1") for n in range(9)]
    assert unused(page(*ENTRIES, *others)) == []
    elsewhere = [(f"other.thing.n{n}", "1") for n in range(9)]
    assert unused(page(*ENTRIES, *elsewhere)) == []


@pytest.mark.parametrize(("imported", "told"), [("org.pool.Pool", 0), ("org.pools.Pool", 1)])
def test_no_report_for_names_of_a_library_that_code_imports(imported: str, told: int) -> None:
    calls = [f'conf.getInt("org.pool.n{n}", {n})' for n in range(8)]
    entries = [(f"org.pool.n{n}", str(n)) for n in range(8)]
    source = f"package p;\nimport {imported};\n{read(*calls)}"
    looked = subject(source, documents={PATH: page(*entries, ("org.pool.gone", "1"))})
    assert len(list(documents.findings(looked, PATH))) == told
    assert of_libraries(looked.program) is of_libraries(looked.program), "worked out once"


def test_no_report_for_values_of_a_chart() -> None:
    text, path = page(*ENTRIES, ("pool.size.gone", "1")), "deploy/app/core-default.xml"
    for chart, told in (("deploy/Chart.yaml", 1), ("deploy/app/Chart.yaml", 0)):
        looked = subject(read(*CALLS), documents={path: text, chart: "name: app\n"})
        assert len(list(documents.findings(looked, path))) == told


def test_no_report_for_options_documented_as_removed() -> None:
    text = page(*ENTRIES, ("pool.size.gone", "1"))
    assert unused(text.replace("It is pool.size.gone.", "Deprecated, no longer used.")) == []


def test_no_report_if_project_classes_are_missing() -> None:
    source = f"package p;\nimport p.InKotlin;\n{read(*CALLS)}"
    looked = subject(source, documents={PATH: page(*ENTRIES, ("pool.size.gone", "1"))})
    assert list(documents.findings(looked, PATH)) == []


def test_documents_of_tests_are_not_checked() -> None:
    assert unused(page(*ENTRIES, ("pool.size.gone", "1")), path="src/test/core-default.xml") == []
