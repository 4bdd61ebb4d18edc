"""Helpers that look for the node of a given name: ``getTagValue(node, "port")`` goes through the children of a node and returns
the text of the one whose name is the argument.

The comparison names what its caller asks for, and the text of the node that is compared is the value.
Absent: comparisons with constants (``dispatch``); whether the tree is configuration (``opened``).
"""

from __future__ import annotations

from collections.abc import Iterator

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.transfer import EQUALITY
from conflens.options.model import ReadKind
from conflens.options.origins.tracing import root
from conflens.options.reads.nodes import NODES, Nodes
from conflens.options.sites import Site
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.templates import Param

_ARM = 40
"""Instructions behind a comparison among which the text of the node stands."""


def picked(
    program: Program, nodes: Nodes, context: Context, value: int, call: ir.Call
) -> Iterator[tuple[Site, int]]:
    """Yield the read that a comparison with a parameter is, and the node that is compared."""
    for asked, given, name in _compared(program, nodes, context, call):
        text = _text(nodes, context, value, nodes.of(context, asked.object))
        if text == NONE:
            continue
        base = context.member.at
        at, end = base + call.name_at, base + call.end
        yield (
            Site(
                context.ref,
                text,
                ReadKind.CALL,
                NODES,
                f"Node.{asked.name}",
                ((Param(given.slot),),),
                name,
                at,
                end,
                end,
                base + given.at,
                base + given.end,
                followed=text,
                sure=False,
            ),
            asked.object,
        )


def picks(program: Program, nodes: Nodes, context: Context) -> tuple[int, int]:
    """Return the parameters that name the node which a helper gives back, and below which it looks; ``NONE`` for none.

    The other parameter is the one that is no text.
    """
    for _, call in context.calls():
        if isinstance(call, ir.Call):
            for _, given, _ in _compared(program, nodes, context, call):
                others = (slot for slot in range(len(context.member.params)) if slot != given.slot)
                return given.slot, next(others, NONE)
    return NONE, NONE


def _compared(
    program: Program, nodes: Nodes, context: Context, call: ir.Call
) -> Iterator[tuple[ir.Call, ir.Load, int]]:
    """Yield the call that gives the name of a node and the parameter, with its place, that a call compares it with."""
    if call.name not in EQUALITY or call.object == NONE or len(call.args) != 1:
        return
    for subject, name in ((call.object, call.args[0]), (call.args[0], call.object)):
        asked, given = context.code[root(context, subject)], context.code[name]
        if (
            not isinstance(asked, ir.Call)
            or asked.name not in nodes.names
            or asked.object == NONE
            or not isinstance(given, ir.Load)
            or given.up
            or not context.is_parameter(given.slot)
        ):
            continue
        type_ = context.receiver_type(asked)
        if type_ is None or program.type(type_.name) is None:
            yield asked, given, name


def _text(nodes: Nodes, context: Context, value: int, node: object) -> int:
    """Return the call that gives the text of the node behind a comparison of its name."""
    if node is None:
        return NONE
    for number in range(value + 1, min(value + _ARM, len(context.code))):
        if nodes.of_text(context, context.code[number]) == node:
            return number
    return NONE
