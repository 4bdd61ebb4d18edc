"""From where to where a tuner varies one option.

A bound is what the program enforces (``options.limits``, ``options.adjustments``): beyond it a value is rejected or counts as another one.  Where
it enforces none, or one that is ``_FAR`` times the default away, the bound is a sixteenth of the default or sixteen times it, which is as far as
parameters of databases are varied by tuners (OtterTune, DiagConfig §6).  Without a default nothing but both bounds will do.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from conflens.base.prose import shorten
from conflens.options.adjustments import shown
from conflens.options.amounts import SIZE_OF, SIZES, TIME_OF, TIMES, with_unit
from conflens.options.limits import allows
from conflens.options.model import (
    NUMERIC,
    Adjustment,
    Effect,
    Option,
    OptionTable,
    OptionType,
)
from conflens.render.option_view import OptionView
from conflens.tuning.space import LeftOut, Parameter, Range, Special

_STEP = 16
"""How many times the default a value may be, and its inverse."""
_FAR = 1024
_LOG = 32
"""Ratio of the bounds from which on a range is varied by its logarithm."""
_INT = 2**31 - 1
_EXACT = 2**53
"""The largest whole number up to which all are known exactly, and that all tuners take."""
_SMALLEST = 1e-9
"""Share of a bound that is excluded, by which a fraction stays away from it."""
_STARTS_AT_ONE = 2
"""The least default from which on 0 is not tried, although the program takes it: it seldom is an amount then."""
_MOST_CHOICES = 64
_MOST_WORDS = 100
_MEANINGS = {Effect.OFF: "off", Effect.UNLIMITED: "no limit"}
_TYPES_LEFT_OUT = {
    OptionType.FILE: "it names a file",
    OptionType.ADDRESS: "it is an address",
    OptionType.PORT: "it is a port",
    OptionType.URI: "it is a URI",
    OptionType.REGEX: "it is a pattern",
    OptionType.PASSWORD: "it is a secret",
    OptionType.UNKNOWN: "its type is not known",
}


def parameter(
    table: OptionTable, view: OptionView, name: str, heap: float | None
) -> Parameter | LeftOut:
    """Return how an option is varied; ``heap`` is the most bytes that a size may have."""
    option = view.option
    reason = _unfit(view)
    if reason:
        return LeftOut(option.key, reason)
    if option.type is OptionType.BOOLEAN:
        return _chosen(view, name, ("true", "false"), folds=True)
    if option.type not in NUMERIC:
        return _chosen(view, name, option.values, folds=option.limits.ignores_case)
    return _number(table, view, name, heap)


def _unfit(view: OptionView) -> str:
    option = view.option
    if view.is_secret:
        return "it is a secret"
    if option.pattern:
        return "a part of its name is only known at run time"
    if option.deprecated:
        return "it is deprecated"
    if option.type in _TYPES_LEFT_OUT:
        return _TYPES_LEFT_OUT[option.type]
    if option.type is OptionType.BOOLEAN or option.type in NUMERIC:
        return ""
    if len(option.values) < 2:
        return "its values are not known"
    return "" if len(option.values) <= _MOST_CHOICES else "it has too many values"


def _chosen(view: OptionView, name: str, values: Sequence[str], *, folds: bool) -> Parameter:
    texts = view.default_texts
    default = None
    if len(texts) == 1:
        alike = [
            one for one in values if one == texts[0] or (folds and one.lower() == texts[0].lower())
        ]
        default = alike[0] if alike else None
    return Parameter(
        name,
        view.key,
        choices=tuple(dict.fromkeys(values)),
        default=default,
        evidence=view.verdict.evidence.value,
        why=shorten(view.kinds_of_effects, _MOST_WORDS),
    )


class _Scale:
    """The unit in which values are written: a number of the option's own unit times ``factor`` is a number of this one."""

    def __init__(self, option: Option, texts: Sequence[str]) -> None:
        self.suffix = ""
        self.factor: float | None = 1.0
        self.default: float | None = None
        if len(texts) != 1:
            return
        try:
            self.default = float(texts[0].replace("_", ""))
        except ValueError:
            split = with_unit(texts[0])
            if split is None:
                return
            self.default, _ = split
            self.suffix = texts[0].strip().lstrip("+-0123456789. ")
            self.factor = _factor(option, self.suffix.lower())


def _factor(option: Option, suffix: str) -> float | None:
    """Return by what numbers of an option's own unit are multiplied to be numbers with a suffix; ``None`` where that is not known."""
    if option.type is OptionType.SIZE and suffix in SIZE_OF and option.unit in SIZES:
        return SIZES[option.unit] / SIZE_OF[suffix]
    if option.type is OptionType.TIME and suffix in TIME_OF and option.unit in TIMES:
        return TIMES[option.unit] / TIME_OF[suffix]
    return None


