"""A type of one file as generators see it: its fields with their annotations, what it declares already, how its accessors are called.

Absent: what is made of it (``accessors``, ``builders``, ``implementations``).
"""

from __future__ import annotations

from functools import cached_property

import attrs

from conflens.facts.codec import encode_body
from conflens.facts.ir import Body
from conflens.facts.model import FileFacts, Member, Modifier, Param, TypeDecl
from conflens.models.generators import Implied
from conflens.program.implied.notes import Note, Notes
from conflens.program.implied.styles import Style
from conflens.program.implied.writing import Spot

MOST_PARAMETERS = 255
"""Parameters that a method can have (JVMS 4.3.3); a class with more fields has no constructor for them."""

_EMPTY = encode_body(Body((), ()))
_ACCESS = {
    "PUBLIC": Modifier.PUBLIC,
    "PROTECTED": Modifier.PROTECTED,
    "PRIVATE": Modifier.PRIVATE,
}


def access(note: Note | None) -> int:
    """Return the modifiers of what an annotation makes."""
    stated = note.text("access") if note is not None else ""
    return int(_ACCESS.get(stated, Modifier.NONE)) if stated else int(Modifier.PUBLIC)


def making(notes: tuple[Note, ...], what: Implied) -> Note | None:
    """Return the annotation that makes or marks something; of several the one that can say that nothing is made."""
    found = [note for note in notes if what in note.row.makes]
    return max(found, key=lambda note: bool(note.row.absent), default=None)


def capital(name: str) -> str:
    """Return a name with its first letter in upper case."""
    return name[:1].upper() + name[1:]


@attrs.frozen(eq=False)
class Held:
    """A field or component, or a parameter that a builder is made for."""

    name: str
    type: str
    spot: Spot
    modifiers: int = 0
    notes: tuple[Note, ...] = ()
    initialised: bool = False

    @property
    def is_static(self) -> bool:
        """Whether it belongs to the class."""
        return bool(self.modifiers & Modifier.STATIC)


class Shape:
    """One type."""

    def __init__(
        self, facts: FileFacts, number: int, own: list[int], notes: Notes, outer: Style
    ) -> None:
        """Look at type ``number`` of a file, whose members are numbered ``own``; ``outer`` is the style around it."""
        self.facts = facts
        self.number = number
        self.decl: TypeDecl = facts.types[number]
        self.own = own
        self.names = notes
        self.notes = notes.of(self.decl.annotations)
        self.style = self._styled(self.notes, outer)

    @staticmethod
    def _styled(notes: tuple[Note, ...], outer: Style) -> Style:
        note = making(notes, "style")
        return outer if note is None else note.style().over(outer)

    def style_of(self, field: Held) -> Style:
        """Return the style of a field's accessors."""
        return self._styled(field.notes, self.style)

    @property
    def members(self) -> list[Member]:
        """The members that the source shows."""
        return [self.facts.members[number] for number in self.own]

    @cached_property
    def spot(self) -> Spot:
        """Where the type's name stands."""
        return Spot(self.decl.name_at, self.decl.name)

    @cached_property
    def fields(self) -> list[Held]:
        """The fields and components, in order."""
        found = []
        final = any(
            "final" in note.row.makes and note.truth("final") is not False
            for note in self.notes
            if "final" not in note.row.elements or note.truth("final")
        )
        for number in self.own:
            member = self.facts.members[number]
            if member.kind not in ("field", "component") or member.name.startswith("$"):
                continue
            notes = self.names.of(member.annotations)
            modifiers = member.modifiers
            if final and not modifiers & Modifier.STATIC and making(notes, "open") is None:
                modifiers |= Modifier.FINAL
            found.append(
                Held(
                    member.name,
                    member.type,
                    Spot(member.name_at, member.name),
                    modifiers,
                    notes,
                    self.facts.bodies[number] != _EMPTY,
                )
            )
        return found

    @cached_property
    def assigned(self) -> list[Held]:
        """The fields that a constructor for all of them assigns."""
        return [
            field
            for field in self.fields
            if not field.is_static
            and not (
                field.initialised
                and field.modifiers & Modifier.FINAL
                and making(field.notes, "initial") is None
            )
        ]

    @property
    def required(self) -> list[Held]:
        """The fields that must be assigned."""
        return [
            field
            for field in self.assigned
            if not field.initialised
            and (field.modifiers & Modifier.FINAL or making(field.notes, "required") is not None)
        ]

    @cached_property
    def _declared(self) -> set[tuple[str, int]]:
        return {
            (member.name.lower(), len(member.params))
            for member in self.members
            if member.kind == "method"
        }

    def declares(self, name: str, count: int) -> bool:
        """Tell whether the source shows a method of a name, in any case, with some number of parameters."""
        return (name.lower(), count) in self._declared

    def claim(self, name: str, count: int) -> bool:
        """Tell whether a method can still be made, and note that it is."""
        if not name or self.declares(name, count):
            return False
        self._declared.add((name.lower(), count))
        return True

    @cached_property
    def constructors(self) -> list[tuple[Param, ...]]:
        """The parameters of the constructors that the source shows."""
        return [member.params for member in self.members if member.kind == "constructor"]

    def constructs(self, fields: list[Held]) -> bool:
        """Tell whether the source shows a constructor with parameters of these types."""
        types = [field.type for field in fields]
        return any([param.type for param in params] == types for params in self.constructors)
