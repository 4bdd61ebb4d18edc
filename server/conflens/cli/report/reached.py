"""Which flows are shown, and their counts in a few words.

A *selection* says which flows count: by confidence, kind of operation and dependency.  Counts are of
operations, not of flows: an operation that is reached in two patterns of one dependency counts once.
Absent: places and texts (``steps``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import attrs

from conflens.flow.results import Confidence, Dependency, Flow, Reach

STANDARD_KINDS = ("memory", "io", "lock", "thread", "compute")
"""The kinds of operations that every project has; a workspace file can name more."""

_NEAREST_FIRST = (Dependency.LOOP, Dependency.BRANCH, Dependency.DIRECT)

Counts = Mapping[tuple[Dependency, str], int]


@attrs.frozen
class Selection:
    """``kinds`` and ``dependencies`` that count, all when empty; ``least`` confidence."""

    least: Confidence = Confidence.LOW
    kinds: frozenset[str] = frozenset()
    dependencies: frozenset[Dependency] = frozenset()

    def of(self, reach: Reach) -> tuple[Flow, ...]:
        """Return the flows of ``reach`` that count, in their order."""
        return tuple(
            flow
            for flow in reach.flows
            if flow.confidence.rank <= self.least.rank
            and (not self.kinds or flow.operation.kind in self.kinds)
            and (not self.dependencies or flow.dependency in self.dependencies)
        )


SURE = Selection(Confidence.MEDIUM)
"""What a table of all options counts."""


def compact(counts: Counts) -> str:
    """Return ``loop·io 3, direct·memory 1``: what repeats first, then what gates, then what sizes."""
    return ", ".join(
        f"{dependency}·{kind} {counts[dependency, kind]}"
        for dependency in _NEAREST_FIRST
        for kind in kinds(counts)
        if (dependency, kind) in counts
    )


def kinds(counts: Iterable[tuple[Dependency, str]]) -> tuple[str, ...]:
    """Return the kinds among counts: the standard ones in their order, then others by name."""
    present = {kind for _, kind in counts}
    return (
        *(kind for kind in STANDARD_KINDS if kind in present),
        *sorted(present.difference(STANDARD_KINDS)),
    )


def matrix(counts: Counts) -> list[list[str]]:
    """Return the counts as rows of cells, the first row and column being titles."""
    columns = kinds(counts)
    rows = [["", *columns]]
    for dependency in reversed(_NEAREST_FIRST):
        cells = [counts.get((dependency, kind), 0) for kind in columns]
        if any(cells):
            rows.append([dependency.value, *(f"{cell:,}" if cell else "·" for cell in cells)])
    return rows


def total(flows: Iterable[Flow]) -> int:
    """Return how many operations are reached."""
    return len({flow.operation for flow in flows})
