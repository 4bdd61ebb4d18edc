"""Whether the slow run costs more than the baseline, judged for each kind of cost by itself.

Computing, allocating, waiting and the length of the run vary to different degrees from one run to the next.  On a busy
machine the length varies most and allocation hardly at all, so that one judgement for all of them would be as
uncertain as the least certain kind.

Terms
    cost    what the runs of both sides spent of one kind: a kind of event, or the length of the run.
    change  (mean after - mean before) / mean before.
    noise   the change that equal runs may show; a change counts if it is larger than the noise and the threshold.

Statistics
    Three runs a side, or three and two: a two-sided t test with the pooled variance of both sides, at 5 % for CPU time and
    allocation and at 2 % for all others, which vary more and mostly follow from these.  Times vary by factors on a busy
    machine, so that their logarithms are compared.  Sides must not overlap either, which by chance happens to three runs a
    side in one pair of ten: by itself that would be too often for six kinds.  Three
    runs that agree by luck must not make a change certain: the deviation of one run is at least ``_LEAST`` of its kind
    and, where samples were counted, that of their number (Poisson).
    CPU time is judged by what the operating system says of the process where the runs tell (``Snapshot.computing``), since
    a sampled thread may only wait for a processor; and by its samples, which know what the project's own threads did.
    Fewer runs: nobody knows how much they vary.  The noise is ``_PAIR`` of the kind, which is a conservative bound, or the
    largest difference of two runs of one side, or three deviations of the number of samples.
    Invocations that were counted exactly have no noise of their own.

Blocked time counts only where the work of the project waits, and only beyond what the length of the run explains.  Timed
kinds also must differ by the threshold of the whole run: twice as much of next to nothing slows nothing down.
Shares of a kind always add up to one; there a method must have moved.  Absent: what the cause is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from conflens.diagnosis.hotspots import MEASURED
from conflens.diagnosis.idle import is_idle
from conflens.diagnosis.merging import Merged
from conflens.diagnosis.results import Cost, Hotspot, Scale
from conflens.diagnosis.sharing import Sharing
from conflens.diagnosis.significance import PERIOD, differ
from conflens.profiling.model import BLOCKED, EventKind, Unit

_T_99 = (31.82, 6.965, 4.541, 3.747, 3.365, 3.143, 2.998, 2.896, 2.821, 2.764)
_T_97 = (12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
"""The 99 % and 97.5 % quantiles of Student's distribution by degrees of freedom, from 1; more have the last."""
_MAIN = (EventKind.CPU, EventKind.ALLOCATION)
_LEAST = {EventKind.CPU: 0.02, EventKind.ALLOCATION: 0.01, EventKind.WALL: 0.03, None: 0.03}
"""The relative deviation of one run that is assumed at least; ``None`` is the length of the run."""
_PAIR = {EventKind.CPU: 0.2, EventKind.ALLOCATION: 0.1, EventKind.WALL: 0.25, None: 0.25}
"""The noise of one run against another."""
_OTHER_LEAST, _OTHER_PAIR = 0.1, 0.5
"""The same of timed kinds: events shorter than a threshold are not recorded."""
_FEW = 3
"""Degrees of freedom below which the runs do not tell how much they vary."""
_DEVIATIONS = 3.0
_EVENTS = 3
_HUGE = 10.0
"""The largest logarithm of a noise."""


def costs(
    lengths: tuple[Sequence[float], Sequence[float]],
    sharings: Sequence[Sharing],
    scale: Scale,
    threshold: float,
    computing: tuple[Sequence[float], Sequence[float]] = ((), ()),
) -> tuple[Cost, ...]:
    """Judge every kind of cost; ``lengths`` are the seconds of the runs of each side as far as they tell, ``computing`` the
    CPU time of all of them, or nothing."""
    if scale is Scale.SHARE:
        return ()
    found = []
    run = 0.0
    if scale is Scale.WORK and all(lengths):
        before, after = ([1e9 * seconds for seconds in side] for side in lengths)
        one = _judged(None, Unit.NANOSECONDS, (before, after), (0.0, 0.0), False, threshold)
        run = math.log(_mean(lengths[1]) / _mean(lengths[0]))
        found.append(one)
    reference = _reference(lengths, sharings, scale)
    for sharing in sharings:
        for cost in _of_kind(sharing, run, reference, threshold):
            whole = _of_process(cost, computing, threshold) if scale is Scale.WORK else None
            found.append(cost if whole is None else whole)
    return tuple(found)


