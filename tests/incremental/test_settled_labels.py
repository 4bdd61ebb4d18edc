"""The labels of a ``switch`` settle what a call runs: an edit of a label redoes the walks that pass such calls."""

from __future__ import annotations

import pytest

from incremental.one_edit import flows_change

A = 'class A { void m() { if (Boolean.getBoolean("toy.b")) B.save(%s, 5); } }'
SWITCHES = {
    "a number": (
        "1",
        "static void save(int mode, int v) { switch (mode) { case 2: byte[] all = new byte[v]; break; default: } }",
        "case 2",
        "case 1",
    ),
    "a text": (
        '"x"',
        'static void save(String mode, int v) { switch (mode) { case "x" -> { byte[] all = new byte[v]; } default -> { } } }',
        'case "x"',
        'case "y"',
    ),
    "a local": (
        "1",
        "static void save(int mode, int v) { final int z = 2; switch (mode) { case z: byte[] all = new byte[v]; break; default: } }",
        "z = 2",
        "z = 1",
    ),
}


@pytest.mark.parametrize("label", SWITCHES)
def test_a_label_that_changes_gives_the_flows_of_a_fresh_session(label: str) -> None:
    given, method, old, new = SWITCHES[label]
    files = {"A.java": A % given, "B.java": f"class B {{ {method} }}"}
    assert flows_change(files, ("B.java", old, new))
