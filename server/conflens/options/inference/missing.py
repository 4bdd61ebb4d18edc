"""Questions whether there is a value: ``x == null``, ``isBlank(x)``, ``map.containsKey(key)``.

Terms
    asked      a value that a test asks about, with ``==`` if the test holds where the value is missing and ``!=`` if where
               it is there.
    blank      a text that is empty; a method that asks for it holds for ``null`` as well.

A method of a library asks by its row (``asks``), one of the project by its body: what it returns, or what it returns at once
for a parameter that is ``null``.  Absent: what is used instead of a missing value (``defaults``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.uses import Uses
from conflens.program.refs import MemberRef

STEPS = 60
"""Parts of an expression that are looked at."""

DEPTH = 3
"""Methods within methods that are looked into."""

_NULL_TESTS = "options.null-tests"
_COMPARED = "options.null-compared"
_FLIPPED = {"==": "!=", "!=": "=="}
_ASKS = {"missing": "==", "present": "!="}
_PRESENCE = ("contains", "has", "exists", "isSet", "isDefined")
"""Beginnings of the names of methods that are asked for a key before its value is taken."""


def null_tests(uses: Uses, code: Code) -> Mapping[int, Sequence[tuple[int, str]]]:
    """Return the branches that ask whether something is there, and how, by what they ask about."""

    def find() -> Mapping[int, Sequence[tuple[int, str]]]:
        found: dict[int, list[tuple[int, str]]] = {}
        for branch in code.branches:
            if_ = code.code[branch]
            assert isinstance(if_, ir.If)
            for value, op in compared_with_null(uses, code, if_.test):
                found.setdefault(value, []).append((branch, op))
        return found

    return uses.values.trail.remembered((_NULL_TESTS, code.ref), find)


def compared_with_null(
    uses: Uses, code: Code, test: int, depth: int = 0
) -> Iterator[tuple[int, str]]:
    """Yield what the first part of a test asks about, and how."""
    flipped = False
    for _ in range(STEPS):
        instr = code.code[test] if test != NONE else None
        match instr:
            case ir.ShortCircuit():
                test = instr.left
            case ir.Unary(op="!"):
                test, flipped = instr.operand, not flipped
            case ir.Binary() if instr.op in _FLIPPED:
                op = _FLIPPED[instr.op] if flipped else instr.op
                for one, two in ((instr.left, instr.right), (instr.right, instr.left)):
                    other = code.code[two] if NONE not in (one, two) else None
                    if isinstance(other, ir.Const) and other.kind == "n":
                        yield one, op
                return
            case ir.Call():
                for value, op in _asked(uses, code, test, instr, depth):
                    yield value, _FLIPPED[op] if flipped else op
                return
            case _:
                return


def _asked(
    uses: Uses, code: Code, index: int, call: ir.Call, depth: int
) -> Iterator[tuple[int, str]]:
    """Yield what a call asks about: its argument, or itself where it asks for a key."""
    if call.args and call.object != NONE and call.name.startswith(_PRESENCE):
        yield index, "!="
    targets = code.context.targets(index)[:1]
    for place, arg in enumerate(call.args):
        op = ""
        if targets:
            op = _by_body(uses, targets[0], place, depth) if len(call.args) == 1 else ""
        else:
            asks = {row.asks for row in uses.rows.conversions(code, index, place)} - {None}
            op = _ASKS.get(asks.pop() or "", "") if len(asks) == 1 else ""
        if op:
            yield arg, op


def _by_body(uses: Uses, ref: MemberRef, slot: int, depth: int) -> str:
    """Return how a method of the project asks about its parameter, empty if it does not."""
    member = uses.program.member(ref)
    if depth >= DEPTH or member.kind != "method" or member.type != "boolean" or member.varargs:
        return ""
    if uses.values.asking.overriders(ref):
        return ""
    code = uses.code(ref)

    def says(test: int) -> str:
        asked = dict(compared_with_null(uses, code, test, depth + 1))
        for value, op in asked.items():
            load = code.code[value]
            if isinstance(load, ir.Load) and not load.up and load.slot == slot:
                return op
        return ""

    for instr in code.code:
        if isinstance(instr, ir.Return):
            given = code.code[instr.value] if instr.value != NONE else None
            if isinstance(given, ir.ShortCircuit):
                return (
                    says(instr.value) if (given.op == "||") == (says(instr.value) == "==") else ""
                )
            return says(instr.value)
        if isinstance(instr, ir.If):
            answer = _answer(code, instr)
            op = says(instr.test)
            if not answer or op == "!=":
                return ""
            return op if answer == "true" else _FLIPPED.get(op, "")
    return ""


def _answer(code: Code, if_: ir.If) -> str:
    """Return the constant that the first arm of a branch returns at once, empty if it does anything else."""
    arm = code.code[if_.then_start : if_.else_start]
    last = arm[-1] if arm else None
    if isinstance(last, ir.Return) and last.value != NONE and len(arm) == 2:
        given = code.code[last.value]
        if isinstance(given, ir.Const) and given.kind == "b":
            return given.value
    return ""


def read_again(code: Code, reached: set[int]) -> set[int]:
    """Return the calls and fields asked for ``null`` that repeat one whose value is among ``reached`` (same method, same
    arguments), and the calls that ask its object for the same key."""
    told = {said for index in reached if (said := _said(code, index)) is not None}
    tested = _null_tested(code)
    again = {value for said in told for value in tested.get(said, ())}
    keys = {key for index in reached if (key := _key(code, index)) is not None}
    again |= {value for key in keys for value in tested.get(key, ())}
    return again - reached


def asks_for_object(code: Code, index: int, reached: set[int]) -> bool:
    """Tell whether a comparison asks whether there is an object at all in which one of some values was looked up."""
    instr = code.code[index]
    if not isinstance(instr, ir.Binary) or instr.op not in _FLIPPED:
        return False
    for one, two in ((instr.left, instr.right), (instr.right, instr.left)):
        other = code.code[two]
        if isinstance(other, ir.Const) and other.kind == "n":
            asked = _meant(code, "", (one,))
            return asked is not None and any(
                isinstance(call := code.code[value], ir.Call)
                and call.object != NONE
                and _meant(code, "", (call.object,)) == asked
                for value in sorted(reached)
            )
    return False


def _null_tested(code: Code) -> Mapping[tuple[object, ...], Sequence[int]]:
    """Return the calls and fields compared with ``null``, grouped by what they mean; without a name those that ask for a key."""
    kept = code.context.notes.get(_COMPARED)
    if isinstance(kept, dict):
        return kept
    found: dict[tuple[object, ...], list[int]] = {}
    for index, instr in enumerate(code.code):
        if isinstance(instr, ir.Binary) and instr.op in _FLIPPED:
            for one, two in ((instr.left, instr.right), (instr.right, instr.left)):
                other = code.code[two]
                if isinstance(other, ir.Const) and other.kind == "n":
                    said = _said(code, one)
                    if said is not None:
                        found.setdefault(said, []).append(one)
        elif isinstance(instr, ir.Call) and instr.name.startswith(_PRESENCE):
            key = _key(code, index)
            if key is not None:
                found.setdefault(key, []).append(index)
    code.context.notes[_COMPARED] = found
    return found


def _is_fixed(code: Code, load: ir.Load) -> bool:
    """Tell whether a local is given its value once."""
    stored = len(code.stores.get(load.slot, ()))
    return not stored or (stored == 1 and not load.up and not code.context.is_parameter(load.slot))


def _said(code: Code, value: int) -> tuple[object, ...] | None:
    """Return the method and arguments of a call, or the name of a field, if they mean the same throughout the body (names and
    constants)."""
    match code.code[value]:
        case ir.Call() as call:
            return _meant(code, call.name, (call.object, *call.args))
        case ir.Name(name=name):
            return ("", ir.Name, name)
        case ir.Field() as field if isinstance(code.code[field.object], ir.This):
            return ("", ir.Name, field.name)
        case ir.Field():
            return _meant(code, "", (value,))
        case _:
            return None


def _key(code: Code, value: int) -> tuple[object, ...] | None:
    """Return the object and the key that a call is given first, as ``_said`` does, without the name of the method."""
    call = code.code[value]
    if not isinstance(call, ir.Call) or not call.args:
        return None
    return _meant(code, "", (call.object, call.args[0]))


def _meant(code: Code, name: str, operands: Iterable[int]) -> tuple[object, ...] | None:
    said: list[object] = [name]
    for operand in operands:
        for _ in range(STEPS):
            instr = code.code[operand] if operand != NONE else None
            said.append(type(instr))
            match instr:
                case ir.Const():
                    said.append((instr.kind, instr.value))
                case ir.Name():
                    said.append(instr.name)
                case ir.Load() if _is_fixed(code, instr):
                    said.append((instr.up, instr.slot))
                case ir.Field():
                    said.append(instr.name)
                    operand = instr.object
                    continue
                case ir.Call(args=()):
                    said.append(instr.name)
                    operand = instr.object
                    continue
                case None | ir.This():
                    pass
                case _:
                    return None
            break
    return tuple(said)
