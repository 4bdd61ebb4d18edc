"""Which expressions come from a clock, and in which unit.

A time read from a clock stays one through sums, differences, constant factors, conversions, locals
and fields.  Source: Rabkin, dissertation §4.4 (third technique).
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.rows import scaled
from conflens.flow.uses import Uses
from conflens.models.schema import RETURN
from conflens.program.refs import MemberRef
from conflens.program.types import unboxed

_DEPTH = 8
_STORES = 6
_STEPS = 60
"""Expressions looked at to answer one question."""


class Clocks:
    """Answers for one program."""

    def __init__(self, uses: Uses) -> None:
        """Use the bodies and rows of ``uses``."""
        self.uses = uses
        self._inside = False
        self._steps = 0

    def reading(self, code: Code, value: int) -> tuple[str, str] | None:
        """Return (unit or empty, name of the clock) if an expression comes from a clock."""
        self._steps = 0
        return self._reading(code, value, 0)

    def _reading(self, code: Code, value: int, depth: int) -> tuple[str, str] | None:
        self._steps += 1
        if value == NONE or depth > _DEPTH or self._steps > _STEPS:
            return None
        instr = code.code[value]
        depth += 1
        match instr:
            case ir.Call() | ir.New():
                return self._call(code, value, instr, depth)
            case ir.Binary(op=op) if op in ("+", "-", "*", "/"):
                return self._binary(code, instr, depth)
            case ir.Cast():
                return self._reading(code, instr.value, depth)
            case ir.Load() if not instr.up:
                return self._local(code, instr.slot, value, depth)
            case ir.Name() | ir.Field():
                ref = code.context.field_of(value)
                return self._field(ref) if ref is not None else None
            case _:
                return None

    def _call(
        self, code: Code, index: int, instr: ir.Call | ir.New, depth: int
    ) -> tuple[str, str] | None:
        rows = self.uses.rows
        row = rows.clock(code, index)
        if row is not None:
            name = row.type.rpartition(".")[2]
            unit = row.unit or rows.unit_at(code, index, row.unit_argument)
            label = f"{name}.{row.method}" if row.method != "<init>" else f"new {name}"
            return unit, label
        if (
            isinstance(instr, ir.Call)
            and instr.name in self.uses.rows.models.conversions_by_method
        ):
            places = [(place, arg) for place, arg in enumerate(instr.args)]
            if instr.object != NONE:
                places.append((-1, instr.object))
            for place, arg in places:
                for conversion in rows.conversions(code, index, place):
                    found = self._reading(code, arg, depth)
                    if found is not None and conversion.target == RETURN:
                        after = conversion.to_unit or rows.unit_at(
                            code, index, conversion.to_unit_argument
                        )
                        return after or found[0], found[1]
        return None

    def _binary(self, code: Code, instr: ir.Binary, depth: int) -> tuple[str, str] | None:
        left = self._reading(code, instr.left, depth)
        if instr.op in ("+", "-"):
            return left or self._reading(code, instr.right, depth)
        number = self.uses.transfer.number(code, instr.right)
        if left is None or not number:
            return None
        factor = 1 / number if instr.op == "*" else number
        return scaled(left[0], factor), left[1]

    def _local(self, code: Code, slot: int, load: int, depth: int) -> tuple[str, str] | None:
        for store in code.stores.get(slot, ())[:_STORES]:
            instr = code.code[store]
            if isinstance(instr, ir.Store) and store < load:
                found = self._reading(code, instr.value, depth)
                if found is not None:
                    return found
        return None

    def _field(self, ref: MemberRef) -> tuple[str, str] | None:
        """Classify a field by the assignments in its file; other fields in them are not looked at.

        So the answer does not depend on which field is asked for first.
        """
        program = self.uses.program
        if self._inside:
            return None

        def find() -> tuple[str, str] | None:
            fits = unboxed(program.field_type(ref)) == "long" and not program.is_constant(ref)
            steps = self._steps
            self._inside = True
            try:
                return self._stored(ref) if fits else None
            finally:
                self._inside = False
                self._steps = steps

        return self.uses.values.trail.remembered(("clock", ref), find)

    def _stored(self, ref: MemberRef) -> tuple[str, str] | None:
        program = self.uses.program
        name = program.member(ref).name
        for number in (ref.number, *program.files[ref.path].names.get(name, ())):
            code = self.uses.code(program.ref(ref.path, number))
            for instr in code.code:
                if (
                    isinstance(instr, ir.StoreField)
                    and instr.name == name
                    and code.context.target_field(instr) == ref
                ):
                    self._steps = 0
                    found = self._reading(code, instr.value, 0)
                    if found is not None:
                        return found
        return None
