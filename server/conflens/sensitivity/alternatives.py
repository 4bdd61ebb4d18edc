"""Implementations that a condition chooses between: its arms give one thing objects of different classes of a family.

Such a choice stands where a program starts and decides what it works with from then on.  Classes of the project need none of
this, since what their methods do is followed.
"""

from __future__ import annotations

import attrs

from conflens.facts import ir
from conflens.flow.code import Code
from conflens.flow.guards import governed
from conflens.flow.results import Flow, StepRole
from conflens.program.body_uses import takers
from conflens.program.refs import MemberRef
from conflens.sensitivity.amounts import api_of
from conflens.sensitivity.bodies import Bodies
from conflens.sensitivity.vocabulary import Vocabulary

_Given = tuple[str, int | str]
_Arm = tuple[int, int]


@attrs.frozen
class _Arms:
    """What the arms of one condition make."""

    around: dict[int, set[_Arm]] = attrs.Factory(dict)
    """The arms that an instruction stands in."""
    made: dict[tuple[str, _Given], dict[str, set[_Arm]]] = attrs.Factory(dict)
    """What is made, by its family and what it is given to: each call or class with its arms."""


_NO_ARMS = _Arms()


class Alternatives:
    """Answers for one program; remembers what the arms of a condition make."""

    def __init__(self, bodies: Bodies, vocabulary: Vocabulary) -> None:
        """Ask about the program of ``bodies``."""
        self._bodies = bodies
        self._vocabulary = vocabulary
        self._known: dict[tuple[MemberRef, int], _Arms] = {}

    def has(self, flow: Flow) -> bool:
        """Tell whether another arm of a flow's last condition makes something else of the same family instead."""
        operation = flow.operation
        family = self._vocabulary.family(operation.api)
        guards = [
            step.instr
            for step in flow.paths[0].steps
            if step.role is StepRole.GUARD and step.ref == operation.ref and step.instr >= 0
        ]
        if family is None or not guards or operation.instr < 0:
            return False
        code = self._bodies.code(operation.ref)
        given = _given(code, operation.instr)
        arms = self._arms(code, guards[-1]) if given else _NO_ARMS
        own = arms.around.get(operation.instr)
        if own is None:
            return False
        mine = api_of(code.context, operation.instr)
        return any(
            api != mine and not own.issuperset(others)
            for place in given
            for api, others in arms.made.get((family.name, place), {}).items()
        )

    def _arms(self, code: Code, guard: int) -> _Arms:
        """Return what the arms of a condition make."""
        found = self._known.get((code.ref, guard))
        if found is None:
            found = self._known[code.ref, guard] = _Arms()
            part = next(governed(code, guard), None)
            for arm in part.arms if part is not None else ():
                for index in range(*arm):
                    found.around.setdefault(index, set()).add(arm)
                    api = api_of(code.context, index)
                    family = self._vocabulary.family(api) if api else None
                    for place in _given(code, index) if family is not None else ():
                        assert family is not None
                        made = found.made.setdefault((family.name, place), {})
                        made.setdefault(api, set()).add(arm)
        return found


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
