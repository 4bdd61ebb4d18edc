"""An open body knows where its instructions of a kind are."""

from conflens.facts import ir
from conflens.program.closed import close_all
from conflens.program.expressions import Context
from flow.support import program


def _context(code: str) -> Context:
    made = program(f"class A {{ int n; void m(int p) {{ {code} }} }}")
    (ref,) = made.own_methods("A")["m"]
    return Context.of(made, ref)


def test_the_places_of_several_kinds_are_in_the_order_of_the_body() -> None:
    context = _context("if (p > 1) { n = p; } while (p > n) { m(1); } if (n > 2) { return; }")
    kinds = (ir.Return, ir.If, ir.Loop)
    places = context.of_kind(*kinds)
    assert [context.code[place].__class__ for place in places] == [
        ir.If,
        ir.Loop,
        ir.If,
        ir.Return,
    ]
    assert list(places) == sorted(places)


def test_no_instruction_of_a_kind_is_no_place() -> None:
    assert not _context("n = p;").of_kind(ir.Throw)
    assert not _context("n = p;").of_kind(ir.Throw, ir.Try)


def test_a_body_that_is_closed_and_opened_again_gives_the_same() -> None:
    context = _context("m(1); m(2);")
    before = list(context.of_kind(ir.Call))
    close_all(context.program)
    assert list(context.of_kind(ir.Call)) == before
