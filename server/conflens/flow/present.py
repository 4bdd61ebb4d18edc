"""Locals of which a body itself has found that they are not ``null``.

It has used a member of the object before, or has tested the local: where that was ``null``, the body left, or made another object.

Terms
    open     of an assignment: what it gives may be ``null``, as far as the assignment tells; ``NONE`` stands for what the caller gave.
    settled  of an open assignment and a load: what lies between them leaves no ``null``.

Absent: what other bodies know of the value (``making``).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.guards import Range, leaving
from conflens.program.reaching import certain, reaching, unconditional

_NEAR = 12
"""Loads of a local before the one in question that are looked at."""
_NOTE = "flow.null_tests"

Made = Callable[[int], bool]
"""Tells whether an assignment gives something that is there."""


def is_there(code: Code, load: int, made: Made) -> bool:
    """Tell whether the local that is loaded is surely not ``null`` there."""
    instr = code.code[load]
    assert isinstance(instr, ir.Load)
    seen = reaching(code.context, instr.slot, load)
    open_ = [store for store in seen.stores if not made(store)]
    if seen.entry:
        open_.append(NONE)
    if any(store > load for store in open_):
        # A loop brings it along from its last round.
        return False
    latest = max(open_, default=NONE)
    return (
        not open_
        or _is_used(code, instr.slot, latest, load)
        or any(
            latest < at < load and _settles(code, at, load, seen.stores, made)
            for at in _null_tests(code).get(instr.slot, ())
        )
    )


def _is_used(code: Code, slot: int, after: int, load: int) -> bool:
    """Tell whether a member of the object in a local is used in any case between an assignment and a load."""
    loads = code.loads.get(slot, [])
    beyond = bisect_left(loads, load)
    for number in range(beyond - 1, max(-1, beyond - 1 - _NEAR), -1):
        used = loads[number]
        if used <= after:
            break
        code.context.program.meter.spend()
        for index in code.takers.get(used, ()):
            instr = code.code[index]
            asked = isinstance(instr, (ir.Call, ir.Field)) and instr.object == used
            if asked and index < load and certain(code.context, index, load):
                return True
    return False


def _settles(code: Code, at: int, load: int, stores: tuple[int, ...], made: Made) -> bool:
    """Tell whether a test for ``null`` leaves no ``null`` to a load."""
    instr = code.code[at]
    assert isinstance(instr, ir.If)
    then, other = (instr.then_start, instr.else_start), (instr.else_start, instr.stop)
    for slot, arm, rest in _says(code, instr.test, then, other):
        if slot != _slot(code, load):
            continue
        if rest[0] <= load < rest[1]:
            return True
        if not certain(code.context, at, load) or load < instr.stop:
            continue
        if _is_left(code, arm) or any(
            made(store) and _is_given(code, store, arm) for store in stores
        ):
            return True
    return False


def _is_given(code: Code, store: int, arm: Range) -> bool:
    """Tell whether an assignment runs whenever an arm does and is not left; in a ``try``, all clauses of which leave, too."""
    if not arm[0] <= store < arm[1]:
        return False
    if unconditional(code.context, store, arm):
        return True
    for at in code.tries:
        instr = code.code[at]
        assert isinstance(instr, ir.Try)
        body = (instr.start, instr.body_stop)
        if body[0] <= store < body[1] and arm[0] <= body[0] and instr.stop <= arm[1]:
            return (
                unconditional(code.context, store, body)
                and unconditional(code.context, at, arm)
                and all(_is_left(code, (clause.start, clause.stop)) for clause in instr.catches)
            )
    return False


def _is_left(code: Code, arm: Range) -> bool:
    """Tell whether what stands after an arm does not run when the arm has run."""
    last = leaving(code, arm)
    instr = code.code[last] if last is not None else None
    return isinstance(instr, (ir.Return, ir.Throw)) or (
        isinstance(instr, ir.Jump) and instr.kind == "continue"
    )


def _null_tests(code: Code) -> dict[int, list[int]]:
    """Return the ``if``s of a body that test a local for ``null``, by local."""
    kept = code.context.notes.get(_NOTE)
    if isinstance(kept, dict):
        return kept
    found: dict[int, list[int]] = {}
    for at in code.branches:
        instr = code.code[at]
        assert isinstance(instr, ir.If)
        for slot, _, _ in _says(code, instr.test, (0, 0), (0, 0)):
            found.setdefault(slot, []).append(at)
    code.context.notes[_NOTE] = found
    return found


def _says(
    code: Code, test: int, then: Range, other: Range, depth: int = 0
) -> Iterator[tuple[int, Range, Range]]:
    """Yield the locals that a condition tests for ``null``, with the arm that runs if one is, and the arm in which it is not."""
    instr = code.code[test] if test != NONE and depth < _NEAR else None
    match instr:
        case ir.Binary(op="==" | "!="):
            for one, beside in ((instr.left, instr.right), (instr.right, instr.left)):
                null = code.code[beside]
                slot = _slot(code, one)
                if slot != NONE and isinstance(null, ir.Const) and null.kind == "n":
                    yield (slot, then, other) if instr.op == "==" else (slot, other, then)
        case ir.Unary(op="!"):
            yield from _says(code, instr.operand, other, then, depth + 1)
        case ir.ShortCircuit():
            # If ``a || b`` is not so, neither is; if ``a && b`` is so, both are.
            wanted = then if instr.op == "||" else other
            for operand in (instr.left, instr.right):
                for slot, arm, rest in _says(code, operand, then, other, depth + 1):
                    if arm == wanted:
                        yield slot, arm, rest
        case _:
            pass


def _slot(code: Code, value: int) -> int:
    instr = code.code[value]
    return instr.slot if isinstance(instr, ir.Load) and not instr.up else NONE
