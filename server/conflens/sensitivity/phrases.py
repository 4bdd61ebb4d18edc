"""A verdict in plain words: the impact of an option on performance, and its strongest reason.

Terms
    impact  a verdict in the levels that a person is shown: ``HIGH`` where the evidence is strong, or an effect likely and the
            model sure enough, or a person decided; ``POSSIBLE`` for any other sensitive option; ``NONE`` found; ``UNKNOWN``.
    effect  the strongest reason for ``HIGH`` impact that an instruction shows, such as "sizes a thread pool".

A percentage is always the chance that the option is sensitive, whatever the verdict, and never 0 or 100.
Absent: all reasons, with links to where they show (``render.verdict_phrases``).
"""

from __future__ import annotations

from enum import Enum

from conflens.sensitivity.results import Label, Reason, Source, Verdict

LIKELY = 0.65
"""From this probability on a sensitive option whose effect is likely has high impact."""


class Impact(Enum):
    """See the module text; the value begins a sentence."""

    HIGH = "affects performance"
    POSSIBLE = "may affect performance"
    NONE = "no performance impact found"
    UNKNOWN = "performance impact unknown"


def percent(probability: float) -> str:
    """Return ``87 %``, or ``<1 %`` and ``>99 %`` at the ends, where nothing is certain."""
    number = round(100 * probability)
    if number < 1:
        return "<1 %"
    return ">99 %" if number > 99 else f"{number} %"


def impact_of(verdict: Verdict) -> Impact:
    """Return the impact that a verdict stands for."""
    if verdict.label is Label.INSENSITIVE:
        return Impact.NONE
    if verdict.label is Label.UNKNOWN:
        return Impact.UNKNOWN
    is_likely = (verdict.probability or 0.0) >= LIKELY and effect_reason(verdict) is not None
    return Impact.HIGH if verdict.is_evident or is_likely else Impact.POSSIBLE


def effect_reason(verdict: Verdict) -> Reason | None:
    """Return the strongest reason for impact that an instruction shows."""
    shown = (reason for reason in verdict.reasons if reason.toward and reason.ref is not None)
    return next(shown, None)


def headline(verdict: Verdict) -> str:
    """Return the verdict alone: ``no performance impact found``."""
    if verdict.source is Source.PERSON and verdict.label is not Label.UNKNOWN:
        words = "affects" if verdict.label is Label.SENSITIVE else "does not affect"
        return f"{words} performance according to your verdict"
    return impact_of(verdict).value


def plain_cause(verdict: Verdict) -> str:
    """Return the strongest reason for a verdict in plain words, `` because it …``; may be empty."""
    wanted = verdict.label is Label.SENSITIVE
    first = next((item for item in verdict.reasons if item.toward is wanted), None)
    if first is None or verdict.source is Source.PERSON:
        return ""
    return f" because it {first.text}"
