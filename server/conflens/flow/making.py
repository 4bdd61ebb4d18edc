"""The facts of one slice while it is made: adding them, and spreading them over names of one object.

``Making`` is what the parts of a slice have in common; ``calls`` adds what calls do with a value,
``slices`` what the other instructions do.  Absent: what an instruction means for a value.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Protocol

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.alike import is_not_null
from conflens.flow.code import ENTRY, Code
from conflens.flow.forms import (
    HELD,
    VALUE,
    Came,
    Captured,
    Doubt,
    Ended,
    Fact,
    Filled,
    Form,
    Guarded,
    Kind,
    LocalStep,
    Out,
    Seed,
    SeedKind,
    Stored,
)
from conflens.flow.guards import conditions
from conflens.flow.idle import Idle
from conflens.flow.library import Library
from conflens.flow.present import is_there
from conflens.flow.results import StepRole
from conflens.flow.walk_types import COLD
from conflens.program.program import Program
from conflens.program.reaching import certain, reaching
from conflens.program.refs import MemberRef
from conflens.program.types import STRING

_ADDED = 3
"""Steps of the budget that a fact costs."""
FACTS = 600
"""Facts in one slice; a longer one is cut and goes cold."""


PRESENT = 3
"""What ``Slice.made`` says of an object that holds a value in any case, as ``Optional.of`` makes one."""
WRITTEN = 4
"""What ``Slice.made`` says of a text that was put together of several: it is not ``null``, and hardly ever empty."""
NOT_NULL = -1
"""What ``Slice.made`` says of something that was not put together, but is surely not ``null``: it has been used or tested."""


class Opener(Protocol):
    """Opens bodies."""

    def __call__(self, ref: MemberRef) -> Code: ...


class Slice:
    """The facts of a seed in a body and what leaves it."""

    __slots__ = (
        "_roles",
        "came",
        "cost",
        "getters",
        "keeping",
        "keyed",
        "narrowed",
        "native",
        "outs",
        "seed",
        "setters",
        "sure",
    )

    def __init__(self, seed: Seed) -> None:
        self.seed = seed
        self.cost = 0.0
        """Steps that it took to make."""
        self.getters: dict[MemberRef, MemberRef | None] = {}
        """Methods of other bodies that were taken for getters, and of what."""
        self.keyed: dict[MemberRef, frozenset[int]] = {}
        """Methods of other bodies, with their parameters that name cells."""
        self.setters: dict[MemberRef, frozenset[int]] = {}
        """Methods of other bodies, with their parameters that are put into fields or named cells."""
        self.native: dict[MemberRef, bool] = {}
        """Methods that were asked whether their code is hidden."""
        self.sure: set[int] = set()
        """Calls that make something of the value that is there, whatever the value is."""
        self.keeping: dict[int, str] = {}
        """Calls that make something that is there of what is there, or do so of its ``part``."""
        self.narrowed = False
        """Whether a local was passed by in which other cells than the one in question are looked up."""
        self.came: dict[Fact, Came] = {}
        self.outs: list[Out] = []
        self._roles: dict[tuple[Fact | None, StepRole], bool] = {}

    def has(self, fact: Fact | None, role: StepRole) -> bool:
        """Tell whether a step to a fact has a role; asked once the slice is made."""
        open_: list[Fact] = []
        known = self._roles
        while fact is not None and fact in self.came and (fact, role) not in known:
            open_.append(fact)
            fact = self.came[fact].before
        found = known.get((fact, role), False)
        for one in reversed(open_):
            found = found or any(of is role for _, of in self.came[one].steps)
            known[one, role] = found
        return found

    def steps(self, fact: Fact | None) -> list[LocalStep]:
        """Return the steps from the seed to a fact."""
        found: list[LocalStep] = []
        while fact is not None and fact in self.came:
            came = self.came[fact]
            found.extend(reversed(came.steps))
            fact = came.before
        found.reverse()
        return found

    def chain(self, fact: Fact | None) -> Iterator[int]:
        """Yield the instructions from a fact back to the seed."""
        while fact is not None and fact in self.came:
            yield fact[0]
            fact = self.came[fact].before

    def made(self, code: Code, fact: Fact | None) -> int:
        """Return whether a value was put together on the way, so that it is never ``null`` (``Seed.made``)."""
        loads: list[int] = []
        found = self._put_together(code, fact, loads)
        if not found and any(
            is_there(code, load, lambda store: self._is_given(code, store)) for load in loads
        ):
            return NOT_NULL
        return found

    def _put_together(self, code: Code, fact: Fact | None, loads: list[int]) -> int:
        """Return whether a value was put together; add the ``loads`` of locals that give just the value in question."""
        parents = 0
        cut = False
        after = NONE
        for index in self.chain(fact):
            instr = code.code[index] if index != NONE else None
            before, after = after, index
            choice = code.code[before] if before != NONE else None
            if isinstance(choice, ir.Choice):
                if is_not_null(code, choice, index):
                    return max(0, 1 - parents)
                if index not in (choice.then, choice.other) or not is_not_null(
                    code, choice, choice.then if index == choice.other else choice.other
                ):
                    return 0
            match instr:
                case ir.New():
                    found = 2 if len(instr.args) > 1 else 1
                    return max(0, found - parents)
                case ir.Binary(op="+") if not cut and code.context.type_of(index) == STRING:
                    return WRITTEN
                case ir.NewArray() | ir.Binary():
                    return max(0, 1 - parents)
                case ir.Call() if index in self.sure:
                    return PRESENT
                case ir.Call() if index in self.keeping:
                    parents += self.keeping[index] == "part"
                    cut = True
                case ir.Load() if not instr.up:
                    if not parents:
                        loads.append(index)
                    seen = reaching(code.context, instr.slot, index)
                    several = len(seen.stores) + seen.entry > 1
                    if several and (
                        parents or seen.entry or not self._all_made(code, seen.stores)
                    ):
                        return 0
                case ir.Name() | ir.Cast() | ir.Choice():
                    pass
                case _ if index == self.seed.at and self.seed.kind is SeedKind.VALUE:
                    pass
                case _:
                    return 0
        if self.seed.made == NOT_NULL:
            return 0 if parents else NOT_NULL
        if self.seed.made == WRITTEN:
            return WRITTEN if not cut else max(0, 1 - parents)
        return max(0, self.seed.made - parents)

    def _all_made(self, code: Code, stores: Iterable[int]) -> bool:
        """Tell whether all assignments give a local a new object, or something put together."""
        code.context.program.meter.spend()
        return all(self._gives_object(code, number) for number in stores)

    def _is_given(self, code: Code, number: int) -> bool:
        """Tell whether an assignment gives a local something that is not ``null``."""
        store = code.code[number]
        value = code.code[store.value] if isinstance(store, ir.Store) else None
        constant = isinstance(value, ir.Const) and value.kind != "n"
        return constant or self._gives_object(code, number)

    def _gives_object(self, code: Code, number: int) -> bool:
        """Tell whether an assignment gives a local a new object, or something else that is there."""
        store = code.code[number]
        value = store.value if isinstance(store, ir.Store) else NONE
        while value != NONE and isinstance(cast := code.code[value], ir.Cast):
            value = cast.value
        if value == NONE:
            return False
        given = self.seed.made != 0 and (value, self.seed.kind) == (self.seed.at, SeedKind.VALUE)
        return (
            given
            or value in self.sure
            or isinstance(code.code[value], ir.New | ir.NewArray | ir.Binary)
        )

    def carries(self, code: Code, value: int) -> bool:
        """Tell whether the option's value is part of an expression."""
        return any((inner, VALUE) in self.came for inner in code.inside(value))


