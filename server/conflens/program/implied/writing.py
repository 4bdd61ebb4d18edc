"""Writes members into the facts of one file: declaration, code, and their part of the file's tables.

A member stands where the field (or class) that it is made for has its name, and so does its code: ``at`` counts from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b

import msgspec

from conflens.facts import ir
from conflens.facts.codec import encode_body
from conflens.facts.ir import NONE
from conflens.facts.model import FileFacts, Member, Modifier, Param, TypeDecl, TypeParam


class Spot:
    """A name in the source, where something is written down."""

    __slots__ = ("at", "end")

    def __init__(self, at: int, name: str) -> None:
        """Stand on ``name`` at byte ``at``."""
        self.at = at
        self.end = at + len(name.encode())


class Code:
    """The body of one member in the making; ``base`` is where it stands."""

    def __init__(self, base: Spot) -> None:
        """Start empty."""
        self.base = base
        self.locals: list[ir.Local] = []
        self.instrs: list[ir.Instr] = []
        self.calls: set[str] = set()
        self.names: set[str] = set()

    def _span(self, spot: Spot | None) -> tuple[int, int]:
        spot = spot or self.base
        return spot.at - self.base.at, spot.end - self.base.at

    def _add(self, instr: ir.Instr) -> int:
        self.instrs.append(instr)
        return len(self.instrs) - 1

    def parameter(self, name: str, type_: str, spot: Spot | None = None) -> int:
        """Declare the next parameter; return its slot."""
        self.locals.append(ir.Local(name, type_, self._span(spot)[0], True))
        return len(self.locals) - 1

    def this(self, spot: Spot | None = None, qualifier: str = "") -> int:
        """Return ``this`` or ``super``."""
        return self._add(ir.This(*self._span(spot), qualifier))

    def load(self, slot: int, spot: Spot | None = None) -> int:
        """Return the value of a parameter."""
        return self._add(ir.Load(*self._span(spot), slot, 0))

    def field(self, object_: int, name: str, spot: Spot | None = None) -> int:
        """Return ``object_.name``, or a static field if there is no object."""
        self.names.add(name)
        if object_ == NONE:
            return self._add(ir.Name(*self._span(spot), name))
        return self._add(ir.Field(*self._span(spot), object_, name))

    def store(self, object_: int, name: str, value: int, spot: Spot | None = None) -> None:
        """Write ``object_.name = value``."""
        self.names.add(name)
        self._add(ir.StoreField(*self._span(spot), object_, name, value))

    def new(self, type_: str, args: Sequence[int] = ()) -> int:
        """Return ``new type_(args)``."""
        self.calls.add("<init>")
        self.names.add(type_.rpartition(".")[2])
        start, end = self._span(None)
        return self._add(ir.New(start, end, type_, tuple(args), NONE, start))

    def call(self, object_: int, name: str, args: Sequence[int]) -> int:
        """Return ``object_.name(args)``."""
        self.calls.add(name)
        start, end = self._span(None)
        return self._add(ir.Call(start, end, object_, name, tuple(args), start))

    def returns(self, value: int) -> None:
        """Write ``return value``."""
        self._add(ir.Return(*self._span(None), value, "return"))


class Writer:
    """The members and types that are added to one file."""

    def __init__(self, facts: FileFacts) -> None:
        """Add to ``facts``."""
        self.facts = facts
        self.types: list[TypeDecl] = []
        self.members: list[Member] = []
        self.bodies: list[bytes] = []
        self._calls: dict[str, list[int]] = {}
        self._names: dict[str, list[int]] = {}

    def type(
        self,
        name: str,
        outer: int,
        spot: Spot,
        params: tuple[TypeParam, ...],
        supers: tuple[str, ...],
    ) -> int:
        """Add a class inside type number ``outer`` (``NONE``: at top level); return its number."""
        modifiers = Modifier.PUBLIC | (Modifier.STATIC if outer != NONE else 0) | Modifier.IMPLIED
        self.types.append(
            TypeDecl(
                name,
                "class",
                outer,
                NONE,
                NONE,
                int(modifiers),
                params,
                supers,
                (),
                (),
                spot.at,
                spot.end,
                spot.at,
            )
        )
        return len(self.facts.types) + len(self.types) - 1

    def top_level(self, name: str) -> int:
        """Return the number of a class that was added at top level, ``NONE`` if there is none of that name."""
        for number, decl in enumerate(self.types):
            if decl.name == name and decl.outer == NONE:
                return len(self.facts.types) + number
        return NONE

    def member(
        self,
        owner: int,
        kind: str,
        name: str,
        type_: str,
        code: Code,
        modifiers: int = Modifier.PUBLIC,
        params: Iterable[Param] | None = None,
    ) -> None:
        """Add a member of type number ``owner``; its parameters are those of its code."""
        number = len(self.facts.members) + len(self.members)
        body = encode_body(ir.Body(tuple(code.locals), tuple(code.instrs)))
        found = tuple(
            params
            if params is not None
            else (Param(local.name, local.type) for local in code.locals if local.parameter)
        )
        self.bodies.append(body)
        self.members.append(
            Member(
                owner,
                kind,
                name,
                type_,
                found,
                False,
                int(modifiers | Modifier.IMPLIED),
                (),
                (),
                code.base.at,
                code.base.end,
                code.base.at,
                f"{name}({','.join(param.type for param in found)})",
                blake2b(body, digest_size=8).digest(),
            )
        )
        for table, used in ((self._calls, code.calls), (self._names, code.names)):
            for item in sorted(used):
                table.setdefault(item, []).append(number)

    def facts_with(self) -> FileFacts:
        """Return the facts with everything that was added."""
        facts = self.facts
        if not self.members and not self.types:
            return facts
        surface = blake2b(facts.surface, digest_size=8)
        for decl in self.types:
            surface.update(
                f"{decl.name} {decl.outer} {decl.type_params} {decl.supers}\n".encode(
                    "utf-8", "replace"
                )
            )
        for member in self.members:
            surface.update(
                f"{member.kind} {member.owner} {member.key} {member.type} {member.modifiers}\n".encode(
                    "utf-8", "replace"
                )
            )
        return msgspec.structs.replace(
            facts,
            types=(*facts.types, *self.types),
            members=(*facts.members, *self.members),
            bodies=(*facts.bodies, *self.bodies),
            calls=_joined(facts.calls, self._calls),
            names=_joined(facts.names, self._names),
            surface=surface.digest(),
        )


def _joined(
    table: dict[str, tuple[int, ...]], more: dict[str, list[int]]
) -> dict[str, tuple[int, ...]]:
    return {**table, **{name: (*table.get(name, ()), *users) for name, users in more.items()}}
