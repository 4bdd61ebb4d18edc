"""The engine: what all walks of a program share.

Slices and profiles of bodies are kept with the bodies; what lies below conditions, the writers of
fields and the callers of methods are kept here, for one program.

Absent: the walk itself (``walk``), options and their names.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

import attrs

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.anyway import Anyway
from conflens.flow.asked_cells import AskedCells, asked_cells
from conflens.flow.below import Below
from conflens.flow.classes import Classes
from conflens.flow.code import Code
from conflens.flow.first_round import FirstRounds
from conflens.flow.functions import FunctionValues
from conflens.flow.library import Library
from conflens.flow.makers import ObjectMakers
from conflens.flow.objects import Objects
from conflens.flow.patterns import Patterns
from conflens.flow.results import (
    Dependency,
    Flow,
    Hold,
    Operation,
    Pattern,
    Reach,
    order,
)
from conflens.flow.rows import Rows
from conflens.flow.sinks import Operations
from conflens.flow.slices import Slices
from conflens.flow.transfer import Transfer
from conflens.flow.uses import Uses
from conflens.flow.walk_types import COLD, PATHS, USERS, WRITERS
from conflens.models.load import Models
from conflens.program.assignments import assignments
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.values import Values

_APART = 64
"""Assignments of a field beyond which those to objects of other classes are not told apart: each class would look at all."""

_CHAINED = 3
"""Constructors and setters that hand a value on to each other."""


class Engine:
    """What the walks in one program share."""

    def __init__(
        self,
        program: Program,
        models: Models,
        operations: Operations,
        rows: Rows | None = None,
        values: Values | None = None,
    ) -> None:
        """Follow in ``program`` by the rows of ``models`` to what ``operations`` finds."""
        self.program = program
        rows = rows or Rows(program, models)
        values = values or Values(program, models)
        self.uses = Uses(program, models, values, rows, USERS)
        transfer = Transfer(rows, values)
        self.library = Library(rows, transfer, operations, self.uses.code)
        self.objects = Objects(program, self.library.callees)
        self.assignments = assignments(program)
        self.functions = FunctionValues(self.uses, self.library, self.assignments)
        self.makers = ObjectMakers(self.uses, self.library, self.assignments)
        self.patterns = Patterns(program, rows, self.uses.code)
        self.classes = Classes(self.library)
        self.slices = Slices(program, self.library, self.classes, self.uses.code)
        self.below = Below(self.library, self.uses.code, self.functions, self.makers)
        self.anyway = Anyway(self.below)
        self.first_rounds = FirstRounds(self.uses.code, self.objects, self.assignments)
        self._asked_cells: dict[MemberRef, AskedCells] = {}
        self._writers: dict[tuple[MemberRef, str], tuple[int, frozenset[str]]] = {}
        self._handed: dict[tuple[MemberRef, int], int] = {}
        self._asked: set[str] = set()

    def take(
        self, before: Engine, names: Set[str], touched: Set[MemberRef], others: Set[str]
    ) -> None:
        """Take over what an engine found for a program that differs in known ways.

        ``names`` are those whose users, or their uses, may be others now, ``others`` those of them that
        members are declared by otherwise; ``touched`` are members whose bodies are others.
        """
        self.uses.take(before.uses, names, touched)
        self.below.take(before.below, touched, names)
        self.library.take(before.library, others)
        for key, (count, asked) in before._writers.items():
            if asked.isdisjoint(names) and before.program.member(key[0]).name not in names:
                self._writers[key] = count, asked

    def asked_cells(self, field: MemberRef) -> AskedCells:
        """Return the loads of a field by the cells that they ask for."""
        found = self._asked_cells.get(field)
        if found is None:
            loads = self.uses.loads(field).found
            found = self._asked_cells[field] = asked_cells(self.slices, loads)
        else:
            self.program.meter.uses(field, found.cost)
        return found

    def writers(self, field: MemberRef, held_by: str = "") -> tuple[int, frozenset[str]]:
        """Return at how many places values are given to a field, and the names asked about for that.

        ``held_by``: the class of the objects in question, if it is a subclass of the field's.
        An assignment of a parameter counts once for each call of its method, a constant not at all.  Assignments that one
        method makes to its own object are one place: whichever is made, the object has the value that this method chose.
        """
        key = (field, held_by)
        found = self._writers.get(key)
        if found is None:
            self._asked = set()
            count = self._count_writers(field, held_by)
            found = self._writers[key] = (count, frozenset(self._asked))
        return found

    def handed(self, ref: MemberRef, index: int) -> int:
        """Return from how many places the value of one assignment comes; 1 if it is made on the spot."""
        code = self.uses.code(ref)
        store = code.code[index]
        if not isinstance(store, ir.StoreField):
            return 1
        if (ref, index) not in self._handed:
            self._handed[ref, index] = self._places(code, store.value)
        return self._handed[ref, index]

    def _count_writers(self, field: MemberRef, held_by: str) -> int:
        count = 0
        places = self.assignments.of(field)
        if len(places) > _APART:
            held_by = ""
        for ref, indices in places:
            code = self.uses.code(ref)
            chosen = 0
            for index in indices:
                instr = code.code[index]
                if isinstance(instr, ir.StoreField) and not isinstance(
                    code.code[instr.value], ir.Const
                ):
                    if self._is_another(code, index, field, held_by):
                        continue
                    if self.objects.on_this(code, index, field.owner):
                        chosen = max(chosen, self._places(code, instr.value, held_by))
                    else:
                        count += self._places(code, instr.value)
            count += chosen
            if count > WRITERS:
                break
        return count

    def _is_another(self, code: Code, index: int, used: MemberRef, held_by: str) -> bool:
        """Tell whether an instruction uses a member of an object of another class."""
        self.program.meter.spend()
        return held_by != "" and self.objects.apart(
            self.objects.receiver(code, index, used.owner), held_by
        )

    def _places(self, code: Code, value: int, held_by: str = "") -> int:
        """Return from how many places the value of an assignment comes, to objects of class ``held_by`` if it is known.

        Where a method hands its own parameter on to one that was looked at before, as one that overrides and delegates does, no
        other value comes in; what a caller computes is made there.
        """
        origins: set[object] = set()
        seen: set[tuple[MemberRef, int]] = set()
        queue: list[tuple[Code, int, str, int]] = [(code, value, held_by, 0)]
        while queue and len(origins) <= WRITERS:
            code, value, held_by, depth = queue.pop()
            parameters = self._parameters_in(code, value)
            if not parameters or (depth and not isinstance(code.code[value], (ir.Load, ir.Cast))):
                origins.add((code.ref, value))
                continue
            new = {slot for slot in parameters if (code.ref, slot) not in seen}
            seen.update((code.ref, slot) for slot in new)
            member = self.program.member(code.ref)
            constructor = member.kind == "constructor"
            self._asked.add(code.ref.owner.rpartition(".")[2] if constructor else member.name)
            users = self.uses.callers(code.ref)
            if not users.complete:
                return WRITERS + 1
            if not users.found:
                origins.update((code.ref, slot) for slot in new)
            for caller, index in users.found if new else ():
                self.program.meter.spend()
                if self._is_another(caller, index, code.ref, held_by):
                    continue
                call = caller.code[index]
                args = call.args if isinstance(call, (ir.Call, ir.New)) else ()
                for slot in sorted(new):
                    value = args[slot] if slot < len(args) else NONE
                    field = caller.context.field_of(value) if value != NONE else None
                    if field is None and value != NONE and depth < _CHAINED:
                        queue.append((caller, value, "", depth + 1))
                    else:
                        origins.add(field or (caller.ref, index))
        return max(1, len(origins))

    def _parameters_in(self, code: Code, value: int) -> set[int]:
        """Return the parameters that a value is, or is computed from."""
        parameters: set[int] = set()
        stack = [value]
        while stack:
            inner = stack.pop()
            if inner == NONE:
                continue
            self.program.meter.spend()
            instr = code.code[inner]
            if isinstance(instr, ir.Load):
                if not instr.up and code.context.is_parameter(instr.slot):
                    parameters.add(instr.slot)
            else:
                # What is asked for a value is not the value.
                stack.extend(instr.args if isinstance(instr, ir.Call) else ir.operands(instr))
        return parameters


def merge(reaches: Sequence[Reach]) -> Reach:
    """Return what several reads reach together: of equal flows the best paths, all places counted."""
    if len(reaches) == 1:
        return reaches[0]
    groups: dict[tuple[Operation, Dependency, Pattern], list[Flow]] = {}
    for reach in reaches:
        for flow in reach.flows:
            groups.setdefault(flow.key, []).append(flow)
    flows: list[Flow] = []
    for found in groups.values():
        if len(found) == 1:
            flows.append(found[0])
            continue
        paths = sorted(
            (path for flow in found for path in flow.paths),
            key=lambda path: (path.confidence.rank, path.distance),
        )
        first = found[0]
        total = sum(flow.total for flow in found)
        flows.append(
            Flow(first.operation, first.dependency, first.pattern, tuple(paths[:PATHS]), total)
        )
    cold = dict.fromkeys(item for reach in reaches for item in reach.cold)
    cells = dict.fromkeys(field for reach in reaches for field in reach.cells)
    return Reach(
        tuple(sorted(flows, key=order)), tuple(cold)[:COLD], _merged_holds(reaches), tuple(cells)
    )


def _merged_holds(reaches: Sequence[Reach]) -> tuple[Hold, ...]:
    found: dict[object, Hold] = {}
    for reach in reaches:
        for hold in reach.holds:
            known = found.get(hold.key)
            if known is None:
                found[hold.key] = hold
                continue
            best = min(known, hold, key=lambda one: one.path.confidence.rank)
            ranges = tuple(dict.fromkeys((*known.ranges, *hold.ranges)))
            found[hold.key] = attrs.evolve(best, ranges=ranges)
    return tuple(found.values())
