"""Tables of a program that follow from declarations alone.

Absent: what fills them (``program``).
"""

from __future__ import annotations

from collections.abc import Callable

from conflens.facts.model import FileFacts, Member
from conflens.program.imports import Imported, imported
from conflens.program.refs import MemberRef
from conflens.program.types import JavaType


class Memo:
    """What follows from surfaces alone; shared between programs that agree on all surfaces."""

    __slots__ = (
        "fields",
        "imports",
        "methods",
        "names",
        "overriders",
        "subtypes",
        "supers",
        "texts",
        "up",
        "values",
    )

    def __init__(self) -> None:
        self.supers: dict[str, tuple[JavaType, ...]] = {}
        self.up: dict[str, tuple[str, ...]] = {}
        self.subtypes: dict[str, tuple[str, ...]] | None = None
        self.fields: dict[str, dict[str, MemberRef]] = {}
        self.methods: dict[str, dict[str, tuple[MemberRef, ...]]] = {}
        self.names: dict[tuple[str, str, str], JavaType | None] = {}
        self.texts: dict[tuple[str, str, str], JavaType] = {}
        self.imports: dict[str, Imported] = {}
        self.overriders: dict[MemberRef, list[MemberRef]] = {}
        self.values: dict[object, object] = {}
        """What analyses above remember; it must follow from surfaces alone."""

    def imported(self, path: str, facts: FileFacts) -> Imported:
        """Return what a file imports."""
        found = self.imports.get(path)
        return found or self.imports.setdefault(path, imported(facts.imports))

    def without(
        self, names: frozenset[str], types: frozenset[str], member: Callable[[MemberRef], Member]
    ) -> Memo:
        """Return what stays when members called ``names`` are declared otherwise, in ``types``.

        What types mean does not depend on members, so these tables go on to be shared.
        """
        other = Memo()
        other.supers, other.up, other.subtypes = self.supers, self.up, self.subtypes
        other.names, other.texts, other.imports = self.names, self.texts, self.imports
        other.fields = {name: found for name, found in self.fields.items() if name not in types}
        other.methods = {name: found for name, found in self.methods.items() if name not in types}
        other.overriders = {
            ref: found for ref, found in self.overriders.items() if member(ref).name not in names
        }
        return other
