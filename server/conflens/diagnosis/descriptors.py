"""JVM descriptors taken apart, and declared types as far as these can be compared with them.

Erasure keeps the last part of a name and the array dimensions: a declaration says no more without its imports.
"""

from __future__ import annotations

from typing import NamedTuple

from conflens.program.types import without_arguments

_PRIMITIVES = {
    "Z": "boolean",
    "B": "byte",
    "C": "char",
    "S": "short",
    "I": "int",
    "J": "long",
    "F": "float",
    "D": "double",
    "V": "void",
}


class Erased(NamedTuple):
    """A type of a descriptor: the keyword of a primitive or the binary name's last part, and array dimensions."""

    name: str
    dimensions: int


class Signature(NamedTuple):
    """A JVM descriptor taken apart."""

    params: tuple[Erased, ...]
    returns: Erased


def parse_descriptor(descriptor: str) -> Signature | None:
    """Take a JVM descriptor (JVMS 4.3.3) apart; ``None`` if it is none."""
    if not descriptor.startswith("("):
        return None
    found: list[Erased] = []
    dimensions = 0
    at, end = 1, len(descriptor)
    closed = -1
    while at < end:
        char = descriptor[at]
        if char == "[":
            dimensions += 1
        elif char == ")" and closed < 0 and not dimensions:
            closed = len(found)
        elif char == "L":
            stop = descriptor.find(";", at)
            if stop < 0:
                return None
            name = descriptor[at + 1 : stop].replace(".", "/").rpartition("/")[2]
            found.append(Erased(name, dimensions))
            dimensions, at = 0, stop
        elif char in _PRIMITIVES:
            found.append(Erased(_PRIMITIVES[char], dimensions))
            dimensions = 0
        else:
            return None
        at += 1
    if closed < 0 or len(found) != closed + 1 or dimensions:
        return None
    return Signature(tuple(found[:-1]), found[-1])


def same(declared: Erased, wanted: Erased) -> bool:
    """Tell whether a declared type is the one of a descriptor: ``Entry`` is ``Map$Entry`` and ``A$1Entry``."""
    if declared.dimensions != wanted.dimensions:
        return False
    name, binary = declared.name, wanted.name
    if name == binary:
        return True
    if not binary.endswith(name):
        return False
    head, dollar, number = binary[: len(binary) - len(name)].rpartition("$")
    return bool(head and dollar) and (not number or number.isdigit())


def is_reference(erased: Erased) -> bool:
    """Tell whether a type is a class, an interface or an array."""
    return bool(erased.dimensions) or erased.name not in _PRIMITIVES.values()


def outline(text: str) -> tuple[str, int]:
    """Return the name of a type text without its type arguments, and its array dimensions."""
    dimensions = 0
    while text.endswith("[]"):
        text = text[:-2]
        dimensions += 1
    return without_arguments(text).partition("&")[0], dimensions
