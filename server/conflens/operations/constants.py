"""Which sizes never change: literals, what is computed from them, and final fields that hold such.

An array of constant length, or a buffer of constant size, is no operation (LearnConf §3.1.2).  A field that is
given an option's value is no constant, since a call is none.
"""

from __future__ import annotations

from collections.abc import Iterable

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef

Resting = tuple[MemberRef, ...] | None
"""The fields whose constancy makes a value constant; None: it is none, whatever they are."""

_DEPTH = 12


class Constants:
    """Constancy of values in one program."""

    def __init__(self, program: Program) -> None:
        """Ask about values of ``program``."""
        self.program = program
        self._fields: dict[MemberRef, bool] = {}

    def resting(self, code: Code, values: Iterable[int]) -> Resting:
        """Return what the constancy of all these values rests on."""
        return self._all(code.context, values, 0)

    def constant(self, resting: Resting) -> bool:
        """Tell whether a value is constant after all."""
        return resting is not None and all(self._field(ref, 0) for ref in resting)

    def _all(self, context: Context, values: Iterable[int], depth: int) -> Resting:
        found: tuple[MemberRef, ...] = ()
        for value in values:
            if value == NONE:
                continue
            resting = self._one(context, value, depth)
            if resting is None:
                return None
            found += resting
        return found

    def _one(self, context: Context, value: int, depth: int) -> Resting:
        if depth > _DEPTH:
            return None
        instr = context.code[value]
        match instr:
            case ir.Const():
                return ()
            case ir.Cast():
                return self._one(context, instr.value, depth + 1)
            case ir.Unary():
                return self._all(context, (instr.operand,), depth + 1)
            case ir.Binary():
                return self._all(context, (instr.left, instr.right), depth + 1)
            case ir.Choice():
                return self._all(context, (instr.then, instr.other), depth + 1)
            case ir.Load():
                return self._local(context, instr, depth)
            case ir.Name() | ir.Field():
                return self._named(context, value, instr)
            case _:
                return None

    def _local(self, context: Context, load: ir.Load, depth: int) -> Resting:
        if load.up or context.body.locals[load.slot].parameter:
            return None
        stores = [
            instr.value
            for instr in context.code
            if isinstance(instr, ir.Store) and instr.slot == load.slot and not instr.up
        ]
        return self._one(context, stores[0], depth + 1) if len(stores) == 1 else None

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

    def _field(self, ref: MemberRef, depth: int) -> bool:
        known = self._fields.get(ref)
        if known is None:
            self._fields[ref] = False
            known = self._initial(ref, depth)
            self._fields[ref] = known
        return known

    def _initial(self, ref: MemberRef, depth: int) -> bool:
        context = Context.of(self.program, ref)
        for instr in reversed(context.code):
            if isinstance(instr, ir.StoreField):
                resting = self._one(context, instr.value, depth)
                if resting is None or depth > _DEPTH:
                    return False
                return all(self._field(other, depth + 1) for other in resting)
        return False
