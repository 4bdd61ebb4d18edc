"""A verdict in plain words: the verdict alone, and its strongest reason.

A percentage is always the chance that the option is sensitive, whatever the verdict, and never 0 or 100.
Absent: all reasons, with links to where they show (``render.verdict_phrases``).
"""

from __future__ import annotations

from conflens.sensitivity.results import Label, Source, Verdict

_SENSITIVE = "performance-sensitive"


def percent(probability: float) -> str:
    """Return ``87 %``, or ``<1 %`` and ``>99 %`` at the ends, where nothing is certain."""
    number = round(100 * probability)
    if number < 1:
        return "<1 %"
    return ">99 %" if number > 99 else f"{number} %"


def headline(verdict: Verdict) -> str:
    """Return the verdict alone: ``probably not performance-sensitive (12 %)``."""
    if verdict.label is Label.UNKNOWN:
        return "sensitivity unknown"
    if verdict.source is Source.PERSON:
        words = _SENSITIVE if verdict.label is Label.SENSITIVE else f"not {_SENSITIVE}"
        return f"{words}, by your verdict"
    words = _SENSITIVE if verdict.label is Label.SENSITIVE else f"probably not {_SENSITIVE}"
    return words if verdict.probability is None else f"{words} ({percent(verdict.probability)})"


def plain_cause(verdict: Verdict) -> str:
    """Return the strongest reason for a verdict in plain words, `` because it …``; may be empty."""
    wanted = verdict.label is Label.SENSITIVE
    first = next((item for item in verdict.reasons if item.toward is wanted), None)
    if first is None or verdict.source is Source.PERSON:
        return ""
    return f" because it {first.text}"
