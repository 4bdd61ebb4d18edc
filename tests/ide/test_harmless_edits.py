"""Comments and entries are offered only where the file says the same with them."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from conflens.checking.harmless import applied
from conflens.ide.code_actions.document_entries import entry
from conflens.ide.code_actions.quick_fixes import Kind, actions
from conflens.ide.diagnostics.diagnostics import diagnostics
from conflens.ide.settings.settings import Settings
from session.support import session

JAVA = """package p;
import org.springframework.core.env.Environment;
class A {
    int c = Integer.getInteger("toy.c");
    boolean flag = Boolean.getBoolean("toy.flag");
    String m(Environment e) { return e.getProperty("toy.script") + e.getProperty("toy.other", "5"); }
}
"""


def comments(path: str, text: str) -> list[str]:
    """What a file is after each comment that is offered for it."""
    analysis = session(MemorySystem({"A.java": JAVA, path: text})).scan()
    findings = diagnostics(analysis, path, Settings())
    return [
        applied(text.encode(), action.edits).decode()
        for action in actions(analysis, findings)
        if action.kind is Kind.SUPPRESS and action.edits
    ]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("docker-compose.yml", "services:\n  a:\n    environment:\n      JAVA_OPTS: >\n       -Dtoy.c=abc\n       -Dtoy.flag=x\n"),
        ("conf/a-site.xml", '<?xml version="1.0"?><configuration><property><name>toy.c</name><value>abc</value></property></configuration>\n'),
        ("bin/start.sh", "exec java '\n -Dtoy.c=abc' p.A\n"),
        ("conf/app.json.template", '{"toy":\n {"c": "abc"}}\n'),
    ],
)  # fmt: skip
def test_no_comment_where_it_would_become_part_of_something(path: str, text: str) -> None:
    assert comments(path, text) == []


def test_no_comment_inside_a_text_block() -> None:
    text = 'class B {\n    String s = """\n    abc\n    """ + Integer.getInteger("toy.sise");\n}\n'
    for changed in comments("B.java", text):
        assert changed.split('"""')[1] == text.split('"""')[1]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("application.yml", "toy:\n  script: |\n    line1\n    # no comment\n    line2\n"),
        ("application.yml", 'toy:\n  script: "line1\n    # x\n    line2"\n'),
        ("application.properties", "toy.script=a\\\n"),
    ],
)
def test_no_entry_inside_a_value(path: str, text: str) -> None:
    analysis = session(MemorySystem({"A.java": JAVA, path: text})).scan()
    assert [entry(analysis, option) for option in analysis.options.options] == [None] * 4


def test_an_entry_behind_a_value() -> None:
    text = "toy:\n  script: a\n"
    analysis = session(MemorySystem({"A.java": JAVA, "application.yml": text})).scan()
    (option,) = (one for one in analysis.options.options if one.name == "toy.other")
    found = entry(analysis, option)
    assert found is not None
    assert applied(text.encode(), [found.edit]).decode() == (
        "toy:\n  script: a\n  # To be described. (integer; default 5)\n  # other: 5\n"
    )
