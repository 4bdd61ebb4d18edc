"""Which objects hold what I/O has read (LearnConf §3.1.2, container-add operations).

Terms
    content     an array that an I/O call has read into or returned, as rows say; one of constant length
                is none.
    holder      a class a field of which is given content; all its objects count.

Content is followed through locals, into parameters of project methods and constructors (``_LEVELS`` calls deep)
and out of methods that return it.  What is remembered of a body follows from it, from surfaces and
rows; the set of holders belongs to one program.
"""

from __future__ import annotations

from typing import NamedTuple

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.rows import Rows
from conflens.models.load import Models
from conflens.models.schema import RETURN
from conflens.operations.constants import Constants
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.types import ARRAY

_LEVELS = 2
_NOTE = "content"
_GIVEN = "content given"


class Held(NamedTuple):
    """An argument that may hold content: by its class, or for sure when ``owner`` is empty."""

    owner: str


class _Goes(NamedTuple):
    """Where content in one body goes: holders, parameters of project methods, out of it."""

    holders: frozenset[str]
    passed: tuple[tuple[MemberRef, int], ...]
    returned: bool
    slots: frozenset[int]


_NOWHERE = _Goes(frozenset(), (), False, frozenset())
_Giving = frozenset[MemberRef]


class Content:
    """Content and its holders in one program."""

    def __init__(self, program: Program, models: Models, rows: Rows) -> None:
        """Follow content in ``program``."""
        self.program = program
        self.models = models
        self.rows = rows
        self._names = frozenset(row.method for row in models.operations if row.content is not None)
        self._constants = Constants(program)
        self._holders: frozenset[str] | None = None

    def held(self, code: Code, value: int) -> Held | None:
        """Return by what an argument may hold content; None if it cannot."""
        type_ = code.context.type_of(value)
        if type_ is None:
            return None
        if type_.name == ARRAY:
            instr = code.code[value]
            if isinstance(instr, ir.Load) and not instr.up:
                goes = self._own(code.context)
                return Held("") if instr.slot in goes.slots else None
            return Held("") if self._reads(code, value) == RETURN else None
        return Held(type_.name) if self.program.type(type_.name) is not None else None

    def holds(self, held: Held) -> bool:
        """Tell whether what an argument may be holds content."""
        if not held.owner:
            return True
        holders = self.holders()
        return bool(holders) and not holders.isdisjoint(self.rows.chain(held.owner))

    def holders(self) -> frozenset[str]:
        """Return the classes whose objects hold content."""
        if self._holders is None:
            self._holders = self._find()
        return self._holders

    # -- the whole program -------------------------------------------------------------------------

    def _find(self) -> frozenset[str]:
        holders: set[str] = set()
        passed: list[tuple[MemberRef, int]] = []
        giving: set[MemberRef] = set()
        for name in sorted(self._names):
            for ref in self.program.users(name):
                goes = self._own(Context.of(self.program, ref))
                self._take(goes, ref, holders, passed, giving)
        given = frozenset(giving)
        for caller in sorted({at for ref in giving for at in self._callers(ref)}):
            if self._pauper(caller):
                goes = self._given(Context.of(self.program, caller), given)
                self._take(goes, caller, holders, passed, set())
        seen: set[tuple[MemberRef, int]] = set()
        for _ in range(_LEVELS):
            following: list[tuple[MemberRef, int]] = []
            for ref, slot in passed:
                if (ref, slot) not in seen:
                    seen.add((ref, slot))
                    self._take(self._parameter(ref, slot), ref, holders, following, set())
            passed = following
        return frozenset(holders)

    @staticmethod
    def _take(
        goes: _Goes,
        ref: MemberRef,
        holders: set[str],
        passed: list[tuple[MemberRef, int]],
        giving: set[MemberRef],
    ) -> None:
        holders |= goes.holders
        passed += goes.passed
        if goes.returned:
            giving.add(ref)

    def _callers(self, ref: MemberRef) -> tuple[MemberRef, ...]:
        return self.program.users(self.program.member(ref).name)

    def _pauper(self, ref: MemberRef) -> bool:
        """Tell whether a body can do anything with an array: it stores fields or makes calls."""
        return any(
            isinstance(instr, (ir.StoreField, ir.Call, ir.New))
            for instr in Context.of(self.program, ref).code
        )

    # -- one body ----------------------------------------------------------------------------------

    def _own(self, context: Context) -> _Goes:
        """Return where the content goes that a body itself reads."""
        notes = context.notes
        note = notes.get(_NOTE)
        if isinstance(note, tuple) and note[0] == self.models.digest:
            return note[1]  # type: ignore[no-any-return]
        goes = self._goes(context, frozenset(), None)
        notes[_NOTE] = (self.models.digest, goes)
        return goes

    def _given(self, context: Context, giving: _Giving) -> _Goes:
        """Return where the content goes that a body itself reads, or is given by calls of ``giving``."""
        note = context.notes.get(_GIVEN)
        if isinstance(note, tuple) and note[:2] == (self.models.digest, giving):
            return note[2]  # type: ignore[no-any-return]
        goes = self._goes(context, giving, None)
        context.notes[_GIVEN] = (self.models.digest, giving, goes)
        return goes

    def _parameter(self, ref: MemberRef, slot: int) -> _Goes:
        context = Context.of(self.program, ref)
        key = f"{_NOTE} {slot}"
        note = context.notes.get(key)
        if isinstance(note, _Goes):
            return note
        goes = self._goes(context, frozenset(), slot)
        context.notes[key] = goes
        return goes

    def _goes(self, context: Context, giving: _Giving, parameter: int | None) -> _Goes:
        code = Code(self.program, context.ref)
        slots: set[int] = set() if parameter is None else {parameter}
        values: set[int] = set()
        holders: set[str] = set()
        passed: list[tuple[MemberRef, int]] = []
        returned = False
        if parameter is None:
            self._start(code, giving, slots, values, holders)
        if not slots and not values and not holders:
            return _NOWHERE
        for index, instr in enumerate(context.code):
            match instr:
                case ir.Load() if not instr.up and instr.slot in slots:
                    values.add(index)
                case ir.Store() if not instr.up and instr.value in values:
                    slots.add(instr.slot)
                case ir.Cast() if instr.value in values:
                    values.add(index)
                case ir.StoreField() if instr.value in values:
                    field = context.target_field(instr)
                    if field is not None:
                        holders.add(field.owner)
                case ir.Call() | ir.New():
                    places = [at for at, arg in enumerate(instr.args) if arg in values]
                    if places:
                        for target in self._targets(code, index)[:1]:
                            passed += [(target, at) for at in places]
                case ir.Return() if instr.value in values:
                    returned = True
                case _:
                    pass
        return _Goes(frozenset(holders), tuple(passed), returned, frozenset(slots))

    def _targets(self, code: Code, index: int) -> list[MemberRef]:
        instr = code.code[index]
        if isinstance(instr, ir.Call) and instr.name == "<init>" and instr.object != NONE:
            this = code.code[instr.object]
            supers = self.program.direct_supers(code.ref.owner)
            if isinstance(this, ir.This) and this.qualifier == "super" and supers:
                return self.program.methods(supers[0].name, "<init>", len(instr.args))
        return code.context.targets(index)

    def _start(
        self,
        code: Code,
        giving: _Giving,
        slots: set[int],
        values: set[int],
        holders: set[str],
    ) -> None:
        """Note what I/O calls of the body return or read into."""
        for index, instr in enumerate(code.code):
            if not isinstance(instr, ir.Call):
                continue
            if giving and not giving.isdisjoint(code.context.targets(index)[:1]):
                values.add(index)
            if instr.name not in self._names:
                continue
            place = self._reads(code, index)
            if place == RETURN:
                values.add(index)
            elif place is not None and place < len(instr.args):
                array = code.code[instr.args[place]]
                if isinstance(array, ir.Load) and not array.up:
                    if not self._fixed(code, array.slot):
                        slots.add(array.slot)
                elif isinstance(array, (ir.Name, ir.Field)):
                    field = code.context.field_of(instr.args[place])
                    if field is not None:
                        holders.add(field.owner)

    def _fixed(self, code: Code, slot: int) -> bool:
        """Tell whether a local is an array of constant length, which cannot be large."""
        if code.context.body.locals[slot].parameter:
            return False
        values = [
            instr.value
            for instr in (code.code[store] for store in code.stores.get(slot, ()))
            if isinstance(instr, ir.Store)
        ]
        made = [code.code[value] for value in values if value != NONE]
        return bool(made) and all(
            isinstance(array, ir.NewArray)
            and self._constants.resting(code, array.dims) is not None
            for array in made
        )

    def _reads(self, code: Code, index: int) -> int | None:
        """Return the place of the array that an I/O call reads into or returns."""
        instr = code.code[index]
        if not isinstance(instr, ir.Call) or instr.name not in self._names:
            return None
        for row in self.rows.operations(code, index):
            if row.content is None:
                continue
            if row.content == RETURN or row.content >= len(instr.args):
                return row.content
            type_ = code.context.type_of(instr.args[row.content])
            if type_ is not None and type_.name == ARRAY:
                return row.content
        return None
