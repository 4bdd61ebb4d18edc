"""Who assigns a field: an index of the assignments of one field name, made once and patched after edits.

Thousands of classes may have a field of one name.  Asking each body that mentions the name about each of these fields takes
time in proportion to their square; here every body is asked once, what each of its assignments means.

Absent: loads and calls (``flow.uses``), what is assigned.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

from conflens.facts import ir
from conflens.facts.model import Modifier
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef

Indices = tuple[int, ...]
Assigning = tuple[tuple[MemberRef, Indices], ...]
"""Members, in the order of files, with their assignments."""

_PATCHES = 2_000
"""Bodies of an index that may be patched before it is made anew."""


class _OfName:
    """The assignments of one name by field; ``patched`` bodies count as they are there."""

    __slots__ = ("fields", "patched")

    def __init__(
        self,
        fields: Mapping[MemberRef, Assigning],
        patched: Mapping[MemberRef, Mapping[MemberRef, Indices]],
    ) -> None:
        self.fields = fields
        self.patched = patched

    def of(self, field: MemberRef) -> Assigning:
        found = self.fields.get(field, ())
        if not self.patched:
            return found
        again = [(ref, by[field]) for ref, by in self.patched.items() if field in by]
        return tuple(sorted([item for item in found if item[0] not in self.patched] + again))


class Assignments:
    """See the module text; for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._names: dict[str, _OfName] = {}
        self._inside: dict[tuple[str, str], dict[MemberRef, Assigning]] = {}
        """The assignments within one file, by path and name."""

    def of(self, field: MemberRef) -> Assigning:
        """Return the assignments of a field."""
        program = self.program
        member = program.member(field)
        if member.modifiers & Modifier.PRIVATE:
            key = (field.path, member.name)
            inside = self._inside.get(key)
            if inside is None:
                numbers = program.files[field.path].names.get(member.name, ())
                users = (program.ref(field.path, number) for number in numbers)
                inside = self._inside[key] = self._by_field(member.name, users)
            return inside.get(field, ())
        known = self._names.get(member.name)
        if known is None:
            fields = self._by_field(member.name, program.mentions(member.name))
            known = self._names[member.name] = _OfName(fields, {})
        return known.of(field)

    def inside(self, ref: MemberRef, field: MemberRef) -> Indices:
        """Return the assignments of a field in one body; the field's own is its initialiser."""
        return self._assigned(ref, self.program.member(field).name).get(field, ())

    def after(self, following: Program, touched: Set[MemberRef]) -> Assignments:
        """Return the indexes of a program with the same members, of which only ``touched`` bodies may mean others."""
        found = Assignments(following)
        if len(touched) > _PATCHES:
            return found
        files = following.files
        for name, known in list(self._names.items()):
            patched = known.patched
            again = {
                ref: found._assigned(ref, name)
                if ref.number in files[ref.path].names.get(name, ())
                else {}
                for ref in touched
            }
            if again:
                patched = {**patched, **again}
            if len(patched) <= _PATCHES:
                found._names[name] = _OfName(known.fields, patched)
        return found

    def _by_field(self, name: str, users: Iterable[MemberRef]) -> dict[MemberRef, Assigning]:
        found: dict[MemberRef, list[tuple[MemberRef, Indices]]] = {}
        for ref in users:
            for field, indices in self._assigned(ref, name).items():
                found.setdefault(field, []).append((ref, indices))
        return {field: tuple(assigning) for field, assigning in found.items()}

    def _assigned(self, ref: MemberRef, name: str) -> dict[MemberRef, Indices]:
        """Return the assignments of a body by the fields called ``name`` that they mean."""
        found: dict[MemberRef, list[int]] = {}
        context = self._context(ref)
        for index in context.named(name).stores:
            instr = context.code[index]
            field = context.target_field(instr) if isinstance(instr, ir.StoreField) else None
            if field is not None:
                found.setdefault(field, []).append(index)
        return {field: tuple(indices) for field, indices in found.items()}

    def _context(self, ref: MemberRef) -> Context:
        """Open a body, but do not keep it: most of those that mention a name are of no further interest."""
        if ref in self.program.contexts:
            return Context.of(self.program, ref)
        return Context(self.program, ref, self.program.peek(ref))


def assignments(program: Program) -> Assignments:
    """Return the assignments of a program, shared by everybody who asks about it."""
    if not isinstance(program.assignments, Assignments):
        program.assignments = Assignments(program)
    return program.assignments