def _of_process(
    cost: Cost, computing: tuple[Sequence[float], Sequence[float]], threshold: float
) -> Cost | None:
    """Return the cost of the whole process in place of that of samples, ``None`` if it is not known or tells less."""
    if cost.kind is not EventKind.CPU or not all(computing):
        return None
    before, after = ([1e9 * seconds for seconds in side] for side in computing)
    whole = _judged(None, Unit.NANOSECONDS, (before, after), (0.0, 0.0), False, threshold, True)
    whole = whole._replace(kind=EventKind.CPU)
    return None if cost.significant and not whole.significant else whole


def is_violation(
    judged: Sequence[Cost], hotspots: Sequence[Hotspot], scale: Scale, threshold: float
) -> bool:
    """Tell whether any cost differs by more than noise."""
    if scale is Scale.SHARE:
        return any(
            one.significant and one.variation is not None and abs(one.variation) > threshold
            for one in hotspots
        )
    return any(cost.significant for cost in judged)


def blamed_kinds(judged: Sequence[Cost], threshold: float) -> frozenset[EventKind] | None:
    """Return the kinds of cost that options may be blamed for, ``None`` for all of them: the run takes longer, or no kind differs by more than noise.

    What fell is no cause of what grew: where runs became longer, or one kind grew, kinds that fell do not count.  So there
    may be no kind at all.
    """
    told = [cost for cost in judged if cost.significant]
    if not told:
        return None
    grown = [cost.kind for cost in told if cost.change > 0]
    if None in grown:
        return None
    longer = any(cost.kind is None and cost.change > threshold for cost in judged)
    if not grown and not longer:
        grown = [cost.kind for cost in told]
        if None in grown:
            return None
    return frozenset(kind for kind in grown if kind is not None)


def _of_kind(sharing: Sharing, run: float, reference: float, threshold: float) -> Iterator[Cost]:
    merged = sharing.merged
    groups = _working(sharing) if merged.kind in BLOCKED or merged.kind is EventKind.LOCK else None
    before, after = (
        [
            sum(weight for group, weight in one.items() if groups is None or group in groups)
            for one in merged.runs[side]
        ]
        for side in (0, 1)
    )
    if not before or not after or not (any(before) or any(after)):
        return
    exact = merged.invocations is not None
    cost = _judged(merged.kind, merged.unit, (before, after), _counts(merged), exact, threshold)
    if merged.kind in MEASURED and cost.significant:
        told = abs(cost.after - cost.before) > threshold * reference
        if merged.kind in BLOCKED:
            told = told and _beyond(cost, run) > max(threshold, cost.noise)
        told = told and (exact or max(_counts(merged)) >= _EVENTS)
        cost = cost._replace(significant=told)
    yield cost


def _working(sharing: Sharing) -> set[tuple[int, int]]:
    """Return the methods, each with what it works for, by which work of the project is blocked."""
    near = sharing.near
    return {
        (leaf, near[node])
        for node, leaf in sharing.merged.leaves
        if near[node] >= 0 and not is_idle(sharing, node)
    }


def _counts(merged: Merged) -> tuple[float, float]:
    """Return how many samples or events an average run of each side has."""
    one, other = (sum(pair[side] for pair in merged.counts.values()) for side in (0, 1))
    return one, other


