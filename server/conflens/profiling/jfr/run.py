"""The configuration of a run, as a recording tells it, and the texts that a recording writes durations in.

Purpose: command lines to named values, and periods, thresholds and durations to nanoseconds.

Absent: what is a secret (``redaction``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from conflens.profiling.model import Origin, RunValue

_NANOSECONDS = {
    "ns": 1,
    "us": 1_000,
    "μs": 1_000,
    "µs": 1_000,
    "ms": 1_000_000,
    "s": 1_000_000_000,
    "m": 60_000_000_000,
    "h": 3_600_000_000_000,
    "d": 86_400_000_000_000,
}
_AMOUNT = re.compile(r"\s*(\d{1,18})(?:\.(\d{1,9}))?\s*([a-zμµ]{0,2})\s*")
_ISO = re.compile(
    r"(-)?P(?:(-?\d{1,12})D)?(?:T(?:(-?\d{1,15})H)?(?:(-?\d{1,17})M)?(?:(-?\d{1,18})(?:\.(\d{1,9})\d*)?S)?)?"
)
_LONGEST = (1 << 62) - 1
_VALUED = re.compile(
    r"-X(?:m[nsx]|ss|maxjitcodesize)(?=\d)|-Xlog:|-Xbootclasspath[^:]*:|-agent\w+:|-javaagent:"
)


def nanoseconds(text: str) -> int:
    """Return a setting such as ``20 ms`` in nanoseconds; a plain number is nanoseconds; 0 for what is no duration."""
    match = _AMOUNT.fullmatch(text[:64])
    if match is None:
        return 0
    unit = _NANOSECONDS.get(match[3] or "ns", 0)
    part = (match[2] or "").ljust(9, "0")
    return min(int(match[1]) * unit + int(part or "0") * unit // 1_000_000_000, _LONGEST)


def iso_nanoseconds(text: str) -> int:
    """Return an ISO-8601 duration (``PT1M0.021326088S``) in nanoseconds; 0 for what is none or is negative."""
    match = _ISO.fullmatch(text[:128])
    if match is None or match[1]:
        return 0
    days, hours, minutes, seconds = (int(part or "0") for part in match.groups()[1:5])
    whole = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
    found = whole * 1_000_000_000 + int((match[6] or "").ljust(9, "0"))
    return max(0, min(found, _LONGEST))


def words(line: str) -> list[str]:
    """Return the words of a command line; quotes keep spaces, a quote without its pair is a character."""
    found: list[str] = []
    word: list[str] = []
    begun = False
    index = 0
    while index < len(line):
        char = line[index]
        if char in "\"'" and (end := line.find(char, index + 1)) > 0:
            word.append(line[index + 1 : end])
            begun = True
            index = end + 1
            continue
        if char.isspace():
            if begun:
                found.append("".join(word))
                word, begun = [], False
        else:
            word.append(char)
            begun = True
        index += 1
    if begun:
        found.append("".join(word))
    return found


def jvm_arguments(line: str) -> Iterator[RunValue]:
    """Yield the arguments of a virtual machine: ``-Dname=value``, ``-XX:+Flag`` as ``-XX:Flag`` and ``true``,
    ``-Xmx4g`` as ``-Xmx`` and ``4g``.

    A recording does not quote, and every argument begins with a dash: what does not belongs to the value before it.
    """
    found: list[str] = []
    for word in words(line):
        if found and not word.startswith(("-", "@")):
            found[-1] += f" {word}"
        else:
            found.append(word)
    for word in found:
        name, *rest = re.split("[= ]", word, maxsplit=1)
        value = "".join(rest)
        if word.startswith(("-XX:+", "-XX:-")):
            name, value = f"-XX:{word[5:]}", "true" if word[4] == "+" else "false"
        elif match := _VALUED.match(word):
            name, value = match.group().rstrip(":"), word[match.end() :]
        yield RunValue(Origin.JVM_ARGUMENT, name, value)


def program_arguments(line: str) -> Iterator[RunValue]:
    """Yield the arguments of a program: ``--name=value``, ``--name value`` and, by its place, what has no name.

    ``#0`` is the main class or archive.  A name without a value of its own has the next word, since nothing in
    the line says whether it takes one.
    """
    found = words(line)
    index = 0
    while index < len(found):
        word = found[index]
        place = index
        index += 1
        if not word.startswith("-") or len(word) < 2 or word[1].isdigit():
            yield RunValue(Origin.ARGUMENT, f"#{place}", word)
            continue
        name, equals, value = word.partition("=")
        if not equals and index < len(found) and not found[index].startswith("-"):
            value = found[index]
            index += 1
        yield RunValue(Origin.ARGUMENT, name, value)
