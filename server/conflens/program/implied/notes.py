"""The annotations of one file that stand for members, with what their elements state.

Only names that are imported, qualified or of the same package count: another annotation of the same simple name is another.
Values are literals and names of constants; constants are not looked up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import attrs

from conflens.facts import ir
from conflens.facts.codec import annotation_code
from conflens.facts.model import Annotation, FileFacts
from conflens.models.generators import ImpliedElement, ImpliedRow
from conflens.program.implied.styles import Style


@attrs.frozen
class Note:
    """An annotation in use."""

    row: ImpliedRow
    annotation: Annotation

    def texts(self, element: ImpliedElement) -> tuple[str, ...]:
        """Return what an element states: texts, or the simple names of constants."""
        key = self.row.elements.get(element)
        if key is None or key not in self.annotation.keys:
            return ()
        code = annotation_code(self.annotation)
        value = self.annotation.values[self.annotation.keys.index(key)]
        instr = code[value]
        values = instr.values if isinstance(instr, ir.NewArray) else (value,)
        return tuple(text for item in values if (text := _text(code[item])) is not None)

    def text(self, element: ImpliedElement) -> str:
        """Return what an element states, or an empty text."""
        return next(iter(self.texts(element)), "")

    def truth(self, element: ImpliedElement) -> bool | None:
        """Return what an element with a truth value states."""
        text = self.text(element)
        return None if not text else text == "true"

    @property
    def absent(self) -> bool:
        """Whether it says that nothing is made."""
        return bool(self.row.absent) and self.text("access") == self.row.absent

    def style(self) -> Style:
        """Return the style that it states."""
        prefixed = self.row.elements.get("prefixes") in self.annotation.keys
        return Style(
            self.truth("fluent"),
            self.truth("chain"),
            self.texts("prefixes") if prefixed else None,
        )


def _text(instr: ir.Instr) -> str | None:
    match instr:
        case ir.Const():
            return instr.value
        case ir.Name() | ir.Field():
            return instr.name
        case _:
            return None


class Notes:
    """Which annotations of one file mean which rows."""

    def __init__(self, facts: FileFacts, rows: Mapping[str, ImpliedRow]) -> None:
        """Look names up as ``facts`` imports them; ``rows`` are by qualified name."""
        self._rows = rows
        self._imported: dict[str, str] = {}
        self._packages: list[str] = [facts.package]
        for item in facts.imports:
            if item.on_demand:
                self._packages.append(item.name)
            else:
                self._imported.setdefault(item.name.rpartition(".")[2], item.name)
        self._known: dict[str, ImpliedRow | None] = {}

    def of(self, annotations: Iterable[Annotation]) -> tuple[Note, ...]:
        """Return those of some annotations that stand for members."""
        found = []
        for annotation in annotations:
            row = self._row(annotation.name)
            if row is not None:
                found.append(Note(row, annotation))
        return tuple(found)

    def _row(self, name: str) -> ImpliedRow | None:
        if name not in self._known:
            rows = (self._rows[full] for full in self._names(name) if full in self._rows)
            self._known[name] = next(rows, None)
        return self._known[name]

    def _names(self, name: str) -> Iterator[str]:
        head, dot, rest = name.partition(".")
        imported = self._imported.get(head)
        if imported is not None:
            yield f"{imported}{dot}{rest}"
            return
        yield name
        for package in self._packages:
            yield f"{package}.{name}"
