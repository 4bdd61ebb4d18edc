"""How well an argument fits a parameter, as far as their types are known.

Absent: which overload is meant (``expressions``).
"""

from __future__ import annotations

from conflens.program.program import Program
from conflens.program.types import OBJECT, JavaType, promoted, unboxed


def fit(program: Program, given: JavaType, wanted: JavaType) -> int:
    """Return how well a value of one type fits a parameter of another; below zero: not at all."""
    if given.name == wanted.name:
        return 4
    if unboxed(given) and unboxed(wanted):
        return (
            3
            if unboxed(given) == unboxed(wanted)
            else (1 if promoted(given, wanted) == wanted else -6)
        )
    if program.is_subtype(given.name, wanted.name):
        return 2
    if wanted == OBJECT or len(wanted.name) <= 2:
        return 1
    if given.name == OBJECT.name or not program.known(given.name):
        return 0
    if not program.known(wanted.name):
        return 0
    return -6
