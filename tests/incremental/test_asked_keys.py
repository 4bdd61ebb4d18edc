"""The keys under which the cells of a field are asked for: an edit of a key redoes the walks that left the load out."""

from __future__ import annotations

import pytest

from incremental.one_edit import flows_change

MAP = "class C { static java.util.Map<String, Integer> c = new java.util.HashMap<>(); }"
PUT = 'class A { void m() { C.c.put("a", Integer.getInteger("toy.v", 3)); } }'
CELLS = {
    "a map": (
        PUT,
        MAP,
        'class D { void f() { byte[] q = new byte[C.c.get("b")]; } }',
        '"b"',
        '"a"',
    ),
    "a map asked with a default": (
        PUT,
        MAP,
        'class D { void f() { byte[] q = new byte[C.c.getOrDefault("b", 5)]; } }',
        '"b"',
        '"a"',
    ),
    "an array": (
        'class A { void m() { C.c[0] = Integer.getInteger("toy.v", 3); } }',
        "class C { static int[] c = new int[3]; }",
        "class D { void f() { byte[] q = new byte[C.c[1]]; } }",
        "c[1]",
        "c[0]",
    ),
}


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("back", [False, True], ids=["comes", "goes"])
def test_a_key_that_changes_gives_the_flows_of_a_fresh_session(cell: str, back: bool) -> None:
    a, c, d, old, new = CELLS[cell]
    if back:
        d, old, new = d.replace(old, new), new, old
    assert flows_change({"A.java": a, "C.java": c, "D.java": d}, ("D.java", old, new))
