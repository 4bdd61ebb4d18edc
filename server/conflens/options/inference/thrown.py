"""Whether an exception that rejects a number comes to somebody who notices: not one in another thread, nor one that is caught.

Terms
    task       a method that something else runs, now or later: ``run`` of a ``Runnable``, a lambda that is handed to an executor.
    entry      the outermost body that a number has come through by calls: it was read there, or loaded from a field.
    surfaces   an exception ends the reading of the option, or the making of an object, or it comes to whoever called the program.

From an entry that has the number from a field, each way up over its callers must surface: an exception that only some threads see
is not said.  Absent: which values are rejected (``bound_facts``).
"""

from __future__ import annotations

from collections.abc import Iterator

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Member, Modifier
from conflens.flow.code import Code
from conflens.flow.domain import Frame
from conflens.flow.uses import CALLERS, Uses
from conflens.flow.ways import Node, Ways
from conflens.models.load import Models
from conflens.options.inference.bound_fact import Fact
from conflens.options.inference.conditions import only_reports
from conflens.options.inference.rejected_values import ends_in_exception
from conflens.program.refs import MemberRef

_DEPTH = 8
"""Callers of callers that are looked at."""
_WIDTH = 60
"""Bodies above one exception that are looked at."""
_BROAD = frozenset({"RuntimeException", "Exception", "Throwable"})
_UNKNOWN = frozenset({"IllegalArgumentException", "NegativeArraySizeException"})
_DIVISION = frozenset({"ArithmeticException"})
_MAKING = frozenset({"constructor", "initializer", "field", "enum_constant"})
"""Kinds of members without which there is no object or class."""
_PARAMETERS = 1
"""Parameters that a task has at most."""
_NESTED = 1
"""Methods that run a lambda that are looked into, one within another."""


