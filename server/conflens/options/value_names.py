"""What a name says of a value: units and, weakly, types.

A name is split into lower-case words at ``.``, ``-``, ``_`` and at humps.  Units come last
(``timeout.ms``, ``cacheSizeInMb``, ``delayMillis``).  Names are weak evidence: they may refine
what code says, never contradict it.
"""

from __future__ import annotations

import re
from functools import lru_cache

import attrs

from conflens.options.model import OptionType

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")

_TIMES = {
    "ns": "ns",
    "nanos": "ns",
    "nanoseconds": "ns",
    "us": "us",
    "micros": "us",
    "microseconds": "us",
    "ms": "ms",
    "msec": "ms",
    "msecs": "ms",
    "millis": "ms",
    "millisec": "ms",
    "millisecs": "ms",
    "milliseconds": "ms",
    "millisecond": "ms",
    "sec": "s",
    "secs": "s",
    "seconds": "s",
    "mins": "min",
    "minutes": "min",
    "hours": "h",
    "hrs": "h",
    "days": "d",
}
_SIZES = {
    "bytes": "bytes",
    "byte": "bytes",
    "kb": "KB",
    "kib": "KB",
    "kilobytes": "KB",
    "mb": "MB",
    "mib": "MB",
    "megabytes": "MB",
    "gb": "GB",
    "gib": "GB",
    "gigabytes": "GB",
}
_DURATIONS = frozenset(
    {
        "timeout",
        "timeouts",
        "interval",
        "delay",
        "period",
        "ttl",
        "expiry",
        "expiration",
        "linger",
        "backoff",
        "keepalive",
        "time",
        "duration",
        "pause",
        "wait",
        "age",
        "lifetime",
    }
)
_COUNTS = frozenset(
    {
        "count",
        "max",
        "num",
        "number",
        "limit",
        "retries",
        "attempts",
        "threads",
        "entries",
        "ticks",
    }
)
_COUNTED = frozenset(
    {"count", "counts", "retries", "attempts", "threads", "entries", "connections", "requests"}
)
_BOUNDS = frozenset(
    {"floor", "ceiling", "min", "minimum", "max", "maximum", "limit", "default", "initial"}
)
"""Words behind a unit that say which of several values is meant: ``timeoutMs.floor``."""
_FACTORS = frozenset({"multiple", "multiplier", "factor"})
_PER = frozenset({"s", "sec", "second", "seconds"})
_SECRETS = frozenset({"password", "passwd", "passphrase", "secret", "pwd"})
_TEXTS = {
    "file": OptionType.FILE,
    "filename": OptionType.FILE,
    "dir": OptionType.FILE,
    "directory": OptionType.FILE,
    "folder": OptionType.FILE,
    "home": OptionType.FILE,
    "path": OptionType.FILE,
    "endpoint": OptionType.URI,
    "url": OptionType.URI,
    "uri": OptionType.URI,
    "host": OptionType.ADDRESS,
    "hostname": OptionType.ADDRESS,
    "address": OptionType.ADDRESS,
    "ip": OptionType.ADDRESS,
    "keystore": OptionType.FILE,
    "truststore": OptionType.FILE,
    "class": OptionType.CLASS,
    "classname": OptionType.CLASS,
    "regex": OptionType.REGEX,
    "regexp": OptionType.REGEX,
    "mode": OptionType.MODE,
    "strategy": OptionType.MODE,
}
_REQUESTED = frozenset(
    [
        "api",
        "base",
        "class",
        "context",
        "health",
        "http",
        "json",
        "metrics",
        "request",
        "root",
        "rpc",
        "search",
        "servlet",
        "uri",
        "url",
        "web",
        "websocket",
        "xml",
        "zk",
        "znode",
        "zookeeper",
    ]
)
"""Words before ``path`` that say that it is none in the file system."""

_PAIRS = {
    ("key", "store"): OptionType.FILE,
    ("trust", "store"): OptionType.FILE,
    ("bootstrap", "servers"): OptionType.ADDRESS,
    ("secret", "key"): OptionType.PASSWORD,
}
"""Texts by their last two words."""

_TYPES = {
    OptionType.BOOLEAN: "boolean bool",
    OptionType.INTEGER: "integer int long short count number numeric",
    OptionType.FRACTION: "fraction double float decimal percentage percent ratio",
    OptionType.TIME: "duration time timespan interval",
    OptionType.SIZE: "bytes memory size",
    OptionType.PORT: "port",
    OptionType.FILE: "path file directory",
    OptionType.CLASS: "class classname",
    OptionType.LIST: "list array classlist",
    OptionType.URI: "uri url",
    OptionType.REGEX: "regex pattern",
    OptionType.PASSWORD: "password",
    OptionType.STRING: "string text json",
}
"""How projects call the types of their options."""

_CLASSES = frozenset({OptionType.TIME, OptionType.SIZE, OptionType.PASSWORD, OptionType.URI})
"""Types that the name of a class tells by its last word."""

_TYPE_NAMES = {word: type_ for type_, names in _TYPES.items() for word in names.split()}


