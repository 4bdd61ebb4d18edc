"""Slopes against an oracle: random programs compute a size, and the term that is told comes to what the program computes.

The oracle evaluates the same expressions with the integers of Java; no size may differ at any of 20 random values.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import attrs
import pytest

from conflens.base.system import MemorySystem
from conflens.flow.terms import evaluate, slope
from session.support import session

Compute = Callable[[int, int], int]


@attrs.frozen
class Made:
    """An expression over ``v`` and ``rows`` as Java, and what it comes to."""

    text: str
    compute: Compute


def _divided(one: int, by: int) -> int:
    return abs(one) // by * (1 if one >= 0 else -1)


def _step(rng: random.Random, inner: Made) -> Made:
    """Return a random operator on an expression."""
    number = rng.randint(2, 9)
    kind = rng.randrange(10)
    of = inner.compute
    match kind:
        case 0:
            return Made(f"({inner.text} + {number})", lambda v, n: of(v, n) + number)
        case 1:
            return Made(f"({number} * {inner.text})", lambda v, n: of(v, n) * number)
        case 2:
            return Made(f"({inner.text} / {number})", lambda v, n: _divided(of(v, n), number))
        case 3:
            return Made(f"({inner.text} << 2)", lambda v, n: of(v, n) << 2)
        case 4:
            return Made(f"Math.max({number}, {inner.text})", lambda v, n: max(number, of(v, n)))
        case 5:
            return Made(f"Math.min({inner.text}, 5000)", lambda v, n: min(5000, of(v, n)))
        case 6:
            return Made(f"({inner.text} * rows)", lambda v, n: of(v, n) * n)
        case 7:
            return Made(f"({inner.text} - rows)", lambda v, n: of(v, n) - n)
        case 8:
            return Made(
                f"({inner.text} < {number} ? {number} : {inner.text})",
                lambda v, n: number if of(v, n) < number else of(v, n),
            )
        case _:
            return Made(f"(int) ({inner.text} * 0.75)", lambda v, n: int(of(v, n) * 0.75))


def _program(rng: random.Random) -> tuple[str, Compute]:
    """Return a program that makes an array, and the length of it."""
    made = [Made("x", lambda v, n: v)]
    parts: list[Compute] = []
    texts: list[str] = []
    for _ in range(3):
        one = made[0]
        for _ in range(rng.randint(0, 2)):
            one = _step(rng, one)
        parts.append(one.compute)
        texts.append(one.text)

    def compute(v: int, n: int) -> int:
        for part in parts:
            v = part(v, n)
        return max(v, 7)

    first, second, third = texts
    return (
        f"""class Pool {{
    private final int rows;
    private final int size;
    Pool(int rows) {{ this.rows = rows; int x = Integer.getInteger("pool.size", 9); size = {first}; }}
    int more(int x) {{ return {second}; }}
    byte[] make() {{ int x = more(size); int y = {third}; if (y < 7) {{ y = 7; }} return new byte[y]; }}
}}
""",
        compute,
    )


@pytest.mark.parametrize("seed", range(120))
def test_a_slope_comes_to_what_the_program_computes(seed: int) -> None:
    rng = random.Random(seed)
    text, compute = _program(rng)
    analysis = session(MemorySystem({"Pool.java": text})).scan()
    (option,) = analysis.options.options
    for one in analysis.properties.of(option).slopes:
        for _ in range(20):
            value, rows = rng.randint(0, 4000), rng.randint(1, 9)
            got = evaluate(one.term, value, {"rows": rows})
            assert got == compute(value, rows), (text, one.expression, value, rows)


def test_most_of_these_slopes_are_told() -> None:
    told = 0
    for seed in range(60):
        text, _ = _program(random.Random(seed))
        analysis = session(MemorySystem({"Pool.java": text})).scan()
        (option,) = analysis.options.options
        told += bool(analysis.properties.of(option).slopes)
    assert told >= 40


@pytest.mark.parametrize("seed", range(60))
def test_the_slope_of_a_term_is_its_difference(seed: int) -> None:
    rng = random.Random(seed)
    text, _ = _program(rng)
    analysis = session(MemorySystem({"Pool.java": text})).scan()
    (option,) = analysis.options.options
    names = {"rows": 3.0}
    for one in analysis.properties.of(option).slopes:
        by = slope(one.term)
        assert by is not None
        factor = evaluate(by, 0.0, names)
        low, high = evaluate(one.term, 100.0, names), evaluate(one.term, 150.0, names)
        assert factor is not None and low is not None and high is not None
        if "min(" not in one.expression and "max(" not in one.expression:
            assert high - low == pytest.approx(
                50 * factor, rel=0.2, abs=20 * max(1.0, abs(factor))
            )
