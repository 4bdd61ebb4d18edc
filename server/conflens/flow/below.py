"""The operations in governed code: in the ranges themselves and up to k call levels below.

Terms
    profile   the calls of one member, made once while its body stays.
    edge      a call, and the members that it runs: methods of the project, what making an object
              runs (constructor, initialisers), and tasks that a library is given to run.
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
from conflens.flow.calls import FAN
from conflens.flow.code import Code
from conflens.flow.forms import Doubt
from conflens.flow.guards import Range
from conflens.flow.library import Library
from conflens.flow.making import Opener
from conflens.flow.sinks import Sink
from conflens.program.reaching import reaching
from conflens.program.refs import MemberRef

LEVELS = 2
MEMBERS = 600
"""Members looked through for one condition."""

_NOTE = "flow.profile"


class Edge(NamedTuple):
    """Instruction ``instr`` runs ``targets``; ``inline`` is the range of a lambda of the same body."""

    instr: int
    targets: tuple[MemberRef, ...]
    doubt: int
    inline: Range | None = None


ItemT = TypeVar("ItemT", Edge, Sink)


class Profile(NamedTuple):
    """What one member calls."""

    edges: tuple[Edge, ...]


_Via = tuple[tuple[MemberRef, int], ...]
_Level = list[tuple[Code, Edge, _Via, int]]


class Reached(NamedTuple):
    """An operation of ``ref``, ``distance`` calls below the governed code, over the calls ``via``."""

    ref: MemberRef
    sink: Sink
    distance: int
    via: tuple[tuple[MemberRef, int], ...]
    doubt: int


class Below:
    """Looks below governed code in one program."""

    def __init__(self, library: Library, open_: Opener) -> None:
        """Ask ``library`` what calls run."""
        self.library = library
        self.program = library.program
        self.open = open_
        self._known: dict[tuple[MemberRef, tuple[Range, ...]], tuple[Reached, ...]] = {}
        self._run: dict[
            tuple[MemberRef, tuple[MemberRef, int]],
            tuple[tuple[Reached, ...], frozenset[MemberRef]],
        ] = {}
        self.looked: dict[tuple[MemberRef, tuple[Range, ...]], frozenset[MemberRef]] = {}

    def take(self, before: Below, touched: Set[MemberRef]) -> None:
        """Take over what was found without looking into ``touched`` bodies."""
        # Copied whole and then thinned: that makes no hash of what stays.
        self._known |= before._known
        self.looked |= before.looked
        for key, members in before.looked.items():
            if not members.isdisjoint(touched):
                del self._known[key], self.looked[key]
        self._run |= before._run
        for at, (_, members) in before._run.items():
            if not members.isdisjoint(touched):
                del self._run[at]

    def under(self, code: Code, ranges: tuple[Range, ...]) -> tuple[Reached, ...]:
        """Return the operations in ranges of a body and below them, nearest first."""
        key = (code.ref, ranges)
        found = self._known.get(key)
        if found is None:
            profile = self.profile(code)
            spans = _joined(ranges)
            sinks = tuple(self.library.sinks(code).values())
            level: _Level = [
                (code, edge, (), Doubt.NONE) for edge in _within(profile.edges, spans)
            ]
            start = [
                Reached(code.ref, sink, 0, (), Doubt.NONE)
                for sink in _within(sinks, spans)
                if self.library.costs(code, sink)
            ]
            self.program.meter.spend(1 + len(level) + len(start))
            found, members = self._down(start, level, code.ref)
            self._known[key] = found
            self.looked[key] = members
        return found

    def run(self, ref: MemberRef, at: tuple[MemberRef, int]) -> tuple[Reached, ...]:
        """Return the operations of a member that call ``at`` runs, and those below it."""
        found = self._run.get((ref, at))
        if found is None:
            level: _Level = [(self.open(at[0]), Edge(at[1], (ref,), Doubt.NONE), (), Doubt.NONE)]
            found = self._down([], level, at[0])
            self._run[ref, at] = found
        return found[0]

    def seen(self, ref: MemberRef, ranges: tuple[Range, ...]) -> frozenset[MemberRef]:
        """Return the members that an answer of ``under`` rests on."""
        return self.looked.get((ref, ranges), frozenset())

    def seen_by_run(self, ref: MemberRef, at: tuple[MemberRef, int]) -> frozenset[MemberRef]:
        """Return the members that an answer of ``run`` rests on."""
        return self._run[ref, at][1]

    def _down(
        self,
        start: Iterable[Reached],
        level: _Level,
        origin: MemberRef,
    ) -> tuple[tuple[Reached, ...], frozenset[MemberRef]]:
        found: dict[tuple[MemberRef, int], Reached] = {
            (item.ref, item.sink.instr): item for item in start
        }
        visited: set[MemberRef] = {origin}
        for distance in range(1, LEVELS + 1):
            following: _Level = []
            for code, edge, via, doubt in sorted(level, key=lambda item: item[3].bit_count()):
                more = doubt | edge.doubt
                if distance > 1 and more & Doubt.MANY:
                    # One of many methods, two calls away: that says nothing of use.
                    continue
                way = (*via, (code.ref, edge.instr))
                if edge.inline is not None:
                    spans = (edge.inline,)
                    sinks = tuple(self.library.sinks(code).values())
                    for sink in _within(sinks, spans):
                        if self.library.costs(code, sink):
                            reached = Reached(code.ref, sink, distance, way, more)
                            found.setdefault((code.ref, sink.instr), reached)
                    inner = _within(self.profile(code).edges, spans)
                    self.program.meter.spend(1 + len(inner))
                    following += [(code, item, way, more) for item in inner]
                for target in edge.targets:
                    if target in visited:
                        continue
                    if len(visited) >= MEMBERS:
                        break
                    visited.add(target)
                    below = self.open(target)
                    profile = self.profile(below)
                    sinks = tuple(self.library.sinks(below).values())
                    self.program.meter.spend(1 + len(profile.edges) + len(sinks))
                    for sink in sinks:
                        if self.library.costs(below, sink):
                            reached = Reached(target, sink, distance, way, more)
                            found.setdefault((target, sink.instr), reached)
                    if distance < LEVELS:
                        following += [(below, item, way, more) for item in profile.edges]
            level = following
        return tuple(found.values()), frozenset(visited)

    # -- profiles ------------------------------------------------------------------------------------

    def profile(self, code: Code) -> Profile:
        """Return the calls of a member."""
        kept = code.context.notes.get(_NOTE)
        if isinstance(kept, Profile):
            return kept
        edges: list[Edge] = []
        for index, instr in enumerate(code.code):
            match instr:
                case ir.Call():
                    edges.extend(self._called(code, index, instr))
                case ir.New():
                    edges.extend(self._made(code, index))
                case ir.MethodRef():
                    refs = self._referred(code, index)
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
        elif instr.object != NONE and isinstance(code.code[instr.object], ir.Load):
            inline = self._function(code, instr.object)
            if inline is not None:
                yield Edge(index, (), Doubt.NONE, inline)
        tasks = self.library.callees.tasks(code, index)
        if tasks:
            doubt = Doubt.NONE if len(tasks) == 1 else Doubt.DISPATCH
            yield Edge(index, tuple(tasks[:FAN]), doubt)

    def _function(self, code: Code, value: int) -> Range | None:
        """Return the lambda that a local names."""
        load = code.code[value]
        assert isinstance(load, ir.Load)
        if load.up:
            return None
        for number in reaching(code.context, load.slot, value).stores[:1]:
            store = code.code[number]
            if isinstance(store, ir.Store) and store.value != NONE:
                made = code.code[store.value]
                if isinstance(made, ir.Lambda):
                    return made.start, made.stop
        return None

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

    def _referred(self, code: Code, index: int) -> list[MemberRef]:
        for count in (0, 1, 2):
            found = self.library.callees.referred(code, index, count)
            if found:
                member = self.program.member(found[0])
                if not member.modifiers & Modifier.ABSTRACT:
                    return found
        return []


def _within(items: Sequence[ItemT], spans: Iterable[Range]) -> list[ItemT]:
    """Return what stands in ranges, of items in the order of their instructions."""
    found: list[ItemT] = []
    for start, stop in spans:
        first = bisect_left(items, start, key=_place)
        found += items[first : bisect_left(items, stop, first, key=_place)]
    return found


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
