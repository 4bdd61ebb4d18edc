"""Whether a run is a violation of its baseline (DiagConfig §3.2): it costs otherwise by more than a threshold, and
by more than chance.

The length of whole runs is the surest measure.  It says nothing where recordings are windows of the same length, of a
service under load; and where it varies from run to run, work that was measured may still differ clearly.  Then
what was computed and written is compared: sleeping and waiting follow from the length.  Shares always add up to one;
there it is a method that must have moved.  Absent: what the cause is.
"""

from __future__ import annotations

from collections.abc import Sequence

from conflens.diagnosis.merging import Merged
from conflens.diagnosis.results import Hotspot, Scale
from conflens.diagnosis.significance import by_counts, differ, enough
from conflens.profiling.model import EventKind, Unit

PERIOD = 10_000_000
"""Nanoseconds that a sample stands for where a file does not tell: what profilers take by default."""
_WINDOW = 0.01
"""The difference of lengths up to which two recordings are windows of the same length."""
_CLEAR = 0.25
"""The difference of work that counts although the lengths of the runs do not differ for sure."""
_WORK = frozenset({EventKind.CPU, EventKind.WALL, EventKind.IO})


def is_violation(
    lengths: tuple[Sequence[float], Sequence[float]],
    kinds: Sequence[Merged],
    hotspots: Sequence[Hotspot],
    scale: Scale,
    threshold: float,
) -> bool:
    """Decide; ``lengths`` are the seconds of the runs of each side as far as they tell."""
    if scale is Scale.SHARE:
        return any(
            one.significant and one.variation is not None and abs(one.variation) > threshold
            for one in hotspots
        )
    if scale is Scale.TIME or not all(lengths):
        return _work_differs(kinds, threshold)
    one, other = (sum(side) / len(side) for side in lengths)
    if abs(other - one) <= _WINDOW * one:
        return _work_differs(kinds, threshold)
    # Of a few runs nobody knows how much they vary by themselves.
    few = not enough(len(lengths[0]), len(lengths[1]))
    if abs(other - one) > threshold * (2 if few else 1) * one and differ(*lengths):
        return True
    clear = max(threshold, _CLEAR * (2 if few else 1))
    return len(lengths[0]) + len(lengths[1]) > 2 and _work_differs(kinds, clear)


def _work_differs(kinds: Sequence[Merged], threshold: float) -> bool:
    """Tell whether what was computed and written differs; if nothing of that was recorded, anything."""
    chosen = [merged for merged in kinds if merged.kind in _WORK and any(merged.totals)]
    chosen = chosen or [merged for merged in kinds if merged.unit is not Unit.BYTES] or list(kinds)
    before, after = (
        [
            sum(_unit(merged) * sum(merged.runs[side][run].values()) for merged in kinds_of)
            for run in range(len(kinds_of[0].runs[side]))
        ]
        for side, kinds_of in ((0, _recorded(chosen, 0)), (1, _recorded(chosen, 1)))
    )
    if not before or not after:
        return bool(before or after)
    one, other = sum(before) / len(before), sum(after) / len(after)
    if abs(other - one) <= threshold * one:
        return False
    if len(before) + len(after) > 2:
        return differ(before, after)
    if all(merged.invocations is not None for merged in chosen):
        return True
    counts = [
        sum(pair[side] for merged in chosen for pair in merged.counts.values()) for side in (0, 1)
    ]
    if any(merged.unit is Unit.NANOSECONDS for merged in chosen):
        # What was timed counts as what a sampler would have seen of it.
        counts = [
            min(count, weight / PERIOD) for count, weight in zip(counts, (one, other), strict=True)
        ]
    return by_counts(counts[0], counts[1])


def _recorded(kinds: Sequence[Merged], side: int) -> Sequence[Merged]:
    """Return the kinds that as many runs of a side recorded as of any kind, so that runs can be added up."""
    most = max(len(merged.runs[side]) for merged in kinds)
    return [merged for merged in kinds if len(merged.runs[side]) == most]


def _unit(merged: Merged) -> float:
    return PERIOD if merged.unit is Unit.SAMPLES else 1.0
