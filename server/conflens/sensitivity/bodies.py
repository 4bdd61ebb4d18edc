"""Indexed bodies, kept while verdicts are made: many flows end in one large body, and each asks several questions about it."""

from __future__ import annotations

from conflens.flow.code import Code
from conflens.program.fields_named import Named, by_name
from conflens.program.program import Program
from conflens.program.refs import MemberRef

_MOST = 512
"""Bodies that are kept; beyond, all are let go."""


class Bodies:
    """The indexed bodies of one program."""

    def __init__(self, program: Program) -> None:
        """Keep nothing yet."""
        self.program = program
        self._kept: dict[MemberRef, Code] = {}
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
