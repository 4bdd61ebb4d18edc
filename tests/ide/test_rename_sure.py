"""A rename is sure of a place only where analysis shows that it names the option; a person confirms all else."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from conflens.base.text import Encoding
from conflens.checking.harmless import applied
from conflens.ide.rename.edits import Part
from conflens.ide.rename.refusal import RefusedError
from conflens.ide.rename.rename import Renamed, renamed
from conflens.session.analysis import Analysis
from session.support import session
from steps import steps

Files = dict[str, str | bytes]

VALUE = """package a;
import org.springframework.beans.factory.annotation.Value;
class A { @Value("%s") String x; }
"""


def rename(files: Files, mark: str, new: str, path: str = "A.java") -> tuple[Analysis, Renamed]:
    analysis = session(MemorySystem(files)).scan()
    text = files[path]
    data = text if isinstance(text, bytes) else text.encode()
    found = renamed(analysis, path, data.index(mark.encode()) + 1, new)
    assert found is not None
    return analysis, found


def sure(files: Files, found: Renamed, path: str = "A.java") -> str:
    """A file after the edits that nobody needs to confirm."""
    text = files[path]
    data = text if isinstance(text, bytes) else text.encode()
    return applied(
        data, [one for one in found.edits if one.sure and one.place.path == path]
    ).decode()


@pytest.mark.parametrize(
    ("text", "old", "wanted"),
    [
        ("${mode:mode}", "mode", "${style:mode}"),
        ("${mode} mode (mode)", "mode", "${style} mode (mode)"),
        ("#{'${toy.mode}' == 'toy.mode'}", "toy.mode", "#{'${style}' == 'toy.mode'}"),
        ("${toy.mode:${toy.mode:toy.mode}}", "toy.mode", "${style:${style:toy.mode}}"),
        (
            "#{systemProperties['toy.mode'] ?: 'toy.mode'}",
            "toy.mode",
            "#{systemProperties['style'] ?: 'toy.mode'}",
        ),
    ],
)
def test_in_a_text_only_the_name_of_a_placeholder_changes(
    text: str, old: str, wanted: str
) -> None:
    files: Files = {"A.java": VALUE % text}
    _, found = rename(files, f"{old}", "style")
    assert sure(files, found) == VALUE % wanted
    assert {one.part for one in found.edits} <= {Part.CODE, Part.MENTION}


JAVA = """class A {
    private static final String K = "toy.size", S = ".idle";
    int size = Integer.getInteger(K), idle = Integer.getInteger("toy" + S);
    %s
}
"""
OTHER = """class B {
    int size = Integer.getInteger("toy.size"), rest = Integer.getInteger("toy.rest"), idle = Integer.getInteger("toy.idle");
}
"""


@pytest.mark.parametrize(
    "text",
    [
        r"\\${toy.mode}",
        r"#{'\\${toy.mode}'}",
        r"#{\"${toy.mode}\"}",
        r"${toy.mode:\t}",
        r"\\${toy.mode} ${toy.mode}",
    ],
)
def test_a_name_between_escapes_is_confirmed_by_a_person(text: str) -> None:
    escaped = VALUE.replace("class A", "class B") % text
    files: Files = {"A.java": VALUE % "${toy.mode}", "B.java": escaped}
    _, found = rename(files, "toy.mode", "toy.style")
    assert "${toy.style}" in sure(files, found) and sure(files, found, "B.java") == escaped
    edits = [one for one in found.edits if one.place.path == "B.java"]
    wanted = escaped.replace("toy.mode", "toy.style")
    assert applied(escaped.encode(), edits).decode() == wanted


@pytest.mark.parametrize("text", [r"${\u0074oy.mode}", r"${toy.\u006dode} x"])
def test_a_name_that_is_written_with_escapes_is_refused(text: str) -> None:
    escaped = VALUE.replace("class A", "class B") % text
    files: Files = {"A.java": VALUE % "${toy.mode}", "B.java": escaped}
    with pytest.raises(RefusedError, match="cannot carry the new name"):
        rename(files, "toy.mode", "toy.style")


@pytest.mark.parametrize(
    ("more", "name", "is_sure"),
    [
        ("", "toy.size", True),
        ("int more = Integer.getInteger(K);", "toy.size", True),
        ("int more = Integer.getInteger(A.K) + Integer.getInteger(K, 3);", "toy.size", True),
        ("", "toy.idle", False),
        ("static final String L = K; int more = Integer.getInteger(L);", "toy.size", False),
        ("void m(Response r) { r.setHeader(K, 1); }", "toy.size", False),
        ("@com.fasterxml.jackson.annotation.JsonProperty(K) int json;", "toy.size", False),
        ("void m(@Header(value = A.K) int sent) { }", "toy.size", False),
        ('@org.springframework.beans.factory.annotation.Value("${" + K + "}") int more;', "toy.size", False),
        ("void m(java.util.Map<String, String> json) { json.get(K); }", "toy.size", False),
        ("void m(java.util.Properties all) { all.getProperty(K); }", "toy.size", False),
        ("int m(String k) { switch (k) { case K: return 1; default: return 2; } }", "toy.size", False),
        ("String get(String k) { r.header(k); return System.getProperty(k); } String s = get(K);", "toy.size", False),
        ('@Value("#{T(A).K}") String spel;', "toy.size", False),
        ("int m() { return Integer.getInteger(\\u004B); }", "toy.size", False),
        ('int m() { String k = "toy.rest"; return Integer.getInteger(k); }', "toy.rest", True),
        ('int m() { String k = "toy.rest"; log(k); return Integer.getInteger(k); }', "toy.rest", False),
        ('int m() { String k = "toy.rest"; Runnable r = () -> log(k); return Integer.getInteger(k); }', "toy.rest", False),
        ('int m() { String k = "toy.rest"; new T() { void go() { log(k); } }; return Integer.getInteger(k); }', "toy.rest", False),
        ('int m() { String k; int n = Integer.getInteger(k = "toy.rest"); log(k); return n; }', "toy.rest", False),
        ('int m(boolean b) { String k = b ? "toy.rest" : ""; log(k); return Integer.getInteger(k); }', "toy.rest", False),
        ('static final String[] KEYS = {"toy.rest", "toy.x"}; void m() { for (String k : KEYS) put(k, System.getProperty(k)); }', "toy.rest", False),
        ('static final String PUBLIC = "toy.rest"; int m() { return Integer.getInteger(PUBLIC); }', "toy.rest", False),
        ('@lombok.Getter private static final String R = "toy.rest"; int m() { return Integer.getInteger(R); }', "toy.rest", False),
        ('private static String r() { return "toy.rest"; } int m() { return Integer.getInteger(r()); }', "toy.rest", False),
    ],
)  # fmt: skip
def test_only_a_private_name_for_nothing_else_is_sure(more: str, name: str, is_sure: bool) -> None:
    files: Files = {"A.java": JAVA % more, "B.java": OTHER}
    _, found = rename(files, f'"{name}', "toy.limit", "B.java")
    own = [one.sure for one in found.edits if one.place.path == "A.java" and one.part is Part.CODE]
    assert own == [is_sure]
    # The text in which the rename started is sure, whatever it may be used for beside.
    assert all(one.sure for one in found.edits if one.place.path == "B.java")


def test_a_constant_in_an_enumeration_or_another_file_is_confirmed_by_a_person() -> None:
    files: Files = {
        "Opt.java": 'enum Opt { SIZE("toy.size"); final String key; Opt(String k) { key = k; } }\n',
        "Keys.java": 'class Keys { static final String IDLE = "toy.idle"; }\n',
        "C.java": "class C { int a = Integer.getInteger(Opt.SIZE.key), b = Integer.getInteger(Keys.IDLE); }\n",
        "B.java": OTHER,
    }
    for name, path in (("toy.size", "Opt.java"), ("toy.idle", "Keys.java")):
        _, found = rename(files, f'"{name}', "toy.limit", "B.java")
        sure = {one.place.path: one.sure for one in found.edits}
        assert sure == {"B.java": True, path: False}


READS = """package a;
import java.util.Properties;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.env.Environment;
class B {
    String m(Environment e, Config c, Properties p, java.util.Map<String, String> map, Own own) throws Exception {
        return %s;
    }
}
class Own { String get(String k) { return System.getProperty(k); } String getProperty(String k) { return ""; } }
"""


@pytest.mark.parametrize(
    ("read", "is_sure"),
    [
        ('System.getProperty("toy.mode")', True),
        ('System.getProperty("toy.mode", "toy.mode")', True),
        ('"" + Integer.getInteger("toy.mode", 3) + Long.getLong("toy.mode") + Boolean.getBoolean("toy.mode")', True),
        ('System.getProperties().getProperty("toy.mode")', False),
        ('c.getClientInfo().getProperty("toy.mode")', False),
        ('p.getProperty("toy.mode")', False),
        ('map.getOrDefault("toy.mode", System.getProperty("toy.idle"))', False),
        ('own.get("toy.mode")', False),
        ('"" + own.get("toy.mode")', False),
        ('System.getProperty(true ? "toy.mode" : "toy.other")', False),
        ('System.getProperty("toy." + "mode")', False),
    ],
)  # fmt: skip
def test_a_read_is_sure_where_the_call_fixes_the_source(read: str, is_sure: bool) -> None:
    files: Files = {
        "A.java": 'class A { String a = System.getProperty("toy.mode"), b = System.getProperty("toy.idle"); }\n',
        "a/B.java": READS % read,
    }
    _, found = rename(files, '"toy.mode', "toy.style")
    own = [one for one in found.edits if one.place.path == "a/B.java" and one.part is Part.CODE]
    assert {one.sure for one in own} <= {is_sure}
    assert is_sure <= bool(own)
    changed = sure(files, found, "a/B.java")
    assert changed == str(files["a/B.java"]).replace(
        '("toy.mode"', '("toy.style"' if is_sure else '("toy.mode"'
    )


@pytest.mark.parametrize(
    ("read", "is_sure"),
    [
        ('e.getProperty("toy.mode")', True),
        ('e.getRequiredProperty("toy.mode")', True),
        ('((Environment) e).getProperty("toy.mode", "toy.mode")', True),
        ('lib().getProperty("toy.mode")', False),
    ],
)
def test_a_read_is_sure_on_a_type_of_the_framework(read: str, is_sure: bool) -> None:
    files: Files = {
        "A.java": VALUE % "${toy.mode}",
        "a/B.java": (READS % read).replace("class B {", "class B extends com.lib.Base {"),
    }
    _, found = rename(files, "toy.mode", "toy.style")
    own = [one for one in found.edits if one.place.path == "a/B.java" and one.part is Part.CODE]
    assert {one.sure for one in own} == ({True} if is_sure else set())


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("#{jobParameters['run.date'] ?: systemProperties['run.date']}", "#{jobParameters['run.date'] ?: systemProperties['run.day']}"),
        ("#{systemProperties['run.date'] ?: systemEnvironment['run.date']}", "#{systemProperties['run.day'] ?: systemEnvironment['run.date']}"),
        ("#{systemProperties['run.date'] ?: '${run.date}'}", "#{systemProperties['run.day'] ?: '${run.date}'}"),
    ],
)  # fmt: skip
def test_in_an_expression_only_the_object_of_the_option_is_sure(text: str, wanted: str) -> None:
    files: Files = {
        "A.java": VALUE % text,
        "B.java": 'class B { String a = System.getProperty("run.date"); }\n',
        "C.java": VALUE.replace("class A", "class C") % "#{jobParameters['run.date']}",
    }
    _, found = rename(files, "run.date", "run.day", "B.java")
    assert sure(files, found) == VALUE % wanted
    every = [one for one in found.edits if one.place.path == "A.java"]
    assert [one.sure for one in every].count(False) == 1
    _, found = rename(files, "run.date", "run.day", "C.java")
    others = wanted.replace("systemProperties['run.day']", "systemProperties['run.date']")
    assert sure(files, found) == VALUE % others.replace(
        "jobParameters['run.date']", "jobParameters['run.day']"
    )


def test_keys_are_only_as_sure_as_the_code_that_must_change_with_them() -> None:
    path = "src/main/resources/application.properties"
    files: Files = {
        "A.java": VALUE % "${toy.mode}",
        path: "toy.mode=1\nother=${toy.mode}\n",
    }
    _, found = rename(files, "toy.mode", "toy.style")
    assert sure(files, found, path) == "toy.style=1\nother=${toy.mode}\n"
    files["B.java"] = (
        'class Keys { static final String K = "toy.mode"; }\n'
        "class B { String m(org.springframework.core.env.Environment e) { return e.getProperty(Keys.K); } }\n"
    )
    _, found = rename(files, "toy.mode", "toy.style")
    assert sure(files, found, path) == files[path]
    _, found = rename(files, "toy.mode", "toy.style", path)
    assert sure(files, found, path) == "toy.style=1\nother=${toy.mode}\n"
    assert sure(files, found, "B.java") == files["B.java"]


READ = 'class A { int a = Integer.getInteger("toy.size"), b = Integer.getInteger("toy.idle"); }\n'


@pytest.mark.parametrize("encoding", ["gbk", "shift_jis", "latin-1"])
def test_a_read_behind_text_of_another_encoding_is_refused(encoding: str) -> None:
    label = "サイズ" if encoding != "latin-1" else "größe"
    line = f'class B {{ String s = "{label}"; %s int b = Integer.getInteger("toy.size"); }}\n'
    files: Files = {"A.java": READ, "B.java": (line % "").encode(encoding)}
    with pytest.raises(RefusedError, match=r"B\.java:1 is not written in UTF-8"):
        rename(files, "toy.size", "toy.limit")
    files["B.java"] = (line % "\n").encode(encoding)
    _, found = rename(files, "toy.size", "toy.limit")
    assert "B.java" in {one.place.path for one in found.edits}


def test_a_document_of_another_encoding_is_named() -> None:
    guide = "`toy.size`\nサイズ `toy.size`\n".encode("shift_jis")
    files: Files = {"A.java": READ, "guide.md": guide}
    _, found = rename(files, "toy.size", "toy.limit")
    assert [one.place.start for one in found.edits if one.place.path == "guide.md"] == [1]
    assert found.left == ("guide.md",)


def test_tests_other_languages_and_the_workspace_file_mention_a_name() -> None:
    files: Files = {
        "A.java": READ,
        "src/test/java/ATest.java": 'class ATest { void m() { System.setProperty("toy.size", "3"); } }\n',
        "src/main/kotlin/K.kt": 'class K { val size = System.getProperty("toy.size") }\n',
        ".conflens.toml": '[verdict."toy.size"]\nsensitive = true\nreason = "it is"\n',
    }
    analysis, found = rename(files, "toy.size", "toy.limit")
    others = [one for one in found.edits if one.place.path != "A.java"]
    assert {one.place.path for one in others} == files.keys() - {"A.java"}
    assert not any(one.sure for one in others)
    for one in others:
        line, column = analysis.position(one.place.path, one.place.start, Encoding.UTF16)
        assert str(files[one.place.path]).splitlines()[line][column:].startswith("toy.size")


def test_a_hocon_file_whose_substitution_may_bring_the_key_is_named() -> None:
    java = (
        "import com.typesafe.config.Config;\n"
        'class A { int m(Config c) { return c.getInt("toy.pool.size") + c.getInt("toy.pool.idle"); } }\n'
    )
    text = "base {\n  size = 4\n}\ntoy {\n  pool = ${base} {\n    idle = 6\n  }\n}\n"
    files: Files = {"A.java": java, "src/main/resources/application.conf": text}
    _, found = rename(files, "toy.pool.size", "toy.pool.limit")
    assert found.left == ("src/main/resources/application.conf",)


@pytest.mark.parametrize(
    "text", ["toy { pool { size = 4, idle = 5 } }\n", '"toy.pool.size" = 7\ntoy { pool { size = 4, idle = 5 } }\n']
)  # fmt: skip
def test_a_hocon_file_on_one_line_is_named(text: str) -> None:
    java = (
        "import com.typesafe.config.Config;\n"
        'class A { int m(Config c) { return c.getInt("toy.pool.size") + c.getInt("toy.pool.idle"); } }\n'
    )
    files: Files = {"A.java": java, "src/main/resources/application.conf": text}
    _, found = rename(files, "toy.pool.size", "toy.pool.limit")
    assert found.left == ("src/main/resources/application.conf",)


def test_a_key_that_stands_in_very_many_documents_is_refused() -> None:
    text = "".join(f"---\ntoy:\n  size: {number}\n" for number in range(800))
    files: Files = {"A.java": READ, "application.yml": f"{text}  idle: 1\n{'#' * 20_000}\n"}
    with pytest.raises(RefusedError) as error:
        rename(files, "toy.size", "toy.limit")
    assert str(error.value) == (
        "application.yml has 800 keys or more to change, which is too much to be edited together."
        " Rename them by hand."
    )


@pytest.mark.parametrize("kind", ["fields", "one body", "script", "locals", "constants"])
def test_many_names_of_one_file_take_linear_time(kind: str) -> None:
    def counted(n: int) -> int:
        reads = [f'Integer.getInteger(P + "o{number}")' for number in range(n)]
        between = "; " if kind == "one body" else ";\nint "
        names = [f"z{number} = {read}" for number, read in enumerate(reads)]
        body = between.join(names)
        whole = (
            f"void m() {{ int {body.replace('; z', '; int z')}; }}"
            if kind == "one body"
            else f"int {body};"
        )
        files: Files = {"A.java": f'class A {{ static final String P = "toy.";\n{whole}\n}}\n'}
        if kind in ("locals", "constants"):
            head = "private static final " if kind == "constants" else ""
            reads = [
                f'{head}String k{number} = "o1"; {head}int z{number} = Integer.getInteger(k{number});'
                for number in range(n)
            ]
            inside = "\n".join(reads)
            inside = f"void m() {{ {inside} }}" if kind == "locals" else inside
            files = {"A.java": f"class A {{ {inside} }}\n"}
        if kind == "script":
            files = {
                "A.java": READ,
                "run.sh": "#!/bin/sh\n" + "java -Dtoy.size=3 -Dtoy.idle=4 -jar a.jar\n" * n,
            }
        analysis = session(MemorySystem(files)).scan()
        mark = '"toy.size"' if kind == "script" else '"o1"'
        at = str(files["A.java"]).index(mark) + 1
        return steps(lambda: renamed(analysis, "A.java", at, "toy.limit"))

    counted(10)  # rows are read once
    few = counted(150)
    assert counted(600) < 5 * few
