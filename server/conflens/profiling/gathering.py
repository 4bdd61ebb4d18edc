"""Collects the chains of one file into series, by kind and unit, and keeps its sums within 62 bits.

The importers put chains in; what was lost on the way to bounded trees becomes notes.  Absent: formats.
"""

from __future__ import annotations

from collections.abc import Sequence

from conflens.profiling.building import FURTHER, FrameTable, TreeBuilder
from conflens.profiling.model import EventKind, Frame, Nature, Series, Unit

HUGE = 1 << 62
"""Neither a weight nor the sum of all reaches this."""

THREADS = "*"
"""Stands for the numbers in a thread's name, so that the threads of a pool are one."""


class WeightError(ValueError):
    """A weight that is negative, or with which the sum of all is beyond any run's."""


class Gathering:
    """The chains of one file so far."""

    def __init__(self, table: FrameTable | None = None) -> None:
        """``table``: the frames of another gathering, to share them."""
        self.table = FrameTable() if table is None else table
        self._builders: dict[tuple[EventKind, Unit], TreeBuilder] = {}
        self._weights: dict[tuple[EventKind, Unit], int] = {}
        self._counts: dict[tuple[EventKind, Unit], int] = {}

    def add(
        self, key: tuple[EventKind, Unit], chain: Sequence[int], weight: int, count: int
    ) -> None:
        """Add a chain of frame numbers, root first; raises :class:`WeightError`."""
        if weight < 0 or count < 0:
            raise WeightError("a weight is negative")
        builder = self._builders.get(key)
        if builder is None:
            builder = self._builders[key] = TreeBuilder(self.table)
            self._weights[key] = self._counts[key] = 0
        total = self._weights[key] = self._weights[key] + weight
        counted = self._counts[key] = self._counts[key] + count
        if total >= HUGE or counted >= HUGE:
            raise WeightError("the weights add up to more than any run has")
        builder.add(chain, weight, count)

    def number(self, frame: Frame) -> int:
        """Return the number of a frame."""
        return self.table.number(frame)

    def series(
        self, *, counted: bool = False, flat: bool = False, period: int = 0
    ) -> tuple[Series, ...]:
        """Return what was collected, a series for each kind and unit, in the order of first use."""
        return tuple(
            Series(kind, unit, builder.tree(), period, counted, flat)
            for (kind, unit), builder in self._builders.items()
        )

    def notes(self) -> list[str]:
        """Return what a person must know of losses."""
        notes = []
        for key, builder in self._builders.items():
            if builder.folded:
                share = 100 * builder.folded / max(self._weights[key], 1)
                notes.append(
                    "The call chains are too many: the last frames of the lightest ones "
                    f"({share:.1f} % of {key[0]}) were folded into their callers."
                )
        if self.table.full:
            notes.append(
                f'The methods are too many: those beyond a bound are one, "{FURTHER.method}".'
            )
        return notes


def thread_frame(name: str) -> Frame:
    """Return the frame that stands for a thread."""
    pieces: list[str] = []
    for character in name[:200]:
        if character.isdigit():
            if pieces[-1:] != [THREADS]:
                pieces.append(THREADS)
        else:
            pieces.append(character)
    return Frame("", "".join(pieces).strip() or "(no name)", nature=Nature.THREAD)


def opaque_frame(text: str) -> Frame:
    """Return a frame for something that is no method."""
    return Frame("", text[:200] or "not named", nature=Nature.OPAQUE)
