"""The class of the value that a fact carries, directly or in a container, where the types alone do not show it: ``Map<String, ?>``.

Only what passes the value on unchanged counts: locals, casts, and what containers take and give (rows).  Of a container inside another
container nothing is known.  Absent: which conditions a class settles (``settled``).
"""

from __future__ import annotations

from collections.abc import Callable

from conflens.facts import ir
from conflens.flow.code import Code
from conflens.flow.forms import Fact, Kind
from conflens.flow.library import Library
from conflens.flow.making import Slice
from conflens.flow.results import StepRole
from conflens.models.schema import RECEIVER
from conflens.program.types import OBJECT, JavaType

Exact = Callable[[JavaType | None], str]
"""Returns the class without subclasses of which the objects of a type are, or an empty text."""


def carried_class(
    library: Library, exact: Exact, code: Code, slice_: Slice, fact: Fact | None, before: str
) -> str:
    """Return the class of the value, or an empty text; ``before`` is what is known of it where the slice begins."""
    while fact is not None and fact in slice_.came:
        library.program.meter.spend()
        index, form = fact
        came = slice_.came[fact]
        type_ = code.context.type_of(index)
        if form.kind is Kind.VALUE:
            if found := exact(type_):
                return found
            if type_ is not None and type_.name != OBJECT.name and not _holds(library, type_):
                return ""
        elif form.kind is Kind.HELD:
            if type_ is not None and _holds(library, type_) and (found := exact(type_.args[-1])):
                return found
            stored = any(role is StepRole.STORE for _, role in came.steps)
            if stored and came.before is not None and came.before[1].kind is not Kind.VALUE:
                return ""
        else:
            return ""
        if not _is_handed_on(library, code, index, came.before):
            return ""
        fact = came.before
    return before


def holds_any(library: Library, exact: Exact, type_: JavaType) -> bool:
    """Tell whether a type does not say of which class what its objects hold is."""
    return not (_holds(library, type_) and exact(type_.args[-1]))


def _holds(library: Library, type_: JavaType) -> bool:
    """Tell whether a type is a container of the Java class library whose last argument is the type of what it holds."""
    return bool(type_.args) and library.program.jdk_type(type_.name) is not None


def _is_handed_on(library: Library, code: Code, index: int, before: Fact | None) -> bool:
    """Tell whether an instruction gives just what it gets, or what a container holds."""
    instr = code.code[index]
    match instr:
        case ir.Load() | ir.Cast() | ir.NewArray():
            return True
        case ir.Index():
            return before is not None and before[1].kind is Kind.HELD
        case ir.Call() if before is not None:
            functions = any(
                isinstance(code.code[arg], (ir.Lambda, ir.MethodRef)) for arg in instr.args
            )
            return (
                not functions
                and before[0] == instr.object
                and library.cell(code, index, RECEIVER) is not None
            )
        case _:
            return False
