"""Figures on scores and the truth: precision, recall, F1, AUC, Brier score, and their range over seeds.

Flagged is a score from ``judge.THRESHOLD`` on.  Precision without a flagged option, and recall without a sensitive one,
count as 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

import attrs

from conflens.sensitivity.level import THRESHOLD


@attrs.frozen
class Range:
    """Over seeds."""

    mean: float
    least: float
    most: float

    @staticmethod
    def of(values: Sequence[float]) -> Range:
        """Return the range of at least one value."""
        return Range(fmean(values), min(values), max(values))


@attrs.frozen
class Measures:
    """Of one set of predictions, 0 to 1; ``auc`` is ``None`` where all options are of one kind."""

    precision: float
    recall: float
    f1: float
    auc: float | None


def measured(scores: Sequence[float], truth: Sequence[bool]) -> Measures:
    """Return the figures of one set of predictions."""
    flagged = [score >= THRESHOLD for score in scores]
    right = sum(flag and sensitive for flag, sensitive in zip(flagged, truth, strict=True))
    precision = right / sum(flagged) if any(flagged) else 0.0
    recall = right / sum(truth) if any(truth) else 0.0
    f1 = 2 * right / (sum(flagged) + sum(truth)) if any(flagged) or any(truth) else 0.0
    return Measures(precision, recall, f1, area(scores, truth))


def area(scores: Sequence[float], truth: Sequence[bool]) -> float | None:
    """Return the chance that a sensitive option has a higher score than another; equal scores are half."""
    pairs = list(zip(scores, truth, strict=True))
    above = [score for score, sensitive in pairs if sensitive]
    below = [score for score, sensitive in pairs if not sensitive]
    if not above or not below:
        return None
    won = sum((a > b) + 0.5 * (a == b) for a in above for b in below)
    return won / (len(above) * len(below))


def mean(found: Sequence[Measures]) -> Measures:
    """Return the mean of figures; those without an AUC do not count for it."""
    areas = [item.auc for item in found if item.auc is not None]
    return Measures(
        fmean(item.precision for item in found),
        fmean(item.recall for item in found),
        fmean(item.f1 for item in found),
        fmean(areas) if areas else None,
    )


def brier(probabilities: Sequence[float], truth: Sequence[bool]) -> float:
    """Return the mean squared error of probabilities."""
    return fmean((p - sensitive) ** 2 for p, sensitive in zip(probabilities, truth, strict=True))
