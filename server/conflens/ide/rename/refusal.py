"""A rename that cannot be done, in words for the person who asked for it."""

from __future__ import annotations

from conflens.base.span import Place
from conflens.session.analysis import Analysis


class RefusedError(Exception):
    """A rename that cannot be done; the text is one or two sentences for a person."""


def refused_at(analysis: Analysis, place: Place, reason: str, advice: str = "") -> RefusedError:
    """Return a refusal: ``Can't rename: the reason (File.java:21). The advice.``"""
    text = f"Can't rename: {reason} ({where(analysis, place)})."
    return RefusedError(f"{text} {advice}".strip())


def where(analysis: Analysis, place: Place) -> str:
    """Return a place in short: ``File.java:21``."""
    return f"{place.path.rpartition('/')[2]}:{analysis.line(place)}"
