"""Whether a condition holds more readily when an option is raised, or set to true (LearnConf §4.5).

Terms
    trend    1 where a condition may come to hold, and never ceases to, as the value rises; -1 the other way round; 0 where the value is
             not in it; ``None`` where that is not known.
    pointed  a condition that holds at one value only, or at all others: two disjoint regions.

Absent: what the condition governs (``flow.guards``).
"""

from __future__ import annotations

from typing import NamedTuple

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.terms import VALUE, direction
from conflens.flow.transfer import COMPARISONS, EQUALITY
from conflens.program.reaching import reaching
from conflens.properties.evaluation import Evaluation

_TRUE = frozenset({"true", "on", "yes"})
_FALSE = frozenset({"false", "off", "no"})
_RISING = frozenset({">", ">="})


class Trend(NamedTuple):
    """See the module text."""

    sign: int | None
    pointed: bool = False


UNKNOWN = Trend(None)
_NOTHING = Trend(0)


def trend(evaluation: Evaluation, code: Code, test: int, depth: int = 0) -> Trend:
    """Return the trend of a condition."""
    if test == NONE or depth > 8 or not evaluation.is_tainted(code, test):
        return _NOTHING
    instr = code.code[test]
    depth += 1
    match instr:
        case ir.Unary(op="!"):
            return _turned(trend(evaluation, code, instr.operand, depth))
        case ir.ShortCircuit():
            left = trend(evaluation, code, instr.left, depth)
            right = trend(evaluation, code, instr.right, depth)
            return _joined(left, right)
        case ir.Binary() if instr.op in COMPARISONS:
            return _compared(evaluation, code, instr, depth)
        case ir.Call():
            return _called(evaluation, code, test, instr, depth)
        case ir.Load() if not instr.up:
            return _loaded(evaluation, code, test, instr, depth)
        case _:
            return Trend(1) if evaluation.of(code, test) == VALUE else UNKNOWN


def _turned(one: Trend) -> Trend:
    return one if one.sign is None else Trend(-one.sign, one.pointed)


def _joined(left: Trend, right: Trend) -> Trend:
    pointed = left.pointed or right.pointed
    if left.sign is None or right.sign is None:
        return Trend(None, pointed)
    signs = {sign for sign in (left.sign, right.sign) if sign}
    if len(signs) > 1:
        return Trend(None, True)
    return Trend(signs.pop() if signs else 0, pointed)


def _compared(evaluation: Evaluation, code: Code, instr: ir.Binary, depth: int) -> Trend:
    if instr.op in ("==", "!="):
        for side, other in ((instr.left, instr.right), (instr.right, instr.left)):
            constant = code.code[other]
            if isinstance(constant, ir.Const) and constant.kind == "b":
                found = trend(evaluation, code, side, depth)
                same = (constant.value == "true") == (instr.op == "==")
                return found if same else _turned(found)
            if isinstance(constant, ir.Const) and constant.kind == "n":
                return UNKNOWN
        return Trend(None, evaluation.is_number(code, instr.left, instr.right))
    left, right = side_sign(evaluation, code, instr.left), side_sign(evaluation, code, instr.right)
    if left is None or right is None:
        return UNKNOWN
    signs = {sign for sign in (left, -right) if sign}
    if len(signs) != 1:
        return UNKNOWN
    sign = signs.pop()
    return Trend(sign if instr.op in _RISING else -sign)


def side_sign(evaluation: Evaluation, code: Code, value: int) -> int | None:
    """Return 1 where an operand of a comparison rises with the value, -1 where it falls; a counter that begins at it moves with it."""
    if not evaluation.is_tainted(code, value):
        return 0
    term = evaluation.of(code, value)
    if term is not None:
        return direction(term, counts=True)
    instr = code.code[value]
    if isinstance(instr, ir.Load) and not instr.up:
        begin = counted_from(evaluation, code, instr.slot, value)
        if begin != NONE:
            term = evaluation.of(code, begin)
            return None if term is None else direction(term, counts=True)
    return None


def counted_from(evaluation: Evaluation, code: Code, slot: int, use: int) -> int:
    """Return what a counter begins at that is afterwards only moved by what the value is not in; ``NONE`` if it is no such."""
    begin = NONE
    for number in reaching(code.context, slot, use).stores:
        store = code.code[number]
        if not isinstance(store, ir.Store):
            return NONE
        change = code.code[store.value]
        if isinstance(change, ir.Unary) and change.op in ("++", "--"):
            continue
        if isinstance(change, ir.Binary) and change.op in ("+", "-"):
            left = code.code[change.left]
            if isinstance(left, ir.Load) and left.slot == slot:
                if evaluation.is_tainted(code, change.right):
                    return NONE
                continue
        if begin != NONE or number > use:
            return NONE
        begin = store.value
    return begin


def _called(evaluation: Evaluation, code: Code, test: int, call: ir.Call, depth: int) -> Trend:
    if call.name in EQUALITY and len(call.args) == 1 and call.object != NONE:
        for side, other in ((call.object, call.args[0]), (call.args[0], call.object)):
            constant = code.code[other]
            if isinstance(constant, ir.Const) and constant.kind == "s":
                if evaluation.of(code, side) != VALUE:
                    return UNKNOWN
                text = constant.value.lower()
                return Trend(1) if text in _TRUE else Trend(-1) if text in _FALSE else UNKNOWN
        return UNKNOWN
    return Trend(1) if evaluation.of(code, test) == VALUE else UNKNOWN


def _loaded(evaluation: Evaluation, code: Code, test: int, load: ir.Load, depth: int) -> Trend:
    if evaluation.of(code, test) == VALUE:
        return Trend(1)
    seen = reaching(code.context, load.slot, test)
    if seen.entry or len(seen.stores) != 1:
        return UNKNOWN
    store = code.code[seen.stores[0]]
    return trend(evaluation, code, store.value, depth) if isinstance(store, ir.Store) else UNKNOWN


def arm(code: Code, guard: int, index: int) -> int | None:
    """Return 1 where an instruction runs because a condition holds, -1 where it runs because it does not."""
    instr = code.code[guard]
    match instr:
        case ir.If():
            if instr.then_start <= index < instr.else_start:
                return 1
            if instr.else_start <= index < instr.stop:
                return -1
            if index >= instr.stop:
                then = _is_abrupt(code, instr.then_start, instr.else_start)
                other = _is_abrupt(code, instr.else_start, instr.stop)
                return None if then == other else -1 if then else 1
            return None
        case ir.Choice():
            if instr.then_start <= index < instr.other_start:
                return 1
            return -1 if instr.other_start <= index < guard else None
        case ir.ShortCircuit():
            if not instr.right_start <= index < guard:
                return None
            return 1 if instr.op == "&&" else -1
        case ir.Loop():
            return 1
        case _:
            return None


def tested(code: Code, guard: int) -> int:
    """Return the condition of an instruction that decides what runs."""
    instr = code.code[guard]
    match instr:
        case ir.If() | ir.Choice() | ir.Loop():
            return instr.test
        case ir.ShortCircuit():
            return instr.left
        case _:
            return NONE


def _is_abrupt(code: Code, start: int, stop: int) -> bool:
    return start < stop and isinstance(code.code[stop - 1], (ir.Return, ir.Throw, ir.Jump))
