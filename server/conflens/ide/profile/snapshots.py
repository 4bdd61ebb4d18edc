"""Words about snapshots: how old one is."""

from __future__ import annotations

_STEPS = ((86_400 * 365, "years"), (86_400, "days"), (3_600, "h"), (60, "min"))


def age(seconds: float) -> str:
    """Return how long ago something was, in the largest unit of which there is one: ``3 h ago``."""
    for size, unit in _STEPS:
        number = int(seconds // size)
        if number >= 1:
            word = unit.removesuffix("s") if number == 1 else unit
            return f"{number:,} {word} ago"
    return "just now"
