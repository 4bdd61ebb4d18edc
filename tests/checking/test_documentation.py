"""When "documented nowhere" is not worth saying, though no document has the name."""

from __future__ import annotations

import pytest

from checking.keys_support import analyse
from conflens.base.span import Place
from conflens.checking import documentation
from conflens.checking.check import findings, undocumented_options
from conflens.checking.results import SEVERITIES, Code, Finding, Severity
from conflens.options.model import Option

UNDOCUMENTED = (Code.UNDOCUMENTED_OPTION, Code.SENSITIVE_UNDOCUMENTED)
KNOWN = 'class K { String s = System.getProperty("app.size"); }'
PAGE = "## app.size\n\nHow large it is.\n\n## web.app.origins\n\nWhere from.\n\n## app.nodes.EXAMPLE\n\nWhich.\n"


def _reported(source: str, name: str) -> bool:
    files = {"A.java": source.replace("NAME", name), "K.java": KNOWN, "docs/a.md": PAGE}
    found = findings(analyse(files), "A.java")
    return any("not mentioned" in one.message for one in found)


READ = 'class A { void a() { use(System.getProperty("NAME")); } }'


def test_options_mentioned_nowhere_are_reported() -> None:
    assert _reported(READ, "app.color")


@pytest.mark.parametrize(
    "name",
    [
        "app.origins",
        "app.nodes",
        "other.color",
        "java.security.color",
        "app.internal.color",
        "app.color.test",
    ],
)
def test_not_reported(name: str) -> None:
    assert not _reported(READ, name)


def test_what_a_library_reads_below_a_name_that_code_tells_is_not_reported() -> None:
    files = {
        "A.java": "import org.springframework.boot.ssl.SslBundles;\n"
        "import org.springframework.beans.factory.annotation.Value;\n"
        'class A { @Value("${app.color}") String color; Object a(SslBundles all) { return all.getBundle("web"); } }\n',
        "K.java": 'class K { @org.springframework.beans.factory.annotation.Value("${app.size}") int size; }',
        "docs/a.md": f"{PAGE}\n## spring.ssl.bundle.pem.web.key.alias\n\nWhich key.\n",
    }
    found = findings(analyse(files), "A.java")
    assert [one.name for one in found] == ["app.color"]


def test_options_that_code_sets_for_itself_are_not_reported() -> None:
    sets = READ.replace("void a()", 'void b() { System.setProperty("NAME", "x"); } void a()')
    assert not _reported(sets, "app.color")


def test_a_relaxed_name_is_documented_in_any_spelling() -> None:
    files = {
        "A.java": "import org.springframework.beans.factory.annotation.Value;\n"
        'class A { @Value("${mail.host-name}") String a; @Value("${mail.user}") String b;'
        ' @Value("${mail.port}") int c; }\n',
        "docs/a.md": "- `mail.hostName`: the host.\n- `mail.user`: who.\n",
    }
    found = findings(analyse(files), "A.java")
    assert [one.name for one in found] == ["mail.port"]


def _of_pool(
    rest: str, page: str = "## pool.size\n\nHow many workers there are.\n"
) -> list[Finding]:
    source = f'class Pool {{ static final String SIZE = "pool.size"; {rest} int a() {{ return Integer.getInteger(SIZE); }} }}'
    analysis = analyse({"Pool.java": source, "docs/pool.md": page})
    return list(findings(analysis, "Pool.java"))


def test_a_likely_one_is_a_hint_that_says_which_of_its_namespace_are_documented() -> None:
    analysis = analyse(
        {
            "K.java": KNOWN,
            "A.java": 'class A { void a() { use(System.getenv("app.color")); } }',
            "docs/a.md": PAGE,
        }
    )
    (found,) = findings(
        analysis,
        "A.java",
        SEVERITIES | dict.fromkeys(UNDOCUMENTED, Severity.ERROR),
    )
    assert (found.code, found.severity) == (Code.UNDOCUMENTED_OPTION, Severity.HINT)
    assert found.message == (
        "app.color is not mentioned in any document of this project, although app.size in the same namespace is."
    )
    off = SEVERITIES | {Code.UNDOCUMENTED_OPTION: Severity.OFF}
    assert findings(analysis, "A.java", off) == ()


def test_a_likely_one_may_have_neighbours_in_its_class_alone() -> None:
    rest = (
        'static final String HOST = "hostName"; static final String USER = "userName";'
        " java.util.Properties p = load(); String b() { return p.getProperty(HOST); }"
        " void c() { setUser(null); } String d() { return p.getProperty(USER); }"
        " void setUser(String user) { System.setProperty(USER, user); }"
    )
    (found,) = _of_pool(rest, "Set `hostName` and `pool.size`.\n\n- `hostName`: where it runs.\n")
    assert found.name == "userName"
    assert found.message.endswith("of this project, although hostName in the same class is.")


def test_what_is_surely_undocumented_in_one_domain_is_not_told_again_for_another() -> None:
    rest = (
        'static final String WAIT = "pool.wait"; String b() { return System.getProperty(WAIT); }'
        " String c() { return System.getenv(WAIT); }"
    )
    (found,) = _of_pool(rest)
    assert found.message == "pool.wait is not mentioned in any document of this project."


