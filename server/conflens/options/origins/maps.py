"""What the type of a map says about what it holds."""

from __future__ import annotations

from conflens.program.types import JavaType

_TEXT = "java.lang.String"
_NUMBERS = frozenset({"java.lang.Integer", "java.lang.Long", "java.lang.Double"})

_RAW = frozenset({"java.util.Map", "java.util.HashMap", "java.util.LinkedHashMap"})
"""Types of maps that may hold anything if they are written without type arguments."""


def is_nested(type_: JavaType | None) -> bool:
    """Tell whether a map of this type can hold maps and lists, as a parsed document does."""
    if type_ is None:
        return False
    if not type_.args:
        return type_.name in _RAW
    return len(type_.args) == 2 and type_.args[1].name != _TEXT


def is_of_numbers(type_: JavaType | None) -> bool:
    """Tell whether a map gives each of its keys a number."""
    return type_ is not None and len(type_.args) == 2 and type_.args[1].name in _NUMBERS
