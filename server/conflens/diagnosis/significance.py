"""Whether a difference between two sides is more than chance.

With several runs on a side, an exact permutation test of the difference of means: the share of all ways to
split the runs that differ at least as much.  With one run each, samples are counted events (Poisson): a
difference below three standard deviations is taken for chance.  Absent: what differs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import StrEnum
from itertools import combinations
from random import Random

PERIOD = 10_000_000
"""Nanoseconds that a sample stands for where a file does not tell: what profilers take by default."""
_SPLITS = 2_000
"""Ways to split that are looked at, all or as many drawn; ten runs have 252."""
_DEVIATIONS = 3.0
_LARGER = 0.25
"""The growth of what was timed in one run each below which it is taken for chance."""
_EVENTS = 3
LEVEL = 0.1
"""The p-value up to which a difference counts; two times three runs cannot fall below 0.1."""


class Means(StrEnum):
    """How weights came about."""

    SAMPLED = "sampled"
    MEASURED = "measured"
    """Every event was timed."""
    COUNTED = "counted"
    """Every invocation was counted and timed."""


def permutation(before: Sequence[float], after: Sequence[float]) -> float:
    """Return the p-value (two-sided) of a difference of means."""
    pooled = [*before, *after]
    size, whole = len(after), sum(pooled)
    if not before or not after:
        return 1.0

    def difference(taken: float) -> float:
        return abs(taken / size - (whole - taken) / len(before))

    wanted = difference(sum(after)) - 1e-9 * abs(whole)
    if math.comb(len(pooled), size) <= _SPLITS:
        splits = [sum(split) for split in combinations(pooled, size)]
    else:
        # The first ways in order would all be alike; the runs as they are count as one of those drawn.
        chance = Random(_SPLITS)
        splits = [sum(chance.sample(pooled, size)) for _ in range(_SPLITS - 1)] + [sum(after)]
    return sum(difference(split) >= wanted for split in splits) / len(splits)


def enough(before: int, after: int) -> bool:
    """Tell whether so many runs can show a difference by the test at all."""
    return _least_p(before, after) <= LEVEL


def differ(before: Sequence[float], after: Sequence[float]) -> bool:
    """Tell whether measures of some runs differ by more than chance, as far as their number allows.

    Where there are too few runs for the test to say so, the sides must not overlap.
    """
    if not before or not after:
        return False
    if enough(len(before), len(after)):
        return permutation(before, after) <= LEVEL
    return max(before) < min(after) or max(after) < min(before)


def _least_p(before: int, after: int) -> float:
    return (2 if before == after else 1) / math.comb(before + after, after)


def by_counts(before: float, after: float) -> bool:
    """Tell whether two counts of samples differ by more than chance."""
    return abs(after - before) >= _DEVIATIONS * math.sqrt(max(1.0, before + after))


def judged(
    before: Sequence[float], after: Sequence[float], counts: tuple[float, float], means: Means
) -> tuple[bool, str]:
    """Return whether a difference counts, and a note on why (empty if there is nothing to say).

    ``before`` and ``after``: the weight in each run; ``counts``: samples or events of each side.
    """
    runs = f"{len(before)} + {len(after)} runs"
    if enough(len(before), len(after)):
        p = permutation(before, after)
        told = f"p = {p:.2g} by {runs}"
        return p <= LEVEL, told if p <= LEVEL else f"{told}: may be chance"
    if len(before) + len(after) > 2 and not differ(before, after):
        return False, f"{runs} overlap: may be chance"
    told = f"{runs} do not overlap" if len(before) + len(after) > 2 else ""
    if means is Means.MEASURED:
        one, other = sum(before) / len(before), sum(after) / len(after)
        if abs(other - one) < _LARGER * max(one, other):
            return False, f"less than {_LARGER:.0%} in one run each: may be chance"
        return max(counts) >= _EVENTS, told
    if means is Means.COUNTED or by_counts(*counts):
        return True, told
    return False, f"{counts[0]:.0f} and {counts[1]:.0f} samples: may be chance"
