"""Scores against the level of their own project, and which are called sensitive.

Systems differ in what a forest can see of them: where names say nothing or flows end early all scores are
low, and in a program whose every option reaches I/O all are high.  So scores are moved, in logits, by a share of
what separates the mean of their population from ``PRIOR``; a small population moves less.

A population is the options of one domain that are read.  Within it the order stays as it was.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from conflens.sensitivity.results import Evidence

THRESHOLD = 0.5
"""Scores from here on, which are probabilities from 0.5 on, speak for an effect."""

STRONG_THRESHOLD = 0.45
"""From this score on an option is called sensitive where the evidence is strong: name and type only tip the scales."""

LIKELY_THRESHOLD = 0.55
"""The same where an effect is only likely: of switches and waits most change nothing that a person notices."""

DECIDED_THRESHOLD = 0.2
"""The same for what sizes a resource that decides by itself (a thread pool)."""

PRIOR = 0.45
"""The mean that is expected."""

SHARE = 0.3
"""How much of the difference is taken away."""

FEW = 4.0
"""A population of so many options moves by half of its share."""

_STEPS = 50
_EDGE = 0.01


def level(scores: Sequence[float]) -> float:
    """Return by how much the logits of a population are to be moved; 0 without options.

    The mean is rounded to 1/50, so that an edit of one option seldom moves the others.
    """
    if not scores:
        return 0.0
    mean = round(sum(scores) / len(scores) * _STEPS) / _STEPS
    weight = SHARE * len(scores) / (len(scores) + FEW)
    return weight * (_logit(PRIOR) - _logit(mean))


def moved(score: float, by: float) -> float:
    """Return a score whose logit is moved."""
    return 1 / (1 + math.exp(-(_logit(score) + by)))


def is_called_sensitive(score: float, evidence: Evidence, is_place: bool, decides: bool) -> bool:
    """Tell whether an option is called sensitive; ``is_place``: it is an address, a path, a secret or the like; ``decides``:
    it sizes a resource that matters whatever the option is called."""
    if is_place or not evidence.is_effect:
        return False
    if decides:
        return score >= DECIDED_THRESHOLD
    return score >= (STRONG_THRESHOLD if evidence is Evidence.STRONG else LIKELY_THRESHOLD)


def _logit(score: float) -> float:
    inside = min(max(score, _EDGE), 1 - _EDGE)
    return math.log(inside / (1 - inside))
