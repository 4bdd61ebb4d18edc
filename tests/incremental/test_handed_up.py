"""Prefixes that are handed up to a superclass: edits of any class redo the names."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from session.support import session

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
    path, old, new = EDITS[edit]
    system = MemorySystem({name: text.encode() for name, text in FILES.items()})
    living = session(system)
    before = living.scan().options
    assert {option.name for option in before.options} == {"a.size", "b.size", "a.host", "b.host"}
    for text in (FILES[path].replace(old, new), FILES[path]):
        system.write(path, text)
        living.files_changed([path])
        after = living.rebuild().options
        assert after == session(MemorySystem(dict(system.files))).scan().options
    assert after == before
