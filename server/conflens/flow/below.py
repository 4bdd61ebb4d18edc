"""The operations in governed code: in the ranges themselves and up to k call levels below.

Terms
    profile   the calls of one member, made once while its body stays.
    edge      a call, and the members that it runs: methods of the project, what making an object
              runs (constructor, initialisers), tasks that a library is given to run, and functions kept elsewhere.
    reached   an operation, how many calls lie above it (the distance), and over which.

The levels are counted as LearnConf does (§3.1.3; k is 2).  Absent: why code is governed (``slices``).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence, Set
from typing import NamedTuple, TypeVar

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Modifier
from conflens.flow.callees import FEW
from conflens.flow.calls import FAN
from conflens.flow.code import Code
from conflens.flow.first_use import first_uses
from conflens.flow.forms import Doubt
from conflens.flow.functions import FunctionValues
from conflens.flow.guards import Range
from conflens.flow.library import Library
from conflens.flow.makers import ObjectMakers
from conflens.flow.making import Opener
from conflens.flow.settled import Given, Settling
from conflens.flow.sinks import Sink
from conflens.program.refs import MemberRef

LEVELS = 2
MEMBERS = 600
"""Members looked through for one condition."""

_NOTE = "flow.profile"


class Edge(NamedTuple):
    """Instruction ``instr`` runs ``targets``, or the ``function`` that a value of this body is (``functions``)."""

    instr: int
    targets: tuple[MemberRef, ...]
    doubt: int
    function: int = NONE


ItemT = TypeVar("ItemT", Edge, Sink)


class Profile(NamedTuple):
    """What one member calls."""

    edges: tuple[Edge, ...]

    def closed(self) -> Profile:
        """Return what stays of it when the body is closed (``program.open_body``): an edit is compared with it."""
        return self


class Looked(NamedTuple):
    """What an answer rests on: bodies, and names whose users were asked for."""

    members: frozenset[MemberRef]
    names: frozenset[str]

    def stays(self, touched: Set[MemberRef], names: Set[str]) -> bool:
        """Tell whether the answer holds when these bodies, and the users of these names, are others."""
        return self.members.isdisjoint(touched) and self.names.isdisjoint(names)


NOTHING = Looked(frozenset(), frozenset())

_Asked = tuple[MemberRef, tuple[Range, ...], Given]
_AskedRun = tuple[MemberRef, tuple[MemberRef, int]]
_Via = tuple[tuple[MemberRef, int], ...]
_Level = list[tuple[Code, Edge, _Via, int, Given]]
"""Calls to look below, each with what the body in which it stands was given."""


class Reached(NamedTuple):
    """An operation of ``ref``, ``distance`` calls below the governed code, over the calls ``via``."""

    ref: MemberRef
    sink: Sink
    distance: int
    via: tuple[tuple[MemberRef, int], ...]
    doubt: int


class Below:
    """Looks below governed code in one program."""

    def __init__(
        self, library: Library, open_: Opener, functions: FunctionValues, makers: ObjectMakers
    ) -> None:
        """Ask ``library`` what calls run, ``functions`` which functions a value may be, ``makers`` of which class an object is."""
        self.library = library
        self.makers = makers
        self.functions = functions
        self.program = library.program
        self.open = open_
        self.settling = Settling(library, open_)
        self._known: dict[_Asked, tuple[Reached, ...]] = {}
        self._run: dict[
            _AskedRun,
            tuple[tuple[Reached, ...], Looked],
        ] = {}
        self.looked: dict[_Asked, Looked] = {}
        self._cost: dict[_Asked | _AskedRun, float] = {}

    def take(self, before: Below, touched: Set[MemberRef], names: Set[str]) -> None:
        """Take over what was found without looking into ``touched`` bodies or asking for users of ``names``."""
        # Copied whole and then thinned: that makes no hash of what stays.
        self._cost |= before._cost
        self._known |= before._known
        self.looked |= before.looked
        for key, looked in before.looked.items():
            if not looked.stays(touched, names):
                del self._known[key], self.looked[key], self._cost[key]
        self._run |= before._run
        for at, (_, looked) in before._run.items():
            if not looked.stays(touched, names):
                del self._run[at], self._cost[at]

    def under(
        self, code: Code, ranges: tuple[Range, ...], given: Given = ()
    ) -> tuple[Reached, ...]:
        """Return the operations in ranges of a body and below them, nearest first.

        ``given`` is what is known of the parameters of the body.
        """
        key = (code.ref, ranges, given)
        found = self._known.get(key)
        if found is None:
            with self.program.meter.sharing() as spent:
                found, looked = self._under(code, ranges, given)
                self._cost[key] = spent()
            self._known[key] = found
            self.looked[key] = looked
        self.program.meter.uses(key, self._cost[key])
        return found

    def _under(
        self, code: Code, ranges: tuple[Range, ...], given: Given
    ) -> tuple[tuple[Reached, ...], Looked]:
        profile = self.profile(code)
        spans = _joined(without(ranges, self.settling.idle(code, given)))
        sinks = tuple(self.library.sinks(code).values())
        level: _Level = [
            (code, edge, (), Doubt.NONE, given) for edge in _within(profile.edges, spans)
        ]
        start = [
            Reached(code.ref, sink, 0, (), Doubt.NONE)
            for sink in _within(sinks, spans)
            if self.library.costs(code, sink)
        ]
        self.program.meter.spend(1 + len(level) + len(start))
        return self._down(start, level, code.ref)

    def run(self, ref: MemberRef, at: tuple[MemberRef, int]) -> tuple[Reached, ...]:
        """Return the operations of a member that call ``at`` runs, and those below it."""
        found = self._run.get((ref, at))
        if found is None:
            with self.program.meter.sharing() as spent:
                level: _Level = [
                    (self.open(at[0]), Edge(at[1], (ref,), Doubt.NONE), (), Doubt.NONE, ())
                ]
                found = self._down([], level, at[0])
                self._cost[ref, at] = spent()
            self._run[ref, at] = found
        self.program.meter.uses((ref, at), self._cost[ref, at])
        return found[0]

    def seen(self, ref: MemberRef, ranges: tuple[Range, ...], given: Given = ()) -> Looked:
        """Return what an answer of ``under`` rests on."""
        return self.looked.get((ref, ranges, given), NOTHING)

    def seen_by_run(self, ref: MemberRef, at: tuple[MemberRef, int]) -> Looked:
        """Return what an answer of ``run`` rests on."""
        return self._run[ref, at][1]

    def _down(
        self,
        start: Iterable[Reached],
        level: _Level,
        origin: MemberRef,
    ) -> tuple[tuple[Reached, ...], Looked]:
        down = _Down(self, start, origin)
        for distance in range(1, LEVELS + 1):
            following: _Level = []
            for code, edge, via, doubt, given in sorted(
                level, key=lambda item: item[3].bit_count()
            ):
                more = doubt | edge.doubt
                if distance > 1 and more & Doubt.MANY:
                    # One of many methods, two calls away: that says nothing of use.
                    continue
                way = (*via, (code.ref, edge.instr))
                targets = edge.targets
                if edge.function != NONE:
                    parts, targets, which = down.functions(code, edge.function)
                    more |= which
                    for body, span in parts:
                        inner = given if body is code else ()
                        following += down.part(body, span, distance, way, more, inner)
                elif len(targets) > 1:
                    targets = down.possible(code, edge.instr, targets)
                for target in targets:
                    following += down.member(target, distance, way, more, (code, edge, given))
            level = following
        looked = Looked(frozenset(down.visited | down.rests), frozenset(down.names))
        return tuple(down.found.values()), looked

    # -- profiles ------------------------------------------------------------------------------------

    def profile(self, code: Code) -> Profile:
        """Return the calls of a member."""
        kept = code.context.notes.get(_NOTE)
        if isinstance(kept, Profile):
            return kept
        edges: list[Edge] = []
        for index in code.context.of_kind(ir.Call, ir.New, ir.MethodRef):
            instr = code.code[index]
            match instr:
                case ir.Call():
                    edges.extend(self._called(code, index, instr))
                case ir.New():
                    edges.extend(self._made(code, index))
                case ir.MethodRef():
                    refs = self.referred(code, index)
                    if refs:
                        edges.append(Edge(index, tuple(refs), Doubt.NONE))
                case _:
                    pass
        found = Profile(tuple(edges))
        code.context.notes[_NOTE] = found
        return found

    def _called(self, code: Code, index: int, instr: ir.Call) -> Iterable[Edge]:
        if code.context.targets(index):
            refs, doubt = self.library.callees.run_by(code, index)
            if refs and len(refs) <= FAN:
                yield Edge(index, refs, doubt)
        if instr.object != NONE and self.library.is_function(code, instr.object):
            yield Edge(index, (), Doubt.NONE, instr.object)
        yield from self._handed(code, index)
        tasks = self.library.callees.tasks(code, index)
        if tasks:
            doubt = Doubt.NONE if len(tasks) == 1 else Doubt.DISPATCH
            yield Edge(index, tuple(tasks[:FAN]), doubt)

    def _handed(self, code: Code, index: int) -> Iterable[Edge]:
        """Yield edges to the functions that a library is given to run, unless they stand there."""
        for value in self.library.callees.handed(code, index):
            if self.library.is_function(code, value):
                yield Edge(index, (), Doubt.NONE, value)

    def _made(self, code: Code, index: int) -> Iterable[Edge]:
        owner = self.library.callees.made_class(code, index)
        refs = list(code.context.targets(index)[:1])
        info = self.program.type(owner)
        if info is not None:
            refs += self.library.callees.initialisers(owner)
        if refs:
            yield Edge(index, tuple(refs), Doubt.NONE)
        tasks = self.library.callees.tasks(code, index)
        if tasks:
            yield Edge(index, tuple(tasks[:FAN]), Doubt.NONE)

    def referred(self, code: Code, index: int) -> list[MemberRef]:
        """Return the method that a method reference means."""
        for count in (0, 1, 2):
            found = self.library.callees.referred(code, index, count)
            if found:
                member = self.program.member(found[0])
                if not member.modifiers & Modifier.ABSTRACT:
                    return found
        return []


class _Down:
    """One look down from governed code."""

    def __init__(self, below: Below, start: Iterable[Reached], origin: MemberRef) -> None:
        self.below = below
        self.found: dict[tuple[MemberRef, int], Reached] = {
            (item.ref, item.sink.instr): item for item in start
        }
        self.origin = origin
        self.visited: set[MemberRef] = {origin}
        self.rests: set[MemberRef] = set()
        self.names: set[str] = set()
        self._parts: set[tuple[MemberRef, Range]] = set()
        self._passed: set[_Asked] = set()
        """Members looked through, each with what its callers kept from running, and gave it to hand on."""

    def part(
        self, code: Code, span: Range, distance: int, way: _Via, doubt: int, given: Given
    ) -> _Level:
        """Note the operations of a lambda, and return what it calls."""
        if (code.ref, span) in self._parts:
            return []
        self._parts.add((code.ref, span))
        self.rests.add(code.ref)
        below = self.below
        self._note(
            code, _within(tuple(below.library.sinks(code).values()), (span,)), distance, way, doubt
        )
        inner = _within(below.profile(code).edges, (span,))
        below.program.meter.spend(1 + len(inner))
        return [(code, item, way, doubt, given) for item in inner]

    def member(
        self,
        target: MemberRef,
        distance: int,
        way: _Via,
        doubt: int,
        by: tuple[Code, Edge, Given],
    ) -> _Level:
        """Note the operations of a member that runs ``by`` a call, and return what it calls."""
        if (target, (), ()) in self._passed or len(self._passed) >= MEMBERS:
            return []
        below = self.below
        code = below.open(target)
        profile = below.profile(code)
        sinks = tuple(below.library.sinks(code).values())
        if not profile.edges and not sinks:
            # As most accessors: whatever it is given, nothing lies below it.
            self._passed.add((target, (), ()))
            self.visited.add(target)
            return []
        settling = below.settling
        given: Given = ()
        if by[1].function == NONE:
            given = settling.given_by(by[0], by[1].instr, target, by[2])
            self.rests |= settling.rests(target)
        kept = settling.idle(code, given)
        key = (target, kept, given if distance < LEVELS else ())
        if key in self._passed or target == self.origin:
            return []
        self._passed.add(key)
        self.visited.add(target)
        below.program.meter.spend(1 + len(profile.edges) + len(sinks))
        once = self._first_uses(code)
        self._note(code, _outside(sinks, kept), distance, way, doubt, once)
        if distance >= LEVELS:
            return []
        return [
            (code, item, way, doubt | _once(item.instr, once), given)
            for item in _outside(profile.edges, kept)
        ]

    def possible(
        self, code: Code, instr: int, targets: tuple[MemberRef, ...]
    ) -> tuple[MemberRef, ...]:
        """Return which of several methods a call may run, by where its object may have been made."""
        if targets != self.below.library.callees.run_by(code, instr)[0]:
            return targets
        makers = self.below.makers.of_receiver(code, instr)
        self.rests |= makers.members
        self.names |= makers.names
        return tuple(ref for ref in targets if self.below.makers.may_run(makers, ref))

    def _first_uses(self, code: Code) -> tuple[Range, ...]:
        """Return what a body does at the first use only, if it is used at several places."""
        found = first_uses(code)
        if not found:
            return ()
        self.names.add(self.below.program.member(code.ref).name)
        return found if len(self.below.functions.uses.callers(code.ref).found) > 1 else ()

    def functions(
        self, code: Code, value: int
    ) -> tuple[list[tuple[Code, Range]], tuple[MemberRef, ...], int]:
        """Return the lambdas and methods that a value may be, and the doubt about which."""
        below = self.below
        functions = below.functions.of(code.ref, value)
        self.rests |= functions.members
        self.names |= functions.names
        parts: list[tuple[Code, Range]] = []
        targets: list[MemberRef] = []
        for ref, index in functions.found if not functions.cut else ():
            body = below.open(ref)
            function = body.code[index]
            if isinstance(function, ir.Lambda):
                parts.append((body, (function.start, function.stop)))
            else:
                targets += below.referred(body, index)
        count = len(parts) + len(targets)
        doubt = Doubt.NONE if count < 2 else Doubt.DISPATCH if count <= FEW else Doubt.MANY
        if functions.shared:
            # The call by which the value came in hands over one of them, which is not known here.
            doubt = Doubt.MANY
        return parts, tuple(targets), doubt

    def _note(
        self,
        code: Code,
        sinks: Iterable[Sink],
        distance: int,
        way: _Via,
        doubt: int,
        once: tuple[Range, ...] = (),
    ) -> None:
        for sink in sinks:
            if self.below.library.costs(code, sink):
                whole = doubt | _once(sink.instr, once)
                reached = Reached(code.ref, sink, distance, way, whole)
                self.found.setdefault((code.ref, sink.instr), reached)


def _once(instr: int, spans: tuple[Range, ...]) -> int:
    """Return the doubt about what runs at a first use only."""
    if not spans:
        return Doubt.NONE
    return Doubt.ONCE if any(start <= instr < stop for start, stop in spans) else Doubt.NONE


def _within(items: Sequence[ItemT], spans: Iterable[Range]) -> list[ItemT]:
    """Return what stands in ranges, of items in the order of their instructions."""
    found: list[ItemT] = []
    for start, stop in spans:
        first = bisect_left(items, start, key=_place)
        found += items[first : bisect_left(items, stop, first, key=_place)]
    return found


def _outside(items: Sequence[ItemT], spans: tuple[Range, ...]) -> Sequence[ItemT]:
    """Return what stands in none of some ranges."""
    if not spans:
        return items
    left_out = {item.instr for item in _within(items, spans)}
    return [item for item in items if item.instr not in left_out]


def _place(item: Edge | Sink) -> int:
    return item.instr


def _joined(ranges: Iterable[Range]) -> list[Range]:
    """Return ranges in order, those that overlap as one."""
    found: list[Range] = []
    for start, stop in sorted(ranges):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(stop, found[-1][1]))
        else:
            found.append((start, stop))
    return found


def without(ranges: tuple[Range, ...], idle: tuple[Range, ...]) -> tuple[Range, ...]:
    """Return what of ranges runs, but for those that are ``idle``."""
    found = list(ranges)
    for start, stop in idle:
        found = [
            part
            for first, last in found
            for part in ((first, min(last, start)), (max(first, stop), last))
            if part[0] < part[1]
        ]
    return tuple(found)
