"""Which lambdas and method references a value may be: through locals, parameters, fields, getters and conditions.

The answer holds for all objects and all callers alike; who knows the calls by which a value came in asks for their arguments.  A value
that may be any of more than ``MOST`` functions, or comes from more than ``CALLERS`` calls, is said to be cut.  Absent: what becomes
of a value that a function is given (``walk``, ``below``).
"""

from __future__ import annotations

from typing import NamedTuple

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.library import Library
from conflens.flow.uses import Uses
from conflens.models.schema import RETURN
from conflens.program.assignments import Assignments
from conflens.program.program import Program
from conflens.program.reaching import reaching
from conflens.program.refs import MemberRef

MOST = 16
CALLERS = 40
_LOOKED = 64
"""Expressions looked through for one value."""

Spot = tuple[MemberRef, int]
"""An instruction of a body."""


class Functions(NamedTuple):
    """The functions that a value may be, in order, and what that rests on."""

    found: tuple[Spot, ...]
    members: frozenset[MemberRef]
    names: frozenset[str]
    cut: bool
    shared: bool = False
    """Whether several calls hand in what it may be: each only one of the functions, or another that is not known."""


class FunctionValues:
    """Finds functions in one program."""

    def __init__(self, uses: Uses, library: Library, assignments: Assignments) -> None:
        """Ask ``uses`` for callers and ``assignments`` for what fields are given."""
        self.uses = uses
        self.library = library
        self.assignments = assignments
        self.program: Program = library.program
        self._known: dict[Spot, Functions] = {}

    def of(self, ref: MemberRef, value: int) -> Functions:
        """Return the functions that instruction ``value`` of a body may be."""
        found = self._known.get((ref, value))
        if found is None:
            found = self._known[ref, value] = _Search(self).run(ref, value)
        return found


class _Search:
    """One search."""

    def __init__(self, all_: FunctionValues) -> None:
        self.all = all_
        self.program = all_.program
        self.found: dict[Spot, None] = {}
        self.members: set[MemberRef] = set()
        self.names: set[str] = set()
        self.cut = False
        self.shared = False
        self.seen: set[Spot] = set()
        self.stack: list[Spot] = []

    def run(self, ref: MemberRef, value: int) -> Functions:
        """Look through everything that the value may come from."""
        self.stack.append((ref, value))
        while self.stack:
            spot = self.stack.pop()
            if spot in self.seen or spot[1] == NONE:
                continue
            if len(self.seen) >= _LOOKED or len(self.found) > MOST:
                self.cut = True
                break
            self.seen.add(spot)
            self.program.meter.spend()
            self._look(*spot)
        found = tuple(sorted(self.found))[:MOST]
        told = frozenset(self.members), frozenset(self.names)
        return Functions(found, *told, self.cut, self.shared)

    def _look(self, ref: MemberRef, value: int) -> None:
        code = self.all.uses.code(ref)
        self.members.add(ref)
        instr = code.code[value]
        match instr:
            case ir.Lambda() | ir.MethodRef():
                self.found[ref, value] = None
            case ir.Load() if not instr.up:
                self._local(code, instr, value)
            case ir.Name() | ir.Field():
                field = code.context.field_of(value)
                if field is not None:
                    self._field(field)
            case ir.Cast():
                self.stack.append((ref, instr.value))
            case ir.Choice():
                self.stack += [(ref, instr.then), (ref, instr.other)]
            case ir.Call():
                self._call(code, instr, value)
            case _:
                pass

    def _local(self, code: Code, load: ir.Load, value: int) -> None:
        seen = reaching(code.context, load.slot, value)
        for number in seen.stores:
            store = code.code[number]
            if isinstance(store, ir.Store):
                self.stack.append((code.ref, store.value))
        if not seen.entry or not code.context.is_parameter(load.slot):
            return
        self.names.add(self.program.member(code.ref).name)
        callers = self.all.uses.callers(code.ref)
        self.cut |= not callers.complete or len(callers.found) > CALLERS
        self.shared |= len(callers.found) > 1
        for caller, index in callers.found[:CALLERS]:
            call = caller.code[index]
            if isinstance(call, (ir.Call, ir.New)) and load.slot < len(call.args):
                self.stack.append((caller.ref, call.args[load.slot]))

    def _field(self, field: MemberRef) -> None:
        self.names.add(self.program.member(field).name)
        assigning = dict(self.all.assignments.of(field))
        assigning[field] = self.all.assignments.inside(field, field)
        for ref, indices in sorted(assigning.items()):
            for index in indices:
                instr = self.all.uses.code(ref).code[index]
                if isinstance(instr, ir.StoreField):
                    self.stack.append((ref, instr.value))

    def _call(self, code: Code, call: ir.Call, value: int) -> None:
        library = self.all.library
        if not code.context.targets(value):
            for place, arg in enumerate(call.args):
                if RETURN in library.conversions(code, value, place)[0]:
                    self.stack.append((code.ref, arg))
            return
        refs, _ = library.callees.run_by(code, value)
        self.cut |= len(refs) > MOST
        for ref in refs[:MOST]:
            body = self.all.uses.code(ref)
            self.members.add(ref)
            for index, instr in enumerate(body.code):
                if isinstance(instr, ir.Return) and body.lambda_of(index) == NONE:
                    self.stack.append((ref, instr.value))
