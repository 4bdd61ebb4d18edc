"""Facts of a file with the members that its annotations, and records, stand for.

``Generators`` knows the rows and the styles.  What is added is a function of the file's facts and its style alone; it stands after
all that the source shows, so that numbers of types and members stay.
Invariant: facts that were completed are returned as they are.
"""

from __future__ import annotations

from collections.abc import Iterable

from conflens.facts.model import FileFacts, Modifier
from conflens.models.generators import ImpliedRow
from conflens.program.implied import accessors, builders, implementations
from conflens.program.implied.notes import Notes
from conflens.program.implied.shapes import Shape
from conflens.program.implied.styles import Styles
from conflens.program.implied.writing import Writer


class Generators:
    """See the module text."""

    def __init__(self, rows: Iterable[ImpliedRow] = (), styles: Styles | None = None) -> None:
        """Add what ``rows`` say, and what the language itself adds to records."""
        self._rows = {row.type: row for row in rows}
        self._simple = frozenset(name.rpartition(".")[2] for name in self._rows)
        self._styles = styles or Styles()

    def knows(self, annotation: str) -> bool:
        """Tell whether it is known what an annotation of this name adds."""
        return annotation in self._rows

    def complete(self, path: str, facts: FileFacts) -> FileFacts:
        """Return the facts of ``path`` with everything that is implied."""
        if not self._concerned(facts):
            return facts
        own: list[list[int]] = [[] for _ in facts.types]
        for number, member in enumerate(facts.members):
            if member.modifiers & Modifier.IMPLIED:
                return facts
            if 0 <= member.owner < len(own):
                own[member.owner].append(number)
        notes = Notes(facts, self._rows)
        shapes: list[Shape] = []
        inner: dict[int, dict[str, Shape]] = {}
        folder = self._styles.at(path)
        for number, decl in enumerate(facts.types):
            outer = shapes[decl.outer].style if 0 <= decl.outer < number else folder
            shapes.append(Shape(facts, number, own[number], notes, outer))
            inner.setdefault(decl.outer, {})[decl.name] = shapes[-1]
        writer = Writer(facts)
        for shape in shapes:
            kind = shape.decl.kind
            if kind == "record":
                accessors.write_record(shape, writer)
            if kind in ("class", "enum"):
                accessors.write(shape, writer)
            if kind in ("class", "record"):
                builders.write(shape, inner.get(shape.number, {}), writer)
            if kind in ("class", "interface") and shape.notes:
                around = _around(shape, shapes)
                implementations.write(shape, around, inner.get(shape.number, {}), writer)
        return writer.facts_with()

    def _concerned(self, facts: FileFacts) -> bool:
        """Tell, quickly, whether anything may be implied."""
        simple = self._simple
        for decl in facts.types:
            if decl.kind == "record":
                return True
            for annotation in decl.annotations:
                if annotation.name.rpartition(".")[2] in simple:
                    return True
        for member in facts.members:
            for annotation in member.annotations:
                if annotation.name.rpartition(".")[2] in simple:
                    return True
        return False


NO_GENERATORS = Generators()


def _around(shape: Shape, shapes: list[Shape]) -> list[Shape]:
    """Return the types that a type is declared in, the outermost first."""
    found: list[Shape] = []
    outer = shape.decl.outer
    while outer >= 0:
        found.append(shapes[outer])
        outer = shapes[outer].decl.outer
    return found[::-1]


def by_source(facts: FileFacts) -> dict[int, tuple[int, ...]]:
    """Return the numbers of the methods that each field or component implies."""
    standing: dict[int, list[int]] = {}
    for number, member in enumerate(facts.members):
        if member.modifiers & Modifier.IMPLIED and member.kind == "method":
            standing.setdefault(member.name_at, []).append(number)
    if not standing:
        return {}
    return {
        number: tuple(standing[member.name_at])
        for number, member in enumerate(facts.members)
        if member.kind in ("field", "component")
        and not member.modifiers & Modifier.IMPLIED
        and member.name_at in standing
    }
