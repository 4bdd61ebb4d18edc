"""Adjustments of an option: what all of its reads do with values outside of bounds.

What becomes of values is said only if each read does so: one that rejects a value may never run where another one takes it.
A default that is rejected means something else, so that no exception is known then.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile

import attrs

from conflens.options.limits import allows
from conflens.options.model import (
    NUMERIC,
    Adjustment,
    Default,
    Effect,
    Limits,
    Option,
    OptionTable,
    OptionType,
)
from conflens.options.sites import Finding

_LAST = re.compile(r"[.\-_/:]")
_THROWN = (Effect.THROWS, Effect.FAILS)


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
    others = [one for one in found if one.effect not in _THROWN]

    def stays(one: Adjustment) -> bool:
        if one.effect not in _THROWN:
            return True
        return not any(
            one.concerns(number) and not any(other.concerns(number) for other in others)
            for number in numbers
        )

    return _tightest([one for one in found if stays(one)])


def held_by(named: Sequence[Finding]) -> tuple[str, ...]:
    """Return the fields that hold the value of an option as it is set."""
    return tuple(sorted(frozenset[str]().union(*(item.inference.held for item in named))))


def bounding(table: OptionTable, option: Option, adjustment: Adjustment) -> Option | None:
    """Return the other option that is the bound; of several the one whose name begins as the option's does, but for the last part."""
    others = [
        one
        for one in table.by_field.get(adjustment.holder, ())
        if one.key != option.key and one.domain == option.domain
    ]
    if not others:
        return None

    def alike(one: Option) -> int:
        pairs = zip(one.name, option.name, strict=False)
        return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))

    most = max(map(alike, others))
    best = [one for one in others if alike(one) == most]
    if len(best) != 1:
        return None
    parents = (len(one.name) - len(_LAST.split(one.name)[-1]) for one in (option, best[0]))
    return best[0] if len(others) == 1 or most >= min(parents) else None


def shown(table: OptionTable, option: Option) -> tuple[tuple[Adjustment, Option | None], ...]:
    """Return the adjustments that can be said of an option, each with the option that is its bound.

    What ``Option.limits`` say is not said again, nor what a value counts as that turns the option off, nor that a value is not used
    where it is not known what is used instead.  Of values that are rejected nothing else is said.
    """
    found: list[tuple[Adjustment, Option | None]] = []
    for one in option.adjusted:
        other = bounding(table, option, one) if one.holder else None
        if (one.holder and other is None) or not _has_words(one) or _is_said(option, one):
            continue
        if one.effect not in _THROWN and _is_part(option, one):
            continue
        left = one if one.effect is Effect.THROWS else _narrowed(option, one)
        if left is not None and left.effect in _THROWN:
            left = _spared(option, left)
        if left is not None:
            found.append((left, other))
    return tuple(found)


def _has_words(one: Adjustment) -> bool:
    """Tell whether it is known what values outside of a bound come to."""
    return one.effect is not Effect.IGNORED and (one.effect is not Effect.RESET or one.to != "")


def _is_part(option: Option, one: Adjustment) -> bool:
    """Tell whether a wider bound says the same of a value, or something unknown becomes of a value outside of a bound."""
    single = one.bound == "not"
    for other in option.adjusted:
        if one.to and other is not one and not _has_words(other) and overlap(one, other):
            return True
        if one.name or other.name or (other.bound == "not") == single:
            continue
        if not single and one.concerns(other.value) and not _has_words(other):
            return True
        same = (one.effect, one.to) == (other.effect, other.to)
        if single and same and other.concerns(one.value):
            return True
    return False


def _spared(option: Option, one: Adjustment) -> Adjustment | None:
    """Leave out of what is rejected a value that has a meaning of its own of which nothing is said."""
    for other in option.adjusted:
        if _has_words(other) or not overlap(one, other):
            continue
        edge = one.value - 1 if one.bound == "lower" else one.value + 1
        if other.bound != "not" or one.strict or one.bound == "not" or other.value != edge:
            return None
        one = attrs.evolve(one, value=edge)
    return one


