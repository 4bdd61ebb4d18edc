"""Code nested deeper than anyone writes: it gives facts and a problem, and in reasonable time."""

from __future__ import annotations

import pytest

from conflens.facts.codec import decode_body
from conflens.facts.ir import Store, StoreField
from conflens.facts.lower import lower
from conflens.facts.model import FileFacts
from patience import proportion

READ = 'System.getProperty("a.b")'
DEEP = {
    "blocks": "void m() { " + "{" * 2000 + f"{READ};" + "}" * 2000 + " }",
    "loops": "void m() { " + "while (x) { " * 600 + f"{READ};" + "}" * 600 + " }",
    "guards": "void m() { " + "try { " * 600 + "} finally { }" * 600 + " }",
    "locks": "void m() { " + "synchronized (x) { " * 600 + "}" * 600 + " }",
    "patterns": "void m() { if (o instanceof " + "R(" * 12000 + "var x" + ")" * 12000 + ") { } }",
    "patterns of a switch": "void m() { switch (o) { case "
    + "R(" * 12000
    + "var x"
    + ")" * 12000
    + " -> { } } }",
    "types": "class B { " * 2000 + f"String s = {READ};" + "}" * 2000,
    "anonymous": "Object o = " + "new A() { Object o = " * 1500 + READ + "; }" * 1500 + ";",
    "local": "void m() { " + "class B { void m() { " * 600 + f"{READ};" + "} }" * 600 + " }",
    "enums": "enum E { X { void m() { " * 300 + "} } }" * 300,
}


@pytest.mark.parametrize("kind", DEEP)
def test_deep_nesting_is_cut_off_with_a_problem(kind: str) -> None:
    text = f"class A {{ {DEEP[kind]} int last = Integer.getInteger(k); }}"
    facts = lower(text.encode())
    assert facts.problems
    assert "last" in {member.name for member in facts.members}


def _record(count: int) -> FileFacts:
    parts = ", ".join(f'@P("x{number}") int a{number}' for number in range(count))
    return lower(f"record A({parts}, String... rest) {{ }}".encode())


def test_a_record_with_many_components_takes_linear_time() -> None:
    times = proportion(lambda: _record(3000), lambda: _record(300), 40)
    assert times < 40, "ten times the components take about ten times as long, not a hundred"
    facts = _record(3000)
    names = [(member.name, member.type) for member in facts.members if member.kind == "component"]
    assert names[0] == ("a0", "int")
    assert names[-1] == ("rest", "String[]")
    assert len(names) == 3001


SCOPES = {
    "blocks": "{ }",
    "loops": "for (;;) { }",
    "walks": "for (T t : x) { }",
    "guards": "try { } catch (E e) { }",
    "switches": "switch (x) { }",
    "lambdas": "r = () -> { };",
}


@pytest.mark.parametrize("kind", SCOPES)
def test_leaving_a_block_costs_nothing_for_what_is_declared_around_it(kind: str) -> None:
    names = "".join(f"int a{number};" for number in range(10_000))
    blocks = SCOPES[kind] * 2_000
    inside = f"class A {{ void m() {{ {names} {blocks} }} }}".encode()
    apart = f"class A {{ void m() {{ {names} }} void n() {{ {blocks} }} }}".encode()
    assert proportion(lambda: lower(inside), lambda: lower(apart), 1.5) < 1.5


def test_a_name_means_after_a_block_what_it_meant_before() -> None:
    code = "{ int b; { int a; int a; a = 1; b = 2; } a = 3; b = 4; } a = 5; b = 6;"
    facts = lower(f"class A {{ void m(int a) {{ {code} }} }}".encode())
    stores = [
        one.slot if isinstance(one, Store) else one.name
        for one in decode_body(facts.bodies[0]).code
        if isinstance(one, Store | StoreField)
    ]
    assert stores == [3, 1, 0, 1, 0, "b"]
