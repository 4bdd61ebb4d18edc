"""Prefixes that are handed up to a superclass: edits of any class redo the names."""

from __future__ import annotations

import pytest

from incremental.one_edit import names_before

FILES = {
    "p/Base.java": (
        "package p; abstract class Base { private final String prefix; Base(String prefix) { this.prefix = prefix; }"
        ' int size() { return Integer.getInteger(prefix + ".size", 4); }'
        ' String text(String key) { return System.getProperty(prefix + "." + key); } }'
    ),
    "p/A.java": 'package p; class A extends Base { A() { super("a"); } String host() { return text("host"); } }',
    "p/B.java": 'package p; class B extends Base { B() { super("b"); } String host() { return text("host"); } }',
}
EDITS = {
    "the prefix of one class": ("p/A.java", '"a"', '"c"'),
    "a class is another's": ("p/B.java", "extends Base", "extends Other"),
    "the prefix is not kept": ("p/Base.java", "this.prefix = prefix", 'this.prefix = "x"'),
    "a key": ("p/B.java", '"host"', '"port"'),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_gives_what_a_fresh_session_gives(edit: str) -> None:
    assert names_before(FILES, EDITS[edit]) == {"a.size", "b.size", "a.host", "b.host"}
