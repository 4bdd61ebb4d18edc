"""Special values for tuners that have none: a parameter beside the range says whether it is used.

``NAME:special`` is ``range`` or one of the special values; the range counts only in the first case.
"""

from __future__ import annotations

from conflens.tuning.space import Parameter, written

IN_RANGE = "range"
SWITCH = ":special"


def switch_name(one: Parameter) -> str:
    """Return the name of the parameter that says whether the range is used."""
    return f"{one.name}{SWITCH}"


def switch_values(one: Parameter) -> list[str]:
    """Return its values."""
    return [IN_RANGE, *(written(item.value) for item in one.specials)]


def switch_start(one: Parameter) -> str:
    """Return where it starts: at the special value that is the default, or in the range."""
    default = one.default
    texts = [written(item.value) for item in one.specials if item.value == default]
    return texts[0] if texts else IN_RANGE
