"""Numbers with which a body compares how much an object holds that it fills: a queue, a batch or a cache of the program's own.

``if (queue.size() >= limit) flush()`` bounds the queue, whatever holds the elements.  The object is a field, or a local that is made
here; a collection that somebody else fills is only looked at.  Absent: what follows from the comparison (``flow.guards``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.rows import Rows
from conflens.models.schema import OperationRow
from conflens.program.refs import MemberRef

BOUNDS = frozenset({"<", ">", "<=", ">=", "=="})
_Object = MemberRef | int


class Bounds:
    """The comparisons of one body."""

    def __init__(
        self, code: Code, rows: Rows, by_method: Mapping[str, tuple[OperationRow, ...]]
    ) -> None:
        """Look in ``code``."""
        self.code = code
        self.rows = rows
        self._by_method = by_method
        self._filled: frozenset[_Object] | None = None

    def of(self, comparison: ir.Binary) -> Iterator[tuple[OperationRow, int]]:
        """Yield the row that holds for a comparison, and which operand (0 or 1) bounds what the other one counts."""
        for place, counted in ((1, comparison.left), (0, comparison.right)):
            row = self._row(self._call(counted))
            if row is not None:
                yield row, place
                return

    def _call(self, value: int) -> int:
        """Return the call that gives a value, through a local that is assigned once."""
        code = self.code
        load = code.code[value]
        if isinstance(load, ir.Load) and not load.up and not code.context.is_parameter(load.slot):
            stores = code.stores.get(load.slot, ())
            store = code.code[stores[0]] if len(stores) == 1 else None
            if isinstance(store, ir.Store) and store.value != NONE:
                return store.value
        return value

    def _row(self, index: int) -> OperationRow | None:
        call = self.code.code[index]
        if not isinstance(call, ir.Call) or call.object == NONE or call.args:
            return None
        rows = [row for row in self._by_method.get(call.name, ()) if row.compared]
        held = self._object(call.object) if rows else None
        if held is None or held not in self._objects_filled():
            return None
        types = {
            above
            for owner in self.rows.owners(self.code, index)
            for above in self.rows.chain(owner)
        }
        return next((row for row in rows if types & {row.type, *row.also_types}), None)

    def _object(self, value: int) -> _Object | None:
        """Return the field, or the local with a new object, that an expression names."""
        code = self.code
        load = code.code[value]
        if isinstance(load, ir.Load):
            stores = code.stores.get(load.slot, ()) if not load.up else ()
            made = bool(stores) and all(
                isinstance(store := code.code[number], ir.Store)
                and store.value != NONE
                and isinstance(code.code[store.value], ir.New)
                for number in stores
            )
            return load.slot if made else None
        return code.context.field_of(value)

    def _objects_filled(self) -> frozenset[_Object]:
        if self._filled is None:
            found: set[_Object] = set()
            for index, call in self.code.context.calls():
                if not isinstance(call, ir.Call) or call.object == NONE:
                    continue
                if any(
                    row.put is not None and not row.take
                    for row in self.rows.cells(self.code, index)
                ):
                    held = self._object(call.object)
                    if held is not None:
                        found.add(held)
            self._filled = frozenset(found)
        return self._filled
