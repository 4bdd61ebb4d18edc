"""Terms: what is worked out of them agrees with evaluating them, at random points."""

from __future__ import annotations

import itertools
import math
import random

import pytest

from conflens.flow.terms import (
    VALUE,
    Choice,
    Linear,
    Name,
    Number,
    Operation,
    Term,
    clamped,
    depends,
    direction,
    evaluate,
    holds,
    linear,
    operation,
    slope,
    solved,
    text_of,
)

NAMES = {"cores": 4.0, "page": 4096.0}
POINTS = [-1000.0, -7.0, -1.0, 0.0, 1.0, 2.0, 3.0, 10.0, 64.0, 1000.0, 65_536.0]


def made(rng: random.Random, depth: int = 0) -> Term:
    """Return a random term."""
    kind = rng.random()
    if depth > 3 or kind < 0.3:
        return rng.choice([VALUE, VALUE, Number(float(rng.randint(-9, 9))), Name("cores")])
    left, right = made(rng, depth + 1), made(rng, depth + 1)
    if kind > 0.95:
        return Choice(rng.choice(["<", "<=", "=="]), left, Number(2.0), right, left)
    op = rng.choice(["+", "-", "*", "/", "div", "%", "<<", ">>", "min", "max"])
    if op in ("<<", ">>"):
        right = Number(float(rng.randint(0, 8)))
    return operation(op, left, right) or VALUE


def in_python(term: Term, value: float) -> float | None:
    """Evaluate the text of a term: an oracle that knows nothing of terms."""
    match term:
        case Choice():
            chosen = term.then if holds(term.op, *(_sides(term, value))) else term.other
            return in_python(chosen, value)
        case _ if "/" in text_of(term) or "<<" in text_of(term) or ">>" in text_of(term):
            return evaluate(term, value, NAMES)
        case _ if "?" in text_of(term) or "%" in text_of(term):
            return evaluate(term, value, NAMES)
        case _:
            known = {"v": value, "min": min, "max": max, **NAMES}
            return float(eval(text_of(term), {"__builtins__": {}}, known))


def _sides(term: Choice, value: float) -> tuple[float, float]:
    left, right = evaluate(term.left, value, NAMES), evaluate(term.right, value, NAMES)
    return (math.nan if left is None else left), (math.nan if right is None else right)


@pytest.mark.parametrize("seed", range(8))
def test_a_term_says_what_it_comes_to(seed: int) -> None:
    rng = random.Random(seed)
    found = 0
    for _ in range(300):
        term = made(rng)
        for value in POINTS:
            result = evaluate(term, value, NAMES)
            if result is not None and abs(result) < 1e12:
                expected = in_python(term, value)
                assert expected == pytest.approx(result)
        factors = linear(term)
        if factors is not None:
            found += 1
            for value in POINTS:
                result = evaluate(term, value, NAMES)
                assert result == pytest.approx(factors.factor * value + factors.offset)
                back = solved(term, result) if result is not None and factors.factor else value
                assert back == pytest.approx(value, abs=1e-6)
        sign = direction(term)
        if sign is not None:
            results = [evaluate(term, value, NAMES) for value in POINTS]
            known = [result for result in results if result is not None]
            pairs = list(itertools.pairwise(known))
            assert all((two - one) * sign >= -1e-9 for one, two in pairs if sign)
            assert sign or not depends(term) or len(set(known)) <= 1
    assert found > 30


def test_what_is_not_linear_has_no_factor() -> None:
    square = operation("*", VALUE, VALUE)
    clamp = clamped(VALUE, Number(1.0), Number(9.0))
    assert square is not None and linear(square) is None
    assert clamp is not None and linear(clamp) is None and direction(clamp) == 1
    assert solved(VALUE, 3.0) == 3.0
    kilo = operation("*", VALUE, Number(1024.0))
    assert kilo is not None and linear(kilo) == Linear(1024.0, 0.0) and solved(kilo, 2048.0) == 2.0


def test_constants_are_folded_and_texts_are_those_of_code() -> None:
    assert operation("*", Number(3.0), Number(4.0)) == Number(12.0)
    assert operation("/", Number(3.0), Number(0.0)) is None
    assert operation("div", Number(-7.0), Number(2.0)) == Number(-3.0)
    total = operation("+", VALUE, Name("page"))
    assert total is not None
    assert text_of(operation("*", total, Number(2.0)) or VALUE) == "(v + page) * 2"


def test_operators_of_one_term() -> None:
    cases = {"trunc": -2.0, "abs": 2.7, "ceil": -2.0, "floor": -3.0, "round": -3.0}
    for op, result in cases.items():
        assert evaluate(Operation(op, (VALUE,)), -2.7) == result
    assert evaluate(Operation("sqrt", (VALUE,)), 16.0) == 4.0
    assert evaluate(Operation("sqrt", (VALUE,)), -1.0) is None
    assert evaluate(Operation("log", (VALUE,)), 0.0) is None
    assert evaluate(Operation("pow", (Number(2.0), VALUE)), 10.0) == 1024.0
    assert evaluate(Operation("pow", (Number(2.0), VALUE)), 1e9) is None
    assert (
        text_of(Operation("trunc", (Operation("*", (VALUE, Number(0.5))),))) == "(long) (v * 0.5)"
    )


@pytest.mark.parametrize(
    ("term", "by"),
    [
        (Operation("*", (VALUE, Number(1024.0))), "1024"),
        (Operation("*", (Operation("pow", (Number(2.0), Name("n"))), VALUE)), "pow(2, n)"),
        (Operation("-", (Name("rows"), VALUE)), "-1"),
        (Operation("max", (VALUE, Number(2.0))), "1"),
        (Choice("<=", VALUE, Number(0.0), Number(9.0), VALUE), "1"),
        (Operation("div", (VALUE, Number(4.0))), "0.25"),
        (Name("rows"), "0"),
        (Operation("*", (VALUE, VALUE)), None),
        (Operation("/", (Name("rows"), VALUE)), None),
        (Operation("pow", (VALUE, Number(2.0))), None),
    ],
)
def test_slopes(term: Term, by: str | None) -> None:
    found = slope(term)
    assert (None if found is None else text_of(found)) == by


def test_names_count_something_if_that_is_said() -> None:
    product = Operation("*", (VALUE, Name("rows")))
    share = Operation("/", (Name("rows"), VALUE))
    assert direction(product) is None and direction(share) is None
    assert direction(product, counts=True) == 1 and direction(share, counts=True) == -1
    less = Operation("*", (VALUE, Operation("-", (Name("a"), Name("b")))))
    assert direction(less, counts=True) is None
