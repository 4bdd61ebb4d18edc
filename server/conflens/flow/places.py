"""Where fields are loaded and methods called: what ``uses`` answers with, and what it keeps with each body.

Absent: whose uses are looked through (``uses``), assignments (``program.assignments``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from conflens.facts import ir
from conflens.flow.code import Code
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef

_CALLS = "flow.calls"
_LOADS = "flow.loads"
_REFERENCES = "flow.references"


class Places(NamedTuple):
    """Where a field is loaded or a method called, the members in which that is, and whether it is everywhere.

    Members of the files that are ``near`` were looked through, and the first of those that use anything of the name; their
    files are ``far``, one set for all fields or methods of a name.
    """

    found: tuple[tuple[Code, int], ...]
    inside: frozenset[MemberRef]
    complete: bool
    near: frozenset[str]
    far: frozenset[str]

    @property
    def files(self) -> frozenset[str]:
        """The files looked through, and perhaps more of the name."""
        return self.near | self.far


class Users(NamedTuple):
    """The members that may use something, as many as are looked through, and whether these are all; see ``Places``.

    ``close`` are those of the same file.
    """

    members: Sequence[MemberRef]
    close: Sequence[MemberRef]
    complete: bool
    near: frozenset[str]
    far: frozenset[str]

    def places(self, found: list[tuple[Code, int]]) -> Places:
        """Return what was found among them."""
        inside = frozenset(code.ref for code, _ in found)
        return Places(tuple(found), inside, self.complete, self.near, self.far)


class Namesakes(NamedTuple):
    """The members that use anything of a name; of the first of them the files, and who loads which field."""

    users: Sequence[MemberRef]
    files: frozenset[str]
    loading: Mapping[MemberRef, Sequence[MemberRef]]


class Meant(NamedTuple):
    """The calls of methods of one name by the method that they mean, and the members in which these are."""

    calls: dict[MemberRef, list[tuple[MemberRef, int]]]
    inside: frozenset[MemberRef]


def files_of(members: Iterable[MemberRef]) -> frozenset[str]:
    """Return the files of members."""
    return frozenset(ref.path for ref in members)


def loaded(context: Context, name: str) -> dict[MemberRef, list[int]]:
    """Return the loads in a body of the fields called ``name``, by field."""
    kept = context.notes.setdefault(_LOADS, {})
    assert isinstance(kept, dict)
    found: dict[MemberRef, list[int]] | None = kept.get(name)
    if found is None:
        found = kept[name] = {}
        for index in context.named(name).loads:
            field = context.field_of(index)
            if field is not None:
                found.setdefault(field, []).append(index)
    return found


def named_calls(context: Context) -> dict[str, list[int]]:
    """Return the calls of a body by the name of the method."""
    kept = context.notes.get(_CALLS)
    if isinstance(kept, dict):
        return kept
    found: dict[str, list[int]] = {}
    for index, instr in context.calls():
        name = instr.name if isinstance(instr, ir.Call) else "<init>"
        found.setdefault(name, []).append(index)
    context.notes[_CALLS] = found
    return found


def named_references(context: Context) -> dict[str, list[int]]:
    """Return the method references of a body by the name of the method."""
    kept = context.notes.get(_REFERENCES)
    if isinstance(kept, dict):
        return kept
    found: dict[str, list[int]] = {}
    for index in context.of_kind(ir.MethodRef):
        instr = context.code[index]
        if isinstance(instr, ir.MethodRef):
            found.setdefault(instr.name, []).append(index)
    context.notes[_REFERENCES] = found
    return found
