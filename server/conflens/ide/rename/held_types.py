"""What types say of their values: whether these may hold an object of a class, or lead to one.

Terms
    holder   see ``holders``.
    clean    a type whose values hold no holder.
    opaque   a type of the project that takes a holder as a type argument: its variables are not followed.
"""

from __future__ import annotations

from conflens.facts.model import Modifier
from conflens.ide.rename.holders import names_in
from conflens.program.types import ARRAY, BOXES, OBJECT, PRIMITIVES, STRING, JavaType
from conflens.session.analysis import Analysis

CLASS = "java.lang.Class"
REFLECTION = ("java.lang.reflect.", "java.lang.invoke.")
_WITHOUT_NAMES = ("java.lang.", "java.util.")
"""What is given to these is not read by name; reflection begins at a class or a field."""
_COLLECTIONS = ("java.util.Map", "java.util.Collection")


class HeldTypes:
    """Answers for one class, whose holders are ``names``."""

    def __init__(self, analysis: Analysis, owner: str, names: frozenset[str]) -> None:
        self.program = analysis.program
        self.names = names
        self._above = {
            above
            for name in names
            for above in (*self.program.supertypes(name), OBJECT.name)
            if self.program.type(above) is None
        }
        self._clean: dict[JavaType, bool] = {}
        self._holding: dict[JavaType, bool] = {}
        self.libraries = tuple(
            f"{one}." for row in analysis.recognised.rows for one in row.libraries
        )
        self.loggers = analysis.loggers
        self.text_has_names = self._has_text_with_names(owner)

    def _has_text_with_names(self, owner: str) -> bool:
        """Whether a ``toString`` that nobody wrote may say the names of members: of a record, or where an annotation is of neither
        the binder's framework nor Java."""
        program = self.program
        info = program.type(owner)
        assert info is not None
        written = program.own_methods(owner).get("toString", ())
        if any(not program.member(ref).modifiers & Modifier.IMPLIED for ref in written):
            return False
        known = (*self.libraries, *_WITHOUT_NAMES)
        return info.decl.kind == "record" or any(
            found is None or not found.name.startswith(known)
            for note in info.decl.annotations
            for found in (program.resolve_name(note.name, info.path, owner),)
        )

    def holds(self, type_: JavaType | None) -> bool:
        """Tell whether a type names a holder."""
        if type_ is None:
            return False
        found = self._holding.get(type_)
        if found is None:
            found = self._holding[type_] = not self.names.isdisjoint(names_in(type_))
        return found

    def is_opaque(self, type_: JavaType) -> bool:
        """Tell whether a type is of the project and takes a holder as a type argument, whose variables are not followed."""
        return (
            type_.name not in self.names
            and self.program.type(type_.name) is not None
            and self.holds(type_)
        ) or any(map(self.is_opaque, type_.args))

    def is_clean(self, type_: JavaType | None) -> bool:
        """Tell whether no value of a type holds a holder."""
        if type_ is None:
            return False
        found = self._clean.get(type_)
        if found is None:
            self._clean[type_] = False  # a type within itself
            found = self._clean[type_] = self._is_clean(type_)
        return found

    def _is_clean(self, type_: JavaType) -> bool:
        name, program = type_.name, self.program
        if is_plain(type_):
            return True
        if name == ARRAY:
            return self.is_clean(type_.args[0])
        if name in self.names or name in self._above or name == CLASS:
            return False
        own = program.type(name)
        jdk = program.jdk_type(name) if own is None else None
        params = own.decl.type_params if own is not None else jdk.params if jdk is not None else ()
        if (own is None and jdk is None) or len(params) != len(type_.args):
            return False
        within = [one for base in _COLLECTIONS for one in program.bindings(type_, base).values()]
        return all(map(self.is_clean, (*type_.args, *within)))


def is_plain(type_: JavaType) -> bool:
    """Tell whether a type is a primitive, a box or a text."""
    return type_ == STRING or type_.name in PRIMITIVES or type_.name in BOXES


def is_without_names(type_: str) -> bool:
    """Tell whether methods of a type read no members by their names."""
    return type_.startswith(_WITHOUT_NAMES) and not type_.startswith(REFLECTION)
