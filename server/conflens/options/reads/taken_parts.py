"""Helpers that take a part out of a tree which they are given: ``static JsonNode part(JsonNode tree, String key) { return tree.get(key); }``.

The part is that of the tree that this call hands over, not of those that others do.  It may come in an ``Optional``, and from a
helper of the helper; where there is none, the helper may return nothing.
Absent: parts of a tree that an object holds (``prefixes``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.schema import PrefixRow
from conflens.options.origins.optionals import given, held
from conflens.options.origins.tracing import root
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.templates import Part, Templates, concat, substitute
from conflens.program.values import Values

_LINKS = 12
_DEPTH = 4
Rows = Callable[[Context, int, ir.Call], Iterable[PrefixRow]]


class Taken(NamedTuple):
    """What a helper returns: the part below ``start`` of what it is given for the parameter ``slot``."""

    slot: int
    start: Templates


class TakenParts:
    """Finds such helpers in one program."""

    def __init__(self, values: Values, rows: Rows) -> None:
        """``rows`` are those that say of a call that it takes a part out."""
        self._values = values
        self._rows = rows

    def of(self, ref: MemberRef, depth: int = 0) -> Taken | None:
        """Return what a helper takes out; ``None`` for another method."""
        if depth > _DEPTH or len(self._values.program.member(ref).params) < 2:
            return None
        return self._values.trail.remembered(("taken", ref), lambda: self._of(ref, depth))

    def _of(self, ref: MemberRef, depth: int) -> Taken | None:
        inner = self._values.open(ref)
        found: Taken | None = None
        for value in given(inner):
            taken = self.path(inner, value, depth)
            if taken is None or (found is not None and taken != found):
                return None
            found = taken
        return found

    def path(self, context: Context, value: int, depth: int = 0) -> Taken | None:
        """Return the way from a parameter to a value."""
        start: Templates = (("",),)
        for _ in range(_LINKS):
            value = root(context, value)
            instr = context.code[value] if value != NONE else None
            if isinstance(instr, ir.Load) and not instr.up and context.is_parameter(instr.slot):
                return Taken(instr.slot, start) if start != (("",),) else None
            if not isinstance(instr, ir.Call):
                return None
            inside = held(context, value, instr)
            row = next(iter(self._rows(context, value, instr)), None)
            if inside != NONE:
                value = inside
            elif row is not None:
                key = self._values.of(context, instr.args[row.argument], 1)
                start = concat(concat(key, ((row.separator,),)), start)
                value = instr.object
            else:
                targets = context.targets(value)
                taken = self.of(targets[0], depth + 1) if targets else None
                if taken is None or taken.slot >= len(instr.args):
                    return None
                start = concat(filled(self._values, context, instr, taken), start)
                value = instr.args[taken.slot]
        return None


def filled(values: Values, context: Context, call: ir.Call, taken: Taken) -> Templates:
    """Return the start of the keys below what a call of a helper takes out."""

    def fill(part: Part) -> Templates:
        return values.open_filled(context, call.object, call.args, part)

    return substitute(taken.start, fill)
