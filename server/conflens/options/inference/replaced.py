"""What replaces a value that means "not set": ``int t = getInt("time", -1); return t < 0 ? 120 : t;``.

The default that the read gives is only a sign; the program goes on with what is put into its place, in the body that reads it,
or where the value was handed to or kept.  A test decides by its outcome for the sign itself.

Terms
    sign       a default that is a number not above zero, or an empty text.

Absent: what is only shown, or computed.  Zero is a value of its own often, and is a sign only in the body that reads it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.domain import Followed
from conflens.flow.uses import Uses
from conflens.options.inference.defaults import constant_default, returned_of
from conflens.program.refs import MemberRef
from conflens.program.types import STRING

_BRANCHES = "options.branches-by-test"
_BODIES = 12
_UP = 4
"""Operators between a value and the branch that its test decides."""
_NESTED = 6
_LIMITS = frozenset({str(2**31 - 1), str(2**63 - 1)})
"""What stands for "no limit", which users write as the sign."""
_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_TURNED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def replaced(uses: Uses, followed: Followed, start: MemberRef, missing: str) -> str | None:
    """Return the one constant that a program puts into the place of a value where that is ``missing``."""
    number = _number(missing)
    if (missing and number is None) or (number is not None and number > 0):
        return None
    code = uses.code(start)
    here = {index for ref, index in followed.reached if ref == start and index != NONE}
    found = set(_in_body(uses, code, here, missing))
    if number != 0:
        if followed.ended:
            places = [(start, value) for value in sorted(here)]
            followed = uses.only(places, (), lambda _code, _value: True)
        bodies: dict[MemberRef, set[int]] = {}
        for ref, index in sorted(followed.reached):
            if ref != start and index != NONE and (ref in bodies or len(bodies) < _BODIES):
                bodies.setdefault(ref, set()).add(index)
        for ref, reached in bodies.items():
            if uses.program.member(ref).name != "toString":
                found.update(_in_body(uses, uses.code(ref), reached, missing))
    found -= _LIMITS
    return found.pop() if len(found) == 1 else None


def _in_body(uses: Uses, code: Code, reached: set[int], missing: str) -> Iterator[str]:
    """Yield what a body puts in place of the sign."""
    slots: set[int] = set()
    fields: set[str] = set()
    for value in sorted(reached):
        held = code.code[value]
        if isinstance(held, (ir.Name, ir.Field)) and code.context.field_of(value) is not None:
            fields.add(held.name)
        for index in code.takers.get(value, ()):
            instr = code.code[index]
            if isinstance(instr, ir.Store) and not instr.up:
                slots.add(instr.slot)
            elif isinstance(instr, ir.StoreField) and instr.value == value:
                fields.add(instr.name)
            elif isinstance(instr, ir.Choice) and instr.test != value:
                yield from _chosen(uses, code, index, instr, reached, missing)
    returned = bool(returned_of(code, reached))
    for if_, outcome in _branches(uses, code, reached, missing):
        span = (if_.then_start, if_.else_start) if outcome else (if_.else_start, if_.stop)
        last = code.code[span[1] - 1] if span[1] > span[0] else None
        if returned and isinstance(last, ir.Return) and last.value != NONE:
            yield from _text(uses, code, last.value, reached, missing)
        for instr in code.code.within(*span):
            local = isinstance(instr, ir.Store) and not instr.up and instr.slot in slots
            kept = isinstance(instr, ir.StoreField) and instr.name in fields
            if (local or kept) and isinstance(instr, (ir.Store, ir.StoreField)):
                yield from _text(uses, code, instr.value, reached, missing)


def _chosen(
    uses: Uses, code: Code, index: int, choice: ir.Choice, reached: set[int], missing: str
) -> Iterator[str]:
    """Yield what a condition chooses instead of the sign, if that is kept or given back."""
    takers = [code.code[taker] for taker in code.takers.get(index, ())]
    if not any(isinstance(one, (ir.Return, ir.Store, ir.StoreField, ir.New)) for one in takers):
        return
    outcome = _outcome(uses, code, choice.test, reached, missing)
    if outcome is None:
        return
    arm, other = (choice.then, choice.other) if outcome else (choice.other, choice.then)
    if other in reached:
        yield from _text(uses, code, arm, reached, missing)


def _text(uses: Uses, code: Code, value: int, reached: set[int], missing: str) -> Iterator[str]:
    """Yield the text of a constant of the kind that the sign has."""
    text = constant_default(uses, code, value, "") if value not in reached else None
    if text is not None and (missing == "" or _number(text) is not None):
        yield text


def _branches(
    uses: Uses, code: Code, reached: set[int], missing: str
) -> Iterator[tuple[ir.If, bool]]:
    """Yield the branches that test a value, and how their tests turn out for the sign."""
    branches = code.context.notes.get(_BRANCHES)
    if not isinstance(branches, dict):
        branches = {if_.test: if_ for n in code.branches if isinstance(if_ := code.code[n], ir.If)}
        code.context.notes[_BRANCHES] = branches
    seen: set[int] = set()
    queue = [(value, 0) for value in sorted(reached)] if branches else []
    while queue:
        value, up = queue.pop()
        for index in code.takers.get(value, ()):
            instr = code.code[index]
            asks = isinstance(instr, (ir.Binary, ir.Unary, ir.ShortCircuit, ir.Call))
            if not asks or index in seen or index in reached:
                continue
            seen.add(index)
            if index in branches:
                outcome = _outcome(uses, code, index, reached, missing)
                if outcome is not None:
                    yield branches[index], outcome
            elif up < _UP:
                queue.append((index, up + 1))


def _outcome(
    uses: Uses, code: Code, test: int, reached: set[int], missing: str, depth: int = 0
) -> bool | None:
    """Return how a test turns out for the sign; ``None`` if that depends on something else."""
    instr = code.code[test] if test != NONE and depth < _NESTED else None
    match instr:
        case ir.Unary(op="!"):
            found = _outcome(uses, code, instr.operand, reached, missing, depth + 1)
            return None if found is None else not found
        case ir.ShortCircuit():
            both = [
                _outcome(uses, code, side, reached, missing, depth + 1)
                for side in (instr.left, instr.right)
            ]
            decides = instr.op == "||"
            if decides in both:
                return decides
            return None if None in both else not decides
        case ir.Binary() if instr.op in _OPERATORS:
            if instr.left in reached:
                return _compared(uses, code, instr.op, instr.right, missing)
            if instr.right in reached:
                return _compared(uses, code, _TURNED[instr.op], instr.left, missing)
            return None
        case ir.Call():
            return _asked(uses, code, test, instr, reached, missing)
        case _:
            return None


def _compared(uses: Uses, code: Code, op: str, other: int, missing: str) -> bool | None:
    """Return how the sign compares with a constant, or with ``null``."""
    const = code.code[other] if other != NONE else None
    if isinstance(const, ir.Const) and const.kind == "n":
        return op == "!="
    one, two = _number(missing), _number(uses.transfer.constant(code, other) or "")
    return None if one is None or two is None else _OPERATORS[op](one, two)


def _asked(
    uses: Uses, code: Code, index: int, call: ir.Call, reached: set[int], missing: str
) -> bool | None:
    """Return what a text answers, or a method of a library that is asked whether one is there."""
    if call.object in reached and not call.args and code.context.type_of(call.object) == STRING:
        return missing == "" if call.name in ("isEmpty", "isBlank") else None
    sides = [side for side in (call.object, *call.args) if side != NONE]
    if call.name in ("equals", "equalsIgnoreCase") and len(sides) == 2:
        texts = [uses.transfer.constant(code, side) for side in sides if side not in reached]
        return texts[0] == missing if len(texts) == 1 and texts[0] is not None else None
    for place, arg in enumerate(call.args):
        asks = {row.asks for row in uses.rows.conversions(code, index, place)} - {None}
        if arg in reached and len(asks) == 1:
            return (asks == {"missing"}) == (missing == "")
    return None


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
