"""One body, indexed for questions that run forward: who takes a value, who reads a variable.

Terms
    region   a range of instructions that runs all or not at all when the one around it does: an arm, a case,
             a body of a loop, a lambda, the right side of ``&&``.  Region 0 is the whole body.

Absent: other bodies (``transfer``), conditions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.program.expressions import Context
from conflens.program.nesting import Nesting
from conflens.program.open_body import let_go
from conflens.program.program import Program
from conflens.program.reaching import Reaching, reaching
from conflens.program.refs import MemberRef

ENTRY = -1
"""The place of a parameter's own value: before the first instruction."""

_BRANCHING = (
    ir.If,
    ir.Loop,
    ir.ForEach,
    ir.Switch,
    ir.Try,
    ir.Lambda,
    ir.ShortCircuit,
    ir.Choice,
)
"""The instructions that begin a region."""
_ABRUPT = (ir.Jump, ir.Return, ir.Throw)


class Code:
    """The body of one member with its indexes; ``context`` answers what its expressions are."""

    __slots__ = (
        "_aliases",
        "_firsts",
        "_inner",
        "_innermost",
        "_lambdas",
        "_reached",
        "_reaching",
        "_regions",
        "_switches",
        "_tests",
        "branches",
        "captures",
        "code",
        "context",
        "field_stores",
        "lambdas",
        "leaving",
        "loads",
        "loops",
        "ref",
        "stores",
        "takers",
        "tries",
    )

    def __init__(self, program: Program, ref: MemberRef) -> None:
        """Index the body of ``ref``."""
        self.ref = ref
        self.context = Context.of(program, ref)
        self._index()

    def closed(self) -> Code:
        """Let go of the indexes (``program.open_body``)."""
        let_go(self, _ClosedCode, _INDEXES)
        return self

    def _index(self) -> None:
        self.code = self.context.code
        self.takers: dict[int, list[int]] = {}
        self.loads: dict[int, list[int]] = {}
        self.stores: dict[int, list[int]] = {}
        of_kind = self.context.of_kind
        for index in of_kind(ir.Store):
            store = self.code[index]
            if isinstance(store, ir.Store) and not store.up:
                self.stores.setdefault(store.slot, []).append(index)
        self.field_stores = of_kind(ir.StoreField)
        self.loops = of_kind(ir.Loop)
        self.lambdas = of_kind(ir.Lambda)
        self.branches = of_kind(ir.If)
        self.tries = of_kind(ir.Try)
        self.leaving = of_kind(ir.Return, ir.Jump, ir.Try)
        """What leaves a range, and tries, which may keep an exception from leaving it."""
        self.captures: dict[tuple[int, int], list[int]] = {}
        self._regions: Nesting[tuple[int, int]] | None = None
        self._reaching: dict[int, Reaching] = {}
        self._inner: list[MemberRef] | None = None
        self._innermost: dict[int, tuple[int, int]] = {}
        self._reached: dict[tuple[int, int], list[int]] = {}
        self._aliases: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
        self._lambdas: Nesting[int] | None = None
        self._tests: Nesting[int] | None = None
        self._switches: Nesting[int] | None = None
        self._firsts: list[int] | None = None
        self._collect_uses()

    def _collect_uses(self) -> None:
        takers, loads, captures = self.takers, self.loads, self.captures
        for index, instr in enumerate(self.code):
            # The commonest instructions first; a ``match`` over all of them costs three times as much.
            if isinstance(instr, ir.Load):
                if instr.up:
                    captures.setdefault((instr.slot, instr.up), []).append(index)
                else:
                    loads.setdefault(instr.slot, []).append(index)
            elif isinstance(instr, ir.Call):
                for value in instr.args:
                    takers.setdefault(value, []).append(index)
                if instr.object != NONE and instr.object not in instr.args:
                    takers.setdefault(instr.object, []).append(index)
            elif isinstance(instr, ir.Field):
                takers.setdefault(instr.object, []).append(index)
            else:
                for value in ir.operands(instr):
                    if value != NONE:
                        takers.setdefault(value, []).append(index)

    # -- regions -----------------------------------------------------------------------------------

    def _make_regions(self) -> None:
        found: list[tuple[int, int]] = []
        for index in self.context.of_kind(*_BRANCHING):
            instr = self.code[index]
            match instr:
                case ir.If():
                    found += [(instr.then_start, instr.else_start), (instr.else_start, instr.stop)]
                case ir.Loop():
                    found.append((min(instr.test_start, instr.body_start), instr.stop))
                    if instr.kind != "do":
                        found.append((instr.body_start, instr.stop))
                case ir.ForEach():
                    found.append((instr.start, instr.stop))
                case ir.Switch():
                    found += [(case.start, case.stop) for case in instr.cases]
                case ir.Try():
                    found.append((instr.start, instr.body_stop))
                    found += [(catch.start, catch.stop) for catch in instr.catches]
                case ir.Lambda():
                    found.append((instr.start, instr.stop))
                case ir.ShortCircuit():
                    found.append((instr.right_start, index))
                case ir.Choice():
                    found += [(instr.then_start, instr.other_start), (instr.other_start, index)]
                case _:
                    pass
        whole = (0, len(self.code))
        self._regions = Nesting((*span, span) for span in [whole, *dict.fromkeys(found)])

    def region(self, index: int) -> tuple[int, int]:
        """Return the innermost region that holds an instruction."""
        found = self._innermost.get(index)
        if found is None:
            found = self._innermost[index] = next(self._nested_regions().around(index)).item
        return found

    def _nested_regions(self) -> Nesting[tuple[int, int]]:
        if self._regions is None:
            self._make_regions()
        assert self._regions is not None
        return self._regions

    def regions_around(self, index: int) -> Iterator[tuple[int, int]]:
        """Yield the regions that hold an instruction, innermost first."""
        for around in self._nested_regions().around(index):
            self.context.program.meter.spend()
            yield around.item

    # -- variables -----------------------------------------------------------------------------------

    def reached(self, slot: int, at: int) -> list[int]:
        """Return the loads of a local that can see what instruction ``at`` (or ``ENTRY``) put
        there.

        A later store ends it where it runs whenever the load after it does.
        """
        loads = self.loads.get(slot, [])
        if not self.stores.get(slot):
            return loads
        found = self._reached.get((slot, at))
        if found is None:
            self.context.program.meter.spend(len(loads))
            found = [load for load in loads if self._sees(slot, at, load)]
            self._reached[slot, at] = found
        return found

    def aliases(self, slot: int, at: int) -> list[tuple[int, int, int]]:
        """Return the loads that ``reached`` gives of which another local is made: load, store, slot."""
        found = self._aliases.get((slot, at))
        if found is None:
            found = self._aliases[slot, at] = [
                (load, taker, store.slot)
                for load in self.reached(slot, at)
                for taker in self.takers.get(load, ())
                if isinstance(store := self.code[taker], ir.Store)
                and not store.up
                and store.slot != slot
            ]
        return found

    def _sees(self, slot: int, at: int, load: int) -> bool:
        seen = self._reaching.get(load)
        if seen is None:
            seen = reaching(self.context, slot, load)
            self._reaching[load] = seen
        if at in seen.stores:
            return True
        if at == ENTRY:
            return seen.entry
        bound = not isinstance(self.code[at], ir.Store)
        return bound and at < load and (seen.entry or seen.stores[-1] < at)

    def inner(self) -> list[MemberRef]:
        """Return the members of the classes that are declared inside this member."""
        if self._inner is None:
            program = self.context.program
            facts = program.files[self.ref.path]
            declared = {
                index for index, decl in enumerate(facts.types) if decl.member == self.ref.number
            }
            self._inner = (
                [
                    program.ref(self.ref.path, number)
                    for number, member in enumerate(facts.members)
                    if member.owner in declared
                ]
                if declared
                else []
            )
        return self._inner

    def lambda_of(self, index: int) -> int:
        """Return the innermost lambda around an instruction, ``NONE`` if there is none."""
        if not self.lambdas:
            return NONE
        if self._lambdas is None:
            self._lambdas = Nesting(
                (instr.start, instr.stop, number)
                for number in self.lambdas
                if isinstance(instr := self.code[number], ir.Lambda)
            )
        around = next(self._lambdas.around(index), None)
        return around.item if around is not None else NONE

    def switch_of(self, index: int) -> int:
        """Return where the innermost switch around an instruction gives its result, ``NONE`` if there is none."""
        if self._switches is None:
            self._switches = Nesting(
                (number + 1, instr.stop, instr.stop)
                for number, instr in enumerate(self.code)
                if isinstance(instr, ir.Switch)
            )
        around = next(self._switches.around(index), None)
        return around.item if around is not None else NONE

    def lambda_taker(self, slot: int) -> ir.Call | None:
        """Return the call that is given the lambda whose first parameter is ``slot``."""
        for number in self.lambdas:
            instr = self.code[number]
            assert isinstance(instr, ir.Lambda)
            if instr.params[:1] == (slot,):
                for taker in self.takers.get(number, ()):
                    call = self.code[taker]
                    if isinstance(call, ir.Call):
                        return call
        return None

    def loop_tested_by(self, index: int) -> bool:
        """Tell whether an instruction belongs to the test of a loop."""
        if self._tests is None:
            self._tests = Nesting(
                (loop.test_start, loop.body_start if loop.kind != "do" else loop.stop, number)
                for number in self.loops
                if isinstance(loop := self.code[number], ir.Loop)
            )
        return any(self._tests.around(index))

    def first_inside(self, value: int) -> int:
        """Return the first of the instructions an expression is made of."""
        if self._firsts is None:
            firsts: list[int] = []
            for index, instr in enumerate(self.code):
                # Operands stand before what takes them; what does not is not one of an expression.
                below = [firsts[item] for item in ir.operands(instr) if 0 <= item < index]
                firsts.append(min(below, default=index))
            self._firsts = firsts
        return self._firsts[value]

    def inside(self, value: int) -> Iterator[int]:
        """Yield the instructions an expression is made of, itself first."""
        code, spend = self.code, self.context.program.meter.spend
        stack = [value]
        while stack:
            current = stack.pop()
            if current != NONE:
                spend()
                yield current
                stack += ir.operands(code[current])


class _ClosedCode(Code):
    """A body the indexes of which were let go."""

    __slots__ = ()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            """Index the body again, since something is asked for that is not there."""
            with self.context.program.open_size.lock:
                if self.__class__ is not Code:
                    self._index()
                    self.__class__ = Code
                return object.__getattribute__(self, name)


_INDEXES = frozenset(Code.__slots__) - {"context", "ref"}


def _case(switch: ir.Switch, index: int) -> ir.Case | None:
    for case in switch.cases:
        if case.start <= index < case.stop:
            return case
    return None
