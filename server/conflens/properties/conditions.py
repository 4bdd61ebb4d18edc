"""What must be so for an instruction of a body to run: the conditions around it, and what each of them asks of which value.

Terms
    region    a range of instructions that runs only if a test comes out in one way: an arm, what follows an arm that leaves early, the
              right side of ``&&``.
    demand    what a test that came out so says of one value: that it is true or false, or how it compares with a constant.

An arm that throws, and what follows it, is no region: what runs there does not depend on a choice that a person has.
Absent: which option a value is (``operands``, ``relations``).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.guards import Range, leaving, rest_of_block
from conflens.flow.refusals import fails, is_refusal

_NOTE = "properties.regions"
_NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_MIRRORED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_NUMBERS = ("i", "l", "d")
_DEEP = 8
"""Tests within tests, beyond which nothing is said."""


class Region(NamedTuple):
    """``code[start:stop]`` runs only if the test of instruction ``condition`` comes out as ``outcome``; ``rest``: it follows an arm that leaves."""

    start: int
    stop: int
    condition: int
    test: int
    outcome: bool
    rest: bool = False


class Demand(NamedTuple):
    """What is asked of ``value``: ``op`` is a comparison with ``text``, or empty for a truth value that is ``text``."""

    value: int
    op: str
    text: str


def regions_around(code: Code, index: int) -> Iterator[Region]:
    """Yield the regions that hold an instruction."""
    for region in _regions(code):
        if region.start <= index < region.stop:
            yield region


def arms_around(code: Code, index: int) -> Iterator[Region]:
    """Yield the regions of ``if`` that hold an instruction."""
    for region in regions_around(code, index):
        if isinstance(code.code[region.condition], ir.If):
            yield region


def is_symmetric(code: Code, region: Region) -> bool:
    """Tell whether a region is one side of a test that both are absent: which of them is asked first says nothing."""
    both = code.code[region.condition]
    return isinstance(both, ir.ShortCircuit) and all(
        isinstance(side := code.code[one], ir.Binary)
        and "null" in (constant(code, side.left), constant(code, side.right))
        for one in (both.left, both.right)
    )


def is_done_anyway(code: Code, region: Region, index: int) -> bool:
    """Tell whether a call in a region is made outside of it as well, with one of the same variables."""
    for at in (index, *code.takers.get(index, ())):
        call = code.code[at]
        if not isinstance(call, ir.Call) or not region.start <= at < region.stop:
            continue
        given = _variables(code, call)
        if any(
            isinstance(other := code.code[number], ir.Call)
            and other.name == call.name
            and len(other.args) == len(call.args)
            and not region.start <= number < region.stop
            and _variables(code, other) == given
            for number in code.context.of_kind(ir.Call)
        ):
            return True
    return False


def _variables(code: Code, call: ir.Call) -> list[object]:
    """Return the locals and fields that stand as arguments of a call."""
    found: list[object] = []
    for arg in call.args:
        one = code.code[arg]
        if isinstance(one, ir.Load):
            found.append(one.slot)
        elif (field := code.context.field_of(arg)) is not None:
            found.append(field)
    return found


def excluded(code: Code, one: int, other: int) -> bool:
    """Tell whether of two instructions only one runs, since they stand in two arms."""
    first, last = sorted((one, other))
    return any(
        isinstance(instr := code.code[number], ir.If)
        and instr.then_start <= first < instr.else_start
        and instr.else_start <= last < instr.stop
        for number in code.branches
    )


def _regions(code: Code) -> list[Region]:
    kept = code.context.notes.get(_NOTE)
    if isinstance(kept, list):
        return kept
    found: list[Region] = []
    for at in code.context.of_kind(ir.If, ir.Choice, ir.ShortCircuit):
        instr = code.code[at]
        match instr:
            case ir.If():
                found += _of_if(code, at, instr)
            case ir.Choice():
                found.append(Region(instr.then_start, instr.other_start, at, instr.test, True))
                found.append(Region(instr.other_start, at, at, instr.test, False))
            case ir.ShortCircuit(op="&&"):
                found.append(Region(instr.right_start, at, at, instr.left, outcome=True))
            case _:
                pass
    code.context.notes[_NOTE] = found
    return found


def _of_if(code: Code, at: int, instr: ir.If) -> Iterator[Region]:
    then, other = (instr.then_start, instr.else_start), (instr.else_start, instr.stop)
    ends = leaving(code, then), leaving(code, other) if other[0] < other[1] else None
    for arm, outcome, end, over in ((then, True, *ends), (other, False, *ends[::-1])):
        if arm[0] < arm[1] and not _refuses(code, end):
            yield Region(*arm, at, instr.test, outcome)
        if over is not None and end is None and not _refuses(code, over):
            for rest in rest_of_block(code, at, instr.stop):
                yield Region(*rest, at, instr.test, outcome, rest=True)


def _refuses(code: Code, end: int | None) -> bool:
    return end is not None and (is_refusal(code, end) or fails(code, end))


def refused(code: Code) -> Iterator[tuple[int, int, bool]]:
    """Yield the conditions with an arm that throws, each with its test and the outcome for which it does."""
    for at in code.branches:
        instr = code.code[at]
        assert isinstance(instr, ir.If)
        arms: tuple[tuple[Range, bool], ...] = (
            ((instr.then_start, instr.else_start), True),
            ((instr.else_start, instr.stop), False),
        )
        for arm, outcome in arms:
            end = leaving(code, arm) if arm[0] < arm[1] else None
            if end is not None and isinstance(code.code[end], ir.Throw):
                yield at, instr.test, outcome


def demands(code: Code, test: int, outcome: bool, deep: int = 0) -> Iterator[Demand]:
    """Yield what must be so for a test to come out in one way; of ``a || b`` that is true nothing is known."""
    if test == NONE or deep > _DEEP:
        return
    instr = code.code[test]
    match instr:
        case ir.Unary(op="!"):
            yield from demands(code, instr.operand, not outcome, deep + 1)
        case ir.ShortCircuit():
            if outcome == (instr.op == "&&"):
                yield from demands(code, instr.left, outcome, deep + 1)
                yield from demands(code, instr.right, outcome, deep + 1)
        case ir.Binary() if instr.op in _NEGATED:
            yield from _compared(code, instr, outcome)
        case ir.Load(up=0) if (made := _made(code, instr)) is not None:
            yield from demands(code, made, outcome, deep + 1)
        case _:
            yield Demand(test, "", "true" if outcome else "false")


def is_whole(code: Code, test: int) -> bool:
    """Tell whether a test is a conjunction of which ``demands`` tells every part."""
    instr = code.code[test]
    if isinstance(instr, ir.ShortCircuit):
        return instr.op == "&&" and is_whole(code, instr.left) and is_whole(code, instr.right)
    return not (
        isinstance(instr, ir.Unary) and isinstance(code.code[instr.operand], ir.ShortCircuit)
    )


def _made(code: Code, load: ir.Load) -> int | None:
    """Return the test that a local is given, if that is its only value."""
    stores = code.stores.get(load.slot, [])
    if len(stores) != 1 or code.context.is_parameter(load.slot):
        return None
    store = code.code[stores[0]]
    assert isinstance(store, ir.Store)
    value = code.code[store.value] if store.value != NONE else None
    tested = isinstance(value, (ir.ShortCircuit, ir.Unary)) or (
        isinstance(value, ir.Binary) and value.op in _NEGATED
    )
    return store.value if tested else None


def _compared(code: Code, instr: ir.Binary, outcome: bool) -> Iterator[Demand]:
    op = instr.op if outcome else _NEGATED[instr.op]
    left, right = constant(code, instr.left), constant(code, instr.right)
    if right and not left:
        yield Demand(instr.left, op, right)
    elif left and not right:
        yield Demand(instr.right, _MIRRORED[op], left)


def constant(code: Code, value: int) -> str:
    """Return a literal number or ``null`` as code writes it, empty for anything else."""
    instr = code.code[value] if value != NONE else None
    match instr:
        case ir.Const():
            if instr.kind == "n":
                return "null"
            return instr.value if instr.kind in _NUMBERS else ""
        case ir.Unary(op="-"):
            inner = constant(code, instr.operand)
            return f"-{inner}" if inner and inner != "null" else ""
        case _:
            return ""
