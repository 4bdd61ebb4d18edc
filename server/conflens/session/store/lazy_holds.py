"""Stored holds that are made when somebody looks: a diagnosis looks at those of the bodies in a profile.

Absent: where they are stored (``flow_store``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import overload

from typing_extensions import override

from conflens.flow.results import Hold


class LazyHolds(Sequence[Hold]):
    """Holds by their numbers in a store."""

    __slots__ = ("_make", "_numbers")

    def __init__(self, make: Callable[[int], Hold], numbers: list[int]) -> None:
        """``make`` returns the hold with a number."""
        self._make = make
        self._numbers = numbers

    @override
    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> Hold: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Hold, ...]: ...
    @override
    def __getitem__(self, index: int | slice) -> Hold | tuple[Hold, ...]:
        if isinstance(index, slice):
            return tuple(map(self._make, self._numbers[index]))
        return self._make(self._numbers[index])