class Thrown:
    """Judges exceptions in one program."""

    def __init__(self, uses: Uses, models: Models) -> None:
        """Look for callers by ``uses``."""
        self.uses = uses
        self.program = uses.program
        self._tasks = frozenset(name for row in models.callbacks for name in row.runs)

    def surfaces(self, ways: Ways, node: Node, at: int, reading: MemberRef | None) -> bool:
        """Tell whether an exception at an instruction that rejects a number comes to somebody; ``reading``: the body that reads it."""
        stacks = {node.stack}
        if not node.stack and self.program.member(node.ref).kind == "constructor":
            # What a constructor has put into a field it has from where it was called.
            given = {other.stack for other in ways.terms if other.ref == node.ref and other.stack}
            stacks = given or stacks
        return all(self._passes(ways, node.ref, at, stack, reading) for stack in sorted(stacks))

    def is_handled(self, fact: Fact) -> bool:
        """Tell whether something else is done with the number, or another one is used, where its exception is caught."""
        code, at = self.uses.code(fact.node.ref), fact.at
        names = self._thrown(code, at)
        frames = list(fact.node.stack)
        while True:
            if any(
                not only_reports(code, self.uses.rows, (item.start, item.stop))
                for item in _catching(code, at, names)
            ):
                return True
            if not frames:
                return False
            frame = frames.pop()
            code, at = self.uses.code(frame.ref), frame.call

    def _passes(
        self,
        ways: Ways,
        ref: MemberRef,
        index: int,
        stack: tuple[Frame, ...],
        reading: MemberRef | None,
    ) -> bool:
        """Tell whether an exception surfaces over the calls by which a number came, and above them."""
        code = self.uses.code(ref)
        names = self._thrown(code, index)
        frames = list(stack)
        while True:
            if not self._leaves(code, index, names) or self._is_task(code.ref):
                return False
            if code.ref == reading:
                return True
            if not frames:
                break
            frame = frames.pop()
            code, index = self.uses.code(frame.ref), frame.call
        return self._comes_up(ways, code.ref, names, reading)

    def _comes_up(
        self, ways: Ways, ref: MemberRef, names: frozenset[str], reading: MemberRef | None
    ) -> bool:
        """Tell whether an exception that leaves a body surfaces above it on each way."""
        files, asked = set[str](), set[str]()
        seen = {ref}
        queue = [(ref, 0)]
        found = True
        while queue and found:
            here, depth = queue.pop()
            member = self.program.member(here)
            if member.kind in _MAKING or _is_main(member):
                continue
            users = self.uses.callers(here)
            asked.add(member.name)
            files |= users.files
            referred = self.uses.is_referred(here)
            if referred or not users.complete or len(users.found) > CALLERS or depth >= _DEPTH:
                found = False
            elif not users.found:
                # A library that calls what it declares may do so in any thread.
                found = not any(one.name == "Override" for one in member.annotations)
            for code, index in users.found if found else ():
                above = code.ref
                main = _is_main(self.program.member(above))
                self.uses.values.trail.bodies.add(above)
                if not main and (not self._leaves(code, index, names) or self._is_task(above)):
                    found = False
                    break
                if above not in seen and above != reading:
                    seen.add(above)
                    queue.append((above, depth + 1))
            found = found and len(seen) <= _WIDTH
        ways.files |= files
        ways.names |= asked
        return found

    # -- one body --------------------------------------------------------------------------------------

    def _thrown(self, code: Code, at: int) -> frozenset[str]:
        """Return the simple names of the classes by which an exception can be caught."""
        for instr in (code.code[number] for number in code.branches):
            if (
                not isinstance(instr, ir.If)
                or not code.first_inside(instr.test) <= at <= instr.test
            ):
                continue
            for span in ((instr.then_start, instr.else_start), (instr.else_start, instr.stop)):
                last = code.code[span[1] - 1] if ends_in_exception(code, *span) else None
                made = code.context.type_of(last.value) if isinstance(last, ir.Throw) else None
                if made is not None:
                    chain = self.uses.rows.chain(made.name)
                    return _BROAD | {name.rpartition(".")[2] for name in chain}
        divides = code.code[at]
        if isinstance(divides, ir.Binary) and divides.op in ("/", "%"):
            return _BROAD | _DIVISION
        return _BROAD | _UNKNOWN

    def _leaves(self, code: Code, at: int, names: frozenset[str], nested: int = 0) -> bool:
        """Tell whether an exception at an instruction leaves the body, in the thread that runs it."""
        if _is_caught(code, at, names):
            return False
        around = code.lambda_of(at)
        return around == NONE or (nested < _NESTED and self._is_run(code, around, names))

    def _is_run(self, code: Code, function: int, names: frozenset[str]) -> bool:
        """Tell whether a lambda is handed to a method that runs it, and from which what it throws comes."""
        takers = code.takers.get(function, ())
        if len(takers) != 1:
            return False
        taker = takers[0]
        call = code.code[taker]
        if not isinstance(call, (ir.Call, ir.New)) or function not in call.args:
            return False
        place = call.args.index(function)
        if self.uses.rows.callbacks(code, taker):
            return False
        targets = code.context.targets(taker)
        if not targets or self.uses.values.asking.overriders(targets[0]):
            return False
        inner = self.uses.code(targets[0])
        loads = inner.loads.get(place, ())  # parameters are the first of the locals
        runs = [one for load in loads for one in inner.takers.get(load, ())]
        if not runs or inner.stores.get(place):
            return False
        return all(
            isinstance(run := inner.code[one], ir.Call)
            and run.object in loads
            and self._leaves(inner, one, names, _NESTED)
            for one in runs
        ) and self._leaves(code, taker, names)

    def _is_task(self, ref: MemberRef) -> bool:
        """Tell whether a library runs a method of an object that is handed to it, at some time."""
        member = self.program.member(ref)
        if member.kind != "method" or member.name not in self._tasks:
            return False
        if len(member.params) > _PARAMETERS or self.program.is_static(ref):
            return False
        return any(
            self.program.type(name) is None
            for name in self.program.supertypes(ref.owner)
            if name != "java.lang.Object"
        )


def _is_caught(code: Code, at: int, names: frozenset[str]) -> bool:
    """Tell whether a clause catches an exception and goes on."""
    return any(True for _ in _catching(code, at, names))


def _catching(code: Code, at: int, names: frozenset[str]) -> Iterator[ir.Catch]:
    """Yield the clauses that catch an exception and go on."""
    for number in code.tries:
        instr = code.code[number]
        if not isinstance(instr, ir.Try) or not instr.start <= at < instr.body_stop:
            continue
        for item in instr.catches:
            caught = any(name.rpartition(".")[2] in names for name in item.types)
            if caught and not ends_in_exception(code, item.start, item.stop):
                yield item


def _is_main(member: Member) -> bool:
    """Tell whether Java begins a program with a method."""
    return member.name == "main" and bool(member.modifiers & Modifier.STATIC)
