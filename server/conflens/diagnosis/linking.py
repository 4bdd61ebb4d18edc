"""Which options take hold of a call, or of the own work, of a method: the static half of Algorithm 1.

DiagConfig (§3.3, Algorithm 1) links a caller with an option if the callee is invoked by one of the caller's
operations on the option's paths, or in their block.  Here the place is a *hold* (``flow.results``), so that
a condition counts whether or not something that is known to be costly stands behind it: that it is
costly is what the profile says.

Terms
    link      an option with the hold by which it governs or feeds a call or the own work of a method.
    strength  how sure the link is, 0 to 1: the confidence of the option's way to the hold, and how surely the call
              of the frame below is one that the hold governs.
    making    the places that make the objects of a class, if there are few: a method runs only if its object was
              made, so that an option which governs all of them governs it.
    spawn     a place that hands work over: it makes the object, or the lambda, that another thread runs.

Absent: what a profile says of either.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from conflens.diagnosis.configured import Objects
from conflens.diagnosis.early_exits import Rest, rests
from conflens.diagnosis.frames import FrameIndex
from conflens.diagnosis.results import Located
from conflens.diagnosis.sites import calls_to, line_at
from conflens.facts import ir
from conflens.flow.results import Confidence, Dependency, FlowTable, Hold, OptionKey, Taken
from conflens.profiling.model import Frame
from conflens.program.refs import MemberRef
from conflens.program.types import JavaType

_STRENGTHS = {Confidence.HIGH: 1.0, Confidence.MEDIUM: 0.7, Confidence.LOW: 0.3}
_SOME = 0.5
"""Only some of the calls that may be meant are governed."""
_OWN = 0.5
"""The own work of a method where it is not known on which line it was done."""
_CONFIGURED = 0.45
"""A call of an object that the option configures."""
_OF_CLASS = 0.3
"""A call of an object of a class that keeps the option's value."""
_ANSWERED = 0.3
"""A call that is made, or not, by what such an object answers."""
_SPAWNS = 4
"""Places that hand over the same work beyond which none is named."""


class Link(NamedTuple):
    """See the module text."""

    option: OptionKey
    hold: Hold
    strength: float
    certain: bool = False
    """Every call that may be meant is governed."""
    within: str = ""
    """If not empty, only what this class does itself, or libraries for it, is under the option."""
    arm: int = 0
    """Which of the arms of a condition: one may come and another go, so that each is looked at by itself."""


