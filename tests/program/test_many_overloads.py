"""A class with very many overloads of one name: each call finds its own without a look at all others."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from conflens.program import expressions
from session.support import session


def test_calls_of_many_overloads_are_told_apart_by_a_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def looked_at(number: int) -> int:
        """Count the fits that are judged while each of many overloads is called once."""
        judged = 0
        fit = expressions.fit

        def counted(*args: object) -> int:
            nonlocal judged
            judged += 1
            return fit(*args)  # type: ignore[arg-type]

        methods = "".join(
            f'int g(T{at} t) {{ return Integer.getInteger("a.x{at}", 3); }}\n'
            for at in range(number)
        )
        calls = "".join(f"Thread.sleep(g(new T{at}()));" for at in range(number))
        types = "".join(f"static class T{at} {{ }}\n" for at in range(number))
        text = f"class A {{ {methods} void m() throws Exception {{ {calls} }} {types} }}"
        monkeypatch.setattr(expressions, "fit", counted)
        table = session(MemorySystem({"A.java": text})).scan()
        monkeypatch.setattr(expressions, "fit", fit)
        assert len(table.options.options) == number
        flows = [
            flow
            for option in table.options.options
            for flow in table.flows.of_option(option.key).flows
        ]
        assert len(flows) >= number
        return judged

    assert looked_at(400) <= 3 * looked_at(200)


def test_what_has_no_overload_of_its_own_is_compared_with_all() -> None:
    methods = "".join(
        f'int g(T{at} t) {{ return Integer.getInteger("a.x{at}", 3); }}\n' for at in range(40)
    )
    types = "".join(f"static class T{at} {{ }}\n" for at in range(40))
    text = (
        f"class A {{ {methods} {types} static class S extends T7 {{ }}"
        " void m() throws Exception { Thread.sleep(g(new S())); } }"
    )
    analysis = session(MemorySystem({"A.java": text})).scan()
    reached = {
        option.name
        for option in analysis.options.options
        if analysis.flows.of_option(option.key).flows
    }
    assert reached == {"a.x7"}
