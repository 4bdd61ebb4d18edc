"""Sentences on what becomes of values outside of bounds: ``Values below 2 count as 2.``, ``0 or less turns it off.``

Absent: which of them are said (``options.adjustments``).
"""

from __future__ import annotations

from collections.abc import Iterator

from conflens.options.adjustments import shown
from conflens.options.model import Adjustment, Effect, Option, OptionTable, OptionType
from conflens.render.phrases import code, number_words

_MOST = 3
"""Sentences that are shown of one option."""
_VERBS = {
    Effect.THROWS: ("is rejected", "are rejected"),
    Effect.FAILS: ("fails when it is used", "fail when they are used"),
    Effect.OFF: ("turns it off", "turn it off"),
    Effect.UNLIMITED: ("means no limit", "mean no limit"),
}


def adjustment_words(table: OptionTable, option: Option) -> tuple[str, ...]:
    """Return the sentences on an option, as Markdown; what has a meaning of its own comes before what all others come to."""
    return tuple(dict.fromkeys(text for _, text in worded(table, option)))[:_MOST]


def worded(table: OptionTable, option: Option) -> Iterator[tuple[Adjustment, str]]:
    """Yield the adjustments that can be said of an option, each with its sentence; a range has one."""
    found = sorted(shown(table, option), key=lambda pair: pair[0].bound != "not")
    both: tuple[Adjustment, ...] = ()
    for effect in (Effect.FAILS, Effect.THROWS):
        low = [one for one, _ in found if _is_end(one, "lower", effect)]
        high = [one for one, _ in found if _is_end(one, "upper", effect)]
        both = (*low, *high) if len(low) == len(high) == 1 else both
    for one, other in found:
        if one in both:
            if one is both[0]:
                below, above = (number_words(bound.value) for bound in both)
                yield one, f"Values below {below} or above {above} {_VERBS[one.effect][1]}."
            continue
        others = any(
            pair[0].bound == "not" != one.bound and one.concerns(pair[0].value) for pair in found
        )
        yield one, sentence(one, option, other, others=others)


def _is_end(one: Adjustment, bound: str, effect: Effect) -> bool:
    return one.effect is effect and one.bound == bound and not one.name and not one.strict


def sentence(
    one: Adjustment, option: Option, other: Option | None = None, *, others: bool = False
) -> str:
    """Return what becomes of values outside of one bound; ``other`` is the option that is the bound, ``others``: some of these
    values have a meaning of their own."""
    if one.name:
        bound = code(other.name if other is not None else one.name)
        side = "At least" if one.bound == "lower" else "At most"
        if one.effect in (Effect.THROWS, Effect.FAILS, Effect.RAISED, Effect.LOWERED):
            strict = (
                {"At least": "More than", "At most": "Less than"}[side] if one.strict else side
            )
            verbs = _VERBS.get(one.effect)
            ending = f"other values {verbs[1]}" if verbs else "other values count as that"
            return f"{strict} {bound}; {ending}."
    else:
        bound = number_words(one.value)
    subject, many = _outside(one, option, bound, others)
    return f"{subject} {_verb(one, many)}."


def _outside(one: Adjustment, option: Option, bound: str, others: bool) -> tuple[str, bool]:
    """Return how values outside of a bound are called, and whether grammar takes them for several."""
    if one.bound == "not":
        return bound, False
    if others:
        return f"Other values {'below' if one.bound == 'lower' else 'above'} {bound}", True
    if one.bound == "lower" and not one.name:
        edge = one.value - 1
        whole = option.type is not OptionType.FRACTION and edge == int(edge)
        if whole and not one.strict and edge in (0.0, -1.0) and one.effect is not Effect.RAISED:
            return ("0 or less" if not edge else "A negative value"), False
        if one.strict:
            return f"{bound} or less", False
    if one.strict:
        return f"{bound} or more", False
    return f"Values {'below' if one.bound == 'lower' else 'above'} {bound}", True


def _verb(one: Adjustment, many: bool) -> str:
    if one.effect in _VERBS:
        return _VERBS[one.effect][many]
    return f"{'count' if many else 'counts'} as {counted(one)}"


def counted(one: Adjustment) -> str:
    """Return what values count as: a number, or code."""
    try:
        return number_words(float(one.to))
    except ValueError:
        return code(one.to)
