"""What a walk arrives at: operations that take the value, and those that conditions on it govern.

Terms
    arrival   an operation reached in one way, from one place.
    endless   a loop that nothing in it ends; a pause in it decides how often the rest of it runs
              (LearnConf §2.3, infinite loop).

Absent: how the value came there (``walk``).
"""

from __future__ import annotations

from collections.abc import Iterator, Set

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.below import Looked, Reached
from conflens.flow.chains_of_ifs import arms_from
from conflens.flow.code import Code
from conflens.flow.engine import Engine
from conflens.flow.forms import (
    Dispatched,
    Doubt,
    Entered,
    Form,
    Guarded,
    Hit,
    Returned,
    Seed,
    SeedKind,
    confidence,
    hopeless,
    joined,
    phrases,
    rank,
)
from conflens.flow.guards import (
    Range,
    enclosing_loops,
    refusing,
    repeated,
    rest_of_block,
)
from conflens.flow.makers import Spot
from conflens.flow.making import Slice
from conflens.flow.patterns import comparison_before
from conflens.flow.results import (
    Cold,
    Dependency,
    Flow,
    Hold,
    Operation,
    Path,
    Pattern,
    Step,
    StepRole,
)
from conflens.flow.settled import Given
from conflens.flow.trails import Chain, Link, is_deep
from conflens.flow.walk_types import HOLDS, PATHS, Start
from conflens.program.reaching import unconditional
from conflens.program.refs import MemberRef

_KEPT = 30
"""Steps (``base.budget``) that an operation costs which a walk has not reached before, for the memory that it takes."""


class State:
    """A seed of a body within a context, and how it came about."""

    __slots__ = (
        "borders",
        "context",
        "doubt",
        "given",
        "inner",
        "length",
        "link",
        "ref",
        "seed",
        "site",
        "this",
    )

    def __init__(
        self,
        ref: MemberRef,
        seed: Seed,
        context: State | None,
        link: Link | None,
        doubt: int,
        inner: int,
        length: int,
        borders: int,
        this: str,
        given: Given,
        site: Spot | None,
    ) -> None:
        self.ref = ref
        self.seed = seed
        self.context = context
        self.link = link
        self.doubt = doubt
        self.inner = inner
        """Doubts since the context was entered."""
        self.length = length
        self.borders = borders
        self.this = this
        """The class of the object at hand, if it is known better than by that of the body."""
        self.given = given
        """What is known of the other parameters (``settled``), where the value came in by one."""
        self.site = site
        """The ``new`` that made the object at hand, if it is known and makes a difference (``makers``)."""

    def release(self) -> None:
        """Let go of other states when the walk is done: a context that is its own is freed by nothing else."""
        self.context = self.link = None


class _Arrivals:
    """The ways in which one operation is reached with one dependency and pattern."""

    __slots__ = ("paths", "places")

    def __init__(self) -> None:
        self.places: set[tuple[MemberRef, int]] = set()
        self.paths: list[tuple[tuple[int, int], int, int, Chain]] = []


class _Holding:
    """The ranges that an option governs from one place, and the best way there."""

    __slots__ = ("doubt", "level", "link", "ranges")

    def __init__(self, level: tuple[int, int], doubt: int, link: Link) -> None:
        self.level, self.doubt, self.link = level, doubt, link
        self.ranges: dict[Range, None] = {}


