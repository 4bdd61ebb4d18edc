"""Functions that reach a field from another file: edits of what is given, of who gives it, and of who runs it."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from conflens.session.analysis import Analysis
from session.support import session

FILES = {
    "p/Cleaner.java": (
        "package p; class Cleaner { private final Runnable task; Cleaner(Runnable task) { this.task = task; }"
        ' void go() { if (Boolean.getBoolean("clean.on")) { task.run(); } } }'
    ),
    "p/Maker.java": (
        "package p; import java.util.function.IntFunction; class Maker { private final IntFunction<byte[]> f;"
        " Maker(IntFunction<byte[]> f) { this.f = f; }"
        ' byte[] make() { return f.apply(Integer.getInteger("maker.size", 3)); } }'
    ),
    "p/Main.java": (
        "package p; class Main { void run() { new Cleaner(() -> System.gc()).go(); new Maker(n -> new byte[n]).make(); } }"
    ),
    "p/Other.java": "package p; class Other { void run() { } }",
}
EDITS = {
    "what the task does": ("p/Main.java", "System.gc()", "System.nanoTime()"),
    "what the function makes": ("p/Main.java", "new byte[n]", "new byte[3]"),
    "nobody gives a task": ("p/Main.java", "new Cleaner(() -> System.gc()).go();", ""),
    "somebody else gives one, too": (
        "p/Other.java",
        "run() { }",
        "run() { new Cleaner(() -> new Thread()).go(); new Maker(n -> new byte[n + 1]).make(); }",
    ),
    "the task is not kept": ("p/Cleaner.java", "this.task = task", "this.task = null"),
    "the task is not run": ("p/Cleaner.java", "task.run();", ""),
    "the field is another": ("p/Maker.java", "this.f = f", "this.f = n -> new byte[2 * n]"),
}


def _flows(analysis: Analysis) -> dict[str, list[str]]:
    return {
        option.name: [str(flow) for flow in analysis.flows.of_option(option.key).flows]
        for option in analysis.options.options
    }


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_gives_the_flows_that_a_fresh_session_gives(edit: str) -> None:
    path, old, new = EDITS[edit]
    system = MemorySystem({name: text.encode() for name, text in FILES.items()})
    living = session(system)
    before = _flows(living.scan())
    assert before["clean.on"]
    assert before["maker.size"]
    found = []
    for text in (FILES[path].replace(old, new), FILES[path]):
        system.write(path, text)
        living.files_changed([path])
        found.append(_flows(living.rebuild()))
        assert found[-1] == _flows(session(MemorySystem(dict(system.files))).scan())
    assert found[0] != before
    assert found[1] == before
