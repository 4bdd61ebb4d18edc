"""What each flow of an option says of its cost: by how much, and whether more or less of it is done, when the value is raised.

Terms
    effect  one flow, looked at along its surest path: its slope, if there is one, and its way.
    strong  an effect of the value itself: it sizes the operation, or bounds or spaces a loop; others decide only whether something runs.

Absent: what several effects say together (``slopes``, ``directions``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import attrs

from conflens.base.span import Place
from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.guards import enclosing_loops, loop_range
from conflens.flow.results import (
    Confidence,
    Dependency,
    Flow,
    Operation,
    Pattern,
    Reach,
    Step,
    StepRole,
    place_of,
)
from conflens.flow.terms import Choice, Term, depends, direction
from conflens.flow.terms import Operation as Operator
from conflens.flow.uses import Uses
from conflens.operations.flows import is_log
from conflens.program.refs import MemberRef
from conflens.properties.amounts import Amount, all_amounts, amounts, has_amount
from conflens.properties.arithmetic import joined
from conflens.properties.conditions import Region, arms_around, demands
from conflens.properties.evaluation import Evaluation
from conflens.properties.evidence import Evidence
from conflens.properties.model import Way
from conflens.properties.rounds import (
    direction_of_stride,
    is_constant_inside,
    rounds,
    strides,
)
from conflens.properties.trends import arm, tested, trend

FLOWS = 60
"""Flows of one option that are looked at, surest and nearest first."""
PAUSES = "pauses"
"""How rows call the cost of what only stands still, which nothing ends earlier."""
ROUNDS = "rounds"
_REACHED = (StepRole.OPERATION, StepRole.ARGUMENT, StepRole.GUARD)
_ABOVE_NONE = frozenset(
    {(">", "0"), (">=", "0"), (">=", "1"), ("!=", "0"), (">", "-1"), ("!=", "-1")}
)
FAR = 2
"""The same for whether a condition holds in one region of values only."""
NEAR = 1
"""Call levels below a condition at which an operation still says what the condition costs."""


@attrs.frozen
class Effect:
    """See the module text.

    ``way`` and ``term`` are ``None`` where they are not known, although the option has this effect.  ``cost`` is how rows call the cost, ``grows``
    what becomes of it; both are empty where the operation itself is what there is more or less of.  ``pointed``: a
    condition holds at one value only; ``fragmented``: the value is another one beyond a bound.
    """

    operation: Operation
    place: Place
    confidence: Confidence
    strong: bool
    way: Way | None
    term: Term | None = None
    unit: str = ""
    cost: str = ""
    grows: str = ""
    pattern: Pattern = Pattern.DATA
    most: bool = False
    pointed: bool = False
    fragmented: bool = False
    distance: int = 0
    incidental: bool = False
    """It is over at once, where a condition adds it."""


def effects(uses: Uses, evidence: Evidence, reach: Reach, *, sized: bool = False) -> list[Effect]:
    """Return what the sure flows of an option say, of those that say the same of one API the first; ``sized``: only of what it sizes."""
    cells = frozenset(reach.cells)
    by: dict[Dependency, list[Flow]] = {one: [] for one in Dependency}
    for flow in reach.flows:
        if flow.confidence is Confidence.LOW:
            break
        near = flow.distance <= FAR or flow.dependency is Dependency.DIRECT
        if near and not is_log(flow.operation) and len(by[flow.dependency]) < FLOWS:
            by[flow.dependency].append(flow)
    found: dict[tuple[object, ...], Effect] = {}

    def add(ones: Iterable[Effect]) -> None:
        for one in ones:
            said = one.strong, one.way, one.term, one.cost, one.pointed
            found.setdefault((one.operation.api, *said), one)

    for flow in by[Dependency.DIRECT]:
        steps = flow.paths[0].steps
        if not evidence.is_none(steps, flow.operation, decided=False):
            add(_of_direct(uses, evidence, cells, flow))
    if sized:
        return list(found.values())
    spaced = _spaced(found.values())
    for flow in (*by[Dependency.LOOP], *by[Dependency.BRANCH]):
        steps = flow.paths[0].steps
        if not evidence.is_none(steps, flow.operation, decided=True):
            add(_of_guard(uses, evidence, cells, flow, spaced))
    return list(found.values())


def _spaced(found: Iterable[Effect]) -> Way | None:
    """Return what becomes of what loops without an end repeat: it is rarer when the pause is longer."""
    ways = {
        one.way for one in found if one.pattern is Pattern.INFINITE_LOOP and one.cost == PAUSES
    }
    if len(ways) != 1:
        return None
    return {Way.UP: Way.DOWN, Way.DOWN: Way.UP}.get(ways.pop() or Way.MIXED)


# -- the value is an argument ------------------------------------------------------------------------------


def _of_direct(
    uses: Uses, evidence: Evidence, cells: Collection[MemberRef], flow: Flow
) -> Iterator[Effect]:
    steps = flow.paths[0].steps
    operation = flow.operation
    code = uses.code(operation.ref)
    if not has_amount(uses, code, operation) or evidence.is_one_of_several(steps):
        return
    evaluation = Evaluation(uses, cells)
    place = place_of(uses.program, operation.ref, operation.instr)
    if not evaluation.follow(steps, len(steps) - 1):
        return
    bounded = any(_is_bounded(evaluation, uses, step) for step in steps)
    for amount in amounts(evaluation, code, operation):
        yield Effect(
            operation,
            place,
            flow.confidence,
            True,
            _way(amount),
            None if bounded else amount.term,
            amount.unit,
            amount.cost,
            amount.grows,
            flow.pattern,
            fragmented=amount.term is not None and is_fragmented(amount.term),
        )


def _way(amount: Amount) -> Way | None:
    sign = direction(amount.term, counts=True) if amount.term is not None else None
    if sign is None or not sign:
        return None
    rises = amount.grows in ("more", "longer")
    return Way.UP if rises == (sign > 0) else Way.DOWN


def _is_bounded(evaluation: Evaluation, uses: Uses, step: Step) -> bool:
    """Tell whether only some values come to an instruction: what else is done then, a term would have to say.

    That a value must be above nothing is no such condition: what is not done is nothing, as the term says.
    """
    if step.instr < 0 or step.role not in _REACHED:
        return False
    code = uses.code(step.ref)
    return any(
        evaluation.is_about(code, region.test) and not _is_above_none(evaluation, code, region)
        for region in arms_around(code, step.instr)
    )


def _is_above_none(evaluation: Evaluation, code: Code, region: Region) -> bool:
    for demand in demands(code, region.test, region.outcome):
        if evaluation.is_tainted(code, demand.value):
            term = evaluation.of(code, demand.value)
            return (
                term is not None
                and direction(term, counts=True) == 1
                and (demand.op, demand.text) in _ABOVE_NONE
            )
    return False


def is_fragmented(term: Term) -> bool:
    """Tell whether a term has another shape beyond some value."""
    match term:
        case Choice():
            return any(map(depends, (term.left, term.right)))
        case Operator():
            return any(map(is_fragmented, term.args))
        case _:
            return False


# -- the value decides what runs ---------------------------------------------------------------------------


def _of_guard(
    uses: Uses,
    evidence: Evidence,
    cells: Collection[MemberRef],
    flow: Flow,
    spaced: Way | None,
) -> Iterator[Effect]:
    steps = flow.paths[0].steps
    place = place_of(uses.program, flow.operation.ref, flow.operation.instr)
    plain = Effect(
        flow.operation,
        place,
        flow.confidence,
        True,
        None,
        pattern=flow.pattern,
        distance=flow.distance,
    )
    if flow.pattern is Pattern.INFINITE_LOOP:
        yield attrs.evolve(plain, way=spaced)
        return
    guards = [at for at, step in enumerate(steps) if step.role is StepRole.GUARD]
    evaluation = Evaluation(uses, cells)
    if len(guards) != 1 or not evaluation.follow(steps, guards[0]):
        return
    guard, below = steps[guards[0]], steps[guards[0] + 1]
    if guard.instr < 0:
        return
    code = uses.code(guard.ref)
    if flow.dependency is Dependency.LOOP and isinstance(code.code[guard.instr], ir.Loop):
        made = _of_loop(evaluation, code, guard.instr, flow, plain)
        unsure = (
            evidence.is_one_of_several(steps)
            or evidence.is_conditional(steps, guards[0])
            or any(_is_bounded(evaluation, uses, step) for step in steps[: guards[0] + 1])
        )
        yield attrs.evolve(made, term=None, unit="") if unsure else made
        return
    found = trend(evaluation, code, tested(code, guard.instr))
    side = arm(code, guard.instr, below.instr) if below.ref == guard.ref else None
    strong = flow.dependency is Dependency.LOOP
    way = _turned(found.sign, side)
    over = not strong and evidence.is_incidental(flow.operation, steps)
    yield attrs.evolve(plain, strong=strong, way=way, pointed=found.pointed, incidental=over)


def _turned(sign: int | None, side: int | None) -> Way | None:
    if not sign or not side:
        return None
    return Way.UP if sign * side > 0 else Way.DOWN


def _of_loop(evaluation: Evaluation, code: Code, index: int, flow: Flow, plain: Effect) -> Effect:
    """Return the effect of a loop that ends by the value, or moves by it."""
    if flow.pattern is Pattern.LOOP_STRIDE:
        term = strides(evaluation, code, index)
        way = _turned(direction_of_stride(evaluation, code, index), -1)
        return attrs.evolve(plain, way=way, term=term, unit=ROUNDS if term is not None else "")
    counted = rounds(evaluation, code, index)
    if counted is None:
        found = trend(evaluation, code, tested(code, index))
        return attrs.evolve(plain, way=_turned(found.sign, 1), pointed=found.pointed)
    made = attrs.evolve(
        plain,
        way=_turned(direction(counted.term, counts=True), 1),
        term=counted.term,
        unit=ROUNDS,
        most=counted.most or not _is_each_round(code, index, flow),
        fragmented=is_fragmented(counted.term),
    )
    return _repeated(evaluation, code, index, flow, made)


def _is_each_round(code: Code, index: int, flow: Flow) -> bool:
    """Tell whether a loop does an operation in each round."""
    operation = flow.operation
    if operation.ref != code.ref or flow.distance:
        return False
    start, stop = loop_range(code.code[index])
    inner = [span for span in code.regions_around(operation.instr) if start < span[0]]
    loop = code.code[index]
    body = loop.body_start if isinstance(loop, ir.Loop) else start
    return all(span == (body, stop) for span in inner)


def _repeated(evaluation: Evaluation, code: Code, index: int, flow: Flow, made: Effect) -> Effect:
    """Return the effect of a loop with the amount of the operation, where that is the same in each round."""
    operation = flow.operation
    if (
        operation.ref != code.ref
        or flow.distance
        or enclosing_loops(code, operation.instr)[:1] != [index]
    ):
        return made
    for amount, tainted in all_amounts(evaluation, code, operation):
        if tainted or amount.term is None or amount.value == NONE or amount.grows != "longer":
            continue
        if not is_constant_inside(code, index, amount.value) or made.term is None:
            continue
        term = joined("*", made.term, amount.term)
        if term is not None:
            return attrs.evolve(
                made, term=term, unit=amount.unit, cost=amount.cost, grows=amount.grows
            )
    return made
