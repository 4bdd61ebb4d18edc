"""Which sizes never change: literals, what is computed from them, and final fields that hold such.

An array of constant length, or a buffer of constant size, is no operation (LearnConf §3.1.2).  A field that is
given an option's value is no constant, since a call is none.
"""

from __future__ import annotations

from collections.abc import Iterable

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.kinds import kind_of
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef

Resting = tuple[MemberRef, ...] | None
"""The fields whose constancy makes a value constant; None: it is none, whatever they are."""

_NOTE = "operations.resting"

_FIELDS = 64
"""Fields on which one value may rest; of more nobody would say that its size never changes."""


class Constants:
    """Constancy of values in one program.

    Each value of a body and each field is decided once, from what it is computed from upwards, so that values which are
    derived from each other cost no more than others, however many there are.
    """

    def __init__(self, program: Program) -> None:
        """Ask about values of ``program``."""
        self.program = program
        self._fields: dict[MemberRef, bool] = {}

    def resting(self, code: Code, values: Iterable[int]) -> Resting:
        """Return what the constancy of all these values rests on."""
        context = code.context
        given = [value for value in values if value != NONE]
        return _joined([self._value(context, value) for value in given])

    def constant(self, resting: Resting) -> bool:
        """Tell whether a value is constant after all."""
        return resting is not None and all(self._field(ref) for ref in resting)

    def _value(self, context: Context, value: int) -> Resting:
        kept = context.notes.setdefault(_NOTE, {})
        assert isinstance(kept, dict)
        stack = [value]
        begun: set[int] = set()
        while stack:
            current = stack[-1]
            parts = () if current in kept else self._parts(context, current)
            open_ = [part for part in parts or () if part not in kept]
            if open_ and current not in begun:
                begun.add(current)
                stack += open_
                continue
            stack.pop()
            if current in kept:
                continue
            if parts is None or open_:
                # What is computed from itself is no constant.
                kept[current] = None
            elif parts:
                kept[current] = _joined([kept[part] for part in parts])
            else:
                kept[current] = self._leaf(context, current)
        found: Resting = kept[value]
        return found

    def _parts(self, context: Context, value: int) -> tuple[int, ...] | None:
        """Return what a value is computed from, nothing for a leaf, ``None`` for what is no constant."""
        instr = context.code[value]
        parts: tuple[int, ...]
        match instr:
            case ir.Const() | ir.Name() | ir.Field():
                return ()
            case ir.Cast():
                return (instr.value,) if instr.value != NONE else None
            case ir.Unary():
                parts = (instr.operand,)
            case ir.Binary():
                parts = (instr.left, instr.right)
            case ir.Choice():
                parts = (instr.then, instr.other)
            case ir.Load():
                return self._local(context, instr)
            case ir.Call() if instr.args and self._is_amount(context, value, instr):
                parts = instr.args
            case _:
                return None
        return tuple(part for part in parts if part != NONE)

    def _is_amount(self, context: Context, value: int, call: ir.Call) -> bool:
        """Tell whether a call of a library makes an object that is an amount, such as a duration."""
        owner = context.denotes(call.object) if call.object != NONE else None
        return (
            owner is not None
            and self.program.type(owner) is None
            and kind_of(self.program, context.type_of(value)) in ("time", "size")
        )

    def _leaf(self, context: Context, value: int) -> Resting:
        instr = context.code[value]
        if isinstance(instr, (ir.Name, ir.Field)):
            return self._named(context, value, instr)
        return ()

    @staticmethod
    def _local(context: Context, load: ir.Load) -> tuple[int, ...] | None:
        if load.up or context.body.locals[load.slot].parameter:
            return None
        assigned = context.stores(load.slot, 2)
        return (assigned[0].value,) if len(assigned) == 1 and assigned[0].value != NONE else None

    def _named(self, context: Context, value: int, instr: ir.Name | ir.Field) -> Resting:
        field = context.field_of(value)
        if field is not None:
            info = self.program.type(field.owner)
            declared = info is not None and info.decl.kind in ("interface", "annotation")
            return (field,) if declared or self.program.is_constant(field) else None
        if isinstance(instr, ir.Name):
            owners = [context.ref.owner, *context.static_imports(instr.name)]
        else:
            owner = context.denotes(instr.object) if instr.object != NONE else None
            owners = [owner] if owner is not None else []
        for first in owners:
            for name in (first, *self.program.supertypes(first)):
                jdk = self.program.jdk_type(name)
                if jdk is not None and instr.name in jdk.fields:
                    return () if jdk.fields[instr.name].constant is not None else None
        return None

    def _field(self, ref: MemberRef) -> bool:
        known = self._fields
        stack = [ref]
        begun: set[MemberRef] = set()
        while stack:
            current = stack[-1]
            if current in known:
                stack.pop()
                continue
            resting = self._initial(current)
            open_ = [other for other in resting or () if other not in known]
            if not open_:
                known[current] = resting is not None and all(known[other] for other in resting)
            elif current in begun:
                # What is computed from itself is no constant.
                known[current] = False
            else:
                begun.add(current)
                stack += open_
        return known[ref]

    def _initial(self, ref: MemberRef) -> Resting:
        context = Context.of(self.program, ref)
        for instr in reversed(context.code):
            if isinstance(instr, ir.StoreField):
                return self._value(context, instr.value) if instr.value != NONE else None
        return None


def _joined(parts: list[Resting]) -> Resting:
    """Return what the constancy of several values rests on."""
    found: dict[MemberRef, None] = {}
    for resting in parts:
        if resting is None:
            return None
        found.update(dict.fromkeys(resting))
    return tuple(found) if len(found) <= _FIELDS else None
