"""Lookups that fill an object of the project instead of giving a single value: ``bind("pool", PoolConfig.class)``.

Absent: what such a call binds (``binding``), also where it is given the class by its callers.
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.models.load import Models
from conflens.program.expressions import Context


def fills_class(models: Models, context: Context, call: ir.Call) -> bool:
    """Tell whether a call that rows of bindings speak of is given the class of one here, on its own or in a description of types."""
    for row in models.bindings_by_method.get(call.name, ()):
        place = row.argument
        if row.prefix is None or place is None or not 0 <= place < len(call.args):
            continue
        given = context.code[call.args[place]]
        for part in (given, *(context.code[one] for one in ir.operands(given) if one >= 0)):
            if isinstance(part, ir.ClassLiteral):
                named = context.program.resolve(part.type, context.ref.path, context.ref.owner)
                if context.program.type(named.name) is not None:
                    return True
    return False
