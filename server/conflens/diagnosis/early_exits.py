"""What a condition leaves out although it stands outside of its block: the rest of the method behind a nested exit.

``if (cached) { known = cache.get(key); if (known != null) return known; } return load(key);``: the flow analysis says that
``cached`` governs its arm, and a profile that it also decides how often ``load`` runs.

Terms
    rest   what follows a condition in its own block, in the block around it and so on, up to the end of the method (or
           lambda), or of the loop that the exit leaves or goes on with.  The other arms of a condition around it are no rest.

An exit that always leaves makes the rest of its own block certain, which ``flow.guards`` tells already.  A rest is less certain the
farther away it is (``Rest.factor``).  Absent: exceptions.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.guards import Range, jumped_to, rest_of_block

_NOTE = "diagnosis.stops"
_OWN_BLOCK = 0.35
"""What a link counts by the rest of the condition's own block, and for each block around it what the last one did."""
_FARTHER = 0.8
_MOST_BLOCKS = 5


class Rest(NamedTuple):
    """A part of a method that an exit may leave out, and what a link by it counts."""

    span: Range
    factor: float


def rests(code: Code, at: int) -> tuple[Rest, ...]:
    """Return what the exits within the arms of an ``if`` may leave out, nearest first."""
    instr = code.code[at]
    if not isinstance(instr, ir.If):
        return ()
    end = max(_ends(code, (instr.then_start, instr.stop)), default=-1)
    if end < instr.stop:
        return ()
    found: list[Rest] = []
    factor = _OWN_BLOCK
    for span in _blocks(code, at, instr.stop):
        if span[0] >= end or len(found) == _MOST_BLOCKS:
            break
        found.append(Rest((span[0], min(span[1], end)), factor))
        factor *= _FARTHER
    return tuple(found)


def _ends(code: Code, arms: Range) -> Iterator[int]:
    """Yield how far each exit in the arms leaves out what follows."""
    first = bisect_left(code.leaving, arms[0])
    for index in code.leaving[first : bisect_left(code.leaving, arms[1])]:
        instr = code.code[index]
        around = code.lambda_of(index)
        if around != code.lambda_of(arms[0]):
            continue
        if isinstance(instr, ir.Return) and instr.kind != "yield":
            outer = code.code[around] if around != NONE else None
            yield outer.stop if isinstance(outer, ir.Lambda) else len(code.code)
        elif isinstance(instr, ir.Jump):
            target = jumped_to(code, index)
            loop = code.code[target] if target is not None else None
            if isinstance(loop, (ir.Loop, ir.ForEach)):
                yield loop.stop


def _blocks(code: Code, at: int, stop: int) -> Iterator[Range]:
    """Yield what follows in the block of instruction ``at``, then in the blocks around it."""
    yield from rest_of_block(code, at, stop)
    stops = _stops(code)
    regions = list(code.regions_around(at))
    for (_, end), outer in pairwise(regions):
        start = stops.get(end, end)
        if start < outer[1]:
            yield start, outer[1]


def _stops(code: Code) -> dict[int, int]:
    """Return where what follows an arm begins, by the end of the arm, as far as that is another place."""
    kept = code.context.notes.get(_NOTE)
    if isinstance(kept, dict):
        return kept
    found: dict[int, int] = {}
    for number in code.branches:
        instr = code.code[number]
        assert isinstance(instr, ir.If)
        if instr.else_start > instr.then_start:
            found[instr.else_start] = max(instr.stop, found.get(instr.else_start, 0))
    for instr in code.code:
        if isinstance(instr, ir.Switch):
            for case in instr.cases:
                found[case.stop] = max(instr.stop, found.get(case.stop, 0))
    code.context.notes[_NOTE] = found
    return found
