"""The instructions of a body, which count what it costs to go through them.

Whoever asks about one value of a body may go through all of it, which is a square where many values are asked about. Each
time that is done it is paid for from the budget of the work that does it (``base.budget``); taking one instruction is free.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from typing_extensions import override

from conflens.base.budget import Meter
from conflens.facts import ir

SHARE = 16
"""Instructions that are looked at in the time of one step."""


class Instructions(tuple[ir.Instr, ...]):
    """A tuple of instructions."""

    meter: Meter

    @classmethod
    def of(cls, code: Iterable[ir.Instr], meter: Meter) -> Instructions:
        """Return instructions that ``meter`` pays for."""
        found = cls(code)
        found.meter = meter
        return found

    @override
    def __iter__(self) -> Iterator[ir.Instr]:
        """Go through all instructions, at the cost of that."""
        self.meter.spend(1 + len(self) // SHARE)
        return super().__iter__()

    @override
    def __reversed__(self) -> Iterator[ir.Instr]:
        """Go through all instructions from the last, at the cost of that."""
        self.meter.spend(1 + len(self) // SHARE)
        return (self[number] for number in range(len(self) - 1, -1, -1))

    def within(self, start: int, stop: int) -> tuple[ir.Instr, ...]:
        """Return the instructions of a range, at the cost of going through them."""
        self.meter.spend(1 + max(0, stop - start) // SHARE)
        return self[start:stop]
