"""Durations and sizes as people write them: a number with a unit, ``30 secs``, ``16 KB``.

Units are those of ``Option.unit``; suffixes of sizes are powers of 1024, as the libraries that know them read them.
Absent: what code takes for one (``checking.numbers``), durations as code makes them (``value_texts``).
"""

from __future__ import annotations

import re

from conflens.options.model import OptionType

LONGEST = 40
_WITH_UNIT = re.compile(r"([+-]?\d+(?:\.\d+)?)\s*([A-Za-z]{1,12})\Z")
TIMES = {
    "ns": 1e-9,
    "us": 1e-6,
    "ms": 1e-3,
    "s": 1.0,
    "m": 60.0,
    "min": 60.0,
    "h": 3600.0,
    "d": 86400.0,
}
_TIME_NAMES = {
    "ns": ("ns", "nanos", "nanosecond", "nanoseconds"),
    "us": ("us", "micros", "microsecond", "microseconds"),
    "ms": ("ms", "millis", "milli", "millisecond", "milliseconds"),
    "s": ("s", "sec", "secs", "second", "seconds"),
    "min": ("m", "min", "mins", "minute", "minutes"),
    "h": ("h", "hr", "hrs", "hour", "hours"),
    "d": ("d", "day", "days"),
}
_SIZE_NAMES = {
    "bytes": ("b", "byte", "bytes"),
    "KB": ("k", "kb", "kib"),
    "MB": ("m", "mb", "mib"),
    "GB": ("g", "gb", "gib"),
    "TB": ("t", "tb", "tib"),
}
SIZES = {"bytes": 1.0, "KB": 2.0**10, "MB": 2.0**20, "GB": 2.0**30, "TB": 2.0**40}
TIME_OF = {name: TIMES[unit] for unit, names in _TIME_NAMES.items() for name in names}
SIZE_OF = {name: SIZES[unit] for unit, names in _SIZE_NAMES.items() for name in names}
_TYPES = {"duration": OptionType.TIME, "size": OptionType.SIZE}


def with_unit(text: str) -> tuple[float, str] | None:
    """Return number and suffix, where a text is a number with a unit of time or size."""
    match = _WITH_UNIT.match(text.strip()[:LONGEST])
    if match is None:
        return None
    suffix = match[2].lower()
    known = suffix in TIME_OF or suffix in SIZE_OF
    return (float(match[1]), suffix) if known else None


def dimension(text: str) -> str:
    """Return what a number with a unit surely measures, ``duration`` or ``size``; empty for any other text."""
    split = with_unit(text)
    if split is None or (split[1] in TIME_OF) == (split[1] in SIZE_OF):
        return ""
    return "duration" if split[1] in TIME_OF else "size"


def measured(text: str) -> OptionType | None:
    """Return what a text surely measures whose unit is no single letter but that of seconds; ``None`` for any other text."""
    split = with_unit(text)
    if split is None or (len(split[1]) == 1 and split[1] != "s"):
        return None
    return _TYPES.get(dimension(text))


def amount(text: str, type_: OptionType) -> float | None:
    """Return a number with a unit in seconds or bytes, by the type of its option where the unit may be of both."""
    split = with_unit(text)
    if split is None:
        return None
    number, suffix = split
    both = suffix in TIME_OF and suffix in SIZE_OF
    if both and type_ not in (OptionType.TIME, OptionType.SIZE):
        return None
    times = type_ is OptionType.TIME if both else suffix in TIME_OF
    return number * (TIME_OF[suffix] if times else SIZE_OF[suffix])
