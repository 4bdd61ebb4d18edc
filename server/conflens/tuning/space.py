"""A search space as data: parameters with their ranges, what may not be combined, and the options that are left out.

Terms
    parameter   an option that a tuner varies; its values are numbers in the option's own unit, or texts.
    special     a value outside of the range with a meaning of its own, such as 0 for "off".
    comparison  what two parameters must keep to; a sample that does not is rejected by the program.

Absent: how a tuner is told (one module for each), how a space is made (``building``).
"""

from __future__ import annotations

import operator

import attrs

from conflens.flow.results import OptionKey

Value = int | float | str

HOLDS = {"<=": operator.le, "<": operator.lt, ">=": operator.ge, ">": operator.gt}
"""What a comparison demands, by how it is written."""
_TURNED = {"<=": ">=", "<": ">", ">=": "<=", ">": "<"}


@attrs.frozen
class Special:
    """A value outside of the range; ``meaning`` is ``off``, ``no limit`` or ``the default``."""

    value: int | float
    meaning: str


@attrs.frozen
class Range:
    """Inclusive bounds; ``is_whole``: of whole numbers.  ``is_log``: the logarithm of the value is varied evenly."""

    low: float
    high: float
    is_whole: bool
    is_log: bool

    def holds(self, number: float) -> bool:
        """Tell whether a number lies in the range."""
        return self.low <= number <= self.high


@attrs.frozen
class Parameter:
    """One option: a ``range`` of numbers, or else ``choices``.

    ``name`` is unique in its space: the option's, or ``domain:name`` where two options share one.  ``default`` is a choice, a special value or in the
    range; ``None`` where the program states none.  ``suffix`` is written behind a number (``MB``).  ``why`` says what the option does, or is empty.
    """

    name: str
    key: OptionKey
    choices: tuple[str, ...] = ()
    range: Range | None = None
    default: Value | None = None
    specials: tuple[Special, ...] = ()
    unit: str = ""
    suffix: str = ""
    evidence: str = ""
    why: str = ""

    @property
    def start(self) -> Value:
        """The default, or else the middle of what there is to choose from."""
        if self.default is not None:
            return self.default
        return self.choices[0] if self.range is None else middle(self.range)

    @property
    def start_in_range(self) -> int | float:
        """The default where it lies in the range, else its middle; only for numbers."""
        assert self.range is not None
        default = self.default
        if isinstance(default, str) or default is None or not self.range.holds(default):
            return middle(self.range)
        return default


@attrs.frozen
class Comparison:
    """The parameter ``left`` must be ``op`` the parameter ``right``, where neither has a special value."""

    left: str
    op: str
    right: str

    @property
    def turned(self) -> Comparison:
        """The same with its sides exchanged."""
        return Comparison(self.right, _TURNED[self.op], self.left)

    def holds(self, left: float, right: float) -> bool:
        """Tell whether two values keep to it."""
        return bool(HOLDS[self.op](left, right))


@attrs.frozen
class Condition:
    """``child`` has an effect only if ``parent``, a parameter with choices or the switch of one with special values, has one of ``values``."""

    child: str
    parent: str
    values: tuple[str, ...]


@attrs.frozen
class LeftOut:
    """An option that no parameter stands for; ``reason`` completes "it is left out: …"."""

    key: OptionKey
    reason: str


@attrs.frozen
class Space:
    """Parameters in the order of what matters most; conditions and comparisons name parameters of the space only."""

    parameters: tuple[Parameter, ...]
    comparisons: tuple[Comparison, ...] = ()
    conditions: tuple[Condition, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


def middle(range_: Range) -> int | float:
    """Return the middle of a range, on its scale."""
    low, high = range_.low, range_.high
    found = (low * high) ** 0.5 if range_.is_log else (low + high) / 2
    return round(found) if range_.is_whole else found


def written(value: Value, suffix: str = "") -> str:
    """Return a value as it is written into a config file, for a number with its unit."""
    if isinstance(value, str):
        return value
    number = str(int(value)) if float(value).is_integer() and abs(value) < 2**63 else repr(value)
    return f"{number}{suffix}"
