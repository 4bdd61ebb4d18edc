"""Reads from a tree that a library makes of a file, such as an XML document.

Absent: which files count (``origins.sources``); which calls read from a tree (rows whose evidence is ``opened``).
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.load import Models
from conflens.models.schema import ReadRow
from conflens.options.origins.sources import Sources
from conflens.options.origins.tracing import root
from conflens.program.expressions import Context


def is_opened(sources: Sources, context: Context, call: ir.Call) -> bool:
    """Tell whether the object that is asked comes from a file that the program itself names as configuration."""
    if call.object == NONE:
        return False
    instr = context.code[call.object]
    place = ("local", instr.slot) if isinstance(instr, ir.Load) and not instr.up else call.object
    return sources.tracer.values.trail.remembered(
        ("opened", context.ref, place), lambda: sources.opened(context, call.object)
    )


def is_section(models: Models, context: Context, value: int, row: ReadRow) -> bool:
    """Tell whether more is read from inside what a call returns."""
    return row.result == "holder" and any(
        isinstance(call, ir.Call)
        and call.object != NONE
        and root(context, call.object) == value
        and any(inner.evidence == "opened" for inner in models.reads_by_method.get(call.name, ()))
        for _, call in context.calls()
    )
