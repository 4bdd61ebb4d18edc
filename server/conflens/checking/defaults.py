"""Whether two texts state the same default, though written in different ways.

Equal are: ``10s`` and ``10000`` of an option in milliseconds, ``100KiB`` and ``102400``, a host with and without its port, ``64 * 1024`` and ``65536``, ``TRUE`` and ``true``, a class with and
without its package.  Two texts *differ* only where both are plain values that can be compared; anything else is not known.
Absent: where the texts come from (``documents``).
"""

from __future__ import annotations

import math
import re

from conflens.checking import numbers
from conflens.options.amounts import with_unit
from conflens.options.conflicts import LIMITLESS
from conflens.options.model import NUMERIC, Option, OptionType

_NONE = frozenset(
    {
        "",
        "-",
        "none",
        "null",
        "nil",
        "auto",
        "unset",
        "empty",
        "n/a",
        "undefined",
        "(unset)",
        "blank",
    }
)
_TEXTS = frozenset(
    {OptionType.STRING, OptionType.URI, OptionType.ADDRESS, OptionType.FILE, OptionType.UNKNOWN}
)
_TRUTH = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_TOKEN = re.compile(r"[\w.\-/:+@]+\Z")
_CLASS = re.compile(r"(?:[a-z_]\w*\.)+[A-Z]\w*(?:[$.][A-Z]\w*)*\Z")
_FACTOR = re.compile(r"\(?\s*+(\d{1,19}+)\s*+[lL]?\s*+\)?\Z")
_PORT = re.compile(r":\d{1,5}\Z")
_SMALL = ("bytes", "ns", "ms", "s")
_LONGEST = 200
_NAMED = {
    "integer.max_value": 2.0**31 - 1,
    "long.max_value": 2.0**63 - 1,
    "integer.min_value": -(2.0**31),
}


def differ(option: Option, code: str, document: str) -> bool:
    """Tell whether a document surely states another default for an option than code does."""
    one, two = _cleaned(code), _cleaned(document)
    if one == two or one.lower() in _NONE or two.lower() in _NONE:
        return False
    if max(len(one), len(two)) > _LONGEST or any(
        "$" in text or "{" in text for text in (one, two)
    ):
        return False
    if _same_amount(one, two):
        return False
    match option.type:
        case OptionType.BOOLEAN:
            left, right = _TRUTH.get(one.lower()), _TRUTH.get(two.lower())
            return left is not None and right is not None and left is not right
        case OptionType.MODE:
            tokens = _TOKEN.match(one) is not None and _TOKEN.match(two) is not None
            return tokens and _label(one) != _label(two)
        case OptionType.CLASS:
            named = _CLASS.match(one) is not None and _CLASS.match(two) is not None
            return named and _simple(one) != _simple(two)
        case _ if option.type in NUMERIC:
            return _numbers_differ(option, one, two)
        case _:
            return option.type in _TEXTS and _texts_differ(one, two)


def _same_amount(one: str, two: str) -> bool:
    """Tell whether two texts, one of them with a unit, are the same size or duration: ``102400`` and ``100KiB``."""
    return (
        bool(_amounts(one) & _amounts(two)) if one[-1:].isalpha() or two[-1:].isalpha() else False
    )


def _amounts(text: str) -> set[tuple[str, float]]:
    """Return what a text may come to, by unit: a plain number stands for a number of any of them."""
    number = numbers.plain(text)
    found = {
        (unit, number if number is not None else numbers.in_unit(text, unit)) for unit in _SMALL
    }
    return {(unit, amount) for unit, amount in found if amount is not None}


def _numbers_differ(option: Option, one: str, two: str) -> bool:
    left, right = _number(one, option), _number(two, option)
    if left is None or right is None or not (math.isfinite(left) and math.isfinite(right)):
        return False
    if max(left, right) in LIMITLESS and min(left, right) == -1:
        return False  # neither sets a limit
    return not math.isclose(left, right, rel_tol=1e-6)


def _number(text: str, option: Option) -> float | None:
    named = _NAMED.get(text.lower())
    if named is not None:
        return named
    # "10d" is ten days before it is a double in Java's spelling.
    if option.type in (OptionType.TIME, OptionType.SIZE) and with_unit(text) is not None:
        return numbers.in_unit(text, option.unit)
    number = numbers.plain(text)
    if number is None:
        number = numbers.loosely(text)
    return number if number is not None else _computed(text)


def _computed(text: str) -> float | None:
    """Return a product of whole numbers, or one shifted to the left."""
    head, shift, places = text.partition("<<")
    result = 1.0
    for part in head.split("*"):
        match = _FACTOR.match(part.strip())
        if match is None:
            return None
        result *= int(match[1])
    if not shift:
        return result if "*" in text else None
    match = _FACTOR.match(places.strip())
    return result * 2.0 ** int(match[1]) if match is not None and int(match[1]) < 64 else None


def _texts_differ(one: str, two: str) -> bool:
    if _TOKEN.match(one) is None or _TOKEN.match(two) is None:
        return False
    if numbers.plain(one) is not None and numbers.plain(two) is not None:
        return numbers.plain(one) != numbers.plain(two)
    if _PORT.sub("", one) == _PORT.sub("", two) and bool(_PORT.search(one)) != bool(
        _PORT.search(two)
    ):
        return False  # the port may have a default of its own
    return _folded(one).rstrip("/") != _folded(two).rstrip("/")


def _cleaned(text: str) -> str:
    text = text.strip()
    for quote in ("`", '"', "'"):
        if len(text) > 1 and text[0] == quote == text[-1]:
            text = text[1:-1].strip()
    return text.rstrip(".;,") if not text.endswith("..") else text


def _folded(text: str) -> str:
    return re.sub(r"[-_]", "", text).lower()


def _label(text: str) -> str:
    """Return what tells one of a set of values from others: a constant ``HH_MM_SS`` stands for ``HH:mm:ss``, and for a class of its name."""
    last = _simple(text) if _CLASS.match(text) else text
    return re.sub(r"[^a-z0-9]", "", last.lower()) or text


def _simple(name: str) -> str:
    return re.split(r"[.$]", name)[-1]
