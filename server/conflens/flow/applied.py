"""Values that are handed to functions, and the results of these.

A lambda gives its result to the call that handed it the value, not to other calls of it.  Also: how states of a walk are
pushed.  Absent: which functions a value may be (``functions``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappush
from typing import NamedTuple

from conflens.facts import ir
from conflens.flow.arrivals import State
from conflens.flow.callees import FEW
from conflens.flow.contexts import Situated
from conflens.flow.engine import Engine
from conflens.flow.forms import Applied, Doubt, Returned, Seed, SeedKind, hopeless, joined, rank
from conflens.flow.makers import Spot
from conflens.flow.making import Slice
from conflens.flow.results import Step, StepRole
from conflens.flow.settled import Given
from conflens.flow.trails import Link
from conflens.flow.walk_types import Start
from conflens.program.reaching import reaching
from conflens.program.refs import MemberRef

FAR = 8
"""Borders of bodies after which a way is long."""

BORDERS = 12


_Function = tuple[MemberRef, Seed, State | None]
"""A lambda that is handed a value, in a context."""


class _Application(NamedTuple):
    """A call by which a state hands its value to a function."""

    state: State
    instr: int
    link: Link
    doubt: int


class Applying(Situated):
    """The part of a walk that goes through functions."""

    def __init__(self, engine: Engine, start: Start) -> None:
        super().__init__(engine, start)
        self._applied: dict[_Function, list[_Application]] = {}
        self._results: dict[_Function, list[tuple[Slice, Returned]]] = {}

    def push(
        self,
        ref: MemberRef,
        seed: Seed,
        context: State | None,
        link: Link,
        doubt: int,
        inner: int = Doubt.NONE,
        length: int = 0,
        borders: int = 0,
        this: str = "",
        given: Given = (),
        site: Spot | None = None,
    ) -> State | None:
        if context is not None and context.ref == ref:
            given = context.given
            if context.seed.idle:
                seed = seed._replace(idle=context.seed.idle)
        key = (ref, seed, context, this, given, site)
        if key in self.known:
            return None
        if borders > BORDERS:
            self.go_cold(ref, seed.at, "the way is too long")
            return None
        if borders > FAR:
            doubt |= Doubt.FAR
            inner |= Doubt.FAR
        level = rank(doubt)
        if hopeless(doubt):
            self.go_cold(ref, seed.at, "the way is too unsure to be followed")
            return None
        state = State(ref, seed, context, link, doubt, inner, length, borders, this, given, site)
        self.known[key] = state
        self.count += 1
        heappush(self.queue, (level, length, self.count, state))
        return state

    def follow(
        self,
        state: State,
        ref: MemberRef,
        seed: Seed,
        context: State | None,
        link: Link,
        doubt: int,
        this: str = "",
        site: Spot | None = None,
    ) -> State | None:
        same = context is not None and context is state.context
        inner = joined(state.inner, doubt) if same else doubt
        return self.push(
            ref,
            seed,
            context,
            link,
            joined(state.doubt, doubt),
            inner,
            state.length + 1 + len(link.tail),
            state.borders + 1,
            this,
            site=site,
        )

    # -- functions -----------------------------------------------------------------------------------

    def apply(self, state: State, slice_: Slice, out: Applied) -> None:
        """Hand the value to the functions that a call runs."""
        step = Step(state.ref, out.instr, StepRole.ARGUMENT)
        link = Link(state.link, state.ref, slice_, out.source, (step,))
        code = self.engine.uses.code(state.ref)
        call = code.code[out.instr]
        count = len(call.args) if isinstance(call, ir.Call) else out.place + 1
        found = dict(self._functions(state, out.function))
        doubt = out.doubt
        if not found and not self.engine.library.callees.run_by(code, out.instr)[0]:
            self.go_cold(state.ref, out.instr, "which function is called is not known")
        if len(found) > 1:
            doubt |= Doubt.DISPATCH if len(found) <= FEW else Doubt.MANY
        for (ref, value), context in found.items():
            code = self.engine.uses.code(ref)
            function = code.code[value]
            if isinstance(function, ir.Lambda):
                seed = Seed(SeedKind.FUNCTION, value, out.form, out.place)
                key = (ref, seed, context)
                by = _Application(state, out.instr, link, doubt)
                self._applied.setdefault(key, []).append(by)
                self.follow(state, ref, seed, context, link, doubt)
                for slice_, back in self._results.get(key, ()):
                    self._give(ref, slice_, back, by)
            elif isinstance(function, ir.MethodRef):
                for target in self.engine.library.callees.referred(code, value, count):
                    if out.place < len(self.program.member(target).params):
                        seed = Seed(SeedKind.PARAMETER, out.place, out.form)
                        self.follow(state, target, seed, None, link, doubt)

    def is_result(self, state: State, slice_: Slice, out: Returned) -> bool:
        """Give what a lambda returns to the calls that handed it the value; tell whether a lambda does return it."""
        seed = state.seed
        if seed.kind is not SeedKind.FUNCTION:
            return False
        if self.engine.uses.code(state.ref).lambda_of(out.instr) != seed.at:
            return False
        key = (state.ref, seed._replace(idle=()), state.context)
        self._results.setdefault(key, []).append((slice_, out))
        for by in self._applied.get(key, ()):
            self._give(state.ref, slice_, out, by)
        return True

    def _give(self, ref: MemberRef, slice_: Slice, out: Returned, by: _Application) -> None:
        """Go on at a call with what the lambda that it runs returns."""
        tail = tuple(Step(ref, index, role) for index, role in out.steps)
        link = Link(by.link, ref, slice_, out.source, tail)
        state = by.state
        seed = Seed(SeedKind.VALUE, by.instr, out.form)
        doubt = joined(by.doubt, out.doubt)
        self.follow(state, state.ref, seed, state.context, link, doubt, state.this, state.site)

    def _functions(
        self, state: State, value: int
    ) -> Iterator[tuple[tuple[MemberRef, int], State | None]]:
        """Yield the functions that an expression of this body may be, each with the context in which it stands."""
        code = self.engine.uses.code(state.ref)
        instr = code.code[value]
        if isinstance(instr, ir.Load) and not instr.up and state.context is not None:
            seen = reaching(code.context, instr.slot, value)
            if seen.entry and not seen.stores and code.context.is_parameter(instr.slot):
                for caller, outer, argument, *_ in self.arguments(state, instr.slot):
                    for spot in self._any_function(caller, argument):
                        yield spot, outer if spot == (caller, argument) else None
                return
        for spot in self._any_function(state.ref, value):
            yield spot, state.context if spot[0] == state.ref else None

    def _any_function(self, ref: MemberRef, value: int) -> Sequence[tuple[MemberRef, int]]:
        functions = self.engine.functions.of(ref, value)
        self.members |= functions.members
        self.names |= functions.names
        if functions.cut:
            self.go_cold(ref, value, "the function may be one of many")
        return functions.found
