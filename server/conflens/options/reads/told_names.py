"""Names that a call tells a library, below which it reads options: ``registry.rateLimiter(key, "login")`` makes it read
``resilience4j.ratelimiter.configs.login.limit-for-period`` and others.

This holds only for objects that the framework makes: one that the program makes itself (``RateLimiterRegistry.of(config)``)
is configured by the program.
Absent: names that annotations tell (``declared.annotations``).
"""

from __future__ import annotations

import re

import attrs

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.schema import ReadRow
from conflens.options.origins.backward import parts
from conflens.options.origins.tracing import Tracer
from conflens.options.reads.prefixes import owners_of
from conflens.options.sites import Site
from conflens.program.expressions import Context
from conflens.program.templates import concat, known_text

_PART = re.compile(r"[\w.-]+")
"""A name below which others stand: no address and no reference."""


def told(
    tracer: Tracer, context: Context, call: ir.Call, row: ReadRow, site: Site | None
) -> list[Site]:
    """Return the read of what a row says of a call, below the name that the call tells; nothing if it tells none."""
    if site is None or not isinstance(row.name, int):
        return []
    text = known_text(site.names)
    type_ = context.type_of(call.args[row.name])
    is_text = type_ is not None and type_.name == "java.lang.String"
    if not (is_text if text is None else _PART.fullmatch(text)):
        return []
    if row.made_by and _is_made(tracer, context, call, row):
        return []
    names = concat(concat(((row.root,),), site.names), ((row.suffix,),))
    return [attrs.evolve(site, names=names, followed=NONE)]


def _is_made(tracer: Tracer, context: Context, call: ir.Call, row: ReadRow) -> bool:
    """Tell whether the program makes the object that is asked itself."""
    place = context.field_of(call.object) or call.object
    return tracer.values.trail.remembered(
        ("made here", context.ref, place, row.made_by),
        lambda: any(
            isinstance(part.instr, ir.Call)
            and part.instr.name in row.made_by
            and row.type in owners_of(part.context, part.instr)
            for part in parts(tracer, context, call.object)
        ),
    )
