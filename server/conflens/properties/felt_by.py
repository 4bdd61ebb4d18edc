"""Whose work comes to what an option makes expensive (LearnConf §4.1): requests, background work, or the start.

Calls are followed backwards from where the option takes hold on the way to its surest operations, up to entries (``entries``).  What a
thread runs belongs to whoever starts it (rule 3); a thread that works by itself, over and over, is background.  Where a thread does what
others hand over, or calls lead further than can be told, nothing is said; that only the start feels it is said if nobody else can.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from conflens.facts import ir
from conflens.flow.code import Code
from conflens.flow.results import Confidence, FlowTable, OptionKey, Step, StepRole, place_of
from conflens.options.model import Option
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.properties.callers import NOBODY, Callers
from conflens.properties.entries import Entries
from conflens.properties.model import Felt, FeltBy

LEVELS = 12
"""Calls that are followed back."""
_MEMBERS = 60
"""Members that are looked at from one place; beyond, nothing is known of the rest."""
_COST = 25_000
"""Instructions of their callers, likewise."""
_PLACES = 3
"""Places from which is looked, those of the surest and nearest operations."""
_HOLDS = 12
"""Places that are looked at for whether only the start comes to them."""
_NEAR = 3
"""Calls above a place within which one that very many make says that it is anybody's."""
_SHARED = frozenset({"memory", "thread"})
"""Kinds of operations that everybody in the process feels (LearnConf §4.1)."""

_LASTING = _SHARED | {"lock"}
"""Kinds of operations that make what works on after the start: pools, queues, permits."""


@attrs.frozen
class Reached:
    """What leads to a place: the nearest entry of each kind; ``complete``: nothing else does."""

    entries: dict[Felt, MemberRef]
    complete: bool


@attrs.frozen
class Before:
    """What is before a member: whose work it is by itself, if anybody's, and who runs it, each with whether it runs just that."""

    felt: Felt | None
    members: Sequence[tuple[MemberRef, bool]]


