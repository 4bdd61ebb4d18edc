"""What replaces a number that means "not set": ``int t = getInt("time"); if (t == 0) t = 120;``.

The default that the read gives is only a sign; the program goes on with what is put into its place.
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.uses import Uses

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
    for branch in code.branches if slots else ():
        if_ = code.code[branch]
        test = code.code[if_.test] if isinstance(if_, ir.If) and if_.test != NONE else None
        if not isinstance(test, ir.Binary) or test.op not in _TESTS or test.left not in reached:
            continue
        limit = _number(uses.transfer.constant(code, test.right) or "")
        if limit is None or not _holds(number, test.op, limit):
            continue
        assert isinstance(if_, ir.If)
        for instr in code.code.within(if_.then_start, if_.else_start):
            if isinstance(instr, ir.Store) and not instr.up and instr.slot in slots:
                text = uses.transfer.constant(code, instr.value)
                found.update([] if text is None else [text])
    return found.pop() if len(found) == 1 else None


def _holds(number: float, op: str, limit: float) -> bool:
    if op == "==":
        return number == limit
    return number <= limit if op == "<=" else number < limit


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
