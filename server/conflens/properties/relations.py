"""What other options do to the effect of one (LearnConf §4.4), from what they decide together.

Terms
    use       a place where the option takes hold of what runs, with the way to it; ways of low confidence are none.
    needed    each use stands where a condition of another option has come out in one way.

Only what is sure is said: conditions are those of ways of high confidence, on the other option's value as it is set.  An option that
governs a fifth of what all others do is nobody's relation.  Absent: the words (``render.relation_phrases``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from conflens.base.span import Place
from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.results import (
    Confidence,
    Dependency,
    FlowTable,
    Hold,
    OptionKey,
    Path,
    Step,
    StepRole,
    Taken,
)
from conflens.flow.walk_types import HOLDS
from conflens.options.adjustments import shown
from conflens.options.model import NUMERIC, Option, OptionTable, OptionType, ReadKind
from conflens.options.reads.nodes import NODES
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.properties.bodies import Bodies
from conflens.properties.callers import Callers
from conflens.properties.conditions import (
    Demand,
    Region,
    demands,
    is_done_anyway,
    is_symmetric,
    is_whole,
    refused,
    regions_around,
)
from conflens.properties.model import Relation, RelationKind

MOST = 3
"""Relations of one option that are shown."""
_SHARE = 0.2
"""The share of what all options decide beyond which one that governs it says nothing of any."""
_FEW = 25
"""Places that others take hold of, up to which a share says nothing."""
_LEVELS = 2
"""Calls that are followed back from the body in which an option is read."""
_CALLERS = 3
_NEAR = 40
"""Options near what one decides that are looked at for whether they need it."""
_ORDER = tuple(RelationKind)
_MADE = (ir.Binary, ir.Unary, ir.Choice, ir.ShortCircuit, ir.InstanceOf)
"""Instructions that make another value than the one that is set."""


class Need(NamedTuple):
    """How the value of an option must compare."""

    other: OptionKey
    op: str
    value: str


class Relations:
    """The relations of the options of one program, each worked out when it is asked for."""

    def __init__(
        self,
        program: Program,
        table: OptionTable,
        flows: FlowTable,
        callers: Callers,
    ) -> None:
        """Relate the options of ``table``."""
        self.program = program
        self.table = table
        self.flows = flows
        self.bodies = Bodies(program, table)
        self.callers = callers
        self._options = {option.key: option for option in table.options}
        self._found: dict[OptionKey, tuple[Relation, ...]] = {}
        self._needs: dict[OptionKey, dict[Need, Place]] = {}
        self._taken: dict[OptionKey, Taken] | None = None
        self._branches: dict[MemberRef, list[tuple[OptionKey, int]]] = {}
        self._in_body: dict[MemberRef, list[tuple[OptionKey, int]]] = {}
        self._all = 0
        self._asked: dict[tuple[MemberRef, Region], dict[Need, Place]] = {}
        self._wide: dict[OptionKey, bool] = {}

    def of(self, option: Option) -> tuple[Relation, ...]:
        """Return the relations of an option, the nearest first."""
        found = self._found.get(option.key)
        if found is None:
            found = self._found[option.key] = self._find(option)
        return found

    def _find(self, option: Option) -> tuple[Relation, ...]:
        related: dict[OptionKey, Relation] = {}
        for relation in self._all_of(option):
            if self._counts(option, relation.other):
                related.setdefault(relation.other, relation)
        chosen = sorted(related.values(), key=lambda one: _ORDER.index(one.kind))
        return tuple(chosen[:MOST])

    def _all_of(self, option: Option) -> Iterator[Relation]:
        yield from self._overridden(option)
        for need, place in self._needed(option).items():
            kind = RelationKind.NEEDS
            yield Relation(need.other, kind, place, need.op, need.value)
        for one, other in shown(self.table, option):
            if other is not None:
                yield Relation(other.key, RelationKind.BOUNDED_BY, one.place, one.bound)
        yield from self._computed(option)
        yield from self._excluded(option)
        yield from self._enabled(option)

    def _counts(self, option: Option, key: OptionKey) -> bool:
        """Tell whether an option may be said to be related to another."""
        other = self._options.get(key)
        if other is None or other.key == option.key or other.pattern or option.pattern:
            return False
        if is_inside(option.key, key) or is_inside(key, option.key):
            return False
        if other.key in option.aliases or option.key in other.aliases or other.name == option.name:
            return False
        return not self._is_wide(key)

    def _is_wide(self, key: OptionKey) -> bool:
        """Tell whether an option governs a fifth of what all others do."""
        found = self._wide.get(key)
        if found is None:
            found = self._wide[key] = self._governs_much(key)
        return found

    def _governs_much(self, key: OptionKey) -> bool:
        taken = self._index().get(key)
        if taken is None:
            return False
        bodies: dict[MemberRef, list[Hold]] = {}
        for at, (ref, dependency) in enumerate(taken.places):
            if dependency is Dependency.BRANCH:
                bodies.setdefault(ref, []).append(taken.holds[at])
        inside = 0
        for ref, holds in bodies.items():
            ranges = [span for hold in holds for span in hold.ranges]
            for other, at in self._in_body.get(ref, ()):
                if other != key:
                    index = self._index()[other].holds[at].index
                    inside += any(start <= index < stop for start, stop in ranges)
        return inside > max(_FEW, _SHARE * self._all)

    def _index(self) -> dict[OptionKey, Taken]:
        """Return where options take hold; which bodies they decide in is found once."""
        if self._taken is None:
            self._taken = {}
            for taken in self.flows.taken():
                self._taken[taken.option] = taken
                self._all += len(taken.places)
                for at, (ref, dependency) in enumerate(taken.places):
                    self._in_body.setdefault(ref, []).append((taken.option, at))
                    if dependency is Dependency.BRANCH:
                        self._branches.setdefault(ref, []).append((taken.option, at))
        return self._taken

    # -- needs ---------------------------------------------------------------------------------------

    def _needed(self, option: Option) -> dict[Need, Place]:
        """Return what each use of an option needs."""
        found = self._needs.get(option.key)
        if found is None:
            found = self._needs[option.key] = self._find_needed(option)
        return found

    def _find_needed(self, option: Option) -> dict[Need, Place]:
        taken = self._index().get(option.key)
        if taken is None or not taken.holds or len(taken.holds) >= HOLDS:
            return {}
        found: dict[Need, Place] | None = None
        sure: set[Step] = set()
        for hold in taken.holds:
            steps = hold.path.steps
            if not steps:
                return {}
            if hold.path.confidence is Confidence.LOW:
                continue
            sure.add(steps[0])
            needed = self._of_path(option, hold.path, Step(hold.ref, hold.index, StepRole.GUARD))
            found = needed if found is None else {n: p for n, p in found.items() if n in needed}
            if not found:
                return {}
        if found is None or not sure:
            return {}
        return {
            need: place for need, place in found.items() if self._everywhere(option, need, sure)
        }

    def _everywhere(self, option: Option, need: Need, sure: Collection[Step]) -> bool:
        """Tell whether what is needed is so for each read, and where ways of the value end."""
        spots = {(step.ref, step.instr) for step in sure}
        unclear = bool(self.flows.of_option(option.key).cold)
        for read in option.program_reads:
            if read.unused:
                continue
            for ref, index in self._instructions(read.place) or ((None, 0),):
                if ref is None:
                    return False
                needed = need in self._of_read(option, Step(ref, index, StepRole.READ))
                if not needed and (unclear or (ref, index) not in spots):
                    return False
        return True

    def _of_path(self, option: Option, path: Path, end: Step) -> dict[Need, Place]:
        steps = path.steps
        found = dict(self._of_read(option, steps[0])) if steps else {}
        for step in (*steps, end):
            found.update(self._of_step(option, step))
        return found

    def _of_read(self, option: Option, step: Step) -> dict[Need, Place]:
        """Return what is needed for an option to be read: also by the calls of the body in which it is."""
        return self._of_step(option, step) | self._of_calls(option, step.ref, _LEVELS)

    def _of_calls(self, option: Option, ref: MemberRef, levels: int) -> dict[Need, Place]:
        if levels == 0 or self.callers.is_open(ref):
            return {}
        called = self.callers.of(ref)
        if not called.complete or not 0 < len(called.callers) <= _CALLERS:
            return {}
        found: dict[Need, Place] | None = None
        for caller in called.callers:
            step = Step(caller.ref, caller.at, StepRole.CALL)
            needed = self._of_step(option, step) | self._of_calls(option, caller.ref, levels - 1)
            found = needed if found is None else {n: p for n, p in found.items() if n in needed}
        return found or {}

    def _of_step(self, option: Option, step: Step) -> dict[Need, Place]:
        """Return what other options must be for an instruction to run."""
        self._index()
        if step.instr < 0 or step.ref not in self._branches:
            return {}
        found: dict[Need, Place] = {}
        code = self.bodies.code(step.ref)
        for region in regions_around(code, step.instr):
            if is_symmetric(code, region) or is_done_anyway(code, region, step.instr):
                continue
            for need, place in self._asked_in(code, region).items():
                if need.other != option.key:
                    found.setdefault(need, place)
        return found

    def _asked_in(self, code: Code, region: Region) -> dict[Need, Place]:
        """Return what a region asks of options."""
        key = code.ref, region
        found = self._asked.get(key)
        if found is None:
            found = self._asked[key] = {}
            for demand in demands(code, region.test, region.outcome):
                if region.rest and not demand.op and demand.text == "false":
                    continue  # Help was asked for, or another thing was done instead of all the rest.
                for other in self._carried(code, region, demand):
                    need = _need(other, demand)
                    if need is not None:
                        found[need] = self.bodies.place(code.ref, demand.value)
        return found

    def _carried(self, code: Code, region: Region, demand: Demand) -> Iterator[Option]:
        """Yield the option whose value, as it is set, a condition asks; nothing if there may be several."""
        tests = {region.condition, *code.inside(region.test)}
        found: dict[OptionKey, Option] = {}
        for key, at in self._branches.get(code.ref, ()):
            hold = self._index()[key].holds[at]
            if hold.index not in tests or not _is_leaf(code, demand.value):
                continue
            if not self._stands_at(code, hold.path, demand.value):
                continue
            other = self._options.get(key)
            sure = hold.path.confidence is Confidence.HIGH and self._is_as_set(hold.path)
            if other is not None and not self._is_asked(other, code, demand.value):
                return
            if other is None or not sure:
                return
            found[key] = other
        if len(found) == 1:
            yield from found.values()

    def _stands_at(self, code: Code, path: Path, value: int, alone: bool = True) -> bool:
        """Tell whether a way comes over an expression of a body; ``alone``: nothing else can come there."""
        first = code.first_inside(value)
        instr = code.code[value]
        before: Step | None = None
        for step in path.steps:
            if step.ref == code.ref:
                if first <= step.instr <= value:
                    return True
                if isinstance(instr, ir.Load) and not instr.up:
                    at = code.code[step.instr] if step.instr >= 0 else None
                    if isinstance(at, ir.Store) and at.slot == instr.slot and not at.up:
                        return not alone or len(code.stores[instr.slot]) == 1
                    entered = (
                        before is not None
                        and before.ref != code.ref
                        and before.role is StepRole.ARGUMENT
                    )
                    if entered and code.context.is_parameter(instr.slot):
                        if alone and code.stores.get(instr.slot):
                            return False
                        return self._is_given(before, instr.slot, code)
            before = step
        return False

    def _is_asked(self, other: Option, code: Code, value: int) -> bool:
        """Tell whether an expression is the value of an option, rather than a comparison of a name with those of several in turn."""
        instr = code.code[value]
        if not isinstance(instr, ir.Call) or not instr.args:
            return True
        spots = {self.bodies.spot(code.ref, at) for at in code.inside(value)}
        return any(read.kind is ReadKind.CALL and read.place in spots for read in other.reads)

    def _is_given(self, step: Step | None, slot: int, code: Code) -> bool:
        """Tell whether the only parameter of its type that a call gives a method is one."""
        locals_ = code.context.body.locals
        params = [number for number, one in enumerate(locals_) if one.parameter]
        return step is not None and [
            number for number in params if locals_[number].type == locals_[slot].type
        ] == [slot]

    def _is_as_set(self, path: Path) -> bool:
        """Tell whether what a way ends with is the value as it is set."""
        for step in path.steps:
            if step.instr < 0 or step.role is StepRole.GUARD:
                continue
            code = self.bodies.code(step.ref).code
            instr = code[step.instr]
            match instr:
                case ir.Store() | ir.StoreField() | ir.Return():
                    values: Sequence[int] = (instr.value,)
                case ir.Call() | ir.New() if step.role is StepRole.ARGUMENT:
                    values = instr.args
                case _:
                    values = (step.instr,)
            if any(value != NONE and isinstance(code[value], _MADE) for value in values):
                return False
        return True

    # -- products --------------------------------------------------------------------------------------

    def _computed(self, option: Option) -> Iterator[Relation]:
        """Yield the options that an option is multiplied with: ways of both come over one product."""
        if option.type not in NUMERIC:
            return
        index = self._index()
        taken = index.get(option.key)
        for hold in taken.holds if taken is not None else ():
            if hold.path.confidence is Confidence.LOW:
                continue
            products = self._products(hold.path)
            if not products:
                continue
            for key, at in self._in_body.get(hold.ref, ()):
                other = self._options.get(key)
                if key == option.key or other is None or other.type not in NUMERIC:
                    continue
                one = index[key].holds[at]
                if one.key != hold.key or one.path.confidence is Confidence.LOW:
                    continue
                common = products & self._products(one.path)
                for ref, number in sorted(common):
                    if self._is_apart(ref, number, hold.path, one.path):
                        place = self.bodies.place(ref, number)
                        yield Relation(key, RelationKind.MULTIPLIED, place)

    def _products(self, path: Path) -> set[tuple[MemberRef, int]]:
        """Return the multiplications that a way comes over."""
        found: set[tuple[MemberRef, int]] = set()
        for step in path.steps:
            if step.role is StepRole.COMPUTE and step.instr >= 0:
                instr = self.program.body(step.ref).code[step.instr]
                if isinstance(instr, ir.Binary) and instr.op == "*":
                    found.add((step.ref, step.instr))
                elif isinstance(instr, ir.Binary) and instr.op in "/%":
                    divisor = self.program.body(step.ref).code[instr.right]
                    if not isinstance(divisor, ir.Const):
                        break
        return found

    def _is_apart(self, ref: MemberRef, number: int, one: Path, other: Path) -> bool:
        """Tell whether two ways come to a multiplication by different sides."""
        code = self.bodies.code(ref)
        instr = code.code[number]
        assert isinstance(instr, ir.Binary)
        sides = []
        for path in (one, other):
            taken = {
                side for side in (instr.left, instr.right) if self._comes_over(code, path, side)
            }
            if len(taken) != 1:
                return False
            sides.append(taken)
        return sides[0] != sides[1]

    def _comes_over(self, code: Code, path: Path, value: int) -> bool:
        """Tell whether a way comes over a part of an expression of a body."""
        return any(self._stands_at(code, path, one, alone=False) for one in code.inside(value))

    # -- what is used instead, what is excluded ---------------------------------------------------------

    def _overridden(self, option: Option) -> Iterator[Relation]:
        """Yield the options of which this one is the default, wherever it is read."""
        found: dict[OptionKey, Relation] | None = None
        for read in option.program_reads:
            if read.unused:
                continue
            here = {one.other: one for one in self._preferred(read.place)}
            found = here if found is None else {k: v for k, v in found.items() if k in here}
            if not found:
                return
        yield from (found or {}).values()

    def _preferred(self, place: Place) -> Iterator[Relation]:
        """Yield the options of which a read is the default."""
        for ref, index in self._instructions(place):
            code = self.bodies.code(ref)
            for at, value in _given_to(code, index):
                call = code.code[at]
                other = self.bodies.read_at(ref, at)
                if other is None or not isinstance(call, ir.Call):
                    continue
                if value in call.args[1:] and self._is_read_of(other, ref, at):
                    place = self.bodies.place(ref, at)
                    yield Relation(other.key, RelationKind.OVERRIDDEN_BY, place)

    def _is_read_of(self, other: Option, ref: MemberRef, index: int) -> bool:
        """Tell whether a call reads an option, and is given a default of it."""
        place = self.bodies.spot(ref, index)
        return any(read.place == place for read in other.program_reads)

    def _instructions(self, place: Place) -> list[tuple[MemberRef, int]]:
        """Return the instruction that stands at a place, if there is one."""
        facts = self.program.files.get(place.path)
        if facts is None:
            return []
        for number, member in enumerate(facts.members):
            if member.at <= place.start and place.end <= member.end:
                ref = self.program.ref(place.path, number)
                end = place.end - member.at
                for index, instr in enumerate(self.program.body(ref).code):
                    if instr.end == end and self.bodies.spot(ref, index) == place:
                        return [(ref, index)]
        return []

    def _excluded(self, option: Option) -> Iterator[Relation]:
        """Yield the options with which this one may not be on."""
        if option.type is not OptionType.BOOLEAN:
            return
        taken = self._index().get(option.key)
        bodies = dict.fromkeys(
            ref
            for ref, dependency in (taken.places if taken is not None else ())
            if dependency is Dependency.BRANCH
        )
        for ref in bodies:
            code = self.bodies.code(ref)
            for at, test, outcome in refused(code):
                if not outcome or not is_whole(code, test):
                    continue
                region = Region(at, at, at, test, outcome)
                parts = list(demands(code, test, outcome))
                options = [list(self._carried(code, region, part)) for part in parts]
                on = all(part.op == "" and part.text == "true" for part in parts)
                if not on or len(parts) != 2 or not all(options):
                    continue
                keys = [one.key for several in options for one in several]
                if option.key in keys and len(set(keys)) == 2:
                    other = next(key for key in keys if key != option.key)
                    place = self.bodies.place(ref, test)
                    yield Relation(other, RelationKind.CONFLICTS, place)

    def _enabled(self, option: Option) -> Iterator[Relation]:
        """Yield the options that need this one, of those that take hold or are read where it decides."""
        taken = self._index().get(option.key)
        if taken is None:
            return
        near: dict[OptionKey, None] = {}
        for ref, dependency in taken.places:
            if dependency is Dependency.BRANCH:
                near.update(dict.fromkeys(key for key, _ in self._in_body.get(ref, ())))
                near.update(dict.fromkeys(self._read_in(ref)))
        for key in islice(near, _NEAR):
            other = self._options.get(key)
            if other is None or key == option.key:
                continue
            for need, place in self._needed(other).items():
                if need.other == option.key:
                    yield Relation(key, RelationKind.ENABLES, place, need.op, need.value)

    def _read_in(self, ref: MemberRef) -> Iterator[OptionKey]:
        member = self.program.member(ref)
        for read, option in self.table.reads_in.get(ref.path, ()):
            if member.at <= read.place.start and read.place.end <= member.end:
                yield option.key


def _given_to(code: Code, index: int) -> Iterator[tuple[int, int]]:
    """Yield what takes a value, also by way of a local, each with the value as it takes it."""
    for at in code.takers.get(index, ()):
        instr = code.code[at]
        if (
            isinstance(instr, ir.Store)
            and not instr.up
            and len(code.stores.get(instr.slot, [])) == 1
        ):
            for load in code.loads.get(instr.slot, ()):
                for taker in code.takers.get(load, ()):
                    yield taker, load
        else:
            yield at, index


def is_inside(one: OptionKey, other: OptionKey) -> bool:
    """Tell whether an element or attribute of XML stands in another element: it cannot be there without."""
    return one[0] == other[0] == NODES and one[1].startswith(other[1] + "/")


def _is_leaf(code: Code, value: int) -> bool:
    """Tell whether an expression is nothing but a value that comes from somewhere."""
    instr = code.code[value]
    match instr:
        case ir.Load() | ir.Name() | ir.Field():
            return True
        case ir.Cast():
            return _is_leaf(code, instr.value)
        case ir.Call():
            return True
        case _:
            return False


def _need(other: Option, demand: Demand) -> Need | None:
    """Return what a condition asks of an option, if it can be said."""
    if not demand.op:
        return Need(other.key, "==", demand.text) if other.type is OptionType.BOOLEAN else None
    if demand.text == "null":
        return Need(other.key, demand.op, "null") if demand.op in ("==", "!=") else None
    return Need(other.key, demand.op, demand.text) if other.type in NUMERIC else None
