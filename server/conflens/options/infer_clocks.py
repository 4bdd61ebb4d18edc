"""Which expressions come from a clock, and in which unit.

A time read from a clock stays one through sums, differences, constant factors, conversions, locals and
fields.  Source: Rabkin, dissertation §4.4 (third technique).
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.rows import scaled
from conflens.flow.uses import Uses
from conflens.models.schema import RETURN
from conflens.program.program import MemberRef
from conflens.program.types import unboxed

_DEPTH = 8
_STORES = 6


class Clocks:
    """Answers for one program; remembers fields."""

    def __init__(self, uses: Uses) -> None:
        """Use the bodies and rows of ``uses``."""
        self.uses = uses
        self._fields: dict[MemberRef, tuple[str, str] | None] = {}

    def reading(self, code: Code, value: int, depth: int = 0) -> tuple[str, str] | None:
        """Return (unit or empty, name of the clock) if an expression comes from a clock."""
        if value == NONE or depth > _DEPTH:
            return None
        instr = code.code[value]
        depth += 1
        match instr:
            case ir.Call() | ir.New():
                return self._call(code, value, instr, depth)
            case ir.Binary(op=op) if op in ("+", "-", "*", "/"):
                return self._binary(code, instr, depth)
            case ir.Cast():
                return self.reading(code, instr.value, depth)
            case ir.Load() if not instr.up:
                return self._local(code, instr.slot, value, depth)
            case ir.Name() | ir.Field():
                ref = code.context.field_of(value)
                return self._field(ref, depth) if ref is not None else None
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
                    found = self.reading(code, arg, depth)
                    if found is not None and conversion.target == RETURN:
                        after = conversion.to_unit or rows.unit_at(
                            code, index, conversion.to_unit_argument
                        )
                        return after or found[0], found[1]
        return None

    def _binary(self, code: Code, instr: ir.Binary, depth: int) -> tuple[str, str] | None:
        left = self.reading(code, instr.left, depth)
        if instr.op in ("+", "-"):
            return left or self.reading(code, instr.right, depth)
        number = self.uses.transfer.number(code, instr.right)
        if left is None or not number:
            return None
        factor = 1 / number if instr.op == "*" else number
        return scaled(left[0], factor), left[1]

    def _local(self, code: Code, slot: int, load: int, depth: int) -> tuple[str, str] | None:
        for store in code.stores.get(slot, ())[:_STORES]:
            instr = code.code[store]
            if isinstance(instr, ir.Store) and store < load:
                found = self.reading(code, instr.value, depth)
                if found is not None:
                    return found
        return None

    def _field(self, ref: MemberRef, depth: int) -> tuple[str, str] | None:
        if ref in self._fields:
            return self._fields[ref]
        self._fields[ref] = None
        if unboxed(
            self.uses.program.field_type(ref)
        ) == "long" and not self.uses.program.is_constant(ref):
            name = self.uses.program.member(ref).name
            facts = self.uses.program.files[ref.path]
            for number in (ref.number, *facts.names.get(name, ())):
                code = self.uses.code(self.uses.program.ref(ref.path, number))
                for instr in code.code:
                    if (
                        isinstance(instr, ir.StoreField)
                        and instr.name == name
                        and code.context.target_field(instr) == ref
                    ):
                        found = self.reading(code, instr.value, depth)
                        if found is not None:
                            self._fields[ref] = found
                            return found
        return None
