"""The types of arguments: short checks on words, numbers and lists, each with a message in one line.

Only the standard library is imported here.
"""

from __future__ import annotations

import argparse

from conflens.cli.errors import FAIL_ON

DEPENDENCIES = ("direct", "branch", "loop")
KINDS = ("cpu", "wall", "allocation", "lock", "wait", "sleep", "io")
FAILURES = ("likely", "violation", "accused")
"""``accused`` is what ``likely`` was called before; scripts may still say so."""


def whole(text: str) -> int:
    """Return a whole number, 0 or more."""
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)


def positive(text: str) -> int:
    """Return a whole number, 1 or more."""
    number = whole(text)
    if number == 0:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def size(text: str) -> float:
    """Return a size such as ``2g`` in bytes."""
    digits = text.strip().lower().removesuffix("b")
    powers = {"k": 10, "m": 20, "g": 30, "t": 40}
    power = powers.get(digits[-1:], 0)
    if power:
        digits = digits[:-1]
    if len(digits) > 15:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size")
    number = whole(digits)
    if number == 0:
        raise argparse.ArgumentTypeError("must be more than 0")
    return float(number << power)


def findings(text: str) -> frozenset[str]:
    """Return what ends with exit code 1; ``any`` is all of it."""
    named = {item.strip() for item in text.split(",") if item.strip()}
    unknown = named - {*FAIL_ON, "any"}
    if unknown or not named:
        wrong = ", ".join(sorted(unknown)) or "nothing"
        raise argparse.ArgumentTypeError(f"{wrong} is not one of {', '.join(FAIL_ON)}, any")
    return frozenset(FAIL_ON) if "any" in named else frozenset(named)


def words(text: str) -> frozenset[str]:
    """Return the words of a list with commas; at least one."""
    named = frozenset(item.strip() for item in text.split(",") if item.strip())
    if not named:
        raise argparse.ArgumentTypeError("the list is empty")
    return named


def dependencies(text: str) -> frozenset[str]:
    """Return a list of dependencies."""
    return _among(text, DEPENDENCIES)


def failures(text: str) -> frozenset[str]:
    """Return a list of what ends a diagnosis with exit code 1."""
    return _among(text, FAILURES)


def kinds(text: str) -> tuple[str, ...]:
    """Return a list of kinds of events in the order given, each once."""
    _among(text, KINDS)
    return tuple(dict.fromkeys(item.strip() for item in text.split(",") if item.strip()))


def _among(text: str, known: tuple[str, ...]) -> frozenset[str]:
    named = words(text)
    unknown = sorted(named.difference(known))
    if unknown:
        wrong = ", ".join(unknown)
        raise argparse.ArgumentTypeError(f"{wrong} is not one of {', '.join(known)}")
    return named


def percent(text: str) -> float:
    """Return a percentage above 0 as a share."""
    try:
        number = float(text.removesuffix("%"))
    except ValueError:
        number = 0.0
    if not 0 < number <= 1000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a percentage above 0")
    return number / 100


def paths(text: str) -> int | None:
    """Return a number of paths; ``None`` for ``all``."""
    return None if text == "all" else positive(text)


def address(text: str) -> tuple[str, int]:
    """Return host and port; the host is this machine where there is none."""
    host, colon, port = text.rpartition(":")
    if not colon or not port.isascii() or not port.isdigit() or int(port) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not HOST:PORT")
    return host.removeprefix("[").removesuffix("]") or "127.0.0.1", int(port)
