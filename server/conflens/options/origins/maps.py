"""What the type of a map says about what it holds."""

from __future__ import annotations

from conflens.program.types import JavaType

_TEXT = "java.lang.String"


def is_nested(type_: JavaType | None) -> bool:
    """Tell whether a map of this type can hold maps and lists, as a parsed document does."""
    return type_ is not None and len(type_.args) == 2 and type_.args[1].name != _TEXT
