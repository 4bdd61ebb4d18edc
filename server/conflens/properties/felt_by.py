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
from conflens.properties.callers import Callers
from conflens.properties.entries import Entries
from conflens.properties.model import Felt, FeltBy

LEVELS = 12
"""Calls that are followed back."""
_MEMBERS = 60
"""Members that are looked at from one place; beyond, nothing is known of the rest."""
_PLACES = 3
"""Places from which is looked, those of the surest and nearest operations."""
_SHARED = frozenset({"memory", "thread"})
"""Kinds of operations that everybody in the process feels (LearnConf §4.1)."""


@attrs.frozen
class Reached:
    """What leads to a place: the nearest entry of each kind; ``complete``: nothing else does."""

    entries: dict[Felt, MemberRef]
    complete: bool


class FeltBys:
    """Who feels the options of one program, each worked out when it is asked for."""

    def __init__(
        self,
        program: Program,
        flows: FlowTable,
        callers: Callers | None = None,
        entries: Entries | None = None,
    ) -> None:
        """Follow calls in ``program``."""
        self.program = program
        self.flows = flows
        self.callers = callers or Callers(program)
        self.entries = entries or Entries(program)
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
                felt.setdefault(kind, (entry, Step(ref, index, StepRole.GUARD)))
        for kind in (Felt.REQUEST, Felt.BACKGROUND):
            if kind in felt:
                entry, step = felt[kind]
                yield FeltBy(kind, self._name(entry), place_of(self.program, step.ref, step.instr))
        alone = felt.keys() == {Felt.STARTUP} and all(found.complete for found in reached)
        if alone:
            entry, step = felt[Felt.STARTUP]
            yield FeltBy(Felt.STARTUP, "", place_of(self.program, step.ref, step.instr))

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
        entries: dict[Felt, MemberRef] = {}
        seen = {start}
        level = [start]
        complete = True
        for _ in range(LEVELS):
            following: list[MemberRef] = []
            for ref in level:
                felt = self.entries.of(ref)
                if felt is not None:
                    entries.setdefault(felt, ref)
                    continue
                found = self._before(ref)
                if found is None:
                    complete = False
                    continue
                kind, members = found
                if kind is not None:
                    entries.setdefault(kind, ref)
                for member in members:
                    if member not in seen:
                        seen.add(member)
                        following.append(member)
            level = following
            if not level or Felt.REQUEST in entries:
                break
            if len(seen) > _MEMBERS:
                break
        return Reached(entries, complete and not level)

    def _before(self, ref: MemberRef) -> tuple[Felt | None, Sequence[MemberRef]] | None:
        """Return whose work a member is by itself, and who runs it; ``None`` if that cannot be told."""
        if self.entries.is_run(ref):
            return self._started(ref)
        member = self.program.member(ref)
        if member.kind in ("field", "component", "initializer", "instance_initializer"):
            made = self._made(ref.owner)
            return (None, made) if made else None
        if self.entries.accepts(ref):
            return Felt.REQUEST, ()
        called = self.callers.of(ref)
        members: list[MemberRef] = []
        kind: Felt | None = None
        for caller in called.callers:
            if self._is_handed_inside(caller.ref, caller.index):
                kind = Felt.BACKGROUND
            else:
                members.append(caller.ref)
        if not members and kind is None:
            return None
        if not called.complete:
            # What is known of them still leads to the place.
            return kind, members
        return kind, members

    def _started(self, ref: MemberRef) -> tuple[Felt | None, Sequence[MemberRef]] | None:
        """Return whose work a thread does."""
        waits = self.entries.waits(ref)
        if "request" in waits:
            return Felt.REQUEST, ()
        if "handed" in waits:
            return None
        if "background" in waits:
            return Felt.BACKGROUND, ()
        info = self.program.type(ref.owner)
        if info is None:
            return None
        if info.decl.member >= 0:
            maker = self.program.ref(info.path, info.decl.member)
            if self._makes_timer(maker, ref.owner):
                return Felt.BACKGROUND, ()
            return None, (maker,)
        makers = self._made(ref.owner)
        for maker in makers:
            if self._makes_timer(maker, ref.owner):
                return Felt.BACKGROUND, ()
        return (None, makers) if makers else None

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
