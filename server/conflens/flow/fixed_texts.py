"""The texts of constant fields, and whether an edit of other bodies has changed them.

``static final String KEY = Keys.of("a")`` is the same text in each run, but another one when the body of ``of`` is edited.
Slices of all bodies that name the field rest on it.

Absent: constants that are not fields (``library``), how a text is evaluated (``program.values``).
"""

from __future__ import annotations

from functools import partial

from conflens.facts import ir
from conflens.facts.model import Modifier
from conflens.flow.code import Code
from conflens.flow.transfer import Transfer
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.templates import known_text
from conflens.program.trail import Seen

_FIXED = Modifier.STATIC | Modifier.FINAL


class FixedTexts:
    """The texts that were asked for in one program, each with what it rests on."""

    def __init__(self, transfer: Transfer) -> None:
        """Evaluate by ``transfer``."""
        self.program = transfer.program
        self._transfer = transfer
        self._known: dict[MemberRef, tuple[str | None, Seen]] = {}

    def of(self, code: Code, value: int, field: MemberRef) -> str | None:
        """Return the text of the field that an expression names, if that is always the same."""
        known = self._known.get(field)
        if known is None:
            if self.program.is_static(field) or not self._is_constant(field):
                known = self._evaluated(field)
            else:
                known = self._transfer.values.trail.during(
                    partial(self._transfer.constant, code, value)
                )
            self._known[field] = known
        return known[0]

    def moved(
        self, before: FixedTexts, files: frozenset[str], names: frozenset[str]
    ) -> frozenset[MemberRef]:
        """Return the fields that may have another text than ``before``, and take over what is known of the others.

        ``files`` are those that were changed, ``names`` what they began to use.
        """
        found: set[MemberRef] = set()
        for field, known in before._known.items():
            if not known[1].touched_by(files, names):
                self._known.setdefault(field, known)
            elif self.program.is_static(field):
                self._known[field] = self._evaluated(field)
                if self._known[field][0] != known[0]:
                    found.add(field)
            else:
                found.add(field)
        return frozenset(found)

    def know_all(self) -> None:
        """Ask for every constant whose initial value names or calls something."""
        for path, facts in self.program.files.items():
            for number, member in enumerate(facts.members):
                ref = self.program.ref(path, number)
                if member.modifiers & _FIXED == _FIXED and any(
                    isinstance(instr, (ir.Call, ir.Name, ir.Field))
                    for instr in self.program.peek(ref).code
                ):
                    self._known[ref] = self._evaluated(ref)

    def _evaluated(self, field: MemberRef) -> tuple[str | None, Seen]:
        values = self._transfer.values

        def find() -> str | None:
            member = self.program.member(field)
            if member.kind == "enum_constant":
                return member.name
            if not self._is_constant(field):
                return None
            return known_text(values.spread(values.static_field(field)))

        return values.trail.during(find)

    def _is_constant(self, field: MemberRef) -> bool:
        """Tell whether a field is given its value where it is declared, for good."""
        return self.program.is_constant(field) and any(
            isinstance(instr, (ir.StoreField, ir.New))
            for instr in Context.of(self.program, field).code
        )