class Linker:
    """Links in one program; remembers every answer."""

    def __init__(self, flows: FlowTable, index: FrameIndex) -> None:
        """``flows`` tells the holds."""
        self.index = index
        self._flows = flows
        self._kinds: dict[OptionKey, frozenset[str]] = {}
        self.program = index.program
        taken = list(flows.taken())
        self._places: dict[MemberRef, list[tuple[Taken, int]]] = {}
        """By member: what an option takes hold of there, and the number of the hold."""
        for one in taken:
            for at, (ref, _) in enumerate(one.places):
                self._places.setdefault(ref, []).append((one, at))
        self._by_member: dict[MemberRef, list[tuple[OptionKey, Hold]]] = {}
        self.objects = Objects(self.program, taken, self.holds_in)
        self._rests: dict[tuple[MemberRef, int], tuple[Rest, ...]] = {}
        self._calls: dict[tuple[MemberRef, Frame, Frame, int], tuple[Link, ...]] = {}
        self._creators: dict[str, frozenset[int]] = {}
        self._spawns: dict[Frame, tuple[tuple[MemberRef, int], ...]] = {}
        self._makings: dict[tuple[str, int], tuple[Link, ...]] = {}

    def begin(self) -> None:
        """Begin another diagnosis: forget the answers that depend on what was asked before them."""
        self._calls.clear()
        self.objects.begin()

    def kinds(self, option: OptionKey) -> frozenset[str]:
        """Return the kinds of operations that an option reaches."""
        found = self._kinds.get(option)
        if found is None:
            found = self._kinds[option] = self._flows.kinds(option)
        return found

    def deciding_in(self, members: Iterable[MemberRef | None]) -> frozenset[OptionKey]:
        """Return the options that take hold in the body of any of the members."""
        return frozenset(
            one.option
            for ref in members
            if ref is not None
            for one, _ in self._places.get(ref, ())
        )

    def holds_in(self, ref: MemberRef) -> list[tuple[OptionKey, Hold]]:
        """Return the holds in the body of a member, without those that only refuse a value (``validation``)."""
        found = self._by_member.get(ref)
        if found is None:
            rows = self._places.get(ref, ())
            holds = ((one.option, one.holds[at]) for one, at in rows)
            found = self._by_member[ref] = [pair for pair in holds if not self._refuses(pair[1])]
        return found

    def _refuses(self, hold: Hold) -> bool:
        is_condition = hold.dependency is Dependency.BRANCH and hold.target is None
        return is_condition and self.objects.validation.is_validation(hold.ref, hold.index)

    def of_call(self, caller: Located, callee: Located, line: int) -> tuple[Link, ...]:
        """Return the links of the call from one frame to the next, made on ``line`` (0: not known)."""
        ref = caller.ref
        if ref is None:
            return ()
        key = (ref, caller.frame, callee.frame, line)
        found = self._calls.get(key)
        if found is None:
            calls = calls_to(self.index, ref, callee.frame, line, caller.frame)
            found = self._calls[key] = tuple(self._of_calls(ref, calls, callee))
        return found

    def _of_calls(self, ref: MemberRef, calls: tuple[int, ...], callee: Located) -> Iterable[Link]:
        if not calls:
            return
        yield from self._links(ref, calls, callee.ref)
        for key, hold in self.objects.of_call(ref, calls, callee):
            yield Link(key, hold, _CONFIGURED * _STRENGTHS[hold.path.confidence])
        for key, hold in self.objects.of_class(ref, calls, callee):
            strength = _OF_CLASS * _STRENGTHS[hold.path.confidence]
            owner = callee.ref.owner if callee.ref is not None else ""
            yield Link(key, hold, strength, within=owner)
        for key, hold in self.objects.deciding(ref, calls):
            yield Link(key, hold, _ANSWERED * _STRENGTHS[hold.path.confidence])

    def of_instruction(self, ref: MemberRef, index: int) -> tuple[Link, ...]:
        """Return the links of one instruction of a body."""
        return tuple(self._links(ref, (index,), None))

    def _links(
        self, ref: MemberRef, calls: tuple[int, ...], target: MemberRef | None
    ) -> Iterable[Link]:
        if not calls:
            return
        for key, hold in self.holds_in(ref):
            for arm, ranges in _arms(hold):
                fits = sum(1 for call in calls if _governs(hold, ranges, call, target))
                if fits:
                    sure = 1.0 if fits == len(calls) else _SOME
                    strength = sure * _STRENGTHS[hold.path.confidence]
                    yield Link(key, hold, strength, fits == len(calls), arm=arm)
            for arm, rest in enumerate(self._left_out(hold), len(hold.ranges)):
                if all(rest.span[0] <= call < rest.span[1] for call in calls):
                    strength = rest.factor * _STRENGTHS[hold.path.confidence]
                    yield Link(key, hold, strength, arm=arm)

    def _left_out(self, hold: Hold) -> tuple[Rest, ...]:
        """Return what exits in the arms of a condition may leave out, besides what it surely governs."""
        if hold.dependency is not Dependency.BRANCH or hold.target is not None:
            return ()
        place = hold.ref, hold.index
        found = self._rests.get(place)
        if found is None:
            found = self._rests[place] = rests(self.objects.code(hold.ref), hold.index)
        return tuple(
            rest
            for rest in found
            if not any(start <= rest.span[0] and rest.span[1] <= end for start, end in hold.ranges)
        )

    def of_making(self, callee: Located) -> tuple[Link, ...]:
        """Return the links that govern all places which make the objects of a method's class."""
        known = self.index.type_of(callee.frame)
        if known is None or callee.frame.method in ("<init>", "<clinit>"):
            return ()
        found = self._makings.get(known)
        if found is None:
            found = self._makings[known] = self._of_places(self._news(known))
        return found

    def _of_places(self, places: list[tuple[MemberRef, int]]) -> tuple[Link, ...]:
        best: dict[OptionKey, list[Link]] = {}
        for ref, index in places:
            here: dict[OptionKey, Link] = {}
            for link in self._links(ref, (index,), None):
                if link.hold.dependency is not Dependency.BRANCH:
                    continue
                if link.option not in here or link.strength > here[link.option].strength:
                    here[link.option] = link
            for key, link in here.items():
                best.setdefault(key, []).append(link)
        return tuple(
            min(links, key=lambda link: link.strength)
            for links in best.values()
            if len(links) == len(places)
        )

    def of_own(self, at: Located, lines: Iterable[int]) -> tuple[Link, ...]:
        """Return the links of the own work of a method, done on ``lines`` as far as they are known."""
        ref = at.ref
        if ref is None or ref not in self._places:
            return ()
        worked = set(lines)
        found = []
        for key, hold in self.holds_in(ref):
            sure = _OWN
            if worked:
                governed = self._lines_of(hold)
                if not worked & governed:
                    continue
                sure = 1.0
            elif hold.dependency is Dependency.DIRECT or hold.target is not None:
                continue
            found.append(Link(key, hold, sure * _STRENGTHS[hold.path.confidence]))
        return tuple(found)

    def _lines_of(self, hold: Hold) -> set[int]:
        program = self.program
        member = program.member(hold.ref)
        code = program.body(hold.ref).code
        ranges = hold.ranges or ((hold.index, hold.index + 1),)
        offsets = [
            member.at + code[at].at
            for start, end in ranges
            for at in range(start, min(end, len(code)))
        ]
        return {line_at(program, hold.ref.path, offset) for offset in offsets}

    def line(self, ref: MemberRef, index: int) -> int:
        """Return the 1-based line of an instruction."""
        program = self.program
        at = program.member(ref).at + program.body(ref).code[index].at
        return line_at(program, ref.path, at)

    def frame(self, ref: MemberRef, index: int) -> Located:
        """Return a frame that no profile showed: a member at one of its instructions."""
        name = self.program.member(ref).name
        return Located(Frame(ref.owner, name), ref, self.line(ref, index))

    def spawns(self, frame: Frame) -> tuple[tuple[MemberRef, int], ...]:
        """Return where the work that ``frame`` begins is handed over: the instructions that make its object.

        ``()`` if the frame is not of the project, or if there are too many to name one.
        """
        found = self._spawns.get(frame)
        if found is None:
            found = self._spawns[frame] = tuple(self._made(frame))
        return found

    def _made(self, frame: Frame) -> list[tuple[MemberRef, int]]:
        program = self.program
        ref = self.index.locate(frame)
        if ref is None:
            return []
        span = self.index.lambda_range(frame, ref)
        if span is not None:
            code = program.body(ref).code
            return [
                (ref, at)
                for at, instr in enumerate(code)
                if isinstance(instr, ir.Lambda) and (instr.start, instr.stop) == span
            ]
        known = self.index.type_of(frame)
        if known is None or frame.method in ("<init>", "<clinit>", "main"):
            return []
        return self._news(known)

    def _news(self, known: tuple[str, int]) -> list[tuple[MemberRef, int]]:
        """Return the instructions that make objects of a class; none if there are many."""
        program = self.program
        decl = program.files[known[0]].types[known[1]]
        if not decl.name:
            if decl.member < 0:
                return []
            around = program.ref(known[0], decl.member)
            return [
                (around, at)
                for at, instr in enumerate(program.body(around).code)
                if isinstance(instr, ir.New) and instr.body == decl.ordinal
            ]
        found = []
        for user in dict.fromkeys((*program.users(decl.name), *program.mentions(decl.name))):
            if not self._creates(user):
                continue
            for at, instr in enumerate(program.body(user).code):
                if instr.__class__ is not ir.New:
                    continue
                assert isinstance(instr, ir.New)
                if (
                    decl.name in instr.type
                    and instr.type.partition("<")[0].rpartition(".")[2] == decl.name
                    and self._can_be(program.resolve(instr.type, user.path, user.owner), known)
                ):
                    found.append((user, at))
                    if len(found) > _SPAWNS:
                        return []
        return found

    def _creates(self, user: MemberRef) -> bool:
        """Tell whether a body may make objects, without opening it; an enum constant always does."""
        if self.program.member(user).kind == "enum_constant":
            return True
        found = self._creators.get(user.path)
        if found is None:
            numbers = self.program.files[user.path].calls.get("<init>", ())
            found = self._creators[user.path] = frozenset(numbers)
        return user.number in found

    def _can_be(self, written: JavaType, known: tuple[str, int]) -> bool:
        """Tell whether a type may be class ``known``: it is, or is none that the project knows by its full name."""
        program = self.program
        return written.name == program.type_name(*known) or program.type(written.name) is None


def _arms(hold: Hold) -> Iterable[tuple[int, Sequence[tuple[int, int]]]]:
    if hold.dependency is Dependency.BRANCH and len(hold.ranges) > 1:
        return [(number, (span,)) for number, span in enumerate(hold.ranges)]
    return [(0, hold.ranges)]


def _governs(
    hold: Hold, ranges: Sequence[tuple[int, int]], call: int, target: MemberRef | None
) -> bool:
    if hold.target is not None:
        return hold.index == call and (target is None or target == hold.target)
    if hold.dependency is Dependency.DIRECT:
        return hold.index == call
    return any(start <= call < end for start, end in ranges)