class Arriving:
    """The part of a walk that collects operations, and where the option takes hold on the way."""

    def __init__(self, engine: Engine, start: Start) -> None:
        self.engine = engine
        self.program = engine.program
        self.start = start
        self.queue: list[tuple[int, int, int, State]] = []
        self.count = 0
        self.known: dict[tuple[MemberRef, Seed, State | None, str, Given, Spot | None], State] = {}
        self.entered: dict[State, list[tuple[State, Entered]]] = {}
        self.returned: dict[State, list[tuple[State, Returned]]] = {}
        self.cells: dict[tuple[MemberRef, Form], set[tuple[str, Spot | None, str]]] = {}
        self.arrivals: dict[tuple[Operation, Dependency, Pattern], _Arrivals] = {}
        self.held: dict[tuple[MemberRef, int, Dependency, MemberRef | None], _Holding] = {}
        self.cold: dict[Cold, None] = {}
        self.members: set[MemberRef] = set()
        self.names: set[str] = set()
        self.cut = False

    def flows(self) -> Iterator[Flow]:
        for (operation, dependency, pattern), found in self.arrivals.items():
            known = [
                (level[1], _with_depth(doubt, dependency, chain), distance, chain)
                for level, doubt, distance, chain in found.paths
            ]
            paths = [
                Path(chain, confidence(doubt), phrases(doubt), distance)
                for _, doubt, distance, chain in sorted(
                    known, key=lambda item: (rank(item[1]), item[0])
                )
            ]
            yield Flow(operation, dependency, pattern, tuple(paths[:PATHS]), len(found.places))

    def holds(self) -> tuple[Hold, ...]:
        """Return where the option takes hold, surest and shortest way first."""
        found = sorted(self.held.items(), key=lambda item: item[1].level)
        return tuple(
            Hold(
                ref,
                index,
                dependency,
                tuple(held.ranges),
                target,
                Path(Chain(held.link), confidence(held.doubt), phrases(held.doubt), 0),
            )
            for (ref, index, dependency, target), held in found[:HOLDS]
        )

    def kept(self) -> tuple[MemberRef, ...]:
        """Return the fields that keep the value and the constructors that are given it, in order."""
        found = {field for field, _ in self.cells}
        given = {
            state.ref
            for state in self.known.values()
            if state.seed[0] is SeedKind.PARAMETER and rank(state.doubt) <= 1
        }
        member = self.program.member
        found.update(ref for ref in given if member(ref).kind == "constructor")
        return tuple(sorted(found)[:HOLDS])

    def _hold(
        self,
        state: State,
        index: int,
        dependency: Dependency,
        link: Link,
        doubt: int,
        ranges: tuple[Range, ...] = (),
        target: MemberRef | None = None,
    ) -> None:
        whole = joined(state.doubt, doubt)
        if hopeless(whole):
            return
        key = (state.ref, index, dependency, target)
        level = (rank(whole), state.length)
        held = self.held.get(key)
        if held is None or level < held.level:
            if held is None:
                held = self.held[key] = _Holding(level, whole, link)
            else:
                held.level, held.doubt, held.link = level, whole, link
        for span in ranges:
            held.ranges[span] = None

    def go_cold(self, ref: MemberRef, index: int, reason: str) -> None:
        self.cold.setdefault(Cold(ref, index, reason))

    # -- operations ----------------------------------------------------------------------------------

    def hit(self, state: State, slice_: Slice, code: Code, out: Hit) -> None:
        operation = Operation(state.ref, out.instr, out.kind, out.api)
        pattern = Pattern.DATA
        if out.dependency is Dependency.BRANCH:
            pattern = Pattern.BRANCH_CONSTANT
        elif out.pause:
            patterns = self.engine.patterns
            patterns.looked.clear()
            patterns.asked.clear()
            endless = self._endless(state, slice_, code, out.instr)
            self.members |= patterns.looked
            self.names |= patterns.asked
            if endless is not None:
                pattern = Pattern.INFINITE_LOOP
                self._repeat(state, slice_, out, endless)
        tail = (Step(state.ref, out.instr, StepRole.OPERATION),)
        link = Link(state.link, state.ref, slice_, out.source, tail)
        place = (state.ref, out.instr)
        self._hold(state, out.instr, out.dependency, link, out.doubt)
        self._arrive(state, operation, out.dependency, pattern, place, link, out.doubt, 0)

    def _endless(
        self, state: State, slice_: Slice, code: Code, index: int
    ) -> tuple[Code, int, tuple[tuple[MemberRef, int], ...]] | None:
        """Return the endless loop in which a pause stands, up to two calls above it."""
        patterns = self.engine.patterns
        loop = patterns.endless(code, index)
        if loop is not None:
            return code, loop, ()
        for loop in enclosing_loops(code, index)[:1]:
            instr = code.code[loop]
            test = instr.test if isinstance(instr, ir.Loop) else NONE
            if test == NONE or not slice_.carries(code, test):
                # The pause belongs to a loop that ends by itself: it paces that, not what calls it.
                return None
        if code.lambda_of(index) != NONE:
            # What is handed on may run in another thread, which the loops around the hand-over do not repeat.
            return None
        frames: list[tuple[Code, int, State | None]] = [(code, index, state)]
        for _ in range(2):
            above: list[tuple[Code, int, State | None]] = []
            for inner, _, within in frames:
                if within is not None and within.context is not None:
                    # The value came in by these calls, and by no other.
                    above += [
                        (self.engine.uses.code(caller.ref), entered.instr, caller)
                        for caller, entered in self.entered.get(within.context, ())
                    ]
                    continue
                every = self.engine.uses.callers(inner.ref).found
                self.names.add(self.program.member(inner.ref).name)
                above += [(outer, call, None) for outer, call in every[:8]]
            for outer, call, _ in above:
                self.members.add(outer.ref)
                loop = patterns.endless(outer, call)
                if loop is not None:
                    return outer, loop, ((outer.ref, call),)
            frames = above[:8]
        return None

    def _repeat(
        self,
        state: State,
        slice_: Slice,
        out: Hit,
        endless: tuple[Code, int, tuple[tuple[MemberRef, int], ...]],
    ) -> None:
        """Everything else in an endless loop runs as often as its pause lets it."""
        outer, loop, _ = endless
        spans = repeated(outer, loop)
        steps = (
            Step(state.ref, out.instr, StepRole.OPERATION),
            Step(outer.ref, loop, StepRole.GUARD),
        )
        link = Link(state.link, state.ref, slice_, out.source, steps)
        for reached in self._under(outer, spans):
            if (reached.ref, reached.sink.instr) == (state.ref, out.instr):
                continue
            self._reach(
                state,
                reached,
                Dependency.LOOP,
                Pattern.INFINITE_LOOP,
                (outer.ref, loop),
                link,
                out.doubt,
            )

    def _under(
        self, code: Code, ranges: tuple[Range, ...], given: Given = ()
    ) -> tuple[Reached, ...]:
        found = self.engine.below.under(code, ranges, given)
        self._rest_on(self.engine.below.seen(code.ref, ranges, given))
        return found

    def _in_either_case(
        self, code: Code, out: Guarded, reached: tuple[Reached, ...], given: Given
    ) -> set[Reached]:
        """Return the operations that an ``if`` or ``?:`` does not decide over.

        They run whichever way it goes, or stand in or below a method that each arm calls in any case; so do those of a chain of
        ``else if`` of which some arm always runs.
        """
        instr = code.code[out.at]
        if out.dependency is not Dependency.BRANCH or not isinstance(instr, (ir.If, ir.Choice)):
            return set()
        common = self._common(code, out.ranges, given) if len(out.ranges) == 2 else set()
        if isinstance(instr, ir.If) and all(stop <= instr.stop for _, stop in out.ranges):
            common |= self._common(code, arms_from(self.engine.library, code, out.at), given)
        return {
            item
            for item in (reached if common else ())
            if (item.ref, item.sink.instr) in common
            or any((ref, NONE) in common for ref in _run_on(item))
        }

    def _common(
        self, code: Code, arms: tuple[Range, ...], given: Given
    ) -> set[tuple[MemberRef, int]]:
        """Return the methods and operations to which each of some arms comes in any case."""
        common: set[tuple[MemberRef, int]] | None = None
        for arm in arms:
            found = {
                place
                for item in self._under(code, (arm,), given)
                for place in self._sure(code, arm, item)
            }
            common = found if common is None else common & found
            if not common:
                break
        return common or set()

    def _sure(self, code: Code, arm: Range, item: Reached) -> Iterator[tuple[MemberRef, int]]:
        """Yield the methods and the operation on a way to which an arm always comes, as far as conditions and overriding methods tell.

        A method stands there with ``NONE`` for its instruction.
        """
        if item.doubt != Doubt.NONE:
            return
        body, span = code, arm
        for number, (ref, instr) in enumerate((*item.via, (item.ref, item.sink.instr))):
            if number:
                yield ref, NONE
                body = self.engine.uses.code(ref)
                span = (0, len(body.code))
            if not unconditional(body.context, instr, span):
                return
        yield item.ref, item.sink.instr

    def _beside(
        self, code: Code, out: Guarded, reached: tuple[Reached, ...]
    ) -> Set[tuple[MemberRef, int]]:
        """Return the operations below a condition that other calls of the body come to in any case."""
        if out.dependency is not Dependency.BRANCH:
            return frozenset()
        wanted = {(item.ref, item.sink.instr) for item in reached if item.via}
        if not wanted:
            return wanted
        found, looked = self.engine.anyway.beside(code, out.at, out.ranges, wanted)
        self.members |= looked
        return found

    def _runs_once(self, code: Code, at: int, item: Reached) -> bool:
        """Tell whether a loop comes to an operation in its first round only."""
        if not isinstance(code.code[at], (ir.ForEach, ir.Loop)):
            return False
        rounds = self.engine.first_rounds
        rounds.members.clear()
        rounds.names.clear()
        found = rounds.runs_once(code, at, item)
        self.members |= rounds.members
        self.names |= rounds.names
        return found

    def _is_on_this(self, state: State, code: Code, item: Reached) -> bool:
        """Tell whether what is called on the object at hand, and what that calls on itself, may be methods of its class."""
        objects = self.engine.objects
        body = code
        for (_, index), target in zip(item.via, _run_on(item), strict=True) if state.this else ():
            if not objects.at_hand(body, index, target.owner):
                break
            if not objects.may_run(target, state.this):
                return False
            body = self.engine.uses.code(target)
        return True

    def _rest_on(self, looked: Looked) -> None:
        self.members |= looked.members
        self.names |= looked.names

    def guard(self, state: State, slice_: Slice, code: Code, out: Guarded) -> None:
        reached_ = self._under(code, out.ranges, state.given)
        either = self._in_either_case(code, out, reached_, state.given)
        reached_ = tuple(
            item for item in reached_ if item not in either and self._is_on_this(state, code, item)
        )
        step = Step(state.ref, out.at, StepRole.GUARD)
        link = Link(state.link, state.ref, slice_, out.source, (step,))
        self._hold(state, out.at, out.dependency, link, out.doubt, out.ranges)
        if not reached_ and not isinstance(code.code[out.at], ir.Loop):
            return
        pattern = self._pattern(state, slice_, code, out)
        place = (state.ref, out.at)
        beside = self._beside(code, out, reached_)
        failing = refusing(code)
        for reached in reached_:
            doubt = out.doubt
            if (reached.ref, reached.sink.instr) in beside:
                doubt |= Doubt.ALSO
            if out.dependency is Dependency.LOOP and self._runs_once(code, out.at, reached):
                doubt |= Doubt.ONCE
            first = reached.via[0][1] if reached.via else reached.sink.instr
            if any(start <= first < stop for start, stop in failing):
                doubt |= Doubt.REJECTED
            self._reach(state, reached, out.dependency, pattern, place, link, doubt)
        if pattern is Pattern.SYNC_LOOP and isinstance(loop := code.code[out.at], ir.Loop):
            # What waits for the loop to end runs as often as that lets it (LearnConf, pattern 8).
            for reached in self._under(code, rest_of_block(code, out.at, loop.stop), state.given):
                doubt = out.doubt | Doubt.AFTER
                self._reach(state, reached, out.dependency, pattern, place, link, doubt)

    def _pattern(self, state: State, slice_: Slice, code: Code, out: Guarded) -> Pattern:
        """Decide on the comparison, which may stand in another body whose result is tested here."""
        compared: tuple[Code, int, int] | None = None
        if out.compared is not None:
            compared = (code, *out.compared)
        elif state.seed.kind is SeedKind.VALUE:
            compared = self._compared_before(state.link)
        patterns = self.engine.patterns
        patterns.looked.clear()
        patterns.asked.clear()
        if out.dependency is Dependency.BRANCH:
            pattern = patterns.branch(code, out.arms, compared)
        elif isinstance(code.code[out.at], ir.ForEach):
            pattern = Pattern.LOOP_BOUND
        elif compared is None and isinstance(code.code[out.at], ir.Loop):
            pattern = patterns.while_true(code, out.ranges, out.at)
        else:
            pattern = patterns.loop(
                code, out.arms[0], compared, lambda value: slice_.carries(code, value)
            )
        self.members |= patterns.looked
        self.names |= patterns.asked
        return pattern

    def _compared_before(self, link: Link | None) -> tuple[Code, int, int] | None:
        while link is not None:
            if link.slice is not None and link.source is not None and link.ref is not None:
                where = self.engine.uses.code(link.ref)
                found = comparison_before(where, link.slice.chain(link.source))
                if found is not None:
                    return where, *found
            link = link.before
        return None

    def dispatch(self, state: State, slice_: Slice, out: Dispatched) -> None:
        step = Step(state.ref, out.instr, StepRole.GUARD)
        link = Link(state.link, state.ref, slice_, out.source, (step,))
        place = (state.ref, out.instr)
        at = (state.ref, out.instr)
        self._hold(state, out.instr, Dependency.BRANCH, link, out.doubt, (), out.target)
        found = self.engine.below.run(out.target, at)
        self._rest_on(self.engine.below.seen_by_run(out.target, at))
        for reached in found:
            self._reach(
                state,
                reached._replace(via=reached.via[1:]),
                Dependency.BRANCH,
                Pattern.BRANCH_CONSTANT,
                place,
                link,
                out.doubt,
            )

    def _reach(
        self,
        state: State,
        reached: Reached,
        dependency: Dependency,
        pattern: Pattern,
        place: tuple[MemberRef, int],
        link: Link,
        doubt: int,
    ) -> None:
        sink = reached.sink
        operation = Operation(reached.ref, sink.instr, sink.kind, sink.api)
        tail = (
            *(Step(ref, index, StepRole.CALL) for ref, index in reached.via),
            Step(reached.ref, sink.instr, StepRole.OPERATION),
        )
        self._arrive(
            state,
            operation,
            dependency,
            pattern,
            place,
            Link(link, None, None, None, tail),
            doubt | reached.doubt,
            reached.distance,
        )

    def _arrive(
        self,
        state: State,
        operation: Operation,
        dependency: Dependency,
        pattern: Pattern,
        place: tuple[MemberRef, int],
        link: Link,
        doubt: int,
        distance: int,
    ) -> None:
        self.program.meter.spend()
        whole = joined(state.doubt, doubt)
        if hopeless(whole):
            return
        key = (operation, dependency, pattern)
        found = self.arrivals.get(key)
        if found is None:
            self.program.meter.spend(_KEPT)
            found = self.arrivals[key] = _Arrivals()
        if place in found.places:
            return
        found.places.add(place)
        level = (rank(whole), distance + state.length)
        if len(found.paths) < PATHS or level < found.paths[-1][0]:
            found.paths.append((level, whole, distance, Chain(link)))
            found.paths.sort(key=lambda item: item[0])
            del found.paths[PATHS:]


def _with_depth(doubt: int, dependency: Dependency, chain: Chain) -> int:
    """Return the doubts of a way with that about its depth, which makes a difference to sure ways only."""
    if rank(doubt) or dependency is Dependency.DIRECT or chain.link is None:
        return doubt
    return doubt | (Doubt.DEEP if is_deep(chain.link) else Doubt.NONE)


def _run_on(item: Reached) -> tuple[MemberRef, ...]:
    """Return the methods over which, and in which, an operation is reached."""
    return (*(ref for ref, _ in item.via[1:]), *((item.ref,) if item.via else ()))
