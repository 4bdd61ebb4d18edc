"""Constants are computed as Java does it: with 32 or 64 bits, and with characters as numbers."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from session.support import session

COMPUTED = {
    ("int", "1 << 40"): "256",
    ("long", "1L << 40"): "1099511627776",
    ("long", "1 << 40"): "256",
    ("int", "2147483647 + 1"): "-2147483648",
    ("long", "2147483647 + 1L"): "2147483648",
    ("int", "65536 * 65536"): "0",
    ("long", "9223372036854775807L + 1"): "-9223372036854775808",
    ("int", "-8 >> 33"): "-4",
    ("int", "1 << -1"): "-2147483648",
    ("int", "'a'"): "97",
    ("int", "'1'"): "49",
    ("int", "'a' + 1"): "98",
    ("long", "'0' * 2"): "96",
    ("char", "'a'"): "a",
    ("String", "\"a\" + 'b'"): "ab",
    ("int", "7 / -2"): "-3",
}


@pytest.mark.parametrize(("type_", "expression"), COMPUTED)
def test_a_constant_is_what_java_computes(type_: str, expression: str) -> None:
    read = 'System.getProperty("k." + K);'
    code = f"class A {{ static final {type_} K = {expression}; void m() {{ {read} }} }}"
    options = session(MemorySystem({"A.java": code})).scan().options.options
    assert [option.name for option in options] == [f"k.{COMPUTED[type_, expression]}"]


@pytest.mark.parametrize(
    ("constant", "given", "flows"),
    [("'a'", "97", 1), ("'a'", "98", 0), ("1 << 40", "256", 1), ("'1'", "1", 0)],
)
def test_a_condition_on_a_character_or_a_wrapped_number_is_settled(
    constant: str, given: str, flows: int
) -> None:
    read = f'int v = Integer.getInteger("toy.v", 3); b.go({given}, v);'
    body = "void go(int n, int k) { if (n == K) { byte[] x = new byte[k]; } }"
    code = f"class A {{ void m(B b) {{ {read} }} }} class B {{ static final int K = {constant}; {body} }}"
    analysis = session(MemorySystem({"A.java": code})).scan()
    (option,) = analysis.options.options
    found = analysis.flows.of_option(option.key)
    assert len(found.flows if found is not None else ()) == flows
