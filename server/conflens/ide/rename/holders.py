"""Which classes of a program may lead to an object of one class, by a reader that follows the names of members.

Terms
    holder    the class itself, a class of the project with a field or component whose type names a holder, and each class of the project above or
              below a holder, since a value of that type may be one.

Static fields belong to no object.  Lambdas and what a local class captures have no members with names that are read, and carry nothing.
Absent: where objects of holders go (``escapes``).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

import attrs

from conflens.facts.model import Modifier
from conflens.options.member_types import simple
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.types import JavaType

_WORD = re.compile(r"[\w$]+")
_MOST = 150
"""Holders that are looked at; where there are more, nobody can tell where all of them go."""


@attrs.frozen
class Holders:
    """The holders of one class; ``doubt`` says why they are not all known, or is empty."""

    names: frozenset[str]
    doubt: str = ""


class Declared:
    """The declarations of a program by the simple names in their types."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self.members: dict[str, list[MemberRef]] = defaultdict(list)
        self._generic: dict[str, str] = {}
        words: dict[str, tuple[str, ...]] = {}
        for path, facts in program.files.items():
            for number, member in enumerate(facts.members):
                ref = None
                for text in (member.type, *(param.type for param in member.params)):
                    if text not in words:
                        words[text] = tuple(
                            one for one in _WORD.findall(text) if not one.islower()
                        )
                    for word in words[text]:
                        ref = ref or program.ref(path, number)
                        if self.members[word][-1:] != [ref]:
                            self.members[word].append(ref)
            for number, decl in enumerate(facts.types):
                bounds = [param.bound for param in decl.type_params if param.bound]
                supers = [text for text in decl.supers if "<" in text]
                name = program.type_name(path, number) if bounds or supers else ""
                for text in (*bounds, *supers):
                    type_ = program.resolve(text, path, name)
                    for one in (type_,) if text in bounds else type_.args:
                        self._generic.update((inner, name) for inner in names_in(one))

    def holders(self, owner: str) -> Holders:
        """Return the holders of a class of the project."""
        names, queue = {owner}, [owner]
        while queue:
            name = queue.pop()
            if name in self._generic:
                why = f"{simple(self._generic[name])} has {simple(name)} as a type argument"
                return Holders(frozenset(names), why)
            for near in self._near(name):
                if near not in names:
                    names.add(near)
                    queue.append(near)
            if len(names) > _MOST:
                return Holders(frozenset(names), f"more than {_MOST} classes lead to it")
        return Holders(frozenset(names))

    def _near(self, name: str) -> Iterator[str]:
        program = self._program
        for ref in self.members.get(simple(name), ()):
            member = program.member(ref)
            of_objects = not member.modifiers & Modifier.STATIC
            if member.kind not in ("field", "component") or not of_objects:
                continue
            if name in names_in(program.field_type(ref)):
                yield ref.owner
        yield from program.all_subtypes(name)
        for above in program.supertypes(name):
            if program.type(above) is not None:
                yield above


def names_in(type_: JavaType | None) -> Iterator[str]:
    """Yield the names in a type: its own, and those of its type arguments."""
    if type_ is not None:
        yield type_.name
        for arg in type_.args:
            yield from names_in(arg)
