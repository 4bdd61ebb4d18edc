"""Which ``new`` may have made an object: through locals, parameters, fields, conditions and methods that give it back.

The answer holds for all objects and all callers alike, and counts only where it is complete: an object that a library gives, that nobody is
seen to hand over, or that a container may set, was made anywhere.  Absent: what is known of an object by its type (``objects``).
"""

from __future__ import annotations

from typing import NamedTuple

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.library import Library
from conflens.flow.uses import Uses
from conflens.program.assignments import Assignments
from conflens.program.program import Program
from conflens.program.reaching import reaching
from conflens.program.refs import MemberRef

MOST = 12
CALLERS = 24
_LOOKED = 40
"""Expressions looked through for one object."""

Spot = tuple[MemberRef, int]
"""An instruction of a body."""


class Makers(NamedTuple):
    """Where an object may have been made, and what that rests on.

    ``found`` are the spots, ``classes`` those of which objects are made there; both are empty if the object may come from elsewhere.
    """

    found: frozenset[Spot]
    classes: frozenset[str]
    members: frozenset[MemberRef]
    names: frozenset[str]


ANYWHERE = Makers(frozenset(), frozenset(), frozenset(), frozenset())


class ObjectMakers:
    """Finds makers in one program."""

    def __init__(self, uses: Uses, library: Library, assignments: Assignments) -> None:
        """Ask ``uses`` for callers and ``assignments`` for what fields are given."""
        self.uses = uses
        self.library = library
        self.assignments = assignments
        self.program: Program = library.program
        self._known: dict[Spot, Makers] = {}

    def of(self, ref: MemberRef, value: int) -> Makers:
        """Return where the object that instruction ``value`` of a body gives may have been made."""
        found = self._known.get((ref, value))
        if found is None:
            found = self._known[ref, value] = _Search(self).run(ref, value)
        return found

    def of_receiver(self, code: Code, index: int) -> Makers:
        """Return where the object may have been made whose member an instruction uses."""
        instr = code.code[index]
        if not isinstance(instr, (ir.Call, ir.Field, ir.StoreField)) or instr.object == NONE:
            return ANYWHERE
        return self.of(code.ref, instr.object)

    def may_run(self, makers: Makers, target: MemberRef) -> bool:
        """Tell whether a call on an object may run a method."""
        member = self.program.member(target)
        self.program.meter.spend(len(makers.classes))
        return not makers.classes or any(
            target in self.program.methods(name, member.name, len(member.params))
            for name in makers.classes
        )


class _Search:
    """One search."""

    def __init__(self, all_: ObjectMakers) -> None:
        self.all = all_
        self.program = all_.program
        self.found: dict[Spot, str] = {}
        self.members: set[MemberRef] = set()
        self.names: set[str] = set()
        self.seen: set[Spot] = set()
        self.stack: list[Spot] = []

    def run(self, ref: MemberRef, value: int) -> Makers:
        """Look through everything that the object may come from, until something else may make it."""
        self.stack.append((ref, value))
        complete = True
        while self.stack and complete:
            spot = self.stack.pop()
            if spot in self.seen:
                continue
            self.seen.add(spot)
            self.program.meter.spend()
            complete = len(self.seen) <= _LOOKED and len(self.found) <= MOST and self._look(*spot)
        told = frozenset(self.members), frozenset(self.names)
        if not complete or not self.found:
            return Makers(frozenset(), frozenset(), *told)
        return Makers(frozenset(self.found), frozenset(self.found.values()), *told)

    def _look(self, ref: MemberRef, value: int) -> bool:
        """Look at one expression; tell whether everything that it may be is known."""
        if value == NONE:
            return False
        code = self.all.uses.code(ref)
        self.members.add(ref)
        instr = code.code[value]
        match instr:
            case ir.New():
                self.found[ref, value] = self.all.library.callees.made_class(code, value)
                return True
            case ir.Const():
                return instr.kind == "n"
            case ir.Load() if not instr.up:
                return self._local(code, instr, value)
            case ir.Name() | ir.Field():
                field = code.context.field_of(value)
                return field is not None and self._field(field)
            case ir.Cast():
                self.stack.append((ref, instr.value))
                return True
            case ir.Choice():
                self.stack += [(ref, instr.then), (ref, instr.other)]
                return True
            case ir.Call():
                return self._call(code, value)
            case _:
                return False

    def _local(self, code: Code, load: ir.Load, value: int) -> bool:
        seen = reaching(code.context, load.slot, value)
        for number in seen.stores:
            store = code.code[number]
            if not isinstance(store, ir.Store):
                return False
            self.stack.append((code.ref, store.value))
        return not seen.entry or (
            code.context.is_parameter(load.slot) and self._parameter(code.ref, load.slot)
        )

    def _parameter(self, ref: MemberRef, slot: int) -> bool:
        member = self.program.member(ref)
        if member.annotations or (member.varargs and slot >= len(member.params) - 1):
            return False
        constructor = member.kind == "constructor"
        self.names.add(ref.owner.rpartition(".")[2] if constructor else member.name)
        callers = self.all.uses.callers(ref)
        if not callers.found or not callers.complete or len(callers.found) > CALLERS:
            return False
        self.program.meter.spend(len(callers.found))
        for caller, index in callers.found:
            call = caller.code[index]
            if not isinstance(call, (ir.Call, ir.New)) or slot >= len(call.args):
                return False
            self.stack.append((caller.ref, call.args[slot]))
        return not self.all.uses.is_referred(ref)

    def _field(self, field: MemberRef) -> bool:
        member = self.program.member(field)
        if member.kind != "field" or member.annotations:
            return False
        self.names.add(member.name)
        assigning = dict(self.all.assignments.of(field))
        assigning[field] = self.all.assignments.inside(field, field)
        given = False
        for ref, indices in sorted(assigning.items()):
            for index in indices:
                instr = self.all.uses.code(ref).code[index]
                if isinstance(instr, ir.StoreField):
                    given = True
                    self.stack.append((ref, instr.value))
        return given

    def _call(self, code: Code, value: int) -> bool:
        if not code.context.targets(value) or self.all.library.speaks_of(code, value):
            return False
        refs, _ = self.all.library.callees.run_by(code, value)
        given = False
        for ref in refs[:MOST]:
            body = self.all.uses.code(ref)
            self.members.add(ref)
            for index in body.context.of_kind(ir.Return):
                instr = body.code[index]
                if (
                    isinstance(instr, ir.Return)
                    and instr.kind != "yield"
                    and body.lambda_of(index) == NONE
                ):
                    given = True
                    self.stack.append((ref, instr.value))
        return given and len(refs) <= MOST
