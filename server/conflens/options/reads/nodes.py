"""The nodes of trees whose names and texts are asked, by rows on parsers.

Absent: whether a tree is configuration (``opened``); comparisons of names (``dispatch``, ``picked_nodes``).
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.load import Models
from conflens.program.expressions import Context

NODES = "xml"
"""The domain of what is compared with the name of an element or attribute."""


class Nodes:
    """What rows say of calls that ask nodes."""

    def __init__(self, models: Models | None) -> None:
        """Use the rows of ``models``."""
        methods = models.node_methods if models is not None else {}
        nothing = frozenset[str]()
        self.names = methods.get("name", nothing)
        """Calls that give the name of the node at hand."""
        self.objects = methods.get("node", nothing)
        """Calls on the way from an event of a parser to that name."""
        self._texts = methods.get("text", nothing)
        self._children = methods.get("child", nothing)
        self._items = methods.get("item", nothing)

    def of(self, context: Context, value: int) -> object:
        """Return what identifies the node, or the parser that stands at it, whose name is asked."""
        while value != NONE and isinstance(instr := context.code[value], (ir.Call, ir.Cast)):
            if isinstance(instr, ir.Cast):
                value = instr.value
            elif instr.name in self.objects:
                value = instr.object
            else:
                break
        if value == NONE:
            return None
        found = context.code[value]
        known = not isinstance(found, ir.Call) or found.name in self._items
        return source_of(context, value) if known else None

    def of_text(self, context: Context, instr: ir.Instr) -> object:
        """Return what identifies the node whose text a call gives, which may be the text of its first child; else ``None``."""
        if not isinstance(instr, ir.Call) or instr.name not in self._texts or instr.object == NONE:
            return None
        child = context.code[instr.object]
        if isinstance(child, ir.Call) and child.name in self._children:
            return self.of(context, child.object)
        return self.of(context, instr.object)


def source_of(context: Context, value: int) -> object:
    """Return what identifies the array, iterator or queue that a value is taken from."""
    if value == NONE:
        return None
    instr = context.code[value]
    if isinstance(instr, ir.Load):
        return ("local", instr.slot)
    if isinstance(instr, (ir.Name, ir.Field)):
        return ("field", instr.name)
    if isinstance(instr, ir.Call) and instr.object != NONE:
        return source_of(context, instr.object)
    return None
