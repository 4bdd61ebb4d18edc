"""Keys that a method reads below the prefix that its callers pass: edits of a caller redo the names."""

from __future__ import annotations

import pytest

from incremental.one_edit import names_before

FILES = {
    "p/Loader.java": (
        "package p; class Loader { int size; String host;"
        " void load(String prefix) {"
        ' if (!prefix.isEmpty()) { prefix += "."; }'
        ' size = Integer.getInteger(prefix + "size", 4); host = System.getProperty(prefix + "host"); } }'
    ),
    "p/A.java": 'package p; class A { void run(Loader l) { l.load("a"); } }',
    "p/B.java": 'package p; class B { String name = ""; void run(Loader l) { l.load(name); } }',
}
EDITS = {
    "a prefix": ("p/A.java", '"a"', '"c"'),
    "the prefix in a field": ("p/B.java", 'name = ""', 'name = "b"'),
    "a caller less": ("p/A.java", 'l.load("a");', ""),
    "one key instead of two": (
        "p/Loader.java",
        ' host = System.getProperty(prefix + "host");',
        "",
    ),
    "the value comes back": ("p/Loader.java", "void load", "int load"),
    "no test of the prefix": ("p/Loader.java", "if (!prefix.isEmpty())", ""),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_gives_what_a_fresh_session_gives(edit: str) -> None:
    assert names_before(FILES, EDITS[edit]) == {"a.size", "a.host", "size", "host"}
