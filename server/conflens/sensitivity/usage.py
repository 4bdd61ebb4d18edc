"""Whether a program uses what an operation makes or sets: a pool to which nothing is ever submitted costs nothing.

What is made is followed forward, over locals, fields, arguments and results of the project's methods.  A call on it is a
use, and so is any place where it cannot be followed. Calls that only end it or ask about its state are not (``amounts.Unused``).
An operation in code that nothing calls makes nothing (``callers``).

Absent: which of an operation's arguments an option is (``amounts``).
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from conflens.base.paths import is_test_path
from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.results import Operation
from conflens.program.body_uses import takers
from conflens.program.expressions import Context
from conflens.program.fields_named import NOT_NAMED
from conflens.program.refs import MemberRef
from conflens.sensitivity.amounts import AmountRows, Amounts, Argument, Weight
from conflens.sensitivity.bodies import Bodies
from conflens.sensitivity.callers import Callers
from conflens.sensitivity.handing import Handing
from conflens.sensitivity.lexicon import split

_MOST = 120
"""Places that one object is followed to; one that goes further is used."""


@attrs.frozen
class Spare:
    """That what an operation makes matters less than its family says: ``sizes`` replaces what is said of it, or ``adds`` to it."""

    weight: Weight
    sizes: str = ""
    adds: str = ""


NOTHING_CALLS = Spare(Weight.NONE, adds=" in code that nothing calls")
NOTHING_USES = Spare(Weight.NONE, adds=" that nothing uses")
NO_USE_SEEN = Spare(Weight.LITTLE, adds=" that nothing here uses")


class _UsedError(Exception):
    """The object is used."""


class Usage:
    """Answers for one program."""

    def __init__(self, bodies: Bodies, rows: AmountRows, amounts: Amounts) -> None:
        """Ask about the program of ``bodies``."""
        program = bodies.program
        self._bodies = bodies
        self._rows = rows
        self._amounts = amounts
        self._callers = Callers(program, rows.unused)
        self._handing = Handing(program, rows.unused)
        self._known: dict[Operation, Spare | None] = {}

    def of(self, operation: Operation) -> Spare | None:
        """Return why what an operation makes matters less; ``None`` if it is used, or may be."""
        if operation not in self._known:
            self._known[operation] = self._of(operation)
        return self._known[operation]

    def _of(self, operation: Operation) -> Spare | None:
        if self._callers.is_dead(operation.ref):
            return NOTHING_CALLS
        if operation.instr < 0:
            return None
        following = _Following(
            self._bodies, self._rows, self._amounts, self._callers, self._handing
        )
        try:
            following.start(operation.ref, operation.instr)
        except _UsedError:
            return None
        if following.rows:
            row = following.rows[0]
            return Spare(row.weight, sizes=row.sizes)
        return NO_USE_SEEN if following.doubtful else NOTHING_USES


class _Following:
    """Follows one object; raises ``_UsedError`` where it is used."""

    def __init__(
        self,
        bodies: Bodies,
        rows: AmountRows,
        amounts: Amounts,
        callers: Callers,
        handing: Handing,
    ) -> None:
        self._program = bodies.program
        self._bodies = bodies
        self._words = rows.unused
        self._amounts = amounts
        self._callers = callers
        self._handing = handing
        self._seen: set[tuple[MemberRef, str, int]] = set()
        self.rows: list[Argument] = []
        """What is said of the arguments that the object is."""
        self.doubtful = False

    def start(self, ref: MemberRef, index: int) -> None:
        """Follow what an instruction makes, or the object that it sets."""
        context = Context.of(self._program, ref)
        instr = context.code[index]
        if isinstance(instr, ir.New):
            self._value(ref, index)
            return
        if not isinstance(instr, ir.Call) or instr.name == "<init>":
            raise _UsedError
        if instr.object == NONE or context.denotes(instr.object) is not None:
            self._value(ref, index)
            return
        if takers(context, index):
            self._value(ref, index)
        self._settled(context, instr)

    def _settled(self, context: Context, call: ir.Call) -> None:
        """Follow the object that a call is on, or in front of a chain of calls; one that is not made here may be part of another."""
        code, root = context.code, call.object
        for _ in range(_MOST):
            link = code[root]
            if not isinstance(link, ir.Call) or link.object == NONE:
                break
            if context.denotes(link.object) is not None:
                if not self._is_made(context, root):
                    raise _UsedError
                return  # where its result goes is followed
            root = link.object
        object_ = code[root]
        if isinstance(object_, ir.New):
            self._value(context.ref, root)
        elif isinstance(object_, ir.Load) and not object_.up:
            stored = context.stores(object_.slot)
            if context.is_parameter(object_.slot) or not self._are_made(context, stored):
                raise _UsedError
            self._slot(context.ref, object_.slot)
        elif isinstance(object_, (ir.Name, ir.Field)):
            self._field(context.field_of(root), is_set=True)
        else:
            raise _UsedError

    def _are_made(self, context: Context, stores: Iterable[ir.Instr]) -> bool:
        """Tell whether all that is stored is made on the spot, so that it is no part of something else; at least one is."""
        values = [store.value for store in stores if isinstance(store, (ir.Store, ir.StoreField))]
        given = [value for value in values if not isinstance(context.code[value], ir.Const)]
        return bool(given) and all(self._is_made(context, value) for value in given)

    def _is_made(self, context: Context, value: int) -> bool:
        """Tell whether a value is a new object: of ``new``, or of a static method that is named so."""
        instr = context.code[value]
        if isinstance(instr, ir.New):
            return True
        if not isinstance(instr, ir.Call) or instr.object == NONE:
            return False
        is_named = not self._words.making.isdisjoint(split(instr.name)[:1])
        return is_named and context.denotes(instr.object) is not None

    def _is_new(self, ref: MemberRef, what: str, number: int) -> bool:
        key = ref, what, number
        if key in self._seen:
            return False
        self._seen.add(key)
        if len(self._seen) > _MOST:
            raise _UsedError
        return True

    def _value(self, ref: MemberRef, value: int) -> None:
        if not self._is_new(ref, "value", value):
            return
        context = Context.of(self._program, ref)
        for index in takers(context, value):
            self._taken(context, index, value)

    def _taken(self, context: Context, index: int, value: int) -> None:
        instr = context.code[index]
        match instr:
            case ir.Store() if not instr.up:
                self._slot(context.ref, instr.slot)
            case ir.StoreField() if instr.value == value:
                self._field(context.target_field(instr))
            case ir.Return() if instr.kind == "return":
                self._returned(context, index)
            case ir.Cast() | ir.Choice():
                self._value(context.ref, index)
            case ir.Binary() if instr.op in ("==", "!="):
                pass
            case ir.InstanceOf():
                pass
            case ir.Call() if value in instr.args:
                self._argument(context, index, instr, value)
            case ir.Call():
                first = split(instr.name)[:1]
                if not first or first[0] not in self._words.calls:
                    raise _UsedError
                self._value(context.ref, index)
            case ir.New():
                self._argument(context, index, instr, value)
            case _:
                raise _UsedError

    def _argument(self, context: Context, index: int, instr: ir.Call | ir.New, value: int) -> None:
        targets = context.targets(index)
        places = [place for place, arg in enumerate(instr.args) if arg == value]
        if targets:
            for target in targets:
                for ref in (target, *self._program.overriders(target)):
                    member = self._program.member(ref)
                    if member.varargs or is_test_path(ref.path):
                        raise _UsedError
                    for place in places:
                        self._slot(ref, place)
            return
        if isinstance(instr, ir.New):
            if instr.body >= 0:
                raise _UsedError
            self._value(context.ref, index)  # an object of a library that works with it
            return
        code = self._bodies.code(context.ref)
        for place in places:
            row = self._amounts.at(code, index, place)
            if row is None or row.weight is not Weight.NONE:
                raise _UsedError
            self.rows.append(row)

    def _slot(self, ref: MemberRef, slot: int) -> None:
        if not self._is_new(ref, "slot", slot):
            return
        code = self._bodies.code(ref)
        for load in code.loads.get(slot, ()):
            self._value(ref, load)
        for inner in code.inner():
            if any(
                isinstance(instr, ir.Load) and instr.up and instr.slot == slot
                for instr in Context.of(self._program, inner).code
            ):
                raise _UsedError

    def _field(self, field: MemberRef | None, is_set: bool = False) -> None:
        if field is None:
            raise _UsedError
        if not self._is_new(field, "field", 0):
            return
        program = self._program
        member = program.member(field)
        is_open = self._callers.is_open(field) or program.implied_by(field)
        if is_open or any(map(self._callers.matters, member.annotations)):
            raise _UsedError
        for user in program.mentions(member.name):
            if is_test_path(user.path):
                continue
            if is_set:
                context = Context.of(program, user)
                for index in self._bodies.fields(user).get(member.name, NOT_NAMED).stores:
                    if not self._are_made(context, (context.code[index],)):
                        raise _UsedError
            loaded = self._bodies.loaded(user, member.name)
            for index in loaded.of.get(field, ()):
                self._value(user, index)
            if loaded.unclear:
                raise _UsedError

    def _returned(self, context: Context, index: int) -> None:
        ref = context.ref
        if not self._is_new(ref, "returned", 0):
            return
        code = self._bodies.code(ref)
        member = self._program.member(ref)
        if code.lambda_of(index) != NONE or member.kind != "method":
            raise _UsedError
        if self._handing.makes(ref):
            if self._handing.may_hand(ref):
                raise _UsedError
            self.doubtful = True
        elif self._callers.is_root(ref, named=False) or self._callers.is_open(ref):
            raise _UsedError
        for user, call in self._callers.calls(ref):
            if isinstance(Context.of(self._program, user).code[call], ir.MethodRef):
                raise _UsedError
            self._value(user, call)