class Making:
    """One slice being made."""

    def __init__(
        self,
        program: Program,
        library: Library,
        idle: Idle,
        open_: Opener,
        code: Code,
        seed: Seed,
    ) -> None:
        """Make the slice of ``code`` from ``seed``."""
        self.program = program
        self.library = library
        self.idle = idle
        self.open = open_
        self.code = code
        self.slice = Slice(seed)
        self.queue: deque[Fact] = deque()
        self.decided: set[int] = set()
        self.outs: dict[Out, None] = {}
        self.constants = False
        """Whether a literal carries the value."""
        self._ended: set[int] = set()

    # -- facts ---------------------------------------------------------------------------------------

    def add(
        self,
        index: int,
        form: Form,
        before: Fact | None,
        steps: tuple[LocalStep, ...] = (),
        doubt: int = Doubt.NONE,
    ) -> None:
        """Note that the result of ``index`` has a form."""
        fact = (index, form)
        came = self.slice.came
        self.program.meter.spend(_ADDED)
        if fact in came or (form.kind is not Kind.VALUE and (index, VALUE) in came):
            return
        if self.slice.seed.idle and self.is_idle(index):
            return
        if before is not None:
            doubt |= came[before].doubt
        if len(came) >= FACTS:
            # More of such ends than a walk keeps would only cost time.
            if before is not None and len(self._ended) < COLD and index not in self._ended:
                self._ended.add(index)
                self.out(Ended(index, "too many places in one method", before, doubt))
            return
        came[fact] = Came(before, steps, doubt)
        if self.code.code[index].__class__ is ir.Const:
            self.constants = True
        self.queue.append(fact)

    def is_there(self, fact: Fact) -> bool:
        """Tell whether a value is surely not ``null``, whatever the option says."""
        return self.slice.made(self.code, fact) == NOT_NULL or self.is_made(fact)

    def is_made(self, fact: Fact) -> bool:
        """Tell whether a value was made on the way, so that it is there whatever the option says."""
        return self.slice.made(self.code, fact) > 0 or any(
            isinstance(self.code.code[inner], (ir.New, ir.NewArray, ir.Binary))
            for inner in self.slice.chain(fact)
            if inner != NONE
        )

    @property
    def full(self) -> bool:
        """Whether nothing that is added makes a difference any more."""
        return len(self._ended) >= COLD

    def is_idle(self, index: int) -> bool:
        """Tell whether an instruction does not run in the context of the seed."""
        idle = self.slice.seed.idle
        return bool(idle) and any(start <= index < stop for start, stop in idle)

    def out(self, out: Out) -> None:
        """Note what leaves the body."""
        if (
            self.slice.seed.idle
            and not isinstance(out, Captured)
            and self.is_idle(out.instr if not isinstance(out, Guarded) else out.at)
        ):
            return
        self.outs.setdefault(out)

    def doubt(self, fact: Fact | None) -> int:
        """Return the doubts of a fact."""
        return self.slice.came[fact].doubt if fact is not None else Doubt.NONE

    def spread(
        self,
        slot: int,
        at: int,
        form: Form,
        before: Fact | None,
        steps: tuple[LocalStep, ...] = (),
        doubt: int = Doubt.NONE,
        but: tuple[int, int] | None = None,
    ) -> None:
        """Give a form to the loads of a local that see what ``at`` put there, ``but`` not to those in a range."""
        code = self.code
        for load in self._open_loads(slot, at, form, 0):
            if but is not None and but[0] <= load < but[1]:
                continue
            if form.kind is not Kind.HELD or not self._replaced(slot, at, load, form.key):
                self.add(load, form, before, steps, doubt)
        for ref in code.inner():
            self._captured(ref, slot, 1, form, before, doubt)

    def _open_loads(self, slot: int, start: int, form: Form, beyond: int) -> list[int]:
        """Return the loads, from ``beyond`` on, of what ``start`` put into a local at which something may come of a form."""
        if self.full:
            return []
        if form.kind is Kind.HELD:
            if not self.slice.narrowed:
                self.slice.narrowed = self.idle.by_key(self.code, slot, start)
            return self.idle.others(self.code, slot, start, form.key, beyond)
        loads = self.code.reached(slot, start)
        return loads[bisect_left(loads, beyond) :]

    def _captured(
        self, ref: MemberRef, slot: int, up: int, form: Form, before: Fact | None, doubt: int
    ) -> None:
        inner = self.open(ref)
        source = before if before is not None else (NONE, form)
        for load in inner.captures.get((slot, up), ()):
            self.out(Captured(ref, load, form, source, doubt | self.doubt(before)))
        if up < 3:
            for further in inner.inner():
                self._captured(further, slot, up + 1, form, before, doubt)

    def _replaced(self, slot: int, at: int, load: int, key: str) -> bool:
        """Tell whether a cell of a local container is surely overwritten between two instructions."""
        if not key:
            return False
        came = self.slice.came
        overwriting = self.idle.overwriting(self.code)
        for written in overwriting.of(slot, key, self.slice.seed.keys):
            for number in range(bisect_left(written, (at + 1, NONE)), len(written)):
                index, put = written[number]
                if index >= load:
                    break
                self.program.meter.spend()
                clean = (put, VALUE) not in came and (put, HELD) not in came
                if clean and certain(self.code.context, index, load):
                    return True
        return False

    def key_text(self, value: int) -> str:
        """Return the constant that names a cell, given here or by the caller, or an empty text."""
        if self.slice.seed.keys:
            named = self.library.named_slot(self.code, value)
            for slot, text in self.slice.seed.keys:
                if slot == named:
                    return text
        return self.library.key_text(self.code, value)

    def keys_for(self, target: MemberRef, args: tuple[int, ...]) -> tuple[tuple[int, str], ...]:
        """Return the constants among arguments that name cells in the method they are given to."""
        wanted = self.library.keyed(target)
        self.slice.keyed[target] = wanted
        return tuple(
            (slot, text)
            for slot in sorted(wanted)
            if slot < len(args) and (text := self.key_text(args[slot]))
        )

    def sets(self, target: MemberRef, place: int) -> bool:
        """Tell whether a method puts an argument into a field or a named cell."""
        found = self.library.set_parameters(target)
        self.slice.setters[target] = found
        return place in found

    # -- holders -------------------------------------------------------------------------------------

    def hold(
        self,
        holder: int,
        at: int,
        form: Form,
        before: Fact | None,
        steps: tuple[LocalStep, ...] = (),
        doubt: int = Doubt.NONE,
        depth: int = 0,
    ) -> None:
        """Give a form to the object that instruction ``holder`` names, under all its names."""
        if depth > 6 or holder == NONE:
            return
        code = self.code
        instr = code.code[holder]
        match instr:
            case ir.Load():
                self._hold_local(instr, holder, at, form, before, steps, doubt, depth)
            case ir.Name() | ir.Field():
                field = code.context.field_of(holder)
                if field is not None:
                    source = before if before is not None else (NONE, form)
                    whole = doubt | self.doubt(before)
                    self.out(Stored(at, field, form, source, whole, steps))
            case ir.Call():
                target = next(iter(code.context.targets(holder)), None)
                if target is not None:
                    field = self.library.callees.getter(target)
                    self.slice.getters[target] = field
                    if field is not None:
                        source = before if before is not None else (NONE, form)
                        whole = doubt | self.doubt(before)
                        self.out(Stored(at, field, form, source, whole, steps))
                elif instr.object != NONE and self.library.passes_receiver(code, holder):
                    self.add(holder, form, before, steps, doubt)
                    self.hold(instr.object, at, form, before, steps, doubt, depth + 1)
            case ir.Cast():
                self.hold(instr.value, at, form, before, steps, doubt, depth + 1)
            case ir.Index():
                self.hold(instr.array, at, HELD, before, steps, doubt, depth + 1)
            case _:
                pass

    def _hold_local(
        self,
        instr: ir.Load,
        holder: int,
        at: int,
        form: Form,
        before: Fact | None,
        steps: tuple[LocalStep, ...],
        doubt: int,
        depth: int,
    ) -> None:
        code = self.code
        if instr.up:
            return
        seen = reaching(code.context, instr.slot, holder)
        starts = list(seen.stores) + ([ENTRY] if seen.entry else [])
        for start in starts:
            self._hold_other_names(instr.slot, start, at, form, before, steps, doubt)
            for load in self._open_loads(instr.slot, start, form, self._again_from(at)):
                if not self._replaced(instr.slot, at, load, form.key):
                    self.add(load, form, before, steps, doubt)
        for ref in code.inner():
            self._captured(ref, instr.slot, 1, form, before, doubt)
        if seen.entry and code.context.is_parameter(instr.slot):
            source = before if before is not None else (NONE, form)
            if before is not None or self.slice.seed.kind is SeedKind.HOLDER:
                whole = doubt | self.doubt(before)
                self.out(Filled(at, instr.slot, form, source, whole))
        for start in seen.stores:
            store = code.code[start]
            if isinstance(store, ir.Store) and isinstance(
                code.code[store.value], (ir.Load, ir.Name, ir.Field, ir.Cast, ir.Call)
            ):
                self.hold(store.value, at, form, before, steps, doubt, depth + 1)

    def _hold_other_names(
        self,
        slot: int,
        start: int,
        at: int,
        form: Form,
        before: Fact | None,
        steps: tuple[LocalStep, ...],
        doubt: int,
    ) -> None:
        """Give the form to the locals that were given the same object earlier."""
        code = self.code
        if self.full:
            return
        for load, taker, other_slot in code.aliases(slot, start):
            if load < at:
                for other in code.reached(other_slot, taker):
                    if other > at:
                        self.add(other, form, before, steps, doubt)

    def _again_from(self, at: int) -> int:
        """Return the first instruction that may run after another: the one after it, or the first of the outermost loop around it."""
        outermost = at + 1
        for around in conditions(self.code).scopes.around(at):
            outermost = around.start
        return outermost
