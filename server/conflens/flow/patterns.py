"""LearnConf's patterns (§3.2): what the option is compared with, and whether that moves.

Terms
    other     the side of a comparison on which the option's value is not.
    variable  what an expression's value rests on and that can change: a local of the body, a field,
              or the contents of an object that a local or field names (``size()`` of a queue).
    moved     a variable is assigned, or its object is called by a method that is no query, in a range
              of the body or up to ``LEVELS`` calls below it (LearnConf's k).

Fields are told apart by class, not by object (type-based aliasing).  Absent: finding conditions
(``guards``) and which values are the option's (``slices``).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.guards import Range, enclosing_loops, loop_range
from conflens.flow.results import Pattern
from conflens.flow.rows import Rows
from conflens.flow.transfer import COMPARISONS
from conflens.program.assignments import assignments
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef

LEVELS = 2
"""Levels of calls in which an update is looked for."""

TARGETS = 6
"""Methods that one call may run, of which updates are looked at."""

_NOTE = "flow.writes"
_MAX_EXPRESSION = 60

Variable = tuple[str, object]
"""``("local", slot)``, ``("field", ref)``, or ``("object", one of these)``."""

Open = Callable[[MemberRef], Code]


class Writes(NamedTuple):
    """What a member itself changes, and which members it calls."""

    variables: frozenset[Variable]
    calls: tuple[MemberRef, ...]


class Patterns:
    """Decides patterns in one program."""

    def __init__(self, program: Program, rows: Rows, open_: Open) -> None:
        """Look into bodies by ``open_``."""
        self.program = program
        self.rows = rows
        self.open = open_
        self._fixed: dict[MemberRef, bool] = {}
        self._places: dict[MemberRef, Mapping[Variable, Sequence[int]]] = {}
        self._run: dict[tuple[MemberRef, Range], Sequence[MemberRef]] = {}
        self.asked: set[str] = set()
        """Names of fields whose assignments were looked for."""
        self.looked: set[MemberRef] = set()
        """Members whose bodies were looked at; whoever asks clears it."""

    # -- branches ----------------------------------------------------------------------------------

    def branch(
        self, code: Code, arms: tuple[Range, ...], compared: tuple[Code, int, int] | None
    ) -> Pattern:
        """Return the pattern of a branch whose condition is comparison (body, index, option's side)."""
        if compared is None:
            return Pattern.BRANCH_CONSTANT
        where, index, side = compared
        comparison = where.code[index]
        assert isinstance(comparison, ir.Binary)
        other = comparison.right if comparison.left == side else comparison.left
        variables = self.variables(where, other, locals_=where is code)
        if variables is None:
            # The other side stands still; the option's own may be what is left of it.
            own = self.variables(where, side, locals_=False) or frozenset()
            variables = frozenset(item for item in own if item[0] == "field")
            if not self.moves(code, arms[:2], variables):
                return Pattern.BRANCH_CONSTANT
        moved = sum(self.moves(code, [arm], variables) for arm in arms[:2])
        if moved == 0:
            return Pattern.BRANCH_UNRELATED
        return Pattern.BRANCH_APPROACHING if moved == 1 else Pattern.BRANCH_BACK_AND_FORTH

    # -- loops -------------------------------------------------------------------------------------

    def loop(
        self,
        code: Code,
        span: Range,
        compared: tuple[Code, int, int] | None,
        tainted: Callable[[int], bool],
    ) -> Pattern:
        """Return the pattern of a loop that ends by a comparison with the option's value."""
        if compared is None:
            return Pattern.LOOP_BOUND
        where, index, side = compared
        comparison = where.code[index]
        assert isinstance(comparison, ir.Binary)
        if where is code:
            stride = self._stride(code, span, side, tainted)
            if stride is not None:
                return stride
            own = self.variables(where, side, locals_=True)
            if own and self.moves(code, [span], own):
                return Pattern.LOOP_BOUND
        other = comparison.right if comparison.left == side else comparison.left
        if self._restless(where, other):
            return Pattern.LOOP_BOUND
        variables = self.variables(where, other, locals_=where is code) or frozenset()
        if self.moves(code, [span], variables):
            return Pattern.LOOP_BOUND
        return Pattern.SYNC_LOOP

    def while_true(self, code: Code, spans: tuple[Range, ...], at: int) -> Pattern:
        """Return the pattern of a loop whose test is no comparison: does the loop change what is tested?"""
        loop = code.code[at]
        if isinstance(loop, ir.Loop) and loop.test != NONE:
            variables = self.variables(code, loop.test, locals_=True)
            if variables and self.moves(code, spans, variables):
                return Pattern.LOOP_BOUND
        return Pattern.SYNC_LOOP

    def _stride(
        self, code: Code, span: Range, side: int, tainted: Callable[[int], bool]
    ) -> Pattern | None:
        """Tell a stride from a bound when the option's side itself moves in the loop."""
        slots = {
            instr.slot
            for inner in code.inside(side)
            if isinstance(instr := code.code[inner], ir.Load) and not instr.up
        }
        found: Pattern | None = None
        stored = [
            store
            for number in _assigning(code, slots, span)
            if isinstance(store := code.code[number], ir.Store)
        ]
        self.program.meter.spend(1 + len(stored))
        for store in stored:
            if store.declares:
                continue
            change = code.code[store.value]
            if not isinstance(change, ir.Binary):
                continue
            for delta, base in ((change.right, change.left), (change.left, change.right)):
                loaded = code.code[base]
                if isinstance(loaded, ir.Load) and loaded.slot == store.slot:
                    if tainted(delta):
                        return Pattern.LOOP_STRIDE
                    found = Pattern.LOOP_BOUND
                    break
        if found is None and any(isinstance(code.code[step.value], ir.Unary) for step in stored):
            return Pattern.LOOP_BOUND
        return found

    def _restless(self, code: Code, value: int) -> bool:
        """Tell whether an expression changes by being evaluated: clocks, reads, operations."""
        for inner in code.inside(value):
            instr = code.code[inner]
            if isinstance(instr, ir.Call) and (
                self.rows.clock(code, inner) is not None
                or (instr.args and not code.context.targets(inner))
            ):
                return True
            if isinstance(instr, ir.Load) and not instr.up:
                for store in code.stores.get(instr.slot, ()):
                    stored = code.code[store]
                    if isinstance(stored, ir.Store) and isinstance(
                        code.code[stored.value], ir.Call
                    ):
                        loops = enclosing_loops(code, value)
                        if loops and loop_range(code.code[loops[0]])[0] <= store:
                            return True
        return False

    def endless(self, code: Code, index: int) -> int | None:
        """Return the innermost loop around an instruction if nothing in it ends it.

        That is: no variable of its exit conditions changes in its body (LearnConf §3.2).
        """
        for number in enclosing_loops(code, index)[:1]:
            loop = code.code[number]
            if not isinstance(loop, ir.Loop):
                return None
            span = loop_range(loop)
            tests = [loop.test] if loop.test != NONE else []
            if all(self._lasting(code, span, test) for test in tests):
                return number
            if not tests:
                return number
            return None
        return None

    def _lasting(self, code: Code, span: Range, test: int) -> bool:
        if self._restless(code, test):
            return False
        variables = self.variables(code, test, locals_=True)
        return variables is None or not self.moves(code, [span], variables)

    # -- variables ---------------------------------------------------------------------------------

    def variables(self, code: Code, value: int, locals_: bool) -> frozenset[Variable] | None:
        """Return the variables an expression rests on; ``None`` for a constant.

        ``locals_``: whether locals of ``code`` mean anything where the variables will be looked for.
        """
        found: set[Variable] = set()
        constant = True
        for count, inner in enumerate(code.inside(value)):
            if count > _MAX_EXPRESSION:
                break
            instr = code.code[inner]
            match instr:
                case ir.Load():
                    if not self._fixed_local(code, instr):
                        constant = False
                        if not instr.up:
                            found |= self._behind(code, instr.slot)
                        if locals_ and not instr.up:
                            found.add(("local", instr.slot))
                case ir.Name() | ir.Field():
                    field = code.context.field_of(inner)
                    if field is not None and not self._fixed_field(field):
                        constant = False
                        found.add(("field", field))
                case ir.Call():
                    constant = False
                    found |= self._queried(code, inner, instr, locals_)
                case ir.Const() | ir.Binary() | ir.Unary() | ir.Cast() | ir.ClassLiteral():
                    pass
                case ir.This() | ir.InstanceOf() | ir.ShortCircuit() | ir.Choice():
                    pass
                case _:
                    constant = False
        return None if constant else frozenset(found)

    def _behind(self, code: Code, slot: int) -> set[Variable]:
        """Return the fields that a local was made of, one assignment back."""
        found: set[Variable] = set()
        for number in code.stores.get(slot, ())[:4]:
            store = code.code[number]
            if not isinstance(store, ir.Store) or store.value == NONE:
                continue
            for count, inner in enumerate(code.inside(store.value)):
                if count > _MAX_EXPRESSION:
                    break
                field = None
                if isinstance(code.code[inner], (ir.Name, ir.Field)):
                    field = code.context.field_of(inner)
                if field is not None and not self._fixed_field(field):
                    found.add(("field", field))
        return found

    def _fixed_local(self, code: Code, load: ir.Load) -> bool:
        """Tell whether a local is only ever given one constant."""
        if load.up:
            return False
        stores = code.stores.get(load.slot, [])
        if len(stores) != 1 or code.context.is_parameter(load.slot):
            return False
        store = code.code[stores[0]]
        return isinstance(store, ir.Store) and isinstance(code.code[store.value], ir.Const)

    def _fixed_field(self, field: MemberRef) -> bool:
        """Tell whether a field never changes after its object is made."""
        program = self.program
        if program.is_constant(field):
            return True
        found = self._fixed.get(field)
        if found is None:
            found = self._fixed[field] = not any(
                ref.owner != field.owner or program.member(ref).kind == "method"
                for ref, _ in assignments(program).of(field)
            )
        self.asked.add(program.member(field).name)
        return found

    def _queried(self, code: Code, index: int, call: ir.Call, locals_: bool) -> set[Variable]:
        targets = code.context.targets(index)
        if targets:
            root = self._root(code, call.object, locals_) if call.object != NONE else None
            own: set[Variable] = {("object", root)} if root and root[0] == "local" else set()
            return own | {
                ("field", field)
                for target in targets[:1]
                for ref in (target, *self.program.overriders(target)[:TARGETS])
                for field in self._read_by(ref)
            }
        if call.object == NONE:
            return set()
        root = self._root(code, call.object, locals_)
        return {("object", root)} if root is not None else set()

    def _read_by(self, ref: MemberRef) -> Iterable[MemberRef]:
        self.looked.add(ref)
        context = Context.of(self.program, ref)
        if len(context.code) > _MAX_EXPRESSION:
            return ()
        found = []
        for index, instr in enumerate(context.code):
            if isinstance(instr, (ir.Name, ir.Field)):
                field = context.field_of(index)
                if (field is not None and not self._fixed_field(field)) or field is not None:
                    found.append(field)
        return found

    def _root(self, code: Code, value: int, locals_: bool) -> Variable | None:
        instr = code.code[value]
        if isinstance(instr, ir.Load) and not instr.up:
            return ("local", instr.slot) if locals_ else None
        if isinstance(instr, (ir.Name, ir.Field)):
            field = code.context.field_of(value)
            return ("field", field) if field is not None else None
        return None

    # -- updates -----------------------------------------------------------------------------------

    def moves(self, code: Code, spans: Iterable[Range], variables: frozenset[Variable]) -> bool:
        """Tell whether any of the variables is updated in the ranges or below them."""
        if not variables:
            return False
        outside = {item for item in variables if item[0] != "local"}
        outside = {
            item
            for item in outside
            if not (item[0] == "object" and isinstance(item[1], tuple) and item[1][0] == "local")
        }
        queue: dict[MemberRef, None] = {}
        written = self._written_in(code)
        spans = tuple(spans)
        for start, stop in spans:
            self.program.meter.spend(1 + len(variables))
            for variable in variables:
                places = written.get(variable, [])
                first = bisect_left(places, start)
                if first < len(places) and places[first] < stop:
                    return True
        for span in spans if outside else ():
            queue.update(dict.fromkeys(self._run_in(code, span)))
        seen: set[MemberRef] = set()
        for _ in range(LEVELS):
            following: dict[MemberRef, None] = {}
            for ref in queue:
                if ref in seen:
                    continue
                seen.add(ref)
                self.looked.add(ref)
                writes = self._writes(ref)
                if writes.variables & outside:
                    return True
                following.update(dict.fromkeys(writes.calls))
            queue = following
        return False

    def _run_by(self, context: Context, index: int) -> list[MemberRef]:
        found: list[MemberRef] = []
        for target in context.targets(index)[:1]:
            found.append(target)
            if self.program.member(target).kind == "method":
                others = self.program.overriders(target)
                if len(others) <= TARGETS:
                    found.extend(others)
        return found

    def _written_in(self, code: Code) -> Mapping[Variable, Sequence[int]]:
        """Return where a body itself updates what."""
        kept = self._places.get(code.ref)
        if kept is None:
            self.program.meter.spend(len(code.code))
            found: dict[Variable, list[int]] = {}
            for index, instr in enumerate(code.code):
                if isinstance(instr, (ir.Store, ir.StoreField, ir.Call)):
                    for variable in self._written(code, index, instr):
                        found.setdefault(variable, []).append(index)
            kept = self._places[code.ref] = found
        return kept

    def _run_in(self, code: Code, span: Range) -> Sequence[MemberRef]:
        """Return what the calls in a range run, best first."""
        key = (code.ref, span)
        found = self._run.get(key)
        if found is None:
            self.program.meter.spend(1 + max(0, span[1] - span[0]))
            run: dict[MemberRef, None] = {}
            for index in range(span[0], min(span[1], len(code.code))):
                if isinstance(code.code[index], (ir.Call, ir.New)):
                    run.update(dict.fromkeys(self._run_by(code.context, index)))
            found = self._run[key] = tuple(run)
        return found

    def _written(self, code: Code, index: int, instr: ir.Instr) -> set[Variable]:
        if isinstance(instr, ir.Store):
            return {("local", instr.slot)} if not instr.up else set()
        if isinstance(instr, ir.StoreField):
            field = code.context.target_field(instr)
            return {("field", field), ("object", ("field", field))} if field is not None else set()
        if isinstance(instr, ir.Call) and instr.object != NONE and not is_query(instr.name):
            root = self._root(code, instr.object, True)
            if code.context.targets(index) and (root is None or root[0] != "local"):
                return set()
            return {("object", root)} if root is not None else set()
        return set()

    def _writes(self, ref: MemberRef) -> Writes:
        code = self.open(ref)
        kept = code.context.notes.get(_NOTE)
        if isinstance(kept, Writes):
            return kept
        variables: set[Variable] = set()
        calls: dict[MemberRef, None] = {}
        for index, instr in enumerate(code.code):
            if isinstance(instr, (ir.StoreField, ir.Call)):
                variables |= {
                    item
                    for item in self._written(code, index, instr)
                    if not (item[0] == "object" and item[1][0] == "local")  # type: ignore[index]
                }
            if isinstance(instr, (ir.Call, ir.New)):
                calls.update(dict.fromkeys(self._run_by(code.context, index)))
        found = Writes(frozenset(variables), tuple(calls))
        code.context.notes[_NOTE] = found
        return found


_QUERIES = (
    "get",
    "is",
    "has",
    "size",
    "length",
    "contains",
    "peek",
    "count",
    "to",
    "remaining",
    "available",
    "equals",
    "hashCode",
    "compare",
    "intValue",
    "longValue",
)


def _assigning(code: Code, slots: set[int], span: Range) -> list[int]:
    """Return the assignments of locals in a range."""
    found: list[int] = []
    for slot in slots:
        stores = code.stores.get(slot, [])
        found += stores[bisect_left(stores, span[0]) : bisect_left(stores, span[1])]
    return sorted(found)


def is_query(name: str) -> bool:
    """Tell by a method's name that it changes nothing (a convention of the language's libraries)."""
    for word in _QUERIES:
        if name.startswith(word):
            rest = name[len(word) :]
            return not rest or not (rest[0].islower() or rest.startswith("And"))
    return False


def comparison_before(code: Code, chain: Iterable[int]) -> tuple[int, int] | None:
    """Return the comparison (index, option's side) among facts from a condition backwards."""
    previous = NONE
    found: tuple[int, int] | None = None
    for index in chain:
        if previous != NONE:
            instr = code.code[previous]
            if isinstance(instr, ir.Binary) and instr.op in COMPARISONS:
                found = (previous, index)
                break
        previous = index
    return found
