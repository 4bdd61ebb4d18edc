"""What a call that reads an option says of its value: type, unit, class, and what texts it takes.

Absent: what is done with the value afterwards (``inference``).
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.models.load import Models
from conflens.models.schema import ReadRow
from conflens.options.limits import converted
from conflens.options.model import UNLIMITED, Limits, OptionType
from conflens.options.sites import NO_HINT, Hint
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.types import JavaType


class Hints:
    """Looks at calls of one program."""

    def __init__(self, program: Program, models: Models) -> None:
        """Look in ``program``, by the rows of ``models``."""
        self.program = program
        self.models = models
        self._texts = {row.domain: row.texts for row in models.domains if row.texts}

    def of(self, context: Context, call: ir.Call, row: ReadRow) -> Hint:
        """Return what a call that a row describes says of the value."""
        type_ = OptionType(row.value_type) if row.value_type is not None else None
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
        name = instr.name if isinstance(instr, ir.Name | ir.Field) else ""
        for constants in self.models.constants_by_type.values():
            row = constants.get(name)
            if row is not None and row.unit is not None:
                return row.unit
        return ""