_BESIDE_TYPES = frozenset(
    {
        "validator",
        "validators",
        "check",
        "checker",
        "constraint",
        "exists",
        "bounds",
        "range",
        "type",
        "value",
    }
)
"""Words behind the one that names a type."""
_VAGUE_TYPES = frozenset(
    {"count", "memory", "number", "numeric", "path", "pattern", "string", "text", "json"}
)
"""What says little of a text that is checked or asked for."""


@attrs.frozen
class NameSays:
    """What a name says: of a number, its ``number`` type and unit; of a text, its ``text`` type.

    ``exact`` means that the name states the unit itself, not only a word such as ``timeout``.
    """

    number: OptionType | None = None
    unit: str = ""
    exact: bool = False
    text: OptionType | None = None
    word: str = ""


NOTHING = NameSays()


def words(name: str) -> list[str]:
    """Return the words of a name in lower case."""
    return [word.lower() for word in _WORD.findall(name)]


def type_named(text: str) -> OptionType | None:
    """Return the type that a project's own name of a type means: ``COUNT``, ``TimeDuration``, ``hostlist``."""
    lower = text.lower()
    if not lower.isalpha():
        return None
    endings = (word for word in _TYPE_NAMES if len(word) >= 4 and lower.endswith(word))
    return _TYPE_NAMES.get(
        max((lower, *endings), key=lambda word: (word in _TYPE_NAMES, len(word)))
    )


def type_said(name: str) -> OptionType | None:
    """Return the type that the name of what checks or gives a value says: ``POSITIVE_INTEGER_VALIDATOR``, ``asTimePeriod``."""
    parts = words(name)
    while parts and parts[-1] in _BESIDE_TYPES:
        parts.pop()
    if not parts:
        return None
    if parts[-1] in _SECRETS:
        return OptionType.PASSWORD
    if parts[-2:] == ["regular", "expression"]:
        return OptionType.REGEX
    if parts[-1] in _DURATIONS and parts[-1] != "age":
        return OptionType.TIME
    return _TYPE_NAMES.get(parts[-1]) if parts[-1] not in _VAGUE_TYPES else None


def class_named(simple: str) -> OptionType | None:
    """Return the type that the name of a class of values means: ``HumanReadableBytes``, ``PasswordProvider``."""
    parts = words(simple)
    if parts and parts[0] in _SECRETS:
        return OptionType.PASSWORD
    named = type_named(parts[-1]) if len(parts) > 1 else None
    return named if named in _CLASSES else None


def is_factor(name: str) -> bool:
    """Tell whether a value is called what other values are multiplied by: it has no unit, whatever they have."""
    parts = words(name)
    return bool(parts) and parts[-1] in _FACTORS


@lru_cache(maxsize=4096)
def says(name: str) -> NameSays:
    """Return what a name says of its value."""
    parts = words(name)
    if not parts:
        return NOTHING
    last = parts[-1]
    for number, part in enumerate(parts[1:-1], 1):
        if part == "per" and parts[number + 1] in _PER:
            size = _SIZES.get(parts[number - 1])
            return NameSays(OptionType.SIZE, f"{size}/s", True, None, part) if size else NOTHING
    if len(parts) > 1 and parts[-2] == "per":
        return next(
            (
                NameSays(OptionType.SIZE, _SIZES[part], True, None, part)
                for part in reversed(parts[:-2])
                if part in _SIZES
            ),
            NOTHING,
        )
    if last in _TIMES:
        return NameSays(OptionType.TIME, _TIMES[last], True, None, last)
    if last in _SIZES:
        return NameSays(OptionType.SIZE, _SIZES[last], True, None, last)
    if len(parts) > 2 and last in _BOUNDS and parts[-2] in _TIMES:
        return NameSays(OptionType.TIME, _TIMES[parts[-2]], True, None, parts[-2])
    if len(parts) > 2 and parts[-3:-1] and parts[-2] in _SIZES and parts[-3] in ("in", "size"):
        return NameSays(OptionType.SIZE, _SIZES[parts[-2]], True, None, parts[-2])
    for number, part in enumerate(parts[:-1]):
        if part == "in" and parts[number + 1] in _SIZES:
            return NameSays(OptionType.SIZE, _SIZES[parts[number + 1]], True, None, part)
        if part == "in" and parts[number + 1] in _TIMES:
            return NameSays(OptionType.TIME, _TIMES[parts[number + 1]], True, None, part)
    if last == "port" or (len(parts) > 1 and parts[-2] == "port" and last in ("ssl", "number")):
        return NameSays(OptionType.PORT, "", True, None, "port")
    if parts[-2:-1] == ["for"] and {"limit", *_COUNTED}.intersection(parts[-3:-2]):
        return NOTHING  # so many in each period
    if last in _DURATIONS and not _COUNTS.intersection(parts[-2:]):
        return NameSays(OptionType.TIME, "", False, None, last)
    if last in _COUNTED:
        return NameSays(OptionType.INTEGER, "count", False, None, last)
    if last in _SECRETS:
        return NameSays(text=OptionType.PASSWORD, word=last)
    pair = _PAIRS.get((parts[-2], last)) if len(parts) > 1 else None
    if pair is not None:
        return NameSays(text=pair, word=last)
    if last == "path" and not _REQUESTED.isdisjoint(parts[-2:-1]):
        return NOTHING
    if last in _TEXTS:
        return NameSays(text=_TEXTS[last], word=last)
    return NOTHING
