"""Adjustments of an option: what all of its reads do with values outside of bounds.

What a read rejects, it does whatever others do; that values are raised, replaced or not used is said only if each read does it.
A default that is rejected means something else, so that no exception is known then.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from conflens.options.model import NUMERIC, Adjustment, Default, Effect, OptionType
from conflens.options.sites import Finding


def of_option(
    named: Sequence[Finding], type_: OptionType, defaults: Iterable[Default]
) -> tuple[Adjustment, ...]:
    """Return what becomes of the values of an option that was found several times."""
    if type_ not in NUMERIC:
        return ()
    lists = [item.inference.adjusted for item in named if _takes_value(item)]
    found = common(lists)
    if not found:
        return ()
    numbers = [number for one in defaults if (number := _number(one.text)) is not None]
    others = [one for one in found if one.effect is not Effect.THROWS]

    def stays(one: Adjustment) -> bool:
        if one.effect is not Effect.THROWS:
            return True
        return not any(
            one.concerns(number) and not any(other.concerns(number) for other in others)
            for number in numbers
        )

    return _tightest([one for one in found if stays(one)])


def _takes_value(item: Finding) -> bool:
    """Tell whether a read or a declaration has the value, rather than only its name."""
    if item.site is not None:
        return not item.inference.unused and not item.site.presence
    return item.found is not None and (item.found.member is not None or item.found.enters is not None)


def common(lists: Sequence[tuple[Adjustment, ...]]) -> tuple[Adjustment, ...]:
    """Return what several reads have in common, and what any of them rejects."""
    kept: dict[tuple[object, ...], Adjustment] = {}
    for one in (adjustment for several in lists for adjustment in several):
        everywhere = all(any(other.says == one.says for other in several) for several in lists)
        if everywhere or one.effect is Effect.THROWS:
            kept.setdefault(one.says, one)
    return tuple(kept.values())


def _tightest(found: Sequence[Adjustment]) -> tuple[Adjustment, ...]:
    """Leave out bounds that another one of the same effect lies within."""
    return tuple(
        one
        for one in found
        if not any(
            other is not one
            and other.effect is one.effect is Effect.THROWS
            and other.bound == one.bound
            and not one.name
            and not other.name
            and _is_tighter(other, one)
            for other in found
        )
    )


def _is_tighter(one: Adjustment, other: Adjustment) -> bool:
    if one.value == other.value:
        return one.strict and not other.strict
    return one.value > other.value if one.bound == "lower" else one.value < other.value


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
