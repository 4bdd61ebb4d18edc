"""A line of the bench's table, and the arithmetic behind it."""

from __future__ import annotations

from collections.abc import Sequence

import attrs


@attrs.frozen
class Row:
    """One measurement; without ``budget`` it is shown for orientation only."""

    what: str
    measured: float
    unit: str
    budget: float | None = None

    @property
    def kept(self) -> bool:
        """Whether the budget holds."""
        return self.budget is None or self.measured <= self.budget


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least ``share`` of ``values`` do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * int(share * 100) // 100) - 1)]
