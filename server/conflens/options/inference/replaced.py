"""What replaces a number that means "not set": ``int t = getInt("time"); if (t == 0) t = 120;``.

The default that the read gives is only a sign; the program goes on with what is put into its place.
"""

from __future__ import annotations

from collections.abc import Iterator

from conflens.facts import ir
from conflens.flow.code import Code
from conflens.flow.uses import Uses

_BRANCHES = "options.branches-by-test"
_TESTS = frozenset({"==", "<=", "<"})


def replaced(uses: Uses, code: Code, reached: set[int], missing: str) -> str | None:
    """Return the one constant that a body puts into the place of a value where that is ``missing``."""
    number = _number(missing)
    if number is None:
        return None
    slots = {
        instr.slot
        for value in reached
        for index in code.takers.get(value, ())
        if isinstance(instr := code.code[index], ir.Store) and not instr.up
    }
    found: set[str] = set()
    for if_, test in _compared(code, reached) if slots else ():
        limit = _number(uses.transfer.constant(code, test.right) or "")
        if limit is None or not _holds(number, test.op, limit):
            continue
        for instr in code.code.within(if_.then_start, if_.else_start):
            if isinstance(instr, ir.Store) and not instr.up and instr.slot in slots:
                text = uses.transfer.constant(code, instr.value)
                found.update([] if text is None else [text])
    return found.pop() if len(found) == 1 else None


def _compared(code: Code, reached: set[int]) -> Iterator[tuple[ir.If, ir.Binary]]:
    """Yield the branches that compare a value with something smaller or equal, and their tests."""
    branches = code.context.notes.get(_BRANCHES)
    if not isinstance(branches, dict):
        branches = {if_.test: if_ for n in code.branches if isinstance(if_ := code.code[n], ir.If)}
        code.context.notes[_BRANCHES] = branches
    for value in sorted(reached):
        for index in code.takers.get(value, ()):
            test = code.code[index]
            asked = isinstance(test, ir.Binary) and test.op in _TESTS and test.left == value
            if asked and isinstance(test, ir.Binary) and index in branches:
                yield branches[index], test


def _holds(number: float, op: str, limit: float) -> bool:
    if op == "==":
        return number == limit
    return number <= limit if op == "<=" else number < limit


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
