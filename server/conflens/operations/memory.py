"""Which streams only read from or write to memory: calls on them are no I/O.

A type such as ``OutputStream`` does not tell; what was allocated does, as far as the body itself (or a
final field of the same file) shows it.
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.rows import Rows
from conflens.models.load import Models
from conflens.models.schema import CONSTRUCTOR, OperationRow
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.types import STRING

_DEPTH = 6


class Memory:
    """Origins of streams in one program."""

    def __init__(self, program: Program, models: Models, rows: Rows) -> None:
        """Ask about values of ``program``."""
        self.program = program
        self.rows = rows
        self._opening = frozenset(
            row.type
            for row in models.operations_by_method.get(CONSTRUCTOR, ())
            if row.kind == "io"
        )

    def is_memory(self, code: Code, value: int, row: OperationRow) -> bool:
        """Tell whether the receiver ``value`` of an I/O row's call surely is one over memory."""
        return self._made(code.context, value, frozenset(row.unless_types), 0)

    def _made(self, context: Context, value: int, memory: frozenset[str], depth: int) -> bool:
        if value == NONE or depth > _DEPTH:
            return False
        depth += 1
        instr = context.code[value]
        match instr:
            case ir.New():
                return self._new(context, instr, memory, depth)
            case ir.Cast():
                return self._made(context, instr.value, memory, depth)
            case ir.Choice():
                return self._made(context, instr.then, memory, depth) and self._made(
                    context, instr.other, memory, depth
                )
            case ir.Load():
                return self._local(context, instr, memory, depth)
            case ir.Name() | ir.Field():
                return self._field(context, value, memory, depth)
            case _:
                return self._typed(context, value, memory)

    def _typed(self, context: Context, value: int, memory: frozenset[str]) -> bool:
        type_ = context.type_of(value)
        return type_ is not None and not self.rows.chain(type_.name).isdisjoint(memory)

    def _new(self, context: Context, new: ir.New, memory: frozenset[str], depth: int) -> bool:
        name = self.program.resolve(new.type, context.ref.path, context.ref.owner).name
        if not self.rows.chain(name).isdisjoint(memory):
            return True
        if not new.args:
            return False
        if self._made(context, new.args[0], memory, depth):
            return True
        if context.type_of(new.args[0]) != STRING or name in self._opening:
            return False
        # What can read a stream and is made of a text reads that text, unless it opens a file of that name.
        return self._reads_streams(name, memory)

    def _reads_streams(self, name: str, memory: frozenset[str]) -> bool:
        """Tell whether a library type has constructors that are given streams such as those of memory."""
        jdk = self.program.jdk_type(name)
        if jdk is None or self.program.type(name) is not None:
            return False
        streams = {above for type_ in memory for above in self.program.supertypes(type_)}
        constructors = jdk.methods.get(CONSTRUCTOR, ())
        return any(method.params[:1] and method.params[0] in streams for method in constructors)

    def _local(self, context: Context, load: ir.Load, memory: frozenset[str], depth: int) -> bool:
        where = context.outer(load.up) if load.up else context
        if where is None or not load.slot < len(where.body.locals):
            return False
        type_ = where.local_type(load.slot)
        if type_ is not None and not self.rows.chain(type_.name).isdisjoint(memory):
            return True
        if where.body.locals[load.slot].parameter:
            return False
        stores = [
            instr.value
            for instr in where.code
            if isinstance(instr, ir.Store) and instr.slot == load.slot and not instr.up
        ]
        return bool(stores) and all(
            self._made(where, stored, memory, depth)
            for stored in stores
            if not _is_null(where, stored)
        )

    def _field(self, context: Context, value: int, memory: frozenset[str], depth: int) -> bool:
        if self._typed(context, value, memory):
            return True
        field = context.field_of(value)
        if field is None or field.path != context.ref.path or not self.program.is_constant(field):
            return False
        where = Context.of(self.program, field)
        for instr in reversed(where.code):
            if isinstance(instr, ir.StoreField):
                return self._made(where, instr.value, memory, depth)
        return False


def _is_null(context: Context, value: int) -> bool:
    instr = context.code[value] if value != NONE else None
    return isinstance(instr, ir.Const) and instr.kind == "n"
