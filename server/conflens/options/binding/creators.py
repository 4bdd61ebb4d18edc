"""The properties of a class that are the parameters of what makes its objects.

Absent: properties that have accessors or are fields (``members``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

import attrs

from conflens.facts.ir import NONE
from conflens.facts.model import Annotation, Modifier
from conflens.models.load import Models
from conflens.options.annotation_elements import Stated, Use, fitting, last_name, stated, uses
from conflens.options.binding.held import holders
from conflens.options.binding.if_missing import Given, Missing, if_missing
from conflens.options.binding.properties import (
    Property,
    of_field,
    parameter_place,
    plain,
)
from conflens.options.member_types import simple
from conflens.options.value_texts import PRIMITIVE_DEFAULTS, default_value
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.types import JavaType
from conflens.program.values import Values

_Default: TypeAlias = "tuple[tuple[str, int, int] | None, bool]"


class Creators:
    """Lists the parameters of constructors and factories that are filled."""

    def __init__(self, models: Models, values: Values) -> None:
        """Look in the program of ``values``."""
        self.program: Program = values.program
        self.models = models
        self.values = values
        self._chosen: dict[str, MemberRef | None] = {}

    def properties(self, name: str, setters: bool, sole: bool) -> Iterator[Property]:
        """Yield the parameters of the constructors or factory of a class that are filled.

        One that an annotation chooses counts; else those all of whose parameters have names, and with ``sole`` the
        only constructor, if there are no ``setters``.
        """
        constructors = self.program.own_methods(name).get("<init>", ())
        chosen = self.chosen(name)
        if chosen is not None:
            constructors, setters, sole = (chosen,), False, True
        for ref in constructors:
            member = self.program.member(ref)
            private = member.modifiers & Modifier.PRIVATE and ref != chosen
            if not member.params or private:
                continue
            said = self._said(ref)
            named = all(item.named or item.ignored for item in said)
            if named or (sole and len(constructors) == 1 and not setters):
                yield from self._parameters(ref, said)
        return

    def _parameters(self, ref: MemberRef, said: list[Stated]) -> Iterator[Property]:
        member = self.program.member(ref)
        defaults = self.defaults(ref, said)
        fields = holders(self.values, ref) if member.kind == "constructor" else {}
        taken: set[MemberRef] = set()
        for slot, param in enumerate(member.params):
            if said[slot].ignored:
                continue
            implied = member.modifiers & Modifier.IMPLIED
            held = fields.get(slot)
            if held in taken:
                held = None
            elif held is not None:
                taken.add(held)
            if implied and held is not None:
                if plain(self.program, held):
                    yield of_field(self.models, self.values, held, self._declared(held))
                continue
            at, end = parameter_place(self.values, ref, slot)
            found = uses(param.annotations, ref.path, ref.owner)
            if held is not None:
                found = (*found, *self._uses(held))
            default, nobody = defaults[slot]
            yield Property(
                self.program.member(held).name if held is not None else param.name,
                self.program.resolve(param.type, ref.path, ref.owner),
                ref.path,
                at,
                end,
                member.at,
                member.end,
                f"{simple(ref.owner)}.{param.name}",
                held if held is not None else ref,
                default,
                found,
                nobody,
            )

    def _declared(self, held: MemberRef) -> tuple[Use, ...]:
        """Return the annotations of the methods of supertypes for which a generated class has a field."""
        name = self.program.member(held).name
        return tuple(
            use
            for type_ in self.program.supertypes(held.owner)
            for ref in self.program.own_methods(type_).get(name, ())
            if not self.program.member(ref).params
            for use in self._uses(ref)
        )

    def components(self, name: str) -> Iterator[Property]:
        """Yield the properties of a record: its components, or the parameters of what an annotation chooses."""
        fields = [
            ref
            for ref in self.program.own_fields(name).values()
            if self.program.member(ref).kind == "component"
        ]
        types = [self.program.member(ref).type for ref in fields]
        chosen = self.chosen(name)
        if chosen is not None and self._types(chosen) != types:
            yield from self._parameters(chosen, self._said(chosen))
            return
        written = [
            ref
            for ref in self.program.own_methods(name).get("<init>", ())
            if self._types(ref) == types
            and not self.program.member(ref).modifiers & Modifier.IMPLIED
        ]
        defaults: list[_Default] = []
        if written and fields:
            defaults = self.defaults(written[0], [self._stated(ref) for ref in fields])
        for slot, ref in enumerate(fields):
            item = of_field(self.models, self.values, ref, ())
            if defaults:
                default, nobody = defaults[slot]
            else:
                default = item.default or self._zero(ref, item.type, slot)
                nobody = item.default is None
            yield attrs.evolve(item, default=default, implied=nobody and default is not None)

    def _types(self, ref: MemberRef) -> list[str]:
        return [param.type for param in self.program.member(ref).params]

    def _said(self, ref: MemberRef) -> list[Stated]:
        params = self.program.member(ref).params
        return [self._stated(ref, param.annotations) for param in params]

    def _stated(self, ref: MemberRef, annotations: Iterable[Annotation] | None = None) -> Stated:
        if annotations is None:
            annotations = self.program.member(ref).annotations
        found = uses(annotations, ref.path, ref.owner)
        return stated(self.program, self.models, self.values, found)

    # -- what makes objects ----------------------------------------------------------------------

    def chosen(self, name: str) -> MemberRef | None:
        """Return the constructor or factory of a class that an annotation makes the one that is filled."""
        if name not in self._chosen:
            self._chosen[name] = self._find(name)
        return self._chosen[name]

    def _find(self, name: str) -> MemberRef | None:
        """Return what is given its values by their names, before what is given one as a whole: that is a short form beside it."""
        whole = None
        for refs in self.program.own_methods(name).values():
            for ref in refs:
                made = self.program.member(ref).kind == "constructor"
                mode = self._mode(ref) if made or self.program.is_static(ref) else ""
                if mode == "name":
                    return ref
                whole = whole or (ref if mode else None)
        return whole

    def _mode(self, ref: MemberRef) -> str:
        """Return how an annotation says that a constructor or factory is filled: by ``name``, with the ``whole``, or not at all."""
        for use in self._uses(ref):
            for row in fitting(self.program, self.models, use):
                if row.aspect == "constructor":
                    return "name"
                if row.aspect == "creator":
                    params = self.program.member(ref).params
                    mode = last_name(self.program, use, row.key)
                    said = self._said(ref)
                    named = len(params) != 1 or said[0].named or said[0].ignored
                    return "name" if (mode == row.fixed if mode else named) else "whole"
        return ""

    def is_whole(self, name: str) -> bool:
        """Tell whether an object is made of one value as a whole, so that it has no members in a file."""
        chosen = self.chosen(name)
        return chosen is not None and self._mode(chosen) == "whole"

    def is_named(self, name: str) -> bool:
        """Tell whether something that makes objects of a class gives names to all that it takes."""
        chosen = self.chosen(name)
        if chosen is not None:
            return self._mode(chosen) == "name"
        for ref in self.program.own_methods(name).get("<init>", ()):
            said = self._said(ref)
            if said and all(item.named for item in said):
                return True
        return False

    # -- defaults --------------------------------------------------------------------------------

    def defaults(self, ref: MemberRef, said: list[Stated]) -> list[_Default]:
        """Return, for each parameter, its default with its place, and whether nobody wrote it."""
        member = self.program.member(ref)
        if member.kind != "constructor" or member.modifiers & Modifier.IMPLIED:
            return [(None, False) for _ in member.params]
        found: list[_Default] = []
        for slot, held in enumerate(if_missing(self.models, self.values, ref)):
            default, nobody = None, False
            if isinstance(held, Given):
                default = default_value(self.models, self.values, held.context, held.value)
                if default is not None and held.context.ref.path != ref.path:
                    default = (default[0], NONE, NONE)
            elif isinstance(held, Missing):
                type_ = self.program.resolve(member.params[slot].type, ref.path, ref.owner)
                default = self._zero(ref, type_, slot)
                nobody = default is not None
            found.append((default, nobody))
        return found

    def _zero(self, ref: MemberRef, type_: JavaType, slot: int) -> tuple[str, int, int] | None:
        """Return what a primitive is that nothing gives a value, at its name."""
        text = PRIMITIVE_DEFAULTS.get(type_.name)
        if text is None:
            return None
        member = self.program.member(ref)
        if member.kind == "constructor":
            return text, *parameter_place(self.values, ref, slot)
        return text, member.name_at, member.name_end

    def _uses(self, ref: MemberRef) -> tuple[Use, ...]:
        return uses(self.program.member(ref).annotations, ref.path, ref.owner)
