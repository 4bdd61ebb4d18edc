"""Which calls of a file hand a name to a type that the file imports: what can be told from one file alone.

``mentioning`` finds the members in which one of some names may stand as a text; ``passed`` the calls in such members.
Both are functions of the facts: what a receiver's type is follows from the file's imports, fields and locals.
Absent: constructors; which types the project, the JDK and the rows know (``learner``); types from the same package, an inherited field or ``import x.*``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set
from typing import NamedTuple

from conflens.facts import ir
from conflens.facts.codec import decode_body
from conflens.facts.ir import NONE
from conflens.facts.model import FileFacts

MOST_ARGUMENTS = 4
"""Arguments of a call that are looked at."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9$]*+(?:[._-]++[A-Za-z0-9$]++)++\Z")
_LONG = 32
"""From this length on the encoding puts the length before a text, as a byte that may look like a letter."""
_KEPT = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$.-"
_BREAKS = bytes(byte if byte in _KEPT else 32 for byte in range(256))


class Callee(NamedTuple):
    """A method of a type by its qualified name."""

    type: str
    method: str


class Passed(NamedTuple):
    """A name handed to ``callee`` in place ``slot`` of ``arity`` arguments; ``others`` are the constants in other places."""

    callee: Callee
    arity: int
    slot: int
    name: str
    others: tuple[tuple[int, str], ...]


def is_name(text: str) -> bool:
    """Tell whether a text has the form of an option's name that is no ordinary word: parts with separators between."""
    return _NAME.match(text) is not None


def mentioning(facts: FileFacts, names: Set[bytes]) -> tuple[int, ...]:
    """Return the numbers of the members whose code may hold one of ``names`` as a text, or names a field of the file that does."""
    found = {
        number
        for number, body in enumerate(facts.bodies)
        if not names.isdisjoint(_words(body.translate(_BREAKS).split()))
    }
    for number in tuple(found):
        member = facts.members[number]
        if member.kind == "field":
            found.update(facts.names.get(member.name, ()))
    return tuple(sorted(found))


def _words(words: list[bytes]) -> Iterator[bytes]:
    for word in words:
        yield word
        if len(word) > _LONG:
            yield word[1:]


def passed(facts: FileFacts, numbers: Iterable[int]) -> tuple[Passed, ...]:
    """Return the names that calls in these members hand over."""
    file = FileTypes(facts)
    return tuple(item for number in numbers for item in file.passed(number))


class FileTypes:
    """One file's imports, fields and constants."""

    def __init__(self, facts: FileFacts) -> None:
        """Index ``facts``."""
        self.facts = facts
        self.imports = {
            one.name.rpartition(".")[2]: one
            for one in facts.imports
            if not one.on_demand and "." in one.name
        }
        self.own = {type_.name for type_ in facts.types}
        self.fields = {
            member.name: number
            for number, member in enumerate(facts.members)
            if member.kind == "field"
        }
        self.constants: dict[int, ir.Instr | None] = {}

    def passed(self, number: int) -> Iterator[Passed]:
        body = decode_body(self.facts.bodies[number])
        for instr in body.code:
            if isinstance(instr, ir.Call) and instr.args:
                callee = self._callee(body, instr)
                if callee is not None:
                    yield from self._given(body, callee, instr.args)

    def _given(self, body: ir.Body, callee: Callee, args: tuple[int, ...]) -> Iterator[Passed]:
        texts = [
            (place, text)
            for place, arg in enumerate(args[:MOST_ARGUMENTS])
            if (text := self._text(body, arg)) is not None
        ]
        for slot, text in texts:
            if is_name(text):
                others = tuple(pair for pair in texts if pair[0] != slot)
                yield Passed(callee, len(args), slot, text, others)

    def _text(self, body: ir.Body, value: int) -> str | None:
        instr = body.code[value] if value != NONE else None
        if isinstance(instr, ir.Name):
            instr = self._constant(instr.name)
        return instr.value if isinstance(instr, ir.Const) and instr.kind != "n" else None

    def _constant(self, name: str) -> ir.Instr | None:
        """Return what a field of this file is initialised with, if that is a single literal."""
        number = self.fields.get(name)
        if number is None:
            return None
        if number not in self.constants:
            code = decode_body(self.facts.bodies[number]).code
            single = len(code) == 2 and isinstance(code[1], ir.StoreField)
            self.constants[number] = code[0] if single else None
        return self.constants[number]

    def _callee(self, body: ir.Body, instr: ir.Call) -> Callee | None:
        if instr.object == NONE:
            found = self.imports.get(instr.name)
            if found is None or not found.static:
                return None
            return Callee(found.name.rpartition(".")[0], instr.name)
        type_ = self.receiver(body, body.code[instr.object])
        return Callee(type_, instr.name) if type_ else None

    def receiver(self, body: ir.Body, instr: ir.Instr) -> str:
        """Return the qualified type of a receiver, or the type itself that it names; empty if the file does not tell."""
        match instr:
            case ir.Load(up=0):
                return self.named(body.locals[instr.slot].type)
            case ir.Name():
                number = self.fields.get(instr.name)
                return self.named(
                    instr.name if number is None else self.facts.members[number].type
                )
            case ir.Field() if instr.object != NONE and isinstance(
                body.code[instr.object], ir.This
            ):
                number = self.fields.get(instr.name)
                return "" if number is None else self.named(self.facts.members[number].type)
        return ""

    def named(self, text: str) -> str:
        """Return what a type's text means by the imports; empty for arrays, variables and what is not imported by name."""
        name = text.partition("<")[0]
        outer, dot, inner = name.partition(".")
        if name.endswith("]") or outer in self.own:
            return ""
        found = self.imports.get(outer)
        if found is not None:
            return "" if found.static else f"{found.name}{dot}{inner}"
        return name if "." in name and name[:1].islower() else ""
