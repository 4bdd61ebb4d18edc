"""Whether an operation on a path says anything of what an option costs (LearnConf §4.1: what is sure and what lasts).

Terms
    no evidence  an operation that runs only where something failed, that nothing calls, or that writes to the console.
    incidental   an operation that one condition adds once, and that is over at once: a lock that is free, a short text.

Absent: what an operation costs (``amounts``), what several say together (``directions``).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.guards import enclosing_loops, leaving, loop_range
from conflens.flow.results import Operation, Step, StepRole
from conflens.flow.uses import Uses
from conflens.program.assignments import assignments
from conflens.program.refs import MemberRef
from conflens.properties.callers import Callers
from conflens.properties.conditions import demands, regions_around

_CONSOLE = frozenset({"PrintStream", "PrintWriter"})
"""Classes that print what a person reads."""
_FILES = ("FileLock.", "FileChannel.", "AsynchronousFileChannel.")
_BODIES = 8
"""Bodies that may run for one call, beyond which they are not counted."""
_MOVES = (StepRole.CALL, StepRole.ARGUMENT, StepRole.RETURN)


class Evidence:
    """What paths to operations say, for one program."""

    def __init__(self, uses: Uses, callers: Callers) -> None:
        """Look into bodies by ``uses``."""
        self._uses, self._callers = uses, callers
        self._dead: dict[MemberRef, bool] = {}

    def is_none(self, steps: Sequence[Step], operation: Operation, *, decided: bool) -> bool:
        """Tell whether an operation says nothing; ``decided``: the value decides only that it runs, or how often."""
        if operation.api.partition(".")[0] in _CONSOLE:
            return True
        for step in steps:
            if step.instr < 0:
                continue
            code = self._uses.code(step.ref)
            if step.role in (StepRole.CALL, StepRole.OPERATION) and (
                fails(code, step.instr)
                or (decided and in_catch(code, step.instr))
                or self._is_off(code, step.instr)
            ):
                return True
        return any(self.is_dead(ref) for ref in dict.fromkeys(step.ref for step in steps))

    def is_dead(self, ref: MemberRef) -> bool:
        """Tell whether nothing calls a method."""
        found = self._dead.get(ref)
        if found is None:
            called = self._callers.of(ref)
            found = called.complete and not called.callers and not self._callers.is_open(ref)
            self._dead[ref] = found
        return found

    def _is_off(self, code: Code, index: int) -> bool:
        """Tell whether an instruction needs a field to be true that only methods set that nothing calls."""
        for region in regions_around(code, index):
            for demand in demands(code, region.test, region.outcome):
                if demand.op or demand.text != "true":
                    continue
                field = code.context.field_of(demand.value)
                if field is None:
                    continue
                member = self._uses.program.member(field)
                if member.annotations or not self._callers.has_main():
                    continue
                places = assignments(self._uses.program).of(field)
                if places and all(self.is_dead(ref) for ref, _ in places):
                    return True
        return False

    # -- slopes ------------------------------------------------------------------------------------

    def is_one_of_several(self, steps: Sequence[Step]) -> bool:
        """Tell whether a path takes one of several methods that a call may run, or one that calls itself."""
        for step, following in pairwise(steps):
            if step.ref == following.ref or step.role not in _MOVES:
                continue
            call, callee = step, following.ref
            if step.role is StepRole.RETURN:
                call, callee = following, step.ref
            if call.instr >= 0 and self._runs_others(call, callee):
                return True
        return any(self._calls_itself(ref) for ref in {step.ref for step in steps})

    def _runs_others(self, call: Step, callee: MemberRef) -> bool:
        program, code = self._uses.program, self._uses.code(call.ref)
        for index in code.inside(call.instr):
            runs: set[MemberRef] = set()
            for target in code.context.targets(index):
                runs.update((target, *program.overriders(target)[:_BODIES]))
            if callee in runs:
                return len([ref for ref in runs if program.body(ref).code]) > 1
        return False

    def _calls_itself(self, ref: MemberRef) -> bool:
        code = self._uses.code(ref)
        name = self._uses.program.member(ref).name
        return any(
            isinstance(call := code.code[index], ir.Call)
            and call.name == name
            and ref in code.context.targets(index)
            for index in code.context.of_kind(ir.Call)
        )

    def is_conditional(self, steps: Sequence[Step], guard: int) -> bool:
        """Tell whether a further condition decides, inside of a loop, whether it does an operation."""
        at = steps[guard]
        loop = loop_range(self._uses.code(at.ref).code[at.instr])
        for step in steps[guard + 1 :]:
            if step.instr < 0:
                continue
            code = self._uses.code(step.ref)
            start = loop[0] if step.ref == at.ref else 0
            if any(
                not one.rest and one.start >= start for one in regions_around(code, step.instr)
            ):
                return True
            switch = code.switch_of(step.instr)
            if switch != NONE and switch >= start:
                return True
        return False

    # -- switches ----------------------------------------------------------------------------------

    def is_incidental(self, operation: Operation, steps: Sequence[Step]) -> bool:
        """Tell whether an operation that a condition adds is over at once."""
        if operation.kind not in ("lock", "memory") or operation.api.startswith(_FILES):
            return False
        guards = [at for at, step in enumerate(steps) if step.role is StepRole.GUARD]
        below = steps[guards[-1] + 1 :] if guards else steps[-1:]
        for step in below:
            if step.instr >= 0 and enclosing_loops(self._uses.code(step.ref), step.instr):
                return False
        code = self._uses.code(operation.ref)
        if operation.kind == "memory":
            takers = code.takers.get(operation.instr, ())
            return not any(isinstance(code.code[one], ir.StoreField) for one in takers)
        return True


def in_catch(code: Code, index: int) -> bool:
    """Tell whether an instruction runs only after an exception."""
    return any(
        isinstance(attempt := code.code[number], ir.Try)
        and any(one.start <= index < one.stop for one in attempt.catches)
        for number in code.tries
    )


def fails(code: Code, index: int) -> bool:
    """Tell whether an instruction is on a way that ends in an exception."""
    for number in code.context.of_kind(ir.Throw):
        thrown = code.code[number]
        if (
            isinstance(thrown, ir.Throw)
            and thrown.value != NONE
            and code.first_inside(thrown.value) <= index <= thrown.value
        ):
            return True
    for number in code.branches:
        instr = code.code[number]
        if isinstance(instr, ir.If) and instr.then_start <= index < instr.stop:
            then = index < instr.else_start
            arm = (instr.then_start, instr.else_start) if then else (instr.else_start, instr.stop)
            end = leaving(code, arm)
            if end is not None and isinstance(code.code[end], ir.Throw):
                return True
    return False
