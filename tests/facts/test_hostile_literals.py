"""Literals and chains of locals that no compiler takes, or that only a generator writes."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from conflens.facts.text import integer_value
from session.support import session


@pytest.mark.parametrize("start", ["0x", "0b", "0", ""])
def test_a_number_longer_than_any_type_keeps_its_digits(start: str) -> None:
    digits = start + "1" * 20_000
    assert integer_value(digits) == ("i", digits)


def test_a_long_chain_of_locals_before_a_first_use_is_followed() -> None:
    chain = "".join(f"F x{at + 1} = x{at};\n" for at in range(2_000))
    text = (
        'class A { void m() { if (Integer.getInteger("a.size", 3) > 2) { F.get(); } } void z() { F.get(); } }\n'
        f"class F {{ static F f; static F get() {{ F x0 = f; {chain}"
        "if (x2000 == null) { f = new F(); } return f; }\n"
        "F() { byte[] all = new byte[3]; } }"
    )
    analysis = session(MemorySystem({"A.java": text})).scan()
    assert len(analysis.options.options) == 1
    assert [problem.text for problem in analysis.problems] == []
