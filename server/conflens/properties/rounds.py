"""How often a loop runs, as a term (LearnConf §4.2: loop bounds and strides).

A loop that counts by a constant from a start to a bound, of which one is the option's; what leaves it earlier makes that the most.
Absent: whether more or fewer rounds run, which ``trends`` tells of any condition.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.guards import loop_range
from conflens.flow.terms import Number, Operation, Term, depends, direction, operation
from conflens.flow.ways import number_of
from conflens.program.reaching import reaching
from conflens.properties.arithmetic import joined
from conflens.properties.evaluation import Evaluation


class Rounds(NamedTuple):
    """How often a loop runs; ``most``: or less often, since something else may end it."""

    term: Term
    most: bool


class _Counter(NamedTuple):
    begin: int
    step: float


def rounds(evaluation: Evaluation, code: Code, index: int) -> Rounds | None:
    """Return how often a loop runs; ``None`` where that is not known."""
    loop = code.code[index]
    if not isinstance(loop, ir.Loop) or loop.kind == "do" or loop.test == NONE:
        return None
    found: list[Term] = []
    others = False
    for test in _conjuncts(code, loop.test):
        if evaluation.is_tainted(code, test):
            term = _counted(evaluation, code, index, loop, test)
            if term is None or not depends(term):
                return None
            found.append(term)
        else:
            others = True
    if len(found) != 1:
        return None
    return Rounds(found[0], others or _is_left(code, loop))


def _conjuncts(code: Code, test: int) -> Iterator[int]:
    instr = code.code[test]
    if isinstance(instr, ir.ShortCircuit) and instr.op == "&&":
        yield from _conjuncts(code, instr.left)
        yield from _conjuncts(code, instr.right)
    else:
        yield test


def _counted(
    evaluation: Evaluation, code: Code, index: int, loop: ir.Loop, test: int
) -> Term | None:
    compared = code.code[test]
    if not isinstance(compared, ir.Binary) or compared.op not in ("<", "<=", ">", ">="):
        return None
    up = compared.op[0] == "<"
    first, last = (compared.left, compared.right) if up else (compared.right, compared.left)
    for moving, still, sign in ((first, last, 1.0), (last, first, -1.0)):
        counter = _counter(evaluation, code, index, loop, moving)
        if counter is None or counter.step != sign:
            continue
        begin, bound = evaluation.of(code, counter.begin), evaluation.of(code, still)
        if begin is None or bound is None:
            return None
        count = joined("-", bound, begin) if sign > 0 else joined("-", begin, bound)
        if count is not None and compared.op not in ("<", ">"):
            count = _plus_one(count)
        return None if count is None else _never_below_none(count)
    return None


def _never_below_none(count: Term) -> Term | None:
    """Return a number of rounds that is none where a difference with a name, or with the value, is below."""
    match count:
        case Operation(op="-", args=(_, Number())):
            return count
        case Operation(op="-") | Operation(op="+", args=(Operation(op="-"), _)):
            return operation("max", count, Number(0.0))
        case _:
            return count


def _plus_one(count: Term) -> Term | None:
    match count:
        case Operation(op="-", args=(bound, Number(value=1.0))):
            return bound
        case _:
            return operation("+", count, Number(1.0))


def _counter(
    evaluation: Evaluation, code: Code, index: int, loop: ir.Loop, value: int
) -> _Counter | None:
    """Return where a local begins that a loop moves by one constant in each round."""
    load = code.code[value]
    if not isinstance(load, ir.Load) or load.up:
        return None
    start, stop = loop_range(loop)
    begin, steps = NONE, []
    seen = reaching(code.context, load.slot, value)
    if seen.entry:
        return None
    for number in code.stores.get(load.slot, ()):
        store = code.code[number]
        if not isinstance(store, ir.Store):
            return None
        if start <= number < stop:
            steps.append((number, _step(evaluation, code, load.slot, store.value)))
        elif number in seen.stores:
            if begin != NONE:
                return None
            begin = store.value
    if begin == NONE or len(steps) != 1:
        return None
    at, step = steps[0]
    again = loop.kind == "while" and any(
        isinstance(instr := code.code[number], ir.Jump) and instr.kind == "continue"
        for number in range(start, min(stop, len(code.code)))
    )
    if step is None or again or not _is_each_round(code, loop, at):
        return None
    return _Counter(begin, step)


def _step(evaluation: Evaluation, code: Code, slot: int, value: int) -> float | None:
    change = code.code[value]
    if isinstance(change, ir.Unary) and change.op in ("++", "--"):
        return 1.0 if change.op == "++" else -1.0
    if isinstance(change, ir.Binary) and change.op in ("+", "-"):
        left = code.code[change.left]
        if isinstance(left, ir.Load) and left.slot == slot and not left.up:
            number = number_of(evaluation.uses, code, change.right)
            return None if number is None else number if change.op == "+" else -number
    return None


def _is_each_round(code: Code, loop: ir.Loop, at: int) -> bool:
    """Tell whether an instruction runs once in each round."""
    if loop.update_start <= at < loop.stop:
        return True
    regions = {
        span
        for span in code.regions_around(at)
        if loop.body_start <= span[0] < span[1] <= loop.stop
    }
    return regions <= {(loop.body_start, loop.stop)}


def _is_left(code: Code, loop: ir.Loop) -> bool:
    """Tell whether anything in a loop may end it."""
    start, stop = loop_range(loop)
    return any(
        isinstance(instr := code.code[number], (ir.Return, ir.Throw))
        or (isinstance(instr, ir.Jump) and instr.kind == "break")
        for number in range(start, min(stop, len(code.code)))
    )


def strides(evaluation: Evaluation, code: Code, index: int) -> Term | None:
    """Return how often a loop runs whose counter moves by the value: what it goes through, divided by it, rounded up."""
    found = _striding(evaluation, code, index)
    if found is None:
        return None
    store, step, loop = found
    compared = code.code[loop.test]
    if not isinstance(compared, ir.Binary) or compared.op != "<":
        return None
    load = code.code[compared.left]
    if not isinstance(load, ir.Load) or load.slot != store.slot:
        return None
    begins = [
        other.value
        for number in reaching(code.context, load.slot, compared.left).stores
        if isinstance(other := code.code[number], ir.Store) and other is not store
    ]
    begin = evaluation.of(code, begins[0]) if len(begins) == 1 else None
    bound = evaluation.of(code, compared.right)
    way = joined("-", bound, begin) if bound is not None and begin is not None else None
    if way is None or depends(way):
        return None
    count = operation("/", way, step)
    return None if count is None else operation("ceil", count)


def direction_of_stride(evaluation: Evaluation, code: Code, index: int) -> int | None:
    """Return 1 where the step of a loop rises with the value, -1 where it falls."""
    found = _striding(evaluation, code, index)
    return None if found is None else direction(found[1], counts=True)


def _striding(
    evaluation: Evaluation, code: Code, index: int
) -> tuple[ir.Store, Term, ir.Loop] | None:
    """Return the only assignment by which a loop moves a counter by the value, with the step."""
    loop = code.code[index]
    if not isinstance(loop, ir.Loop) or loop.test == NONE:
        return None
    start, stop = loop_range(loop)
    found: list[tuple[ir.Store, Term]] = []
    for number in range(start, min(stop, len(code.code))):
        store = code.code[number]
        change = code.code[store.value] if isinstance(store, ir.Store) else None
        if not isinstance(store, ir.Store) or not isinstance(change, ir.Binary):
            continue
        left = code.code[change.left]
        counts = isinstance(left, ir.Load) and left.slot == store.slot and change.op == "+"
        if counts and evaluation.is_tainted(code, change.right):
            step = evaluation.of(code, change.right)
            if step is None or not _is_each_round(code, loop, number):
                return None
            found.append((store, step))
    return (*found[0], loop) if len(found) == 1 else None


def is_constant_inside(code: Code, index: int, value: int) -> bool:
    """Tell whether an expression is the same in each round of a loop, as far as the body shows it."""
    start, stop = loop_range(code.code[index])
    for inner in code.inside(value):
        instr = code.code[inner]
        if isinstance(instr, (ir.Call, ir.Index, ir.New)):
            return False
        if isinstance(instr, ir.Load) and any(
            start <= number < stop for number in code.stores.get(instr.slot, ())
        ):
            return False
        field = code.context.field_of(inner)
        if field is not None and any(
            start <= number < stop and code.context.target_field(store) == field
            for number in code.field_stores
            if isinstance(store := code.code[number], ir.StoreField)
        ):
            return False
    return True