def _narrowed(option: Option, one: Adjustment) -> Adjustment | None:
    """Leave out what is rejected anyhow: of ``0 or less`` only 0 is left if negative values are rejected."""
    if one.name:
        return one
    if one.bound == "not":
        return one if allows(option.limits, one.value) else None
    limits = option.limits
    fraction = option.type is OptionType.FRACTION
    if one.bound == "upper":
        return one if _leaves_more(option, one) else None
    least = [limits.minimum] if limits.minimum is not None else []
    if limits.above is not None and not fraction:
        least.append(limits.above + 1)
    least += [
        other.value + (1 if other.strict else 0)
        for other in option.adjusted
        if other.effect is Effect.THROWS and other.bound == "lower" and not other.name
    ]
    first = max(least, default=None)
    if first is None:
        return one
    last = one.value if one.strict else one.value - 1
    if fraction and first >= one.value:
        alone = one.strict and first == one.value
        return attrs.evolve(one, bound="not", strict=False) if alone else None
    if fraction:
        return one
    if first > last:
        return None
    if first == last:
        return attrs.evolve(one, bound="not", value=last, strict=False)
    return None if one.effect in (Effect.OFF, Effect.UNLIMITED) else one


def _leaves_more(option: Option, one: Adjustment) -> bool:
    """Tell whether something above a bound is not rejected anyhow."""
    most = [
        other.value
        for other in option.adjusted
        if other.effect is Effect.THROWS and other.bound == "upper" and not other.name
    ]
    return all(bound > one.value for bound in most)


def _is_said(option: Option, one: Adjustment) -> bool:
    if one.name:
        return False
    limits = option.limits
    if one.effect in _THROWN:
        just_outside = one.value - 1 if one.bound == "lower" else one.value + 1
        return not allows(limits, one.value if one.bound == "not" or one.strict else just_outside)
    if one.bound != "not" and not _may_be(limits, one):
        return True
    ends = (Effect.OFF, Effect.IGNORED, Effect.UNLIMITED)
    off = [other for other in option.adjusted if other.effect in ends]
    to = _number(one.to)
    return to is not None and any(
        other is not one
        and other.bound == one.bound
        and other.concerns(to)
        and (other.value >= one.value if one.bound == "lower" else other.value <= one.value)
        for other in off
    )


def _may_be(limits: Limits, one: Adjustment) -> bool:
    """Tell whether a value outside of a bound is not rejected anyhow."""
    if one.bound == "lower":
        least = limits.minimum if limits.minimum is not None else limits.above
        return least is None or least < one.value
    most = limits.maximum if limits.maximum is not None else limits.under
    return most is None or most > one.value


def _takes_value(item: Finding) -> bool:
    """Tell whether a read or a declaration has the value, rather than only its name."""
    if item.site is not None:
        return not item.inference.unused and not item.site.presence
    return item.found is not None and (
        item.found.member is not None or item.found.enters is not None
    )


def common(lists: Sequence[tuple[Adjustment, ...]]) -> tuple[Adjustment, ...]:
    """Return what several reads have in common, and what each of them rejects, perhaps with more; not if the same read spares some of
    it, and others do not."""
    kept: dict[tuple[object, ...], Adjustment] = {}

    def everywhere(one: Adjustment) -> bool:
        return all(any(other.says == one.says for other in several) for several in lists)

    def rejected(one: Adjustment) -> bool:
        return all(any(_rejects(other, one) for other in several) for several in lists)

    for several in lists:
        spared = [one for one in several if one.effect not in _THROWN and not everywhere(one)]
        for one in several:
            rejects = one.effect in _THROWN and rejected(one)
            if (rejects and not any(overlap(one, other) for other in spared)) or everywhere(one):
                kept.setdefault(one.says, one)
    return tuple(kept.values())


def _rejects(one: Adjustment, other: Adjustment) -> bool:
    """Tell whether a read rejects all that another one rejects."""
    if one.effect is not Effect.THROWS and one.effect is not other.effect:
        return False
    if one.bound != other.bound or one.name != other.name:
        return other.bound == "not" and one.concerns(other.value)
    return (one.value, one.strict) == (other.value, other.strict) or _is_tighter(one, other)


def overlap(one: Adjustment, other: Adjustment) -> bool:
    """Tell whether some value is outside of both bounds, as far as these are known."""
    if one.name or other.name:
        return one.name == other.name and one.bound == other.bound
    if "not" in (one.bound, other.bound):
        single, wide = (one, other) if one.bound == "not" else (other, one)
        return wide.concerns(single.value)
    if one.bound == other.bound:
        return True
    low, high = (one, other) if one.bound == "lower" else (other, one)
    return low.value > high.value


def _tightest(found: Sequence[Adjustment]) -> tuple[Adjustment, ...]:
    """Leave out bounds that another one of the same effect lies within."""
    return tuple(
        one
        for one in found
        if not any(
            other is not one
            and one.effect in _THROWN
            and other.effect in (one.effect, Effect.THROWS)
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
