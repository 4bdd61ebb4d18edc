"""A name that is declared twice, in two files with one class or in a line that was copied: edits give what a new scan gives."""

from __future__ import annotations

import pytest

from session.support import living_and_fresh

LOOKED = """class Looked {
    private String d = System.getProperty("pool.d");
    void m() { byte[] b = new byte[Integer.parseInt(d)]; }
}
"""
RENAMED = LOOKED.replace(" d =", " e =").replace("(d)", "(e)")
COPIED = """class S {
    static final int A = Integer.getInteger("a.b", 1);
    static final int %s;
    static final int C = Integer.getInteger("c.d", 1);
}
"""
FIRST, SECOND = "a/L.java", "b/L.java"
POM = "<project><artifactId>%s</artifactId></project>"
POMS = {"a/pom.xml": POM % "a", "b/pom.xml": POM % "b"}
CASES = {
    "a field of the first of two classes is renamed": [
        {FIRST: LOOKED, SECOND: LOOKED},
        {FIRST: RENAMED},
        {FIRST: LOOKED},
    ],
    "a field of the second is renamed": [
        {FIRST: LOOKED, SECOND: LOOKED},
        {SECOND: RENAMED},
        {FIRST: RENAMED},
    ],
    "a field of the second of two modules with one class is renamed": [
        {**POMS, FIRST: LOOKED, SECOND: LOOKED},
        {SECOND: RENAMED},
        {SECOND: RENAMED.replace("pool.d", "pool.e")},
        {FIRST: "class Other {}"},
        {FIRST: LOOKED},
    ],
    "two files of one class become two modules, and one again": [
        {FIRST: LOOKED, SECOND: LOOKED.replace("pool.d", "pool.e")},
        POMS,
        {"a/pom.xml": "", "b/pom.xml": POM % "c"},
    ],
    "a line is copied": [
        {FIRST: COPIED % "B = 3"},
        {FIRST: COPIED % 'C = Integer.getInteger("c.d", 1)'},
        {FIRST: COPIED % 'E = Integer.getInteger("e.d", 1)'},
    ],
}


@pytest.mark.parametrize("title", CASES)
def test_what_is_declared_twice(title: str) -> None:
    for now, fresh in living_and_fresh(CASES[title]):
        assert now.options == fresh.options
        assert now.flows.options == fresh.flows.options
        assert now.flows.reads == fresh.flows.reads
