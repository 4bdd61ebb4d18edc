"""Which model rows hold for a call.

A row names a type; it holds for a call on that type or a subtype of it.  A call without a receiver
is looked up in its own class and in static imports.  Types that cannot be told match no row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol, TypeVar

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.models.load import Models
from conflens.models.schema import (
    CONSTRUCTOR,
    RECEIVER,
    AmountRow,
    BarrierRow,
    CallbackRow,
    CellRow,
    ClockRow,
    ConversionRow,
    OperationRow,
    RangeRow,
    ValueRow,
)
from conflens.program.fluent import fluent_type
from conflens.program.program import Program
from conflens.program.types import OBJECT, JavaType, unboxed

NANOS = {
    "ns": 1.0,
    "us": 1e3,
    "ms": 1e6,
    "s": 1e9,
    "min": 60e9,
    "h": 3600e9,
    "d": 86400e9,
}
"""Units of time, in nanoseconds."""

BYTES = {
    "B": 1.0,
    "KB": 1024.0,
    "MB": 1024.0**2,
    "GB": 1024.0**3,
    "TB": 1024.0**4,
    "PB": 1024.0**5,
}
"""Units of size, in bytes."""


_HOPS = 40
"""Calls of one chain that are looked at for the library that they belong to."""


class _Row(Protocol):
    @property
    def type(self) -> str: ...
    @property
    def method(self) -> str: ...
    @property
    def min_args(self) -> int: ...
    @property
    def max_args(self) -> int | None: ...


RowT = TypeVar("RowT", bound=_Row)

_CONVERSIONS = "flow.conversions"


class _Known(NamedTuple):
    """The conversions that calls of a body are, as one ``Rows`` found them; its mark does not keep its program."""

    mark: object
    rows: dict[int, Sequence[ConversionRow]]


class Rows:
    """The rows of ``models``, asked about calls of ``program``."""

    def __init__(self, program: Program, models: Models) -> None:
        """Match rows against calls of one program."""
        self.program = program
        self.models = models
        self.holders = frozenset(
            row.type
            for row in models.conversions
            if row.default is not None and RECEIVER in row.sources
        )
        """Types of objects that hold a value or none."""
        self._mark = object()
        self._chains: dict[str, frozenset[str]] = {}
        self._barriers: dict[str, list[BarrierRow]] = {}
        for row in models.barriers:
            self._barriers.setdefault(row.method, []).append(row)

    def chain(self, name: str) -> frozenset[str]:
        """Return a type with all its supertypes, ``Object`` included."""
        found = self._chains.get(name)
        if found is None:
            found = frozenset((name, *self.program.supertypes(name), OBJECT.name))
            self._chains[name] = found
        return found

    def owners(self, code: Code, index: int) -> list[str]:
        """Return the types in which the method of a call is looked up."""
        instr = code.code[index]
        if isinstance(instr, ir.New):
            return [self.program.resolve(instr.type, code.ref.path, code.ref.owner).name]
        if isinstance(instr, ir.MethodRef):
            object_ = code.context.type_of(instr.object) if instr.object != NONE else None
            if object_ is not None and code.context.denotes(instr.object) is None:
                return [object_.name]
            if instr.type:
                return [self.program.resolve(instr.type, code.ref.path, code.ref.owner).name]
            return []
        if not isinstance(instr, ir.Call):
            return []
        if instr.object != NONE:
            type_ = code.context.receiver_type(instr) or self._lambda_type(code, instr.object)
            type_ = type_ or self._fluent(code, instr)
            return [type_.name] if type_ is not None else []
        targets = code.context.targets(index)
        if targets:
            return [targets[0].owner]
        return [code.ref.owner, *code.context.static_imports(instr.name)]

    def _fluent(self, code: Code, call: ir.Call) -> JavaType | None:
        """Return the type of a library whose source is not at hand that a chain of calls goes on with."""
        type_ = fluent_type(code.context, call, _HOPS)
        if type_ is None or self.program.type(type_.name) is not None:
            return None
        return type_ if self.program.jdk_type(type_.name) is None else None

    @staticmethod
    def _lambda_type(code: Code, value: int) -> JavaType | None:
        """Return what a lambda's parameter is when it is handed what a library object holds."""
        load = code.code[value]
        if not isinstance(load, ir.Load) or load.up:
            return None
        call = code.lambda_taker(load.slot)
        if call is None or call.object == NONE:
            return None
        type_ = code.context.type_of(call.object)
        return type_.args[0] if type_ is not None and len(type_.args) == 1 else None

    def _matching(
        self, rows: tuple[RowT, ...], code: Code, index: int, args: tuple[int, ...]
    ) -> Iterator[RowT]:
        if not rows:
            return
        for owner in self.owners(code, index):
            chain = self.chain(owner)
            for row in rows:
                if row.type not in chain or len(args) < row.min_args:
                    continue
                if row.max_args is not None and len(args) > row.max_args:
                    continue
                parameters = getattr(row, "parameters", ())
                if not parameters or self._fits(code, parameters, args):
                    yield row

    def _fits(self, code: Code, parameters: tuple[str, ...], args: tuple[int, ...]) -> bool:
        for wanted, arg in zip(parameters, args, strict=False):
            if wanted == "*":
                continue
            type_ = code.context.type_of(arg)
            if type_ is None:
                continue
            if not self._is(type_, wanted):
                return False
        return True

    def _is(self, type_: JavaType, wanted: str) -> bool:
        primitive = unboxed(type_)
        if primitive:
            if wanted in ("long", "double", "float"):
                return primitive != "boolean"
            return primitive == wanted or (
                wanted == "int" and primitive in ("short", "byte", "char")
            )
        return any(name.rpartition(".")[2] == wanted for name in self.chain(type_.name))

    @staticmethod
    def _call(code: Code, index: int) -> tuple[str, tuple[int, ...]] | None:
        instr = code.code[index]
        if isinstance(instr, ir.Call):
            return instr.name, instr.args
        if isinstance(instr, ir.New):
            return CONSTRUCTOR, instr.args
        if isinstance(instr, ir.MethodRef):
            return instr.name, (NONE,)
        return None

    def conversions(self, code: Code, index: int, place: int) -> list[ConversionRow]:
        """Return the conversions that take a value at ``place`` of a call."""
        return [row for row in self.all_conversions(code, index) if place in row.sources]

    def all_conversions(self, code: Code, index: int) -> Sequence[ConversionRow]:
        """Return the conversions that a call is."""
        kept = code.context.notes.get(_CONVERSIONS)
        if not isinstance(kept, _Known) or kept.mark is not self._mark:
            kept = code.context.notes[_CONVERSIONS] = _Known(self._mark, {})
        found = kept.rows.get(index)
        if found is None:
            found = kept.rows[index] = self._conversions(code, index)
        return found

    def _conversions(self, code: Code, index: int) -> Sequence[ConversionRow]:
        call = self._call(code, index)
        if call is None:
            return ()
        rows = self.models.conversions_by_method.get(call[0], ())
        return list(self._matching(rows, code, index, call[1])) if rows else ()

    def cells(self, code: Code, index: int) -> list[CellRow]:
        """Return what a call does with the cells of the object it is made on."""
        call = self._call(code, index)
        if call is None:
            return []
        rows = self.models.cells_by_method.get(call[0], ())
        return list(self._matching(rows, code, index, call[1]))

    def callbacks(self, code: Code, index: int) -> list[CallbackRow]:
        """Return which objects given to a call are run by it."""
        call = self._call(code, index)
        if call is None:
            return []
        rows = self.models.callbacks_by_method.get(call[0], ())
        return list(self._matching(rows, code, index, call[1]))

    def value(self, code: Code, index: int, place: int) -> ValueRow | None:
        """Return what a call says of the value of its argument ``place``."""
        call = self._call(code, index)
        if call is None or place == RECEIVER:
            return None
        rows = self.models.values_by_method.get(call[0], ())
        for row in self._matching(rows, code, index, call[1]):
            if row.argument == place:
                return row
        return None

    def gives_default(self, code: Code, index: int, place: int) -> bool:
        """Tell whether a call reads an option and gives back argument ``place`` when it is not set."""
        call = self._call(code, index)
        if call is None:
            return False
        rows = tuple(
            row for row in self.models.reads_by_method.get(call[0], ()) if row.default == place
        )
        return next(self._matching(rows, code, index, call[1]), None) is not None

    def barrier(self, code: Code, index: int) -> bool:
        """Tell whether no value passes a call."""
        call = self._call(code, index)
        if call is None or not self._barriers:
            return False
        rows = tuple(self._barriers.get(call[0], ()))
        owners = self.owners(code, index)
        return any(row.type in self.chain(owner) for row in rows for owner in owners)

    def operations(self, code: Code, index: int) -> Iterator[OperationRow]:
        """Yield the operation rows whose type, arity and parameters fit a call."""
        call = self._call(code, index)
        if call is not None:
            rows = self.models.operations_by_method.get(call[0], ())
            for row in self._matching(rows, code, index, call[1]):
                owners = self.owners(code, index)
                if not any(self.chain(owner) & {*row.unless_types} for owner in owners):
                    yield row

    def amounts(self, code: Code, index: int) -> Sequence[AmountRow]:
        """Return which arguments of a call say how much it costs."""
        call = self._call(code, index)
        rows = self.models.amounts_by_method.get(call[0], ()) if call is not None else ()
        return () if call is None else list(self._matching(rows, code, index, call[1]))

    def fits(self, code: Code, parameters: tuple[str, ...], args: tuple[int, ...]) -> bool:
        """Tell whether arguments can be of these types; one whose type is not known can."""
        return self._fits(code, parameters, args)

    def ranges(self, code: Code, index: int) -> list[RangeRow]:
        """Return the ranges that a call demands of its arguments; what a constructor of the project's own hands on, its body tells."""
        call = self._call(code, index)
        rows = self.models.ranges_by_method.get(call[0], ()) if call is not None else ()
        if call is None or not rows or (call[0] == CONSTRUCTOR and code.context.targets(index)):
            return []
        made = isinstance(code.code[index], ir.New)
        owners = self.owners(code, index) if made else []
        found = self._matching(rows, code, index, call[1])
        return [row for row in found if not made or row.type in owners]

    def clock(self, code: Code, index: int) -> ClockRow | None:
        """Return the clock that a call reads."""
        call = self._call(code, index)
        if call is None:
            return None
        rows = self.models.clocks_by_method.get(call[0], ())
        return next(self._matching(rows, code, index, call[1]), None)

    def unit_at(self, code: Code, index: int, place: int | None) -> str:
        """Return the unit that the constant at ``place`` of a call stands for, or an empty text."""
        instr = code.code[index]
        if place is None or not isinstance(instr, (ir.Call, ir.New)):
            return ""
        value = NONE
        if place == RECEIVER:
            value = instr.object if isinstance(instr, ir.Call) else NONE
        elif 0 <= place < len(instr.args):
            value = instr.args[place]
        return self.constant_unit(code, value) if value != NONE else ""

    def constant_text(self, code: Code, value: int) -> str | None:
        """Return the text that a constant of a library is, as far as a row says it."""
        instr = code.code[value]
        owners: list[str] = []
        if not isinstance(instr, (ir.Name, ir.Field)):
            return None
        if isinstance(instr, ir.Name):
            owners += code.context.static_imports(instr.name)
        elif instr.object != NONE:
            owner = code.context.denotes(instr.object)
            owners += [owner] if owner is not None else []
        for owner in owners:
            for name in self.chain(owner):
                row = self.models.constants_by_type.get(name, {}).get(instr.name)
                if row is not None and row.text:
                    return row.text
        return None

    def constant_unit(self, code: Code, value: int) -> str:
        """Return the unit that a constant stands for, or an empty text."""
        instr = code.code[value]
        if not isinstance(instr, (ir.Name, ir.Field)):
            return ""
        type_ = code.context.type_of(value)
        if type_ is None:
            return ""
        row = self.models.constants_by_type.get(type_.name, {}).get(instr.name)
        return row.unit or "" if row is not None else ""


def scaled(unit: str, factor: float) -> str:
    """Return the unit of a value that, multiplied by ``factor``, is in ``unit``; empty if none is."""
    for table in (NANOS, BYTES):
        if unit in table:
            wanted = table[unit] * factor
            for name, size in table.items():
                if abs(size - wanted) <= size * 1e-6:
                    return name
    return ""
