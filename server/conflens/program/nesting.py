"""Which of many ranges of a body hold an instruction, innermost first, in time that follows their depth, not their number.

Invariant: of two ranges that overlap, the one that begins later counts as the inner one.  Absent: what the ranges are.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


class Nested(NamedTuple, Generic[T]):
    """A half-open range and what it is."""

    start: int
    stop: int
    item: T


class Nesting(Generic[T]):
    """Ranges of one body, by what lies in what."""

    __slots__ = ("_around", "_ranges", "_starts")

    def __init__(self, ranges: Iterable[tuple[int, int, T]]) -> None:
        """Take ranges (start, stop, what it is) in any order; of equal ones the later is the inner one."""
        found = [Nested(start, stop, item) for start, stop, item in ranges if start < stop]
        self._ranges = sorted(found, key=lambda one: (one.start, -one.stop))
        self._starts = [one.start for one in self._ranges]
        self._around: list[int] = []
        outer: list[int] = []
        for number, one in enumerate(self._ranges):
            while outer and self._ranges[outer[-1]].stop <= one.start:
                outer.pop()
            self._around.append(outer[-1] if outer else -1)
            outer.append(number)

    def __bool__(self) -> bool:
        return bool(self._ranges)

    def around(self, index: int) -> Iterator[Nested[T]]:
        """Yield the ranges that hold an instruction, innermost first."""
        number = bisect_right(self._starts, index) - 1
        while number >= 0:
            one = self._ranges[number]
            if index < one.stop:
                yield one
            number = self._around[number]
