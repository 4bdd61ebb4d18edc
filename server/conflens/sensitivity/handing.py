"""Whom a container may hand what a method makes: members with annotations, and constructors of classes that have one.

Who asks by another name is not handed it.  A container of libraries, too, asks for classes of libraries; so only of what
has a type of the Java class library can it be told that nobody is handed it, and even then not for sure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from conflens.base.paths import is_test_path
from conflens.facts.model import Annotation, FileFacts, Member
from conflens.options.annotation_elements import AnnotationContext, Use
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.templates import known_text
from conflens.program.types import JavaType
from conflens.program.values import Values
from conflens.sensitivity.amounts import Unused

_Asked = tuple[str, set[str] | None, str, str]
"""A type as it is written, the names that annotations ask for (``None``: no known one), and the file and class that it stands in."""
_WORD = re.compile(r"\w+")


class Handing:
    """Answers for one program."""

    def __init__(self, program: Program, words: Unused) -> None:
        """Ask about ``program``."""
        self._program = program
        self._words = words
        self._values = Values(program)
        self._filled_by: dict[str, list[_Asked]] | None = None

    def makes(self, ref: MemberRef) -> bool:
        """Tell whether a container hands out what a method returns."""
        annotations = self._program.member(ref).annotations
        return any(_simple(one) in self._words.made for one in annotations)

    def may_hand(self, ref: MemberRef) -> bool:
        """Tell whether somebody may be handed what a method makes."""
        program = self._program
        type_ = program.return_type(ref)
        if type_ is None or program.jdk_type(type_.name) is None:
            return True
        wanted = {type_.name, *program.supertypes(type_.name)} - {"java.lang.Object"}
        own = self._own_names(ref)
        return any(
            (asked is None or not own.isdisjoint(asked))
            and _holds(program.resolve(text, path, owner), wanted)
            for name in {name.rpartition(".")[2] for name in wanted}
            for text, asked, path, owner in self._asking().get(name, ())
        )

    def _asking(self) -> dict[str, list[_Asked]]:
        """Return what a container may fill, by each simple name that its type is written with."""
        if self._filled_by is None:
            self._filled_by = {}
            for path, facts in self._program.files.items():
                if is_test_path(path):
                    continue
                for number, member in enumerate(facts.members):
                    for text, notes in self._filled(facts, member):
                        owner = self._program.ref(path, number).owner
                        asked = text, self._names(notes, path, owner), path, owner
                        for name in dict.fromkeys(_WORD.findall(text)):
                            self._filled_by.setdefault(name, []).append(asked)
        return self._filled_by

    def _filled(
        self, facts: FileFacts, member: Member
    ) -> Iterator[tuple[str, tuple[Annotation, ...]]]:
        """Yield the types and annotations of what a container may fill: fields, and parameters."""
        own = [one for one in member.annotations if _simple(one) not in self._words.annotations]
        if member.kind == "field":
            of_class = facts.types[member.owner].annotations if member.owner >= 0 else ()
            if own or any(_simple(one) in self._words.constructing for one in of_class):
                yield member.type, member.annotations
            return
        if not own and member.kind == "constructor" and member.owner >= 0:
            of_class = facts.types[member.owner].annotations
            own = [one for one in of_class if _simple(one) not in self._words.annotations]
        if own:
            for param in member.params:
                yield param.type, (*param.annotations, *member.annotations)

    def _own_names(self, ref: MemberRef) -> set[str]:
        member = self._program.member(ref)
        made = [one for one in member.annotations if _simple(one) in self._words.made]
        given = self._texts(made, ref.path, ref.owner)
        asked = self._names(member.annotations, ref.path, ref.owner)
        return {member.name, *(given or ()), *(asked or ())}

    def _names(self, annotations: Iterable[Annotation], path: str, owner: str) -> set[str] | None:
        """Return the names that annotations ask for; ``None`` if they ask for none that is known."""
        asking = [one for one in annotations if _simple(one) in self._words.asking]
        return self._texts(asking, path, owner) or None

    def _texts(self, annotations: Iterable[Annotation], path: str, owner: str) -> set[str]:
        found: set[str] = set()
        for annotation in annotations:
            context = AnnotationContext(self._program, Use(annotation, path, owner))
            for value in annotation.values:
                text = known_text(self._values.of(context, value))
                if text:
                    found.add(text)
        return found


def _holds(type_: JavaType, wanted: set[str]) -> bool:
    return type_.name in wanted or any(_holds(arg, wanted) for arg in type_.args)


def _simple(annotation: Annotation) -> str:
    return annotation.name.rpartition(".")[2]
