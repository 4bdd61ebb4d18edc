"""Slopes: by how much the cost of operations grows with the value of an option (LearnConf §4.2).

A slope is a term over the value that is linear in it, or one that it divides; it is told where one operation is sure, or where
all that the value sizes or repeats in one method, of one kind, have one.  Where any of these is not known, nothing is told.
Absent: how terms are found (``effects``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conflens.flow.results import Pattern
from conflens.flow.terms import Choice, Name, Number, Operation, Term, depends, slope, text_of
from conflens.properties.directions import THREADS, noun_of
from conflens.properties.effects import NEAR, ROUNDS, Effect
from conflens.properties.model import Slope

MOST = 6
"""Slopes of one option."""
LONGEST = 80
"""Characters of an expression; what is longer tells nobody anything."""


def slopes_of(effects: Sequence[Effect]) -> tuple[Slope, ...]:
    """Return the slopes of an option, surest and nearest first."""
    strong = [
        one
        for one in effects
        if one.strong and one.distance <= NEAR and one.pattern is not Pattern.SYNC_LOOP
    ]
    found: dict[tuple[str, str, str], Slope] = {}
    for one in strong:
        if not is_linear(one):
            continue
        beside = [other for other in strong if _is_beside(one, other)]
        if not all(is_linear(other) for other in beside):
            continue
        assert one.term is not None
        expression = text_of(one.term)
        if len(expression) <= LONGEST:
            kind = one.operation.kind
            unit = THREADS if kind == "thread" and one.unit == ROUNDS else one.unit
            made = Slope(one.term, expression, kind, unit, one.place, noun_of(one))
            found.setdefault((expression, kind, unit), made)
    return tuple(found.values())[:MOST]


def is_linear(one: Effect) -> bool:
    """Tell whether an effect has a slope."""
    if one.term is None or not depends(one.term) or one.grows == "rarer" or _asks_twice(one.term):
        return False
    if one.pattern is Pattern.LOOP_STRIDE:
        return True
    by = slope(one.term)
    return by is not None and by != Number(0.0)


def _is_beside(one: Effect, other: Effect) -> bool:
    """Tell whether two operations of one kind cost on one path, as far as one method shows it."""
    same = one.operation.ref == other.operation.ref and one.operation.kind == other.operation.kind
    return same and other.pattern is not Pattern.INFINITE_LOOP


def _asks_twice(term: Term) -> bool:
    """Tell whether a term asks a method twice, which may answer otherwise then."""
    asked = [name.text for name in names(term) if "(" in name.text]
    return len(asked) > len(set(asked))


def names(term: Term) -> Iterator[Name]:
    """Yield the names in a term."""
    match term:
        case Name():
            yield term
        case Operation():
            for arg in term.args:
                yield from names(arg)
        case Choice():
            for arg in (term.left, term.right, term.then, term.other):
                yield from names(arg)
        case _:
            pass
