"""When "documented nowhere" is not worth saying, though no document has the name."""

from __future__ import annotations

import pytest

from checking.keys_support import analyse
from conflens.checking.check import findings

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
