"""What all diagnoses of one program have in common: where frames are, and which options take hold where.

A ``Ground`` belongs to whoever keeps the program; it is made when the first diagnosis asks, and the
second finds answered what the first asked.  Invariant: a diagnosis is the same on a ground that was used before as on
a new one.  Not for several threads at once.  Absent: anything about lines, which depend on the snapshots (``lines``).
"""

from __future__ import annotations

from conflens.diagnosis.frames import FrameIndex
from conflens.diagnosis.linking import Linker
from conflens.flow.results import FlowTable
from conflens.program.program import Program

_FRAMES = 200_000
"""Frames remembered beyond which all is forgotten: each run names the classes of its lambdas anew."""


class Ground:
    """See the module text."""

    def __init__(self, program: Program, flows: FlowTable) -> None:
        """Nothing is made yet."""
        self.program = program
        self.flows = flows
        self._opened: tuple[FrameIndex, Linker] | None = None

    def open(self) -> tuple[FrameIndex, Linker]:
        """Return the frames and links of the program, for a diagnosis that begins now."""
        if self._opened is None or self._opened[0].known > _FRAMES:
            index = FrameIndex(self.program)
            self._opened = index, Linker(self.flows, index)
        else:
            self._opened[1].begin()
        return self._opened
