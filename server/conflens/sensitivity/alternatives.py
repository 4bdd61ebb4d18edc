"""Implementations that a condition chooses between: its arms give one thing objects of different classes of a family.

Such a choice stands where a program starts and decides what it works with from then on.  Classes of the project need none of
this, since what their methods do is followed.
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.flow.code import Code
from conflens.flow.guards import governed
from conflens.flow.results import Flow, StepRole
from conflens.program.body_uses import takers
from conflens.program.program import Program
from conflens.sensitivity.amounts import api_of
from conflens.sensitivity.vocabulary import Vocabulary

_Given = tuple[str, int | str]


def has_alternative(program: Program, vocabulary: Vocabulary, flow: Flow) -> bool:
    """Tell whether another arm of a flow's last condition makes something else of the same family instead."""
    operation = flow.operation
    family = vocabulary.family(operation.api)
    guards = [
        step.instr
        for step in flow.paths[0].steps
        if step.role is StepRole.GUARD and step.ref == operation.ref and step.instr >= 0
    ]
    if family is None or not guards or operation.instr < 0:
        return False
    code = Code(program, operation.ref)
    mine = api_of(code.context, operation.instr)
    given = _given(code, operation.instr)
    part = next(governed(code, guards[-1]), None)
    if part is None or not given:
        return False
    own = [arm for arm in part.arms if arm[0] <= operation.instr < arm[1]]
    for arm in part.arms if own else ():
        for index in range(*arm) if arm not in own else ():
            other = api_of(code.context, index)
            is_alike = other and other != mine and vocabulary.family(other) is family
            if is_alike and not given.isdisjoint(_given(code, index)):
                return True
    return False


def _given(code: Code, value: int) -> set[_Given]:
    """Return what is given a value: a field, a local, the result of the method or of a conditional expression."""
    found: set[_Given] = set()
    for index in takers(code.context, value):
        match instr := code.code[index]:
            case ir.StoreField():
                found.add(("field", instr.name))
            case ir.Store():
                found.add((f"local {instr.up}", instr.slot))
            case ir.Return():
                found.add((instr.kind, code.lambda_of(index)))
            case ir.Choice():
                found.add(("choice", index))
            case _:
                pass
    return found
