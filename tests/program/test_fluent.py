"""Chains of calls of a library whose source is not at hand."""

from __future__ import annotations

import pytest

from conflens.facts import ir
from conflens.program.expressions import Context
from conflens.program.fluent import fluent_type
from options.bound_support import program


def test_what_a_chain_begins_with_is_looked_for_once_for_each_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chain = "".join(f".f{number}({number})" for number in range(30))
    made = program(f"class A {{ Object m() {{ return new org.unknown.Builder(){chain}; }} }}")
    context = Context.of(
        made, next(ref for refs in made.own_methods("A").values() for ref in refs)
    )
    calls = [call for _, call in context.calls() if isinstance(call, ir.Call)]
    first = [fluent_type(context, call) for call in calls]
    assert {type_.name for type_ in first if type_ is not None} == {"org.unknown.Builder"}
    asked: list[ir.Call] = []
    original = Context.receiver_type

    def counted(self: Context, call: ir.Call) -> object:
        asked.append(call)
        return original(self, call)

    monkeypatch.setattr(Context, "receiver_type", counted)
    assert [fluent_type(context, call) for call in calls] == first
    assert asked == []
