"""What a loop does in its first round only: the arm that fills a variable because there is nothing in it yet.

``for (…) builder.set(i)`` with ``if (parts == null) parts = new int[size];`` in ``set`` makes one array, however often the loop runs.

Absent: static objects, of which the first use counts (``first_use``); objects that another object is in each round.
"""

from __future__ import annotations

from collections.abc import Iterator

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.below import Reached
from conflens.flow.code import Code
from conflens.flow.first_use import empty_arms
from conflens.flow.guards import Range, loop_range
from conflens.flow.making import Opener
from conflens.flow.objects import Objects
from conflens.program.assignments import Assignments
from conflens.program.refs import MemberRef

_BEGINNING = ("constructor", "field", "initializer")


class FirstRounds:
    """Finds what runs in first rounds only in one program; ``members`` and ``names`` are those that were asked about."""

    def __init__(self, open_: Opener, objects: Objects, assignments: Assignments) -> None:
        """Open bodies with ``open_``."""
        self.open = open_
        self.objects = objects
        self.assignments = assignments
        self.program = objects.program
        self.members: set[MemberRef] = set()
        self.names: set[str] = set()

    def runs_once(self, code: Code, loop: int, item: Reached) -> bool:
        """Tell whether a loop comes to an operation in its first round only."""
        around = loop_range(code.code[loop])
        body, span = code, around
        for number, (ref, instr) in enumerate((*item.via, (item.ref, item.sink.instr))):
            if number:
                body = self.open(ref)
                span = (0, len(body.code))
            self.program.meter.spend(1 + len(body.branches))
            for at in body.branches:
                if span[0] <= at < span[1] and self._fills(body, at, instr, span, number):
                    return True
            if not self._is_same(body, instr, around if number == 0 else None):
                return False
        return False

    def _is_same(self, body: Code, index: int, loop: Range | None) -> bool:
        """Tell whether a call is made on the same object in each round of a ``loop``, or on the object at hand below it."""
        call = body.code[index]
        if not isinstance(call, ir.Call):
            return False
        if call.object == NONE or isinstance(body.code[call.object], ir.This):
            return True
        value = body.code[call.object]
        if loop is None or not isinstance(value, ir.Load) or value.up:
            return False
        return not any(loop[0] <= store < loop[1] for store in body.stores.get(value.slot, ()))

    def _fills(self, body: Code, at: int, index: int, span: Range, depth: int) -> bool:
        """Tell whether an instruction stands in an arm that fills a variable because that is ``null``."""
        tested, arms = empty_arms(body, at)
        arm = next((one for one in arms if one[0] <= index < one[1]), None)
        if arm is None:
            return False
        value = body.code[tested]
        if isinstance(value, ir.Load):
            stores = body.stores.get(value.slot, ())
            inside = [store for store in stores if span[0] <= store < span[1]]
            return (
                depth == 0
                and not value.up
                and 0 < len(inside) < len(stores)
                and all(arm[0] <= store < arm[1] for store in inside)
            )
        field = body.context.field_of(tested)
        if field is None or not self._is_at_hand(body, tested, field):
            return False
        return self._gives(body, arm, field) and not self._is_emptied(field)

    def _is_at_hand(self, body: Code, index: int, field: MemberRef) -> bool:
        return self.program.is_static(field) or self.objects.on_this(body, index, field.owner)

    def _gives(self, body: Code, arm: Range, field: MemberRef) -> bool:
        """Tell whether an arm gives a value to a field, or calls a method that does."""
        if any(body.ref == ref and arm[0] <= index < arm[1] for ref, index in self._given(field)):
            return True
        givers = {ref for ref, _ in self._given(field)}
        return any(
            target in givers
            for index, call in body.context.calls()
            if arm[0] <= index < arm[1] and isinstance(call, ir.Call)
            for target in body.context.targets(index)[:1]
        )

    def _given(self, field: MemberRef) -> Iterator[tuple[MemberRef, int]]:
        self.names.add(self.program.member(field).name)
        for ref, indices in self.assignments.of(field):
            self.members.add(ref)
            for index in indices:
                yield ref, index

    def _is_emptied(self, field: MemberRef) -> bool:
        """Tell whether something gives ``null`` to a field of an object that is made."""
        for ref, index in self._given(field):
            if self.program.member(ref).kind in _BEGINNING:
                continue
            body = self.open(ref).code
            store = body[index]
            value = body[store.value] if isinstance(store, ir.StoreField) else store
            if isinstance(value, ir.Const) and value.kind == "n":
                return True
        return False
