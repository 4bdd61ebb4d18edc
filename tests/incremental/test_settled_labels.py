"""The labels of a ``switch`` settle what a call runs: an edit of a label redoes the walks that pass such calls."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from conflens.session.analysis import Analysis
from session.support import session

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
    system = MemorySystem({"A.java": A % given, "B.java": f"class B {{ {method} }}"})
    living = session(system)
    before = operations(living.scan())
    system.write("B.java", f"class B {{ {method.replace(old, new)} }}")
    living.files_changed(["B.java"])
    after = operations(living.rebuild())
    assert after == operations(session(MemorySystem(dict(system.files))).scan())
    assert after != before


def operations(analysis: Analysis) -> list[tuple[str, str]]:
    """The operations that the value of each option reaches."""
    return sorted(
        (key[1], flow.operation.api)
        for key in analysis.flows.options
        for flow in analysis.flows.of_option(key).flows
    )
