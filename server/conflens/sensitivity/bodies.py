"""Indexed bodies, kept while verdicts are made: many flows end in one large body, and each asks several questions about it."""

from __future__ import annotations

import attrs

from conflens.facts import ir
from conflens.flow.code import Code
from conflens.program.expressions import Context
from conflens.program.fields_named import NOT_NAMED, Named, by_name
from conflens.program.program import Program
from conflens.program.refs import MemberRef

_MOST = 512
"""Bodies that are kept; beyond, all are let go."""


@attrs.frozen
class Loaded:
    """Loads of fields of one name in a body: by the field that is meant, and on objects of unknown type."""

    of: dict[MemberRef, list[int]] = attrs.Factory(dict)
    unclear: list[int] = attrs.Factory(list)


class Bodies:
    """The indexed bodies of one program."""

    def __init__(self, program: Program) -> None:
        """Keep nothing yet."""
        self.program = program
        self._kept: dict[MemberRef, Code] = {}
        self._loaded: dict[tuple[MemberRef, str], Loaded] = {}
        self._fields: dict[MemberRef, dict[str, Named]] = {}

    def code(self, ref: MemberRef) -> Code:
        """Return a member's body with its indexes."""
        found = self._kept.get(ref)
        if found is None:
            if len(self._kept) >= _MOST:
                self._kept.clear()
            found = self._kept[ref] = Code(self.program, ref)
        return found

    def fields(self, ref: MemberRef) -> dict[str, Named]:
        """Return the loads and assignments of fields in a member's body, by the name of the field."""
        found = self._fields.get(ref)
        if found is None:
            if len(self._fields) >= _MOST:
                self._fields.clear()
            found = self._fields[ref] = by_name(self.program.body(ref).code)
        return found

    def loaded(self, ref: MemberRef, name: str) -> Loaded:
        """Return which fields the loads of a name in a member's body mean."""
        key = ref, name
        found = self._loaded.get(key)
        if found is None:
            if len(self._loaded) >= _MOST:
                self._loaded.clear()
            found = self._loaded[key] = Loaded()
            context = Context.of(self.program, ref)
            for index in self.fields(ref).get(name, NOT_NAMED).loads:
                field = context.field_of(index)
                if field is not None:
                    found.of.setdefault(field, []).append(index)
                elif isinstance(context.code[index], ir.Field):
                    found.unclear.append(index)
        return found
