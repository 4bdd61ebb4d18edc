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
        data, [one for one in found.edits if one.part.sure and one.place.path == path]
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
    static final String K = "toy.size", S = ".idle";
    int size = Integer.getInteger(K), idle = Integer.getInteger("toy" + S);
    %s
}
"""


@pytest.mark.parametrize(
    ("more", "mark", "is_sure"),
    [
        ("int more = Integer.getInteger(K);", '"toy.size', True),
        ("static final String L = K; int more = Integer.getInteger(L);", '"toy.size', True),
        ("void m(Response r) { r.setHeader(K, 1); }", '"toy.size', False),
        ("@com.fasterxml.jackson.annotation.JsonProperty(K) int json;", '"toy.size', False),
        ("void m(@Header(value = A.K) int sent) { }", '"toy.size', False),
        (
            '@org.springframework.beans.factory.annotation.Value("${" + K + "}") int more;',
            '"toy.size',
            True,
        ),
        ("void m(java.sql.Statement s) { s.execute(SQL); } static final String SQL = \"select \" + K;", '"toy.size', False),
        ("String column = \"col\" + S;", '".idle', False),
        ("void m(Response r) { r.setHeader(K, 1); }", '".idle', True),
        ("int m() { String k = \"toy.rest\"; return Integer.getInteger(k); }", '"toy.rest', True),
        ("int m() { String k = \"toy.rest\"; log(k); return Integer.getInteger(k); }", '"toy.rest', False),
        ("void m(java.util.Map<String, String> json) { json.get(K); }", '"toy.size', False),
    ],
)  # fmt: skip
def test_a_constant_that_is_used_for_something_else_is_confirmed_by_a_person(
    more: str, mark: str, is_sure: bool
) -> None:
    files: Files = {
        "A.java": JAVA % more,
        "app.properties": "toy.size=1\ntoy.idle=2\ntoy.rest=3\n",
    }
    new = "toy.limit"
    _, found = rename(files, mark, new)
    assert found.edits
    assert {one.part.sure for one in found.edits} == {is_sure}


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
    assert not any(one.part.sure for one in others)
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


def test_a_key_that_stands_in_very_many_documents_is_refused() -> None:
    text = "".join(f"---\ntoy:\n  size: {number}\n" for number in range(800))
    files: Files = {"A.java": READ, "application.yml": f"{text}  idle: 1\n{'#' * 20_000}\n"}
    with pytest.raises(RefusedError) as error:
        rename(files, "toy.size", "toy.limit")
    assert str(error.value) == (
        "application.yml has 800 keys or more to change, which is too much to be edited together."
        " Rename them by hand."
    )


@pytest.mark.parametrize("kind", ["fields", "one body", "script"])
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
