"""Reads from a tree that a library makes of a file, such as an XML document.

Absent: which files count (``origins.sources``); which calls read from a tree (rows whose evidence is ``opened``).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import attrs

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.schema import ReadRow
from conflens.options.origins.sources import ENTERED, Sources
from conflens.options.origins.tracing import root
from conflens.options.reads.beginnings import holes
from conflens.options.sites import Site
from conflens.program.body_uses import holders, loads, takers
from conflens.program.expressions import Context
from conflens.program.templates import known_text

FAR = -4
"""Where the count of calls and fields begins for what a helper is given, which is a part of a part."""
_STEPS = 8
"""Calls from a node back to the tree that a method is given."""


def is_opened(sources: Sources, context: Context, asked: int, hops: int = 0) -> bool:
    """Tell whether the object that is asked comes from a file that the program itself names as configuration.

    Fewer ``hops`` than none lead further back.
    """
    if asked == NONE:
        return False
    if is_own_tree(sources, context, asked):
        return _is_own_opened(sources, context, asked, hops)
    return sources.tracer.values.trail.remembered(
        ("opened", context.ref, place_of(context, asked), hops),
        lambda: sources.opened(context, asked, hops=hops),
    )


def is_own_tree(sources: Sources, context: Context, value: int) -> bool:
    """Tell whether a value is a tree of the project's own class (``learned.own_trees``)."""
    type_ = context.type_of(value) if sources.tracer.own_trees and value != NONE else None
    return type_ is not None and type_.name in sources.tracer.own_trees


def _is_own_opened(sources: Sources, context: Context, asked: int, hops: int) -> bool:
    """Tell the same of a tree of the project's own class, which holds all that the project sends and keeps: a class that is called
    configuration must ask it, and something on the way must be a file."""
    return sources.is_in_configuration(context) and sources.tracer.values.trail.remembered(
        ("own opened", context.ref, place_of(context, asked), hops),
        lambda: (
            sources.opened(context, asked, hops=hops)
            and sources.of(context, (asked,), hops, sources.formats) == ENTERED
        ),
    )


def place_of(context: Context, value: int) -> tuple[str, int]:
    """Return what tells an object from others of its body: the local that holds it, else its instruction."""
    instr = context.code[value] if value != NONE else None
    if isinstance(instr, ir.Load) and not instr.up:
        return "local", instr.slot
    return "value", value


def given_tree(context: Context, value: int) -> int:
    """Return the parameter that gives the tree which a node is taken from, ``NONE`` if it comes from elsewhere."""
    for _ in range(_STEPS):
        value = root(context, value)
        instr = context.code[value] if value != NONE else None
        if isinstance(instr, ir.Load) and not instr.up and context.is_parameter(instr.slot):
            return instr.slot
        if not isinstance(instr, ir.Call) or instr.object == NONE:
            break
        value = instr.object
    return NONE


def of_tree(
    sources: Sources, context: Context, site: Site | None, asked: int, hops: int = 0
) -> Site | None:
    """Return a read of a tree that is configuration, else ``None``; one that takes its name and the tree from a caller is judged
    by that one's."""
    tree = given_tree(context, asked) if site is not None and holes(site.names) else NONE
    if site is not None and tree != NONE:
        return attrs.evolve(site, tree=tree)
    return site if is_opened(sources, context, asked, hops) else None


def weight(sources: Sources, row: ReadRow, score: int, context: Context, call: ir.Call) -> int:
    """Return what speaks for a lookup beside its role, whose score is ``score``: the API, or else the file that it leads to."""
    if row.domain == "properties":
        return 1
    named = row.evidence == "entered" and score == 0
    return int(named and is_opened(sources, context, call.object))


def is_section(sources: Sources, context: Context, value: int) -> bool:
    """Tell whether what a call returns only holds more: something is looked up in it under a known name."""
    values = sources.tracer.values
    asked = values.trail.remembered(("asked", context.ref), partial(_asked_in, sources, context))
    return value in asked or _is_handed(sources, context, value)


def _is_handed(sources: Sources, context: Context, value: int) -> bool:
    """Tell whether a method of the project is given a value and looks something up in it under a known name."""
    casts = [one for one in takers(context, value) if isinstance(context.code[one], ir.Cast)]
    every = (value, *casts)
    return any(_is_given(sources, context, one) for one in every) or any(
        _is_local_given(sources, context, slot) for one in every for slot in holders(context, one)
    )


def _is_local_given(sources: Sources, context: Context, slot: int) -> bool:
    """Tell the same of a local; looked up once, however many values it is assigned."""
    return sources.tracer.values.trail.remembered(
        ("handed local", context.ref, slot),
        lambda: any(_is_given(sources, context, load) for load in loads(context, slot)),
    )


def _is_given(sources: Sources, context: Context, given: int) -> bool:
    """Tell whether a method of the project has a value as argument and looks something up in it."""
    trail = sources.tracer.values.trail
    for taker in takers(context, given):
        call = context.code[taker]
        if not isinstance(call, (ir.Call, ir.New)) or given not in call.args:
            continue
        for target in context.targets(taker)[:1]:
            slot = call.args.index(given)
            inner = sources.tracer.values.open(target)
            asked = trail.remembered(("asked", target), partial(_asked_in, sources, inner))
            if not asked.isdisjoint(loads(inner, slot)):
                return True
    return False


def _asked_in(sources: Sources, context: Context) -> frozenset[int]:
    return frozenset(_asked(sources, context))


def _asked(sources: Sources, context: Context) -> Iterator[int]:
    """Yield the values in which calls of one body look something up under a known name, behind casts and locals."""
    for number, call in context.calls():
        if not isinstance(call, ir.Call) or call.object == NONE:
            continue
        rows = sources.models.reads_by_method.get(call.name, ())
        if rows and context.targets(number):
            rows = tuple(row for row in rows if row.own)
        names = {row.name for row in rows if row.evidence != "certain" and not row.write}
        for name in names:
            if isinstance(name, int) and 0 <= name < len(call.args):
                text = known_text(sources.tracer.values.of(context, call.args[name]))
                if text is not None:
                    yield root(context, call.object)
