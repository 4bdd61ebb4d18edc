"""Which of two runs is the slow one, where nobody has said so.

Two runs of one program are a *pair*.  The slow run is the one that took longer; if they are as long as each other (windows
of a service), or do not tell, the one that cost more: CPU time, else the first kind of event that both recorded.
Absent: roles (``snapshots``), whether the difference means anything (``diagnosis``).
"""

from __future__ import annotations

from typing import NamedTuple

from conflens.diagnosis.report import KIND_WORDS, amount
from conflens.profiling.model import EventKind, Unit
from conflens.session.snapshots.messages import Summary
from conflens.session.snapshots.store import Entry

_LONGER = 0.1
"""The difference of lengths, as a part of the shorter, from which they tell the slow run."""


class Pairing(NamedTuple):
    """The sides of a comparison that nobody asked for; ``text`` says so in one sentence."""

    baseline: Entry
    violation: Entry
    text: str


def pairing_of(one: Entry, other: Entry) -> Pairing | None:
    """Return what two runs are to each other; ``None`` if they are of different programs or have nothing in common.

    Of runs that cost the same the one that ended first is the baseline.
    """
    first, second = sorted((one, other), key=lambda entry: (entry.ended, entry.imported, entry.id))
    costs = _costs(first.summary, second.summary)
    if costs is None or not _is_one_program(first.summary, second.summary):
        return None
    (before, text_before), (after, text_after) = costs
    if after < before:
        first, second, text_before, text_after = second, first, text_after, text_before
    text = (
        f"Comparing {second.name} (slow run, {text_after}) with {first.name} "
        f"(baseline, {text_before})."
    )
    return Pairing(first, second, text)


def _is_one_program(one: Summary, other: Summary) -> bool:
    """Tell whether nothing says that two runs are of different programs."""
    if one.compares or other.compares:
        return False  # Each brings a baseline of its own.
    for names in ((one.started, other.started), (one.main_classes, other.main_classes)):
        if all(names):
            return not set(names[0]).isdisjoint(names[1])
    return True


def _costs(one: Summary, other: Summary) -> tuple[tuple[float, str], tuple[float, str]] | None:
    """Return what the two runs cost by one measure, as numbers and as texts."""
    kinds, others = _kinds(one), _kinds(other)
    common = [key for key in kinds if key in others]
    if not common:
        return None
    lengths = one.seconds, other.seconds
    if min(lengths) > 0 and abs(lengths[0] - lengths[1]) > _LONGER * min(lengths):
        before, after = ((seconds, amount(1e9 * seconds, Unit.NANOSECONDS)) for seconds in lengths)
        return before, after
    kind, unit = min(common, key=lambda key: list(EventKind).index(key[0]))
    words = KIND_WORDS[kind]
    before, after = (
        (total, f"{amount(total, unit)} of {words}")
        for total in (kinds[kind, unit], others[kind, unit])
    )
    return before, after


def _kinds(summary: Summary) -> dict[tuple[EventKind, Unit], int]:
    return {(EventKind(kind), Unit(unit)): total for kind, unit, total in summary.kinds if total}
