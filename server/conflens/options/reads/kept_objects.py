"""What the objects were made of that a value can be: ``new Plugin(name, options)`` behind ``plugin.options()``.

Each use of a class that keeps a part of a configuration has that of its own object, not that of all.
Absent: objects of which not all constructors tell what they keep (``prefixes`` looks at the field then).
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.options.origins.backward import parts
from conflens.options.origins.handed import is_map
from conflens.options.origins.tracing import Tracer, root
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef


def kept_by(
    tracer: Tracer, context: Context, value: int, field: MemberRef
) -> list[tuple[Context, int]]:
    """Return what the objects were made of that they keep in a field; nothing if one of the constructors does not tell."""
    found: list[tuple[Context, int]] = []
    for part in parts(tracer, context, value):
        made = part.instr
        type_ = part.context.type_of(part.value) if isinstance(made, ir.New) else None
        if type_ is None or type_.name != field.owner or not isinstance(made, ir.New):
            continue
        makers = part.context.targets(part.value)[:1]
        stores = [one for one in tracer.values.stores(field) if one[0].ref in makers]
        if len(stores) != 1:
            return []
        place, kept = stores[0][0], _copied(tracer, stores[0][0], stores[0][1].value)
        load = place.code[kept]
        if not isinstance(load, ir.Load) or load.up or not place.is_parameter(load.slot):
            found.append((place, kept))
        elif load.slot < len(made.args):
            found.append((part.context, made.args[load.slot]))
    return found


def _copied(tracer: Tracer, context: Context, value: int) -> int:
    """Return the map of which a value is a view or a copy, such as ``Map.copyOf(options)``; else what it is behind locals."""
    value = root(context, value)
    call = context.code[value]
    if isinstance(call, ir.Call) and len(call.args) == 1 and not context.targets(value):
        given = root(context, call.args[0])
        return given if is_map(tracer, context, given) else value
    return value
