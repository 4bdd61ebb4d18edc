"""Code that a call does not run because of the literals that it hands over: ``save(false)`` and ``if (flag) …``.

Terms
    given     the literals that a call gives to parameters, by slot: kind and text of the literal (``ir.Const``).
    settled   of a condition: it comes out one way, whatever else the program does.
    idle      a range of a body that settled conditions never come to.

Only literals that the call spells out count, and parameters that keep what they are given.  Absent: conditions that are not
settled (``guards``), constants that are named.
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.guards import Range, conditions, leaving, rest_of_block
from conflens.flow.transfer import COMPARISONS, EQUALITY
from conflens.program.refs import MemberRef

Literal = tuple[str, str]
"""Kind and text of a literal; an array that a call with variable arguments makes empty has the kind ``a``."""
Given = tuple[tuple[int, Literal], ...]

_NOTE = "flow.deciding"
_EMPTY: Literal = ("a", "0")
_TRUE: Literal = ("b", "true")
_FALSE: Literal = ("b", "false")
_ORDERED = {
    "<": lambda one, other: one < other,
    ">": lambda one, other: one > other,
    "<=": lambda one, other: one <= other,
    ">=": lambda one, other: one >= other,
}


def given_by(code: Code, index: int, target: MemberRef) -> Given:
    """Return the literals that a call gives to parameters of a method, of those that conditions ask for."""
    call = code.code[index]
    if not isinstance(call, ir.Call | ir.New):
        return ()
    member = code.context.program.member(target)
    fixed = len(member.params) - (1 if member.varargs else 0)
    found: list[tuple[int, Literal]] = []
    for slot, arg in enumerate(call.args[:fixed]):
        literal = code.code[arg]
        if isinstance(literal, ir.Const):
            found.append((slot, (literal.kind, literal.value)))
    if member.varargs and len(call.args) == fixed:
        found.append((fixed, _EMPTY))
    return tuple(found)


def idle(code: Code, given: Given) -> tuple[Range, ...]:
    """Return the ranges of a body that do not run when its parameters are ``given`` literals."""
    deciding = _deciding(code)
    known = {slot: literal for slot, literal in given if slot in deciding}
    if not known:
        return ()
    results = _results(code, known)
    found: list[Range] = []
    for value, places in conditions(code).tested.items():
        result = results.get(value)
        if result in (_TRUE, _FALSE):
            for at in places:
                found += _left_out(code, at, result == _TRUE)
    return tuple(sorted(set(found)))


def _deciding(code: Code) -> frozenset[int]:
    """Return the parameters that conditions of a body ask for, and that keep what the caller gave."""
    kept = code.context.notes.get(_NOTE)
    if isinstance(kept, frozenset):
        return kept
    found = frozenset(
        load.slot
        for value in conditions(code).tested
        for inner in code.inside(value)
        if isinstance(load := code.code[inner], ir.Load)
        and not load.up
        and code.context.is_parameter(load.slot)
        and not code.stores.get(load.slot)
    )
    code.context.notes[_NOTE] = found
    return found


def _results(code: Code, known: dict[int, Literal]) -> dict[int, Literal]:
    """Return the results of a body's expressions that literals decide, by instruction."""
    found: dict[int, Literal] = {}
    code.context.program.meter.spend(len(code.code))
    for index, instr in enumerate(code.code):
        # Operands stand before what takes them.
        result: Literal | None = None
        match instr:
            case ir.Const():
                result = (instr.kind, instr.value)
            case ir.Load() if not instr.up:
                result = known.get(instr.slot)
            case ir.Unary(op="!"):
                result = _not(found.get(instr.operand))
            case ir.Binary() if instr.op in COMPARISONS:
                result = _compared(instr.op, found.get(instr.left), found.get(instr.right))
            case ir.ShortCircuit():
                result = _joined(instr.op, found.get(instr.left), found.get(instr.right))
            case ir.Call() if instr.name in EQUALITY and len(instr.args) == 1:
                if instr.object != NONE:
                    result = _equal(instr, found)
            case ir.Field(name="length"):
                result = ("i", "0") if found.get(instr.object) == _EMPTY else None
            case _:
                pass
        if result is not None:
            found[index] = result
    return found


def _not(literal: Literal | None) -> Literal | None:
    return {_TRUE: _FALSE, _FALSE: _TRUE}.get(literal) if literal is not None else None


def _truth(holds: bool) -> Literal:
    return _TRUE if holds else _FALSE


def _compared(op: str, one: Literal | None, other: Literal | None) -> Literal | None:
    if one is None or other is None:
        return None
    if op in ("==", "!="):
        if "n" in (one[0], other[0]):
            same = one[0] == other[0]
        elif one[0] == other[0] and one[0] in "bci":
            same = one == other
        else:
            # Texts may be one object or two; a number may be a ``long``.
            return None
        return _truth(same == (op == "=="))
    if one[0] == other[0] == "i":
        return _truth(_ORDERED[op](int(one[1]), int(other[1])))
    return None


def _joined(op: str, left: Literal | None, right: Literal | None) -> Literal | None:
    decisive = _TRUE if op == "||" else _FALSE
    if decisive in (left, right):
        return decisive
    return right if left is not None and right is not None else None


def _equal(call: ir.Call, found: dict[int, Literal]) -> Literal | None:
    one, other = found.get(call.object), found.get(call.args[0])
    if one is None or other is None or one[0] != "s" or other[0] not in "sn":
        return None
    if other[0] == "n":
        return _FALSE
    if call.name == "equalsIgnoreCase":
        return _truth(one[1].lower() == other[1].lower())
    return _truth(one[1] == other[1])


def _left_out(code: Code, at: int, holds: bool) -> list[Range]:
    """Return what the condition of instruction ``at`` leaves out when it comes out one way."""
    instr = code.code[at]
    match instr:
        case ir.If():
            then, other = (instr.then_start, instr.else_start), (instr.else_start, instr.stop)
            taken, left = (then, other) if holds else (other, then)
            found = [left]
            if leaving(code, taken) is not None:
                found += rest_of_block(code, at, instr.stop)
        case ir.Choice():
            found = [(instr.other_start, at) if holds else (instr.then_start, instr.other_start)]
        case ir.ShortCircuit():
            found = [(instr.right_start, at)] if holds == (instr.op == "||") else []
        case ir.Loop() if not holds and instr.kind != "do":
            found = [(instr.body_start, instr.stop)]
        case _:
            found = []
    return [span for span in found if span[0] < span[1]]
