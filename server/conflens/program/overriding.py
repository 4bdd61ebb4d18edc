"""Whether a method may override another, by the erasures of their parameters (JLS 8.4.2, 8.4.8.1), and whether a class inherits a
member class (8.5).

Types are compared by their simple names, since sources write them qualified or not; a type variable fits any type but a primitive one.
Absent: who is above whom (``program``).
"""

from __future__ import annotations

from collections.abc import Container, Mapping

from conflens.facts.model import FileFacts, Member, Modifier, TypeDecl
from conflens.program.refs import TypeInfo
from conflens.program.types import PRIMITIVES, without_arguments


def may_override(below: Member, above: Member, owners: tuple[TypeDecl, ...]) -> bool:
    """Tell whether a method overrides another of its name in a supertype; ``owners`` declare them."""
    if len(below.params) != len(above.params):
        return False
    variables = {param.name for owner in owners for param in owner.type_params}
    variables.update(param.name for member in (below, above) for param in member.type_params)
    return all(
        _may_be(one.type, other.type, variables)
        for one, other in zip(below.params, above.params, strict=True)
    )


def is_inherited(
    inner: TypeInfo, heir: str, types: Mapping[str, TypeInfo], files: Mapping[str, FileFacts]
) -> bool:
    """Tell whether a class inherits a class that one above it declares."""
    holder, own = types.get(inner.outer), types.get(heir)
    if holder is None or own is None or holder.decl.kind in ("interface", "annotation"):
        return True
    modifiers = inner.decl.modifiers
    if modifiers & (Modifier.PUBLIC | Modifier.PROTECTED):
        return True
    return not modifiers & Modifier.PRIVATE and (
        files[own.path].package == files[inner.path].package
    )


def _may_be(one: str, other: str, variables: Container[str]) -> bool:
    if one == other:
        return True
    first, second = _erased(one), _erased(other)
    if first == second:
        return True
    return any(
        text.rstrip("[]") in variables and whole not in PRIMITIVES
        for text, whole in ((first, second), (second, first))
    )


def _erased(text: str) -> str:
    """Return the simple name of a type without type arguments, with its array brackets."""
    return without_arguments(text).rpartition(".")[2]
