"""The properties of a class that are the parameters of what makes its objects.

Absent: properties that have accessors or are fields (``members``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from conflens.facts.model import Modifier
from conflens.models.load import Models
from conflens.options.annotation_elements import Use, fitting, stated, uses
from conflens.options.binding.held import holder
from conflens.options.binding.properties import Property, parameter_place
from conflens.options.member_types import simple
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.values import Values


class Creators:
    """Lists the parameters of constructors that are filled."""

    def __init__(
        self,
        models: Models,
        values: Values,
        field: Callable[[MemberRef, tuple[Use, ...]], Property],
        plain: Callable[[MemberRef], bool],
    ) -> None:
        """Look in the program of ``values``; ``field`` makes the property of a field that is ``plain``."""
        self.program: Program = values.program
        self.models = models
        self.values = values
        self._field = field
        self._plain = plain

    def properties(self, name: str, setters: bool, sole: bool) -> Iterator[Property]:
        constructors = self.program.own_methods(name).get("<init>", ())
        chosen = tuple(ref for ref in constructors if self._is_chosen(ref))
        if chosen:
            constructors, setters, sole = chosen[:1], False, True
        for ref in constructors:
            member = self.program.member(ref)
            if not member.params or member.modifiers & Modifier.PRIVATE:
                continue
            said = [
                stated(
                    self.program,
                    self.models,
                    self.values,
                    uses(param.annotations, ref.path, ref.owner),
                )
                for param in member.params
            ]
            named = all(item.named or item.ignored for item in said)
            if not named and not (sole and len(constructors) == 1 and not setters):
                continue
            for slot, param in enumerate(member.params):
                if said[slot].ignored:
                    continue
                implied = member.modifiers & Modifier.IMPLIED
                field = holder(self.program, ref, slot) if implied else None
                if field is not None:
                    if self._plain(field):
                        yield self._field(field, ())
                    continue
                at, end = parameter_place(self.program, ref, slot)
                held = holder(self.program, ref, slot)
                found = uses(param.annotations, ref.path, ref.owner)
                if held is not None:
                    found = (*found, *self._uses(held))
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
                    None,
                    found,
                )
            return

    def _is_chosen(self, ref: MemberRef) -> bool:
        """Tell whether an annotation makes a constructor the one that is filled."""
        return any(
            row.aspect == "constructor"
            for use in self._uses(ref)
            for row in fitting(self.program, self.models, use)
        )

    def _uses(self, ref: MemberRef) -> tuple[Use, ...]:
        return uses(self.program.member(ref).annotations, ref.path, ref.owner)