def test_a_declaration_without_a_description_stands_beside_those_that_have_one() -> None:
    source = (
        "import java.util.Properties;\n"
        'enum S { SIZE("pool.size", "10", "How many workers there are."), WAIT("pool.wait", "5", "How long one waits.");\n'
        " final String key, standard, description;\n"
        " S(String k, String s, String d) { this.key = k; this.standard = s; this.description = d; } }\n"
        "class C { Properties values; C(Properties v) { values = v; }\n"
        " String get(S s) { return values.getProperty(s.key, s.standard); }\n"
        " String a() { return get(S.SIZE); } String b() { return get(S.WAIT); }\n"
        ' String c() { return System.getProperty("pool.order"); } }\n'
    )
    (found,) = findings(analyse({"A.java": source}), "A.java")
    assert found.message == (
        "pool.order is not mentioned in any document of this project and has no description, "
        "unlike pool.size and pool.wait in the same namespace."
    )


def test_an_option_that_generated_pages_leave_out_is_told_as_such() -> None:
    enum = (
        "import java.util.Properties;\n"
        'enum S { SIZE("pool.size", "How many workers there are."), WAIT("pool.wait", "How long one waits."),'
        ' BATCH("load.batch", "How much is loaded at once."); final String key, description;\n'
        " S(String k, String d) { this.key = k; this.description = d; }\n"
        " String getKey() { return key; } String getDescription() { return description; }\n"
        " String get(Properties all) { return all.getProperty(key); } }\n"
        "class C { void a(Properties all) { use(S.SIZE.get(all)); use(S.WAIT.get(all)); use(S.BATCH.get(all)); } }\n"
    )
    pages = (
        'class Pages { void all() { section("pool."); section("store."); } void section(String start) {\n'
        " for (S one : S.values()) if (one.getKey().startsWith(start)) System.out.println(one.getDescription()); } }\n"
    )
    (found,) = findings(analyse({"A.java": enum, "Pages.java": pages}), "A.java")
    assert found.message == (
        "load.batch is not mentioned in any document of this project and is left out of the pages that are generated, "
        "unlike pool.size and pool.wait in the same class."
    )
    every = pages.replace('section("store.")', "section(start())")
    assert not findings(analyse({"A.java": enum, "Pages.java": every}), "A.java")


def test_an_option_of_which_documents_know_not_even_the_namespace_is_told_as_such() -> None:
    more = 'class B { void b() { use(System.getProperty("store.disk.size"), System.getProperty("store.wait")); } }'
    files = {
        "A.java": READ.replace("NAME", "store.disk.color"),
        "K.java": KNOWN,
        "docs/a.md": PAGE,
    }
    assert not [one for one in findings(analyse(files), "A.java") if "store." in one.message]
    files["B.java"] = more.replace("store.wait", "store.disk.wait")
    (found,) = findings(analyse(files), "A.java")
    assert found.severity is Severity.HINT
    assert found.message == (
        "store.disk.color is not mentioned in any document of this project, and neither is any other name that begins with store."
    )


@pytest.mark.parametrize(("described", "told"), [(1, False), (2, True)])
def test_documents_that_describe_hardly_anything_miss_nothing(described: int, told: bool) -> None:
    names = [f"app.n{number}" for number in range(25)]
    reads = "".join(f'use(System.getProperty("{name}"));' for name in names)
    page = "".join(f"## {name}\n\nHow many.\n\n" for name in names[:described])
    files = {"A.java": f"class A {{ void a() {{ {reads} }} }}", "docs/a.md": page}
    found = findings(analyse(files), "A.java")
    assert any("not mentioned" in one.message for one in found) is told


@pytest.mark.parametrize(("listed", "told"), [(7, False), (9, True)])
def test_a_config_file_that_lists_many_options_documents_them_without_a_word(
    listed: int, told: bool
) -> None:
    names = [f"app.n{number}" for number in range(25)]
    reads = "".join(f'use(System.getProperty("{name}"));' for name in names)
    shipped = "".join(f"{name}=1\n" for name in names[:listed])
    files = {"A.java": f"class A {{ void a() {{ {reads} }} }}", "conf/app.properties": shipped}
    found = findings(analyse(files), "A.java")
    assert sum("not mentioned" in one.message for one in found) == (25 - listed if told else 0)


def test_where_to_report_an_option_is_found_once_however_many_files_read_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    files = {
        f"A{n}.java": READ.replace("class A", f"class A{n}").replace("NAME", "app.color")
        for n in range(40)
    }
    analysis = analyse(files | {"K.java": KNOWN, "docs/a.md": PAGE})
    looked: list[str] = []
    reported_at = documentation.reported_at

    def counted(option: Option) -> Place | None:
        looked.append(option.name)
        return reported_at(option)

    monkeypatch.setattr(documentation, "reported_at", counted)
    assert {name for _, name in undocumented_options(analysis)} == {"app.color"}
    assert sorted(looked) == ["app.color", "app.size"]