def _beyond(cost: Cost, run: float) -> float:
    """Return the change without what the length of the run explains."""
    if not cost.before or not cost.after:
        return math.inf
    plain = math.log(cost.after / cost.before)
    further = plain - run
    return 0.0 if plain * further <= 0 else math.expm1(min(abs(plain), abs(further)))


def _reference(
    lengths: tuple[Sequence[float], Sequence[float]], sharings: Sequence[Sharing], scale: Scale
) -> float:
    """Return the time that an average baseline run takes, in nanoseconds."""
    if scale is Scale.TIME:
        return 1e9
    if all(lengths):
        return 1e9 * _mean(lengths[0])
    return max(
        (
            one.merged.totals[0] * (PERIOD if one.merged.unit is Unit.SAMPLES else 1)
            for one in sharings
            if one.merged.unit is not Unit.BYTES
        ),
        default=0.0,
    )


def _judged(
    kind: EventKind | None,
    unit: Unit,
    sides: tuple[Sequence[float], Sequence[float]],
    counts: tuple[float, float],
    exact: bool,
    threshold: float,
    whole: bool = False,
) -> Cost:
    before, after = sides
    one, other = _mean(before), _mean(after)
    runs = len(before), len(after)
    if not one or not other:
        # Nothing to compare with: what is new counts if it is more than a few samples.
        sure = exact or unit is Unit.BYTES or kind in MEASURED or max(counts) >= _DEVIATIONS**2
        sure = sure and (min(before) > 0 or min(after) > 0)
        change = math.inf if other else -1.0
        return Cost(kind, unit, one, other, change, 0.0, sure, runs)
    change = other / one - 1
    # A rise and the fall back from it must be judged alike.
    base = min(one, other)
    noise = _noise(EventKind.CPU if whole else kind, sides, base, counts, exact, whole)
    told = abs(_middle(kind, after) - _middle(kind, before)) > max(threshold, noise) * min(
        _middle(kind, before), _middle(kind, after)
    )
    if len(before) + len(after) > 2:
        told = told and differ(before, after)
    return Cost(kind, unit, one, other, change, noise * base / one, told, runs)


def _noise(
    kind: EventKind | None,
    sides: tuple[Sequence[float], Sequence[float]],
    base: float,
    counts: tuple[float, float],
    exact: bool,
    whole: bool = False,
) -> float:
    """Return the difference that equal runs may show, as a part of ``base``."""
    free = sum(map(len, sides)) - len(sides)
    split = sum(1 / len(side) for side in sides)
    sampled = kind in (EventKind.CPU, EventKind.WALL) and not exact and not whole
    number = min(counts) if sampled else 0.0
    if free < _FEW:
        spread = max(max(side) - min(side) for side in sides) / base
        bound = 0.0 if exact else _PAIR.get(kind, _OTHER_PAIR)
        if number:
            bound = max(bound, _DEVIATIONS * math.sqrt(sum(counts) / 2 * split) / number)
        return max(bound, spread)
    quantiles = _T_97 if kind in _MAIN else _T_99
    least = 0.0 if exact else _LEAST.get(kind, _OTHER_LEAST)
    least = least**2 + (1 / number if number else 0.0)
    factor = quantiles[min(free, len(quantiles)) - 1] * math.sqrt(split)
    if kind is EventKind.ALLOCATION or not all(map(all, sides)):
        deviation = _squares(sides) / free / base**2
        return factor * math.sqrt(max(deviation, least))
    logarithms = [[math.log(one) for one in side] for side in sides]
    return math.expm1(min(_HUGE, factor * math.sqrt(max(_squares(logarithms) / free, least))))


def _squares(sides: Sequence[Sequence[float]]) -> float:
    return sum((one - _mean(side)) ** 2 for side in sides for one in side)


def _middle(kind: EventKind | None, numbers: Sequence[float]) -> float:
    """Return the mean that is tested: of times that of their logarithms, as a time."""
    if kind is EventKind.ALLOCATION or not all(numbers):
        return _mean(numbers)
    return math.exp(_mean([math.log(one) for one in numbers]))


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)
