"""What a call that reads an option says of its value: type, unit, class, and what texts it takes.

Absent: what is done with the value afterwards (``inference``).
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.kinds import kind_of
from conflens.models.load import Models
from conflens.models.schema import ReadRow
from conflens.options.constant_arguments import chain_end_type
from conflens.options.limits import converted
from conflens.options.model import UNLIMITED, Limits, OptionType
from conflens.options.sites import NO_HINT, Hint
from conflens.options.value_names import type_said, words
from conflens.program.body_uses import takers
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.types import JavaType

_GIVES = frozenset({"as", "get", "to"})
_CHAIN = 4
"""Calls on the result of a read that are looked at."""


class Hints:
    """Looks at calls of one program."""

    def __init__(self, program: Program, models: Models) -> None:
        """Look in ``program``, by the rows of ``models``."""
        self.program = program
        self.models = models
        self._texts = {row.domain: row.texts for row in models.domains if row.texts}

    def of(self, context: Context, value: int, call: ir.Call, row: ReadRow) -> Hint:
        """Return what a call that a row describes, at ``value`` if the body has it, says of the option's value."""
        type_ = OptionType(row.value_type) if row.value_type is not None else None
        if row.result == "asked" and value != NONE:
            type_ = _asked_as(context, value)
        unit: str = row.unit or ""
        if row.unit_argument is not None and row.unit_argument < len(call.args):
            unit = self._unit(context, call.args[row.unit_argument]) or unit
        java = ""
        if row.class_argument is not None and row.class_argument < len(call.args):
            literal = context.code[call.args[row.class_argument]]
            if isinstance(literal, ir.ClassLiteral):
                java = self.program.resolve(
                    literal.type, context.ref.path, context.ref.owner
                ).text()
        limits = self._limits(context, call, row, java)
        if type_ is None and not unit and not java and limits == UNLIMITED:
            return NO_HINT
        return Hint(type_, unit, (), java, limits)

    def _limits(self, context: Context, call: ir.Call, row: ReadRow, java: str) -> Limits:
        """Return what the call itself demands of the value; ``java`` is the type that it is asked for."""
        accepts: str = row.accepts or ""
        if not accepts and row.converts and java:
            accepts = converted(JavaType(java), self._texts.get(row.domain, {}))
        if not accepts and row.value_type in ("integer", "fraction"):
            accepts = row.value_type
        supertype = ""
        if row.supertype is not None and row.supertype < len(call.args):
            literal = context.code[call.args[row.supertype]]
            if isinstance(literal, ir.ClassLiteral):
                type_ = self.program.resolve(literal.type, context.ref.path, context.ref.owner)
                supertype = type_.name
        if not accepts and not supertype:
            return UNLIMITED
        return Limits(accepts=accepts, supertype=supertype)

    def _unit(self, context: Context, value: int) -> str:
        instr = context.code[value]
        name = instr.name if isinstance(instr, (ir.Name, ir.Field)) else ""
        for constants in self.models.constants_by_type.values():
            row = constants.get(name)
            if row is not None and row.unit is not None:
                return row.unit
        return ""


def _asked_as(context: Context, value: int) -> OptionType | None:
    """Return the type of what a read gives when it is asked for the value: by the name of the method, ``asTimePeriod(SECONDS)``, or
    by the type of what this is assigned to."""
    for _ in range(_CHAIN):
        calls = _on(context, value)
        if len(calls) != 1:
            return None
        value = calls[0]
        call = context.code[value]
        assert isinstance(call, ir.Call)
        said = words(call.name)
        if said and said[0] in _GIVES:
            kind = (
                ""
                if _on(context, value)
                else kind_of(context.program, chain_end_type(context, value))
            )
            return type_said(call.name) or (OptionType(kind) if kind else None)
    return None


def _on(context: Context, value: int) -> list[int]:
    """Return the calls on an object."""
    return [
        number
        for number in takers(context, value)
        if isinstance(one := context.code[number], ir.Call) and one.object == value
    ]
