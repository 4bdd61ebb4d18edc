"""Maps that a file of beans fills: the keys in them are the file's, and the options are what its values ask for.

``<property name="props"><map><entry key="kafkaPort" value="${kafka.port}"/>`` says that what is looked up under ``kafkaPort`` in the map that
``setProps`` is given, wherever that is handed on, is the option ``kafka.port``.
Absent: how files are read (``documents.configfiles.wiring``), which rows they give (``learned.wires``).
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.origins.backward import parts
from conflens.options.origins.sources import Sources
from conflens.options.reads.opened import place_of
from conflens.program.expressions import Context
from conflens.program.templates import known_text

_Parameter = tuple[str, str, int]
"""A class, a method of it, and one of its parameters."""


def is_wired(sources: Sources, context: Context, value: int, key: int) -> bool:
    """Tell whether a file of beans puts something under a key into a map."""
    wired = sources.models.wired
    text = known_text(sources.tracer.values.of(context, key)) if wired and key != NONE else None
    wanted = {(row.type, row.method, row.parameter) for row in wired if row.key == text}
    if not wanted:
        return False
    given = sources.tracer.values.trail.remembered(
        ("given by", context.ref, place_of(context, value)),
        lambda: _given(sources, context, value),
    )
    return not wanted.isdisjoint(given)


def _given(sources: Sources, context: Context, value: int) -> frozenset[_Parameter]:
    """Return the parameters that a map is, or is made from."""
    return frozenset(
        (part.context.ref.owner, part.context.member.name, part.instr.slot)
        for part in parts(sources.tracer, context, value)
        if isinstance(part.instr, ir.Load)
        and not part.instr.up
        and part.context.is_parameter(part.instr.slot)
    )
