"""The page of an option: what it shows of flows, its address, and how a cursor finds it."""

from __future__ import annotations

from urllib.parse import unquote

import attrs

from conflens.facts import ir
from conflens.flow.results import Dependency, FlowTable, Reach, Step, StepRole
from conflens.ide.pages.flows import Address, address_of, option_at, page, uri_of
from ide.test_flows import KEY, SERVER, WORDING, cursor
from ide.toy import project


def test_the_page_shows_each_step_and_the_reasons_for_uncertainty() -> None:
    text = SERVER.replace(
        "    void start() {",
        "    void x() { lib.take(1); // cold net.buffer unknown library\n    }\n    void start() {",
    )
    found = project({"A.java": text})
    shown = page(found.analysis, KEY, WORDING)
    assert shown is not None
    lines = shown.splitlines()
    assert lines[:16] == [
        "# `net.buffer`",
        "",
        "System property. It reaches 5 operations, 1 of them with low confidence.",
        "",
        "| reaches | io | memory |",
        "| --- | ---: | ---: |",
        "| direct |  | 1 |",
        "| branch | 1 |  |",
        "| loop | 2 |  |",
        "",
        "## 1. `new byte[]`: memory, [A.java:8](A.java#L8)",
        "",
        "Direct (data): high confidence.",
        "",
        '1. read `Integer.getInteger("net.buffer", 5)` in Server.start, [A.java:6](A.java#L6)',
        "2. compute `size = n * 2` in Server.start, [A.java:7](A.java#L7)",
    ]
    assert (
        "Loop (loop-bound), 2 call levels below: medium confidence (class-wide field cell)."
        in lines
    )
    assert lines[-3:] == [
        "## Where the trail goes cold",
        "",
        "- `lib.take(1)` in Server.x, [A.java:3](A.java#L3): unknown library",
    ]
    assert page(found.analysis, ("env", "net.buffer"), WORDING) is None


def test_for_further_paths_a_page_shows_only_differences_and_joins_steps_on_the_same_code() -> (
    None
):
    text = """
class A {
    void a() {
        int n = Integer.getInteger("net.buffer", 5); // step net.buffer assign
        if (n > 0 // not the default
            && (n < 9)) {
            out.write(n); // <- net.buffer direct io // <- net.buffer branch io
        }
    }
}
"""
    found = project({"A.java": text})
    reach = found.analysis.flows.of_option(KEY)
    direct, branch = reach.flows
    ref = direct.operation.ref
    code = found.analysis.program.body(ref).code
    guard = next(index for index, instr in enumerate(code) if isinstance(instr, ir.If))
    (path,) = branch.paths
    steps = (*path.steps[:-1], Step(ref, guard, StepRole.GUARD), path.steps[-1])
    branch = attrs.evolve(branch, paths=(attrs.evolve(path, steps=steps),))
    flows = FlowTable({KEY: Reach((direct, branch))})
    shown = page(attrs.evolve(found.analysis, flows=flows), KEY, WORDING)
    assert shown is not None
    assert shown.splitlines()[9:] == [
        "## 1. `out.write`: io, [A.java:7](A.java#L7)",
        "",
        "Direct (data): high confidence.",
        "",
        '1. read, assign `n = Integer.getInteger("net.buffer", 5)` in A.a, [A.java:4](A.java#L4)',
        "2. operation `out.write(n)` in A.a, [A.java:7](A.java#L7)",
        "",
        "Branch (branch-unrelated): high confidence. As above up to step 1, then",
        "",
        "2. guard `if (n > 0 && (n < 9))` in A.a, [A.java:5](A.java#L5)",
        "3. operation `out.write(n)` in A.a, [A.java:7](A.java#L7)",
    ]


def test_a_page_shows_three_paths_to_an_operation_and_counts_the_rest() -> None:
    found = project({"A.java": SERVER})
    (flow, *_) = found.analysis.flows.of_option(KEY).flows
    (path,) = flow.paths
    loop = attrs.evolve(flow, dependency=Dependency.LOOP)
    flows = (attrs.evolve(flow, paths=(path,) * 3, total=7), loop)
    shown = page(attrs.evolve(found.analysis, flows=FlowTable({KEY: Reach(flows)})), KEY, WORDING)
    assert shown is not None
    ways = [line.split(" ")[0] for line in shown.splitlines() if "confidence" in line]
    assert ways == ["Direct", "Loop", "Direct"]
    assert shown.splitlines()[-1] == "And 5 more ways."


def test_the_address_of_a_page_survives_clients_that_normalize_it() -> None:
    for name in ("net.buffer", "a/b c", "100%", "x.*.y", "ä?b#c.md"):
        address = Address("/srv/my projécts 100%", ("system-property", name))
        uri = uri_of(address)
        assert address_of(uri) == address
        if "%" not in name and "?" not in name:
            path, _, query = uri.partition("?")
            assert address_of(f"{unquote(path)}?{query}") == address
    for other in (
        "file:///a.md",
        "conflens:/status.md",
        "conflens:/flows/a",
        "conflens:/flows/a/b",
        "x",
    ):
        assert address_of(other) is None


def test_the_cursor_opens_its_page() -> None:
    for at in ('"net.buffer"', "flush"):
        found = cursor(SERVER, at)
        assert option_at(found.analysis, found.path, found.offset) == KEY
    found = cursor(SERVER, "size")
    assert option_at(found.analysis, found.path, found.offset) is None


def test_a_statement_over_several_lines_is_shown_as_one() -> None:
    text = """
class A {
    void a() {
        String n = // step net.buffer assign
            System.getProperty("net.buffer", "http://x");
        out.write(n); // <- net.buffer direct io
    }
}
"""
    shown = page(project({"A.java": text}).analysis, KEY, WORDING)
    assert shown is not None
    assert (
        '1. read, assign `n = System.getProperty("net.buffer", "http://x")` in A.a, '
        "[A.java:4](A.java#L4)" in shown.splitlines()
    )