def _number(
    table: OptionTable, view: OptionView, name: str, heap: float | None
) -> Parameter | LeftOut:
    option = view.option
    scale = _Scale(option, view.default_texts)
    default = scale.default
    if default is not None and not math.isfinite(default):
        default = None
    bounds = _Bounds(table, option)
    if scale.factor is None:
        if bounds.is_bounded:
            return LeftOut(option.key, "its limits and its default have different units")
        factor = 1.0
    else:
        factor = scale.factor
    is_whole = option.type is not OptionType.FRACTION
    low, high = bounds.within(factor, is_whole)
    specials = tuple(Special(one.value * factor, one.meaning) for one in bounds.specials)
    most = _most(option, scale, default, heap)
    if low is not None and high is not None and low > high:
        return LeftOut(option.key, "no value is within its limits")
    inside = (
        default is not None
        and (low is None or default >= low)
        and (high is None or default <= high)
    )
    if inside and default is not None and default > 0:
        near_low, near_high = default / _STEP, default * _STEP
        if is_whole:
            near_low = max(1.0, math.floor(near_low))
        if low is None or (low < default / _FAR and (low < 0 or default >= _STARTS_AT_ONE)):
            low = near_low
        high = near_high if high is None or high > default * _FAR else high
        if option.type is OptionType.FRACTION and option.unit == "ratio" and default <= 1.0:
            high = min(high, 1.0)
        elif option.unit == "percent" and default <= 100.0:
            high = min(high, 100.0)
    if low is None or high is None:
        return LeftOut(option.key, "it has neither a positive default nor two limits")
    high = min(high, most)
    if is_whole:
        low, high = float(math.ceil(low)), float(math.floor(high))
    if low >= high:
        return LeftOut(option.key, "its range holds one value")
    range_ = Range(low, high, is_whole, low > 0 and high / low >= _LOG)
    specials = tuple(one for one in specials if not range_.holds(one.value))
    if (
        default is not None
        and not range_.holds(default)
        and all(one.value != default for one in specials)
    ):
        if not bounds.takes(default / factor):
            default = None
        else:
            specials = (*specials, Special(default, "the default"))
    if any(range_.holds(one) for one in bounds.excluded(factor)):
        return LeftOut(option.key, "a single value in its range is rejected")
    return Parameter(
        name,
        view.key,
        range=range_,
        default=None if default is None else _whole(default) if is_whole else default,
        specials=tuple(
            Special(_whole(one.value) if is_whole else one.value, one.meaning) for one in specials
        ),
        unit="" if scale.suffix else option.unit,
        suffix=scale.suffix,
        evidence=view.verdict.evidence.value,
        why=shorten(view.kinds_of_effects, _MOST_WORDS),
    )


def _whole(number: float) -> int | float:
    return int(number) if float(number).is_integer() else number


def _most(option: Option, scale: _Scale, default: float | None, heap: float | None) -> float:
    """Return the largest number that the type holds, and of a size the largest that memory does."""
    most = float(_INT if default is None or abs(default) <= _INT else _EXACT)
    if option.type is OptionType.FRACTION:
        most = math.inf
    if heap is None or option.type is not OptionType.SIZE:
        return most
    if scale.suffix:
        return min(most, heap / SIZE_OF[scale.suffix.lower()])
    return min(most, heap / SIZES[option.unit]) if option.unit in SIZES else most


class _Bounds:
    """What a program does with the numbers of one option, in the option's own unit."""

    def __init__(self, table: OptionTable, option: Option) -> None:
        self._limits = option.limits
        self._adjusted = option.adjusted
        said = [one for one, _ in shown(table, option) if not one.name]
        self.specials = tuple(self._specials(said, option))
        self._narrowing = [
            one for one in option.adjusted if not one.name and one.bound in ("lower", "upper")
        ]

    @property
    def is_bounded(self) -> bool:
        """Whether the program says anything of numbers."""
        limits = self._limits
        ends = (limits.minimum, limits.maximum, limits.above, limits.under)
        return bool(self._adjusted) or any(end is not None for end in ends)

    def _specials(self, said: Sequence[Adjustment], option: Option) -> list[Special]:
        found: list[Special] = []
        for one in said:
            meaning = _MEANINGS.get(one.effect)
            if meaning is None or one.bound == "upper":
                continue
            value = one.value
            if one.bound == "lower" and not one.strict:
                value -= 1
            if one.bound == "lower" and not one.strict and option.type is OptionType.FRACTION:
                continue
            if self.takes(value):
                found.append(Special(value, meaning))
        return found

    def takes(self, number: float) -> bool:
        """Tell whether the program is not known to reject a number."""
        if not allows(self._limits, number):
            return False
        concerned = [one for one in self._adjusted if one.concerns(number)]
        return not concerned or any(one.effect is not Effect.THROWS for one in concerned)

    def within(self, factor: float, is_whole: bool) -> tuple[float | None, float | None]:
        """Return the bounds within which each number counts as itself; ``None`` where there is none."""
        limits = self._limits
        lows = [] if limits.minimum is None else [(limits.minimum, False)]
        lows += [] if limits.above is None else [(limits.above, True)]
        highs = [] if limits.maximum is None else [(limits.maximum, False)]
        highs += [] if limits.under is None else [(limits.under, True)]
        for one in self._narrowing:
            (lows if one.bound == "lower" else highs).append((one.value, one.strict))
        low = max(
            (_beyond(end * factor, is_whole, strict, 1) for end, strict in lows), default=None
        )
        high = min(
            (_beyond(end * factor, is_whole, strict, -1) for end, strict in highs), default=None
        )
        return low, high

    def excluded(self, factor: float) -> list[float]:
        """Return the single numbers that are rejected."""
        return [
            one.value * factor
            for one in self._adjusted
            if one.bound == "not" and not one.name and one.effect is Effect.THROWS
        ]


def _beyond(end: float, is_whole: bool, strict: bool, toward: int) -> float:
    if not strict:
        return end
    if is_whole:
        return end + toward
    return end + toward * max(abs(end) * _SMALLEST, _SMALLEST)
