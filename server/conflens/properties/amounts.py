"""How much one operation costs: the term of the argument that its cost is linear in (LearnConf §4.2, note 3).

Terms
    amount  a term with its unit and what becomes of the cost when it grows: there is more, it lasts longer, it happens less often.

Rows say which argument that is; lengths of arrays, and what a collection is kept below, belong to the language.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.results import Operation
from conflens.flow.terms import Term, depends
from conflens.flow.transfer import COMPARISONS
from conflens.flow.uses import Uses
from conflens.models.schema import RECEIVER
from conflens.models.words import Grows
from conflens.properties.arithmetic import joined
from conflens.properties.evaluation import Evaluation

_BYTES = {"byte": "bytes", "char": "chars"}


@attrs.frozen
class Amount:
    """See the module text; ``term`` is ``None`` where it is not known, although the value is in it."""

    term: Term | None
    unit: str
    grows: Grows
    cost: str
    value: int = NONE
    """The argument, where it is one."""


def has_amount(uses: Uses, code: Code, operation: Operation) -> bool:
    """Tell whether the cost of an operation is linear in one of its arguments."""
    if operation.instr < 0:
        return False
    match code.code[operation.instr]:
        case ir.NewArray():
            return True
        case ir.Binary() | ir.Return():
            return operation.kind == "memory"
        case ir.Call() | ir.New():
            return bool(uses.rows.amounts(code, operation.instr))
        case _:
            return False


def amounts(evaluation: Evaluation, code: Code, operation: Operation) -> Iterator[Amount]:
    """Yield the amounts of an operation that the value is in."""
    for amount, tainted in all_amounts(evaluation, code, operation):
        if tainted and (amount.term is None or depends(amount.term)):
            yield amount


def all_amounts(
    evaluation: Evaluation, code: Code, operation: Operation
) -> Iterator[tuple[Amount, bool]]:
    """Yield the amounts of an operation, each with whether the value is in it."""
    if operation.instr < 0:
        return
    instr = code.code[operation.instr]
    match instr:
        case ir.NewArray() if instr.dims:
            yield _length(evaluation, code, instr)
        case ir.Binary() if operation.kind == "memory":
            yield from _kept(evaluation, code, instr, "elements", "memory")
        case ir.Return() if operation.kind == "memory":
            compared = code.code[instr.value]
            if isinstance(compared, ir.Binary):
                yield from _kept(evaluation, code, compared, "entries", "cached entries")
        case ir.Call() | ir.New():
            rows = evaluation.uses.rows
            for row in rows.amounts(code, operation.instr):
                place = row.argument
                if place == RECEIVER:
                    value = instr.object if isinstance(instr, ir.Call) else NONE
                else:
                    value = instr.args[place] if 0 <= place < len(instr.args) else NONE
                if value == NONE:
                    continue
                unit = row.unit or rows.unit_at(code, operation.instr, row.unit_argument)
                amount = Amount(evaluation.of(code, value), unit, row.grows, row.cost, value)
                yield amount, evaluation.is_tainted(code, value)
        case _:
            pass


def _kept(
    evaluation: Evaluation, code: Code, compared: ir.Binary, unit: str, cost: str
) -> Iterator[tuple[Amount, bool]]:
    """Yield what a number of elements is compared with."""
    if compared.op in COMPARISONS:
        for side in (compared.left, compared.right):
            if evaluation.is_tainted(code, side):
                yield Amount(evaluation.of(code, side), unit, "more", cost), True


def _length(evaluation: Evaluation, code: Code, array: ir.NewArray) -> tuple[Amount, bool]:
    base = array.type.partition("<")[0].partition("[")[0].strip()
    whole = array.type.count("[]") <= len(array.dims)
    unit = _BYTES.get(base, "elements") if whole else "elements"
    term: Term | None = None
    for number, dim in enumerate(array.dims):
        one = evaluation.of(code, dim)
        if one is None or (number and term is None):
            term = None
            break
        term = one if term is None else joined("*", term, one)
    tainted = any(evaluation.is_tainted(code, dim) for dim in array.dims)
    return Amount(term, unit, "more", "memory"), tainted
