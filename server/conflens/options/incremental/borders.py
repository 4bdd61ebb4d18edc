"""Where the ranges of a body begin and end that touch what an edit changed.

What is typed where one arm ends and the next begins is part of one of them, and the numbers of matched instructions do not
tell of which: ``if``, loops and conditional expressions state it in the new body.  A *border* is a number that a range begins
with, or that it ends before.  A range may be the rest of something: what follows an ``if`` begins where that stops, and a loop
without an arm that leaves it ends where that arm begins.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from conflens.facts import ir

STARTS = (
    "right_start",
    "then_start",
    "other_start",
    "start",
    "else_start",
    "test_start",
    "body_start",
    "update_start",
    "finally_start",
    "stop",
)
ENDS = (
    "then_start",
    "stop",
    "body_stop",
    "other_start",
    "else_start",
    "test_start",
    "body_start",
    "update_start",
    "finally_start",
)
PARTS = frozenset({"cases", "catches"})
"""Fields that hold more with borders of their own."""


class Borders(NamedTuple):
    """What has become of the starts and of the ends that touch a gap, by number in the old body."""

    starts: Mapping[int, int]
    ends: Mapping[int, int]


NO_BORDERS = Borders({}, {})


def borders(pairs: Iterable[tuple[ir.Instr, ir.Instr]], start: int, stop: int) -> Borders | None:
    """Return the borders in ``[start, stop]``, from instructions of the old body and what they are in the new one.

    ``None`` where two ranges had a border in common that has become two.
    """
    starts: dict[int, set[int]] = {}
    ends: dict[int, set[int]] = {}
    for old, new in pairs:
        _add(old, new, starts, ends, range(start, stop + 1))
    if any(len(found) > 1 for table in (starts, ends) for found in table.values()):
        return None
    return Borders(
        {old: found.pop() for old, found in starts.items()},
        {old: found.pop() for old, found in ends.items()},
    )


def _add(
    old: object,
    new: object,
    starts: dict[int, set[int]],
    ends: dict[int, set[int]],
    touched: range,
) -> None:
    for names, table in ((STARTS, starts), (ENDS, ends)):
        for name in names:
            before = getattr(old, name, None)
            if before is not None and before in touched:
                table.setdefault(before, set()).add(getattr(new, name))
    for name in PARTS:
        for one, two in zip(getattr(old, name, ()), getattr(new, name, ()), strict=True):
            _add(one, two, starts, ends, touched)
