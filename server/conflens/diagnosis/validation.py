"""Conditions that only refuse a value: an arm of theirs does nothing but throw.

``if (level < 0 || level > 9) throw …`` lets the code behind it run in every run that goes on at all, so that what runs
there is no effect of the option.

Terms
    validation     a condition with a refusing arm; no option is linked by it.  Its test may decide about work:
                   ``if (checked && !isValid(document)) throw …`` makes ``checked`` decide whether ``isValid`` runs.
    refusing arm   one that always ends in ``throw``, or in the call of a method of the project that always throws, and
                   is never left in another way; also what follows an arm that always leaves.

Absent: what a condition governs (``flow.guards``); checks by methods of libraries, which take the value as an argument.
"""

from __future__ import annotations

from collections.abc import Callable

from conflens.facts import ir
from conflens.flow.code import Code
from conflens.flow.guards import Range, leaving, rest_of_block
from conflens.program.refs import MemberRef


class Validation:
    """The validating conditions of one program; remembers every answer."""

    def __init__(self, code_of: Callable[[MemberRef], Code]) -> None:
        """``code_of`` gives the indexed body of a member."""
        self._code_of = code_of
        self._conditions: dict[MemberRef, dict[int, frozenset[int]]] = {}
        """By member: its validating conditions, with the instructions that their tests are made of."""
        self._throwing: dict[MemberRef, bool] = {}

    def is_validation(self, ref: MemberRef, index: int) -> bool:
        """Tell whether instruction ``index`` of a member is a validating condition."""
        return index in self._of(ref)

    def tests(self, ref: MemberRef, index: int) -> bool:
        """Tell whether instruction ``index`` of a member is a validating condition or belongs to the test of one."""
        found = self._of(ref)
        return index in found or any(index in parts for parts in found.values())

    def _of(self, ref: MemberRef) -> dict[int, frozenset[int]]:
        found = self._conditions.get(ref)
        if found is None:
            code = self._code_of(ref)
            found = self._conditions[ref] = {
                at: frozenset(code.inside(instr.test))
                for at in code.branches
                if isinstance(instr := code.code[at], ir.If) and self._is_refusal(code, at, instr)
            }
        return found

    def _is_refusal(self, code: Code, at: int, instr: ir.If) -> bool:
        then, other = (instr.then_start, instr.else_start), (instr.else_start, instr.stop)
        for arm, beside in ((then, other), (other, then)):
            if self._refuses(code, arm):
                # What follows runs or not by the way in which the arm beside it is left.
                return leaving(code, beside) is not None or not self._is_left(code, beside)
        return leaving(code, then) is not None and any(
            self._refuses(code, rest) for rest in rest_of_block(code, at, instr.stop)
        )

    def _refuses(self, code: Code, arm: Range) -> bool:
        if arm[0] >= arm[1] or not self._ends_in_throw(code, arm):
            return False
        return not self._is_left(code, arm)

    def _is_left(self, code: Code, arm: Range) -> bool:
        """Tell whether an arm may be left by other ways than a ``throw``."""
        return any(
            isinstance(code.code[at], (ir.Return, ir.Jump))
            and code.lambda_of(at) == code.lambda_of(arm[0])
            for at in range(*arm)
        )

    def _ends_in_throw(self, code: Code, arm: Range) -> bool:
        exit_ = leaving(code, arm)
        if exit_ is not None:
            return isinstance(code.code[exit_], ir.Throw)
        last = arm[1] - 1
        if not isinstance(code.code[last], ir.Call) or code.region(last)[0] > arm[0]:
            return False
        targets = code.context.targets(last)
        return bool(targets) and all(map(self._always_throws, targets))

    def _always_throws(self, ref: MemberRef) -> bool:
        """Tell whether a method never returns; one that calls itself is taken to return."""
        found = self._throwing.get(ref)
        if found is None:
            self._throwing[ref] = False
            code = self._code_of(ref)
            overridden = bool(code.context.program.overriders(ref))
            found = not overridden and self._refuses(code, (0, len(code.code)))
            self._throwing[ref] = found
        return found
