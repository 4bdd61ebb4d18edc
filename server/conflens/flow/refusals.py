"""Exits by which an arm refuses the value that was tested: exceptions, and results that tell of a failure.

Absent: which arm leaves by which exit (``guards``).
"""

from __future__ import annotations

import re

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code

_THROWABLE = "java.lang.Throwable"
_FAILURES = frozenset({"error", "fail", "failed", "failure"})
_WORD = re.compile(r"[A-Z]?[a-z]+")


def is_refusal(code: Code, exit_: int) -> bool:
    """Tell whether an exit is an exception: thrown, or made and handed back, as in ``return Future.failed(new Invalid())``.

    So is one that has been handed to somebody else right before: ``listener.onFailure(new Invalid()); return;``, and a result that a
    class makes for a failure, as its name says: ``return Result.error("too small")``.
    """
    leave = code.code[exit_]
    if not isinstance(leave, ir.Return):
        return isinstance(leave, ir.Throw)
    result = code.code[leave.value if leave.value != NONE else exit_ - 1]
    made = result.args if isinstance(result, (ir.Call, ir.New)) else ()
    if leave.value != NONE and _is_failure(code, result):
        return True
    if leave.value == NONE and not _is_of_another(code, result):
        # What the object does itself about a failure is no refusal.
        return False
    return any(isinstance(code.code[arg], ir.New) and _is_exception(code, arg) for arg in made)


def _is_of_another(code: Code, call: ir.Instr) -> bool:
    """Tell whether a call is made on another object than the one at hand."""
    return (
        isinstance(call, ir.Call)
        and call.object != NONE
        and not isinstance(code.code[call.object], ir.This)
    )


def _is_failure(code: Code, result: ir.Instr) -> bool:
    """Tell whether a class is asked for a result of which the name says that it is a failure."""
    return (
        isinstance(result, ir.Call)
        and result.object != NONE
        and code.context.denotes(result.object) is not None
        and not _FAILURES.isdisjoint(word.lower() for word in _WORD.findall(result.name))
    )


def fails(code: Code, exit_: int) -> bool:
    """Tell whether an exit gives a negative number that is spelt out, as programs and searches do that have failed."""
    leave = code.code[exit_]
    value = leave.value if isinstance(leave, ir.Return) else NONE
    number = code.code[value] if value != NONE else None
    if not isinstance(number, ir.Unary) or number.op != "-":
        return False
    operand = code.code[number.operand]
    return isinstance(operand, ir.Const) and operand.kind == "i"


def _is_exception(code: Code, value: int) -> bool:
    """Tell whether a value is an exception: by its classes, or by the name of one of them of which no source is known."""
    type_, program = code.context.type_of(value), code.context.program
    if type_ is None:
        return False
    names = (type_.name, *program.supertypes(type_.name))
    return _THROWABLE in names or any(
        name.endswith("Exception")
        for name in names
        if program.type(name) is None and program.jdk_type(name) is None
    )
