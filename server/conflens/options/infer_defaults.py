"""Defaults that stand in control flow: what a program uses when an option is not set.

Shapes: ``x == null ? d : x``, ``if (x == null) x = d``, ``if (x != null) y = parse(x)`` after ``y
= d``, ``orElse(d)`` and other calls whose row names the place of a default.  Only constants count.
"""

from __future__ import annotations

from collections.abc import Iterator

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.domain import Followed
from conflens.flow.uses import Uses
from conflens.program.program import MemberRef


def default_of(uses: Uses, followed: Followed, start: MemberRef) -> str | None:
    """Return the text of the one default that is used in the body of ``start``."""
    reached = {index for ref, index in followed.reached if ref == start and index != NONE}
    if not reached:
        return None
    code = uses.code(start)
    found = {text for text in _texts(uses, code, reached) if text is not None}
    return found.pop() if len(found) == 1 else None


def _texts(uses: Uses, code: Code, reached: set[int]) -> Iterator[str | None]:
    for value in sorted(reached):
        for index in code.takers.get(value, ()):
            instr = code.code[index]
            match instr:
                case ir.Choice():
                    if instr.test != value and _tests(code, instr.test, reached):
                        other = instr.other if instr.then == value else instr.then
                        if other not in reached:
                            yield _constant(uses, code, other)
                case ir.Call():
                    yield from _by_row(uses, code, index, instr, value)
                case ir.Store(up=0):
                    yield from _around_local(uses, code, index, instr, reached)
                case _:
                    pass


def _constant(uses: Uses, code: Code, value: int) -> str | None:
    """Return the text of a default; what is put together is words for a message, not a value."""
    if value != NONE and isinstance(code.code[value], ir.Binary):
        return None
    return uses.transfer.constant(code, value)


def _tests(code: Code, test: int, reached: set[int]) -> bool:
    """Tell whether a test asks whether there is a value: ``null``, ``isEmpty``; no comparison else."""
    inside = list(code.inside(test))
    if not any(index in reached for index in inside):
        return False
    return not any(
        isinstance(code.code[index], ir.Binary) and not _null_test(code, index, reached)
        for index in inside
    )


def _null_test(code: Code, test: int, reached: set[int]) -> str:
    """Return the operator of a comparison of the value with ``null``, else an empty text."""
    while test != NONE:
        instr = code.code[test]
        if not isinstance(instr, ir.ShortCircuit):
            break
        test = instr.left
    else:
        return ""
    if isinstance(instr, ir.Binary) and instr.op in ("==", "!="):
        for one, two in ((instr.left, instr.right), (instr.right, instr.left)):
            if one == NONE or two == NONE:
                continue
            other = code.code[two]
            if one in reached and isinstance(other, ir.Const) and other.kind == "n":
                return instr.op
    return ""


def _by_row(uses: Uses, code: Code, index: int, call: ir.Call, value: int) -> Iterator[str | None]:
    place = -1 if call.object == value else call.args.index(value)
    for row in uses.rows.conversions(code, index, place):
        if row.default is not None and 0 <= row.default < len(call.args):
            yield _constant(uses, code, call.args[row.default])


def _around_local(
    uses: Uses, code: Code, index: int, store: ir.Store, reached: set[int]
) -> Iterator[str | None]:
    """Look at the other assignments of the local that the value is put into."""
    for other in code.stores.get(store.slot, ()):
        instr = code.code[other]
        if other == index or not isinstance(instr, ir.Store) or instr.value in reached:
            continue
        for branch in code.branches:
            if_ = code.code[branch]
            assert isinstance(if_, ir.If)
            op = _null_test(code, if_.test, reached)
            if not op:
                continue
            missing = (
                (if_.then_start, if_.else_start) if op == "==" else (if_.else_start, if_.stop)
            )
            present = (
                (if_.then_start, if_.else_start) if op == "!=" else (if_.else_start, if_.stop)
            )
            fills = missing[0] <= other < missing[1]
            before = other < branch and present[0] <= index < present[1]
            if fills or before:
                yield _constant(uses, code, instr.value)
