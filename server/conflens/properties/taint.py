"""Where an option's value may be, along one path: what is not a name, even if the term of the value there is not known.

Terms
    given    what a path says of an instruction, parameter, field or result: the term of the value there, ``None`` for one that is not known.
    tainted  an expression that the value may be in.
    cells    the fields that hold anything made of the value.

Absent: the terms (``evaluation``).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.terms import Term, depends
from conflens.flow.uses import Uses
from conflens.program.reaching import reaching
from conflens.program.refs import MemberRef
from conflens.program.types import STRING

DEPTH = 24
"""Expressions that lie within each other, over locals and fields."""
STEPS = 1_500
"""Instructions that are looked at for one path."""

Given = dict[object, Term | None]


class Taint:
    """Where the value is along one path."""

    def __init__(self, uses: Uses, cells: Collection[MemberRef]) -> None:
        """Look into bodies by ``uses``."""
        self.uses = uses
        self.program = uses.program
        self._cells = cells
        self._given: Given = {}
        self._chosen: set[tuple[MemberRef, int]] = set()
        self._members: set[MemberRef] = set()
        self._open: set[tuple[MemberRef, int]] = set()
        self._left = STEPS

    def is_tainted(self, code: Code, value: int, depth: int = 0) -> bool:
        """Tell whether the value may be in an expression."""
        if value == NONE:
            return False
        if depth > DEPTH:
            return True
        for inner in code.inside(value):
            if not self._spend() or self._is_source(code, inner, depth):
                return True
        return False

    def _is_source(self, code: Code, value: int, depth: int) -> bool:
        key = (code.ref, value)
        if key in self._given:
            term = self._given[key]
            return term is None or depends(term)
        instr = code.code[value]
        match instr:
            case ir.Load():
                return self._is_tainted_local(code, value, instr, depth)
            case ir.Name() | ir.Field():
                field = code.context.field_of(value)
                return field is not None and (field in self._cells or self._is_given(field))
            case ir.Call():
                return any(self._reads_cells(target) for target in code.context.targets(value))
            case _:
                return False

    def _is_given(self, key: object) -> bool:
        if key not in self._given:
            return False
        term = self._given[key]
        return term is None or depends(term)

    def _is_tainted_local(self, code: Code, value: int, load: ir.Load, depth: int) -> bool:
        if load.up:
            context = code.context.outer(load.up)
            if context is None:
                return True
            code = self.uses.code(context.ref)
            stores: Sequence[int] = code.stores.get(load.slot, ())
            entry = True
        else:
            seen = reaching(code.context, load.slot, value)
            stores, entry = seen.stores, seen.entry
        if entry and self._is_given((code.ref, "parameter", load.slot)):
            return True
        for number in stores:
            store = code.code[number]
            mark = (code.ref, -2 - number)
            if not isinstance(store, ir.Store):
                return True
            if (code.ref, number) in self._chosen:
                return True
            if mark in self._open:
                continue
            self._open.add(mark)
            try:
                if self.is_tainted(code, store.value, depth + 1):
                    return True
            finally:
                self._open.discard(mark)
        return False

    def _reads_cells(self, ref: MemberRef) -> bool:
        """Tell whether a method may give the value: the path leads through it, or it loads a field that holds it."""
        if self._is_given(("result", ref)) or ref in self._members:
            return True
        code = self.uses.code(ref)
        for index in code.context.of_kind(ir.Name, ir.Field):
            if not self._spend():
                return True
            field = code.context.field_of(index)
            if field is not None and (field in self._cells or self._is_given(field)):
                return True
        return False

    # -- conditions ----------------------------------------------------------------------------------

    def _decides(self, code: Code, index: int) -> bool:
        """Tell whether the value decides, other than by being there, whether an instruction runs."""
        for number in code.branches:
            instr = code.code[number]
            if (
                isinstance(instr, ir.If)
                and instr.then_start <= index < instr.stop
                and self.is_tainted(code, instr.test)
                and not self.asks_presence(code, instr.test)
            ):
                return True
        return False

    def is_about(self, code: Code, test: int) -> bool:
        """Tell whether a test asks more of the value than whether it is there."""
        return self.is_tainted(code, test) and not self.asks_presence(code, test)

    def asks_presence(self, code: Code, test: int) -> bool:
        """Tell whether a test asks only whether there is a value, or what its text is."""
        instr = code.code[test]
        match instr:
            case ir.Unary(op="!"):
                return self.asks_presence(code, instr.operand)
            case ir.ShortCircuit():
                return all(
                    not self.is_tainted(code, side) or self.asks_presence(code, side)
                    for side in (instr.left, instr.right)
                )
            case ir.Binary(op="==" | "!="):
                return any(
                    isinstance(side, ir.Const) and side.kind == "n"
                    for side in (code.code[instr.left], code.code[instr.right])
                )
            case ir.Call():
                rows = self.uses.rows.all_conversions(code, test)
                return any(row.asks is not None for row in rows) or (
                    instr.object != NONE and code.context.type_of(instr.object) == STRING
                )
            case _:
                return False

    def _spend(self) -> bool:
        self._left -= 1
        return self._left > 0