class FeltBys:
    """Who feels the options of one program, each worked out when it is asked for."""

    def __init__(
        self,
        program: Program,
        flows: FlowTable,
        entries: Entries,
        callers: Callers,
    ) -> None:
        """Follow calls in ``program``."""
        self.program = program
        self.flows = flows
        self.entries = entries
        self.callers = callers
        self._found: dict[OptionKey, tuple[FeltBy, ...]] = {}
        self._reached: dict[MemberRef, Reached] = {}

    def of(self, option: Option) -> tuple[FeltBy, ...]:
        """Return whose work feels an option; empty where that is not known."""
        found = self._found.get(option.key)
        if found is None:
            found = self._found[option.key] = tuple(self._find(option))
        return found

    def _find(self, option: Option) -> Iterator[FeltBy]:
        if option.pattern:
            return
        places = self._places(option)
        reached = [self.reached(ref, index) for ref, index in places]
        felt: dict[Felt, tuple[MemberRef, Step]] = {}
        for found, (ref, index) in zip(reached, places, strict=True):
            for kind, entry in found.entries.items():
                if kind is Felt.BACKGROUND and not found.complete:
                    continue  # So may requests, which is what a person asks.
                felt.setdefault(kind, (entry, Step(ref, index, StepRole.GUARD)))
        for kind in (Felt.REQUEST, Felt.BACKGROUND):
            if kind in felt:
                entry, step = felt[kind]
                yield FeltBy(kind, self._name(entry), place_of(self.program, step.ref, step.instr))
        if felt.keys() == {Felt.STARTUP} and self._only_start(option):
            entry, step = felt[Felt.STARTUP]
            yield FeltBy(Felt.STARTUP, "", place_of(self.program, step.ref, step.instr))

    def _only_start(self, option: Option) -> bool:
        """Tell whether nothing but the start comes to where an option takes hold."""
        reach = self.flows.of_option(option.key)
        if reach.cold or reach.cells or not 0 < len(reach.holds) <= _HOLDS:
            return False
        if any(flow.operation.kind in _LASTING for flow in reach.flows):
            return False
        for hold in reach.holds:
            found = self.reached(*taken_at(hold.path.steps))
            if not found.complete or found.entries.keys() != {Felt.STARTUP}:
                return False
        return True

    def _name(self, ref: MemberRef) -> str:
        owner = ref.owner.rpartition(".")[2].partition("$")[0]
        return f"{owner}.{self.program.member(ref).name}"

    def _places(self, option: Option) -> list[tuple[MemberRef, int]]:
        """Return where the option takes hold on the way to its surest operations."""
        flows = [
            flow
            for flow in self.flows.of_option(option.key).nearest()
            if flow.confidence is Confidence.HIGH
        ]
        costly = [flow for flow in flows if flow.operation.kind not in _SHARED] or flows
        found: dict[tuple[MemberRef, int], None] = {}
        for flow in costly:
            found.setdefault(taken_at(flow.paths[0].steps))
            if len(found) == _PLACES:
                break
        return list(found)

    # -- backwards -------------------------------------------------------------------------------------

    def reached(self, ref: MemberRef, index: int) -> Reached:
        """Return which entries lead to an instruction."""
        if self._is_handed_inside(ref, index):
            return Reached({Felt.BACKGROUND: ref}, complete=True)
        found = self._reached.get(ref)
        if found is None:
            found = self._reached[ref] = self._search(ref)
        return found

    def _search(self, start: MemberRef) -> Reached:
        ways: dict[MemberRef, MemberRef] = {}
        levels: dict[Felt, int] = {}
        entries: dict[Felt, MemberRef] = {}
        vague: set[MemberRef] = set()
        seen = {start}
        level = [start]
        complete = True
        cost = 0
        for number in range(LEVELS):
            following: list[MemberRef] = []
            for ref in level:
                felt = self.entries.of(ref)
                if felt is not None:
                    # A program that does its work in ``main`` is not at its start all the time.
                    ready = self._is_start(ref, ways)
                    complete &= felt is not Felt.STARTUP or ready
                    if felt is Felt.STARTUP or not ready:
                        entries.setdefault(felt, ref)
                        levels.setdefault(felt, number)
                    continue
                called = self.callers.of(ref) if cost <= _COST else NOBODY
                cost += called.cost
                if called.many and number < _NEAR:
                    return Reached({}, complete=False)  # Everybody comes here.
                found = self._before(ref, ref in vague) if cost <= _COST else None
                if found is None:
                    complete = False
                    continue
                if found.felt is not None:
                    entries.setdefault(found.felt, ref)
                    levels.setdefault(found.felt, number)
                for member, exact in found.members:
                    if member not in seen:
                        seen.add(member)
                        following.append(member)
                        ways[member] = ref
                        if ref in vague or not exact:
                            vague.add(member)
            level = following
            if not level or len(seen) > _MEMBERS or levels.get(Felt.REQUEST, number) < number:
                break
        complete = complete and not level
        first = levels.get(Felt.STARTUP, LEVELS)
        if first <= levels.get(Felt.REQUEST, 0) + 1:
            # What the start comes to as soon is not what requests wait for all the time.
            entries.pop(Felt.REQUEST, None)
        return Reached(entries, complete)

    def _is_start(self, entry: MemberRef, ways: dict[MemberRef, MemberRef]) -> bool:
        """Tell whether an entry, or what leads from it to a place, makes objects or classes ready."""
        static = self.program.is_static(entry)
        if self.entries.of(entry) is Felt.STARTUP and not static:
            return True
        ref: MemberRef | None = entry
        while ref is not None:
            member = self.program.member(ref)
            if member.kind != "method":
                return True
            ref = ways.get(ref)
        return False

    def _before(self, ref: MemberRef, vague: bool) -> Before | None:
        """Return whose work a member is by itself, and who runs it; ``None`` if that cannot be told.

        ``vague``: it may be another method that runs on the way from it to the place; whose work that is the maker of a thread does
        not know.
        """
        if self.entries.is_run(ref):
            return None if vague else self._started(ref)
        member = self.program.member(ref)
        if member.kind not in ("method", "constructor"):
            made = self._made(ref.owner)
            return Before(None, [(one, True) for one in made]) if made else None
        called = self.callers.of(ref)
        members: list[tuple[MemberRef, bool]] = []
        kind: Felt | None = None
        for caller in called.callers:
            if self._is_handed_inside(caller.ref, caller.at):
                kind = Felt.BACKGROUND
            else:
                members.append((caller.ref, caller.exact))
        if not members and kind is None:
            return None
        return Before(kind, members)

    def _started(self, ref: MemberRef) -> Before | None:
        """Return whose work a thread does; one that goes on and on by itself is nobody else's."""
        waits = self.entries.waits(ref)
        if waits:
            alone = "background" in waits and waits.isdisjoint(("request", "handed"))
            return Before(Felt.BACKGROUND, ()) if alone else None
        info = self.program.type(ref.owner)
        if info is None:
            return None
        makers = (
            [self.program.ref(info.path, info.decl.member)]
            if info.decl.member >= 0
            else self._made(ref.owner)
        )
        if any(self._makes_timer(maker, ref.owner) for maker in makers):
            return Before(Felt.BACKGROUND, ())
        return Before(None, [(one, True) for one in makers]) if makers else None

    def _made(self, owner: str) -> list[MemberRef]:
        """Return the members that make objects of a class."""
        constructors = self.program.own_methods(owner).get("<init>", ())
        if constructors:
            found = dict.fromkeys(
                caller.ref for one in constructors for caller in self.callers.of(one).callers
            )
            return list(found)
        return list(dict.fromkeys(caller.ref for caller in self.callers.makers(owner)))

    def _makes_timer(self, maker: MemberRef, owner: str) -> bool:
        code = Code(self.program, maker)
        for at in code.context.of_kind(ir.New):
            type_ = code.context.type_of(at)
            if type_ is not None and type_.name == owner and self.entries.is_handed(maker, at):
                return True
        return False

    def _is_handed_inside(self, ref: MemberRef, index: int) -> bool:
        """Tell whether an instruction stands in a function that is handed to a timer."""
        code = self.program.body(ref).code
        around = (
            at
            for at, instr in enumerate(code)
            if isinstance(instr, ir.Lambda) and instr.start <= index < instr.stop
        )
        return any(self.entries.is_handed(ref, at) for at in around)


def taken_at(steps: Sequence[Step]) -> tuple[MemberRef, int]:
    """Return where the value comes from on the way to an operation, before calls hand it on: who runs that, runs the operation."""
    at = len(steps) - 1
    while at > 0:
        step, before = steps[at], steps[at - 1]
        if before.ref != step.ref and before.role not in (
            StepRole.ARGUMENT,
            StepRole.CALL,
            StepRole.GUARD,
        ):
            break
        at -= 1
        if step.role is StepRole.LOAD:
            return step.ref, step.instr
    return steps[at].ref, steps[at].instr
