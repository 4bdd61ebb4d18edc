"""The words that a text is compared with, where code does nothing with it by which it could know another one.

Code that tests, reports or throws a text, or what is built from it, knows no word by that.  Code outside of the program,
which may call a getter of a bound class, is not thought of.
Absent: which values there are beside (``asked_values``), whether a comparison lists them all for itself (``open_values``).
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.domain import Followed, Relation, Role, Use
from conflens.flow.uses import Uses
from conflens.models.schema import RECEIVER

_PRINTERS = frozenset({"java.io.PrintStream", "java.io.PrintWriter", "java.io.Console"})
_LOGGERS = ("logger", "log")
"""What the names of classes of loggers end in, and what loggers are called."""


def compared_only(uses: Uses, followed: Followed) -> tuple[str, ...] | None:
    """Return the words; ``None`` where code does, or may do, something else with the text."""
    if not followed.uses or not followed.within:
        return None
    words: dict[str, None] = {}
    for use in followed.uses:
        if use.role is Role.RETURNED:
            continue
        code = uses.code(use.ref)
        if use.role in (Role.COMPARED, Role.SWITCHED):
            found = _words(uses, code, use)
            if found is None:
                return None
            words.update(dict.fromkeys(found))
        elif not _is_told(code, use):
            return None
    return tuple(words)


def _words(uses: Uses, code: Code, use: Use) -> list[str] | None:
    """Return the constants that a text is compared with; ``None`` if one is not known."""
    instr = code.code[use.index]
    values = [use.other]
    if isinstance(instr, ir.Switch):
        values = [value for case in instr.cases for value in case.labels]
    found: list[str] = []
    for value in values:
        const = code.code[value] if value != NONE else None
        if isinstance(const, ir.Const) and const.kind == "n":
            continue
        text = uses.transfer.constant(code, value)
        if text is None or use.trace.relation is not Relation.SAME:
            return None
        found.append(text)
    return found


def _is_told(code: Code, use: Use) -> bool:
    """Tell whether a text, or what is built from it, is only tested, reported, or thrown."""
    instr = code.code[use.index]
    match use.role:
        case Role.CONDITION | Role.ARITHMETIC:
            return True
        case Role.MEASURED:
            return not (isinstance(instr, ir.Call) and use.place == RECEIVER and instr.args)
        case Role.STORED:
            return isinstance(instr, ir.Throw)
        case Role.ARGUMENT if isinstance(instr, ir.Call):
            return use.place != RECEIVER and _reports(code, instr)
        case _:
            return False


def _reports(code: Code, call: ir.Call) -> bool:
    """Tell whether a call writes what it is given into a log, or prints it."""
    if call.object == NONE:
        return False
    type_ = code.context.type_of(call.object)
    if type_ is not None:
        return type_.name in _PRINTERS or type_.name.lower().endswith(_LOGGERS)
    holder = code.code[call.object]
    return isinstance(holder, (ir.Name, ir.Field)) and holder.name.lower() in _LOGGERS
