"""What is offered for a finding, and the text after it; a comment is there only if the finding is gone with it."""

from __future__ import annotations

import pytest

from conflens.base.span import Place
from conflens.checking.results import Code, Edit, Finding, Fix
from conflens.checking.suppression import NO_POLICY, reasons
from conflens.ide.code_actions.quick_fixes import Action, Kind, actions
from conflens.session.analysis import Analysis
from ide.toy import project


def finding(path: str, text: str, at: str, **more: object) -> Finding:
    start = len(text[: text.index(at)].encode())
    place = Place(path, start, start + len(at.encode()))
    return Finding(Code.UNKNOWN_OPTION, place, "m", **more)  # type: ignore[arg-type]


def applied(text: str, action: Action) -> str:
    data = text.encode()
    for edit in sorted(action.edits, reverse=True):
        data = data[: edit.place.start] + edit.text.encode() + data[edit.place.end :]
    return data.decode()


def analysed(path: str, text: str) -> Analysis:
    return project(
        {path: text, "K.java": 'class K { String a = System.getProperty("net.host"); }'}
    ).analysis


def test_fixes_come_first_and_the_first_is_preferred() -> None:
    path, text = "app.properties", "net.hots=1\n"
    first, second = (
        Fix(f"Change to {name}", (Edit(Place(path, 0, 8), name),), name=name)
        for name in ("net.host", "net.h")
    )
    analysis = analysed(path, text)
    found = actions(
        analysis, [finding(path, text, "net.hots", name="net.hots", fixes=(first, second))]
    )
    assert [(one.title, one.kind, one.preferred) for one in found] == [
        ("Change to net.host", Kind.FIX, True),
        ("Change to net.h", Kind.FIX, False),
        ("Suppress unknown-option here", Kind.SUPPRESS, False),
        ("Suppress unknown-option for net.hots in this project", Kind.SUPPRESS, False),
    ]
    assert applied(text, found[0]) == "net.host=1\n"
    assert found[3].ignored == "unknown-option: net.hots"


def test_a_fix_that_is_not_sure_is_not_preferred() -> None:
    path, text = "app.properties", "net.hots=1\n"
    fix = Fix("Change to 2", (Edit(Place(path, 9, 10), "2"),), "2", sure=False)
    asked = finding(path, text, "net.hots", name="net.hots", fixes=(fix,))
    found = actions(analysed(path, text), [asked])
    assert next((one.title, one.preferred) for one in found) == ("Change to 2", False)


def test_an_unknown_key_is_suppressed_by_its_own_name() -> None:
    path, text = "app.properties", "net.hots=1\n"
    meant = finding(path, text, "net.hots", name="net.hots", options=(("system", "net.host"),))
    found = actions(analysed(path, text), [meant])
    assert found[-1].title == "Suppress unknown-option for net.hots in this project"
    assert found[-1].ignored == "unknown-option: net.hots"


def test_a_workspace_rule_matches_the_name_literally() -> None:
    path, text = "app.properties", "net.host=1\n"
    found = actions(analysed(path, text), [finding(path, text, "net.host", name="a[0].*")])
    assert found[-1].ignored == "unknown-option: a[[]0].[*]"


@pytest.mark.parametrize(
    ("path", "text", "at", "expected"),
    [
        ("A.java", "class A {\n\tint a; // 😀\n}\n", "a;", "class A {\n\t// conflens: ignore unknown-option\n\tint a; // 😀\n}\n"),
        ("a.properties", "# 😀\r\nnet.host=1\r\n", "net", "# 😀\r\n# conflens: ignore unknown-option\r\nnet.host=1\r\n"),
        ("a.yml", "net:\n  host: 1\n", "host", "net:\n  # conflens: ignore unknown-option\n  host: 1\n"),
        ("conf/a-site.xml", "<configuration>\n  <x/>\n</configuration>\n", "<x", "<configuration>\n  <!-- conflens: ignore unknown-option -->\n  <x/>\n</configuration>\n"),
        ("a.toml", "net.host = 1", "net", "# conflens: ignore unknown-option\nnet.host = 1"),
        (".env", "A=1\nB=2\n", "B", "A=1\n# conflens: ignore unknown-option\nB=2\n"),
        ("run.sh", "java -Dx=1\n", "x", "# conflens: ignore unknown-option\njava -Dx=1\n"),
        ("README.md", "| `a.b` | 😀 |\n", "a.b", "| `a.b` | 😀 <!-- conflens: ignore unknown-option --> |\n"),
        ("README.md", "- `a.b`: x\n", "a.b", "- `a.b`: x <!-- conflens: ignore unknown-option -->\n"),
        ("guide.adoc", "a.b:: x\n", "a.b", "// conflens: ignore unknown-option\na.b:: x\n"),
    ],
)  # fmt: skip
def test_a_suppressing_comment(path: str, text: str, at: str, expected: str) -> None:
    found = finding(path, text, at)
    (action,) = (one for one in actions(analysed(path, text), [found]) if one.edits)
    assert applied(text, action) == expected
    moved = finding(path, expected, at)
    if at != "x":
        assert reasons([moved], expected.encode(), NO_POLICY) == ["comment"]


@pytest.mark.parametrize(
    ("path", "text", "at"),
    [
        ("a.properties", "net.host=a\\\n  bad\n", "bad"),
        ("a.yml", "net:\n  host: |\n    x\n    bad\n", "bad"),
        ("run.sh", "java \\\n  -Dx.y=1\n", "x.y"),
        ("guide.rst", "a.b\n  x\n", "a.b"),
        ("additional-spring-configuration-metadata.json", '{"a": 1}', "a"),
    ],
)
def test_no_comment_inside_a_continued_line(path: str, text: str, at: str) -> None:
    found = actions(analysed(path, text), [finding(path, text, at)])
    assert [one for one in found if one.edits] == []
