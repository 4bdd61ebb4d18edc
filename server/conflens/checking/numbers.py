"""Numbers as people write them into files: with units, separators and exponents, and as code parses them.

Units are those of ``Option.unit``; suffixes of sizes are powers of 1024, as the libraries that know them read them.
Absent: options, what is right.
"""

from __future__ import annotations

import math
import re

from conflens.models.words import Syntax
from conflens.options.amounts import LONGEST, SIZE_OF, SIZES, TIME_OF, TIMES, with_unit

_WHOLE = re.compile(r"[+-]?\d+\Z|[+-]?(?:0[xX]|#)[0-9A-Fa-f]+\Z")
_YAML_WHOLE = re.compile(
    r"[+-]?\d[\d_]*(?:\.0*)?\Z|[+-]?0[xo][0-9A-Fa-f_]+\Z|[+-]?0b[01_]+\Z|[+-]?[1-9][\d_]*(?::[0-5]?\d)+\Z"
)
"""What YAML makes a number of that is whole: with ``.0``, which is converted, and with base 60 (``1:30`` is 90)."""
_FRACTION = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?\Z")
_SPECIAL = frozenset({"nan", "infinity", ".nan", ".inf", "inf"})
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(?:([,_' ])\d{3})(?:\1\d{3})*\Z")
_ISO = re.compile(
    r"[-+]?P(?=[\dT+-])(?:[-+]?\d+D)?(?:T(?=[\d+-])(?:[-+]?\d+H)?(?:[-+]?\d+M)?(?:[-+]?\d+(?:[.,]\d{0,9})?S)?)?\Z",
    re.IGNORECASE,
)
"""What ``java.time.Duration.parse`` takes."""
_AMOUNTS = re.compile(r"(?:[+-]?\d+(?:\.\d*)?\s*[A-Za-z\u00b5\u03bc]{1,14}\s*)+\Z")
_UNIT = re.compile(r"[A-Za-z\u00b5\u03bc]+")
_EXACT = 2**63

_ALL_TIMES = frozenset(TIME_OF) | frozenset(
    [
        "nano",
        "micro",
        "µs",
        "μs",
        "w",
        "week",
        "weeks",
        "wk",
        "mo",
        "month",
        "months",
        "y",
        "yr",
        "year",
        "years",
    ]
)
_ALL_SIZES = (
    frozenset(SIZE_OF)
    | frozenset(f"{head}{tail}" for head in "kmgtpezy" for tail in ("", "b", "i", "ib"))
    | frozenset(
        f"{head}byte{tail}"
        for head in (
            "kilo",
            "mega",
            "giga",
            "tera",
            "peta",
            "exa",
            "kibi",
            "mebi",
            "gibi",
            "tebi",
            "pebi",
        )
        for tail in ("", "s")
    )
)
SUFFIXES = {
    "ns": "ns",
    "us": "us",
    "ms": "ms",
    "s": "s",
    "min": "m",
    "h": "h",
    "d": "d",
    "bytes": "b",
    "KB": "k",
    "MB": "m",
}
"""What is put behind a number to say its unit, by unit."""
UNITS_IN_WORDS = {
    "ns": "nanoseconds",
    "us": "microseconds",
    "ms": "milliseconds",
    "s": "seconds",
    "min": "minutes",
    "h": "hours",
    "d": "days",
    "bytes": "bytes",
    "KB": "kilobytes",
    "MB": "megabytes",
}


def plain(text: str, *, whole: bool = False, yaml: bool = False) -> float | None:
    """Return a number without unit, as Java's parsers take it; ``whole``: no fraction; ``yaml``: as YAML writes it too."""
    text = text.strip()
    if len(text) > LONGEST:
        return None
    if _WHOLE.match(text):
        return _based(text)
    if yaml and _YAML_WHOLE.match(text):
        return _based(text.replace("_", ""))
    if whole:
        return None
    if _FRACTION.match(text):
        return float(text.rstrip("fFdD"))
    return math.nan if text.lower().lstrip("+-") in _SPECIAL else None


def _based(text: str) -> float:
    sign = -1.0 if text.startswith("-") else 1.0
    digits = text.lstrip("+-").lower().partition(".")[0]
    if ":" in digits:
        number = 0
        for part in digits.split(":"):
            number = number * 60 + int(part)
        return sign * number
    if digits.startswith("#"):
        return sign * int(digits[1:], 16)
    for prefix, base in (("0x", 16), ("0o", 8), ("0b", 2)):
        if digits.startswith(prefix) and len(digits) > len(prefix):
            return sign * int(digits[len(prefix) :], base)
    return sign * int(digits)


def takes(accepts: Syntax, text: str) -> bool:
    """Tell whether a text is a duration or size as code takes it (``models.words.Syntax``); every unit that some library
    knows counts as one."""
    text = text.strip()
    if len(text) > LONGEST:
        return True
    if accepts != "unit-duration" and plain(text) is not None:
        return True
    if accepts in ("iso-duration", "duration") and _ISO.match(text):
        return True
    if accepts == "iso-duration" or _AMOUNTS.match(text) is None:
        return False
    known = _ALL_SIZES if accepts == "size" else _ALL_TIMES
    return all(unit.lower() in known for unit in _UNIT.findall(text))


def in_unit(text: str, unit: str) -> float | None:
    """Return a number with a suffix in the unit of an option; ``None`` where that is not known or does not fit."""
    split = with_unit(text)
    if split is None:
        return None
    number, suffix = split
    if unit in TIMES:
        factor = TIME_OF.get(suffix)
        return None if factor is None else _rounded(number * factor / TIMES[unit])
    if unit in SIZES:
        factor = SIZE_OF.get(suffix)
        return None if factor is None else _rounded(number * factor / SIZES[unit])
    return None


def _rounded(number: float) -> float:
    nearest = round(number)
    return float(nearest) if abs(number - nearest) < 1e-9 * max(1.0, abs(number)) else number


def loosely(text: str) -> float | None:
    """Return the number that a person surely means: with separators between thousands, an exponent, a useless ``.0``."""
    text = text.strip()
    if len(text) > LONGEST:
        return None
    if _THOUSANDS.match(text):
        return float(re.sub(r"[,_' ]", "", text))
    if text[-1:] in "lL" and _WHOLE.match(text[:-1]):
        return _based(text[:-1])
    number = plain(text)
    return number if number is not None and math.isfinite(number) else None


def written(number: float, *, whole: bool) -> str:
    """Return a number as a config file writes it; empty where ``whole`` cannot be kept."""
    if not math.isfinite(number) or abs(number) >= _EXACT:
        return ""
    if number == int(number):
        return str(int(number))
    return "" if whole else repr(number)
