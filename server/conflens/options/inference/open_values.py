"""Does a text take more values than those it is compared with?

Comparisons with constants list all values only if nothing else is done with the text.  It is *open* if code looks at
parts of it (``endsWith``, ``matches``), parses it, or passes it on to a library, unless a body that compares it
throws afterwards: then what is passed on is one of the values compared.
What only tests, reports or throws a text (a condition, a logger, an exception) does not make it open.
Absent: what a library does with the text; texts that are returned to unknown callers.
"""

from __future__ import annotations

from enum import Enum

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.domain import Followed, Relation, Role, Use
from conflens.flow.uses import Uses
from conflens.models.schema import RECEIVER
from conflens.options.inference.value_sets import LOOKUPS
from conflens.program.refs import MemberRef

_LAST_THROW = "last throw"
_PARSED = frozenset({"integer", "fraction", "time", "size"})


class Openness(Enum):
    """Why a text is not one of the values it is compared with; ``PARTS``: code looks at parts of it."""

    NONE = 0
    PASSED = 1
    PARTS = 2


def openness(uses: Uses, followed: Followed) -> Openness:
    """Tell whether what is done with a text shows that it takes other values than those it is compared with."""
    if not any(use.role in (Role.COMPARED, Role.SWITCHED) for use in followed.uses):
        return Openness.NONE
    last: dict[MemberRef, int] = {}
    parsed = passed = False
    for use in followed.uses:
        if use.trace.relation is not Relation.SAME:
            continue
        code = uses.code(use.ref)
        if use.role in (Role.COMPARED, Role.SWITCHED):
            last[use.ref] = max(use.index, last.get(use.ref, NONE))
        elif _looks_inside(code, use):
            return Openness.PARTS
        else:
            parsed = parsed or _is_parsed(uses, code, use)
            passed = passed or _is_passed_on(uses, code, use)
    rejected = any(_throws_after(uses.code(ref), at) for ref, at in last.items())
    return Openness.PASSED if parsed or (passed and not rejected) else Openness.NONE


def _looks_inside(code: Code, use: Use) -> bool:
    """Tell whether the text itself is asked something about more than its being there."""
    call = code.code[use.index]
    return (
        isinstance(call, ir.Call)
        and use.place == RECEIVER
        and bool(call.args)
        and use.role in (Role.MEASURED, Role.ARGUMENT, Role.SPLIT)
        and _is_text(code, use.value)
    )


def _is_text(code: Code, value: int) -> bool:
    type_ = code.context.type_of(value)
    return type_ is not None and type_.name == "java.lang.String"


def _is_parsed(uses: Uses, code: Code, use: Use) -> bool:
    if use.role is not Role.ARGUMENT or use.place == RECEIVER or not _is_text(code, use.value):
        return False
    row = uses.rows.value(code, use.index, use.place)
    return row is not None and row.value_type in _PARSED


def _is_passed_on(uses: Uses, code: Code, use: Use) -> bool:
    """Tell whether a library keeps a text, or makes something of it that is more than a condition."""
    call = code.code[use.index]
    if use.role is not Role.ARGUMENT or use.place == RECEIVER or not _is_text(code, use.value):
        return False
    if not isinstance(call, (ir.Call, ir.New)) or uses.rows.value(code, use.index, use.place):
        return False
    if isinstance(call, ir.Call):
        if call.name in LOOKUPS or code.context.targets(use.index):
            return False
        cells = uses.rows.cells(code, use.index)
        if call.name.startswith("set") or any(row.put == use.place for row in cells):
            return True
    return any(
        not isinstance(code.code[taker], (ir.If, ir.ShortCircuit, ir.Unary, ir.Throw, ir.Binary))
        for taker in code.takers.get(use.index, ())
    )


def _throws_after(code: Code, at: int) -> bool:
    last = code.context.notes.get(_LAST_THROW)
    if not isinstance(last, int):
        thrown = (number for number, instr in enumerate(code.code) if isinstance(instr, ir.Throw))
        last = code.context.notes[_LAST_THROW] = max(thrown, default=-1)
    return last >= at
