"""Helpers that take a part out of a tree which they are given: ``static JsonNode part(JsonNode tree, String key) { return tree.get(key); }``.

The part is that of the tree that this call hands over, not of those that others do.  It may come in an ``Optional``, from a
helper of the helper, in an object of the project's own class that keeps it and is a tree itself, and merged with defaults; where there
is none, the helper may return nothing, or an empty tree.
Absent: parts of a tree that an object holds (``prefixes``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.schema import PrefixRow
from conflens.options.origins.optionals import given, held
from conflens.options.origins.tracing import root
from conflens.program.body_uses import called
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.templates import Part, Templates, concat, substitute
from conflens.program.types import STRING
from conflens.program.values import Values

_LINKS = 12
_DEPTH = 4
_STORES = 6
_WHOLE: Templates = (("",),)
Rows = Callable[[Context, int, ir.Call], Iterable[PrefixRow]]


class Taken(NamedTuple):
    """What a helper returns: the part below ``start`` of what it is given for the parameter ``slot``."""

    slot: int
    start: Templates


class Known(NamedTuple):
    """What rows say: which calls take a part out, which types are configuration, and which values are empty parts."""

    rows: Rows
    is_configuration: Callable[[str], bool]
    is_empty: Callable[[Context, int], bool]


class TakenParts:
    """Finds such helpers in one program."""

    def __init__(self, values: Values, known: Known) -> None:
        """``known`` is what rows say."""
        self._values = values
        self._known = known

    def of(self, ref: MemberRef, depth: int = 0) -> Taken | None:
        """Return what a helper takes out, or what an object that a constructor makes keeps; ``None`` for another one."""
        if depth > _DEPTH or not self._values.program.member(ref).params:
            return None
        return self._values.trail.remembered(("taken", ref, depth), lambda: self._of(ref, depth))

    def _of(self, ref: MemberRef, depth: int) -> Taken | None:
        inner = self._values.open(ref)
        if inner.member.kind != "constructor":
            return _only(self._way(inner, one, depth) for one in self._full(inner, given(inner)))
        if not self._known.is_configuration(ref.owner):
            return None
        ways = [self._way(inner, value, depth) for value in self._kept(inner)]
        for value, call in called(inner, "<init>"):
            handed = self._handed(inner, value, call, depth)
            ways += [self._way(inner, handed[0], depth + 1)] if handed is not None else []
        return _only(ways)

    def _kept(self, constructor: Context) -> Iterator[int]:
        """Yield what a constructor stores in fields of its object that are configuration."""
        for instr in constructor.code:
            field = constructor.target_field(instr) if isinstance(instr, ir.StoreField) else None
            if isinstance(instr, ir.StoreField) and field is not None:
                kind = self._values.program.field_type(field).name
                if field.owner == constructor.ref.owner and self._known.is_configuration(kind):
                    yield instr.value

    def path(self, context: Context, value: int) -> Taken | None:
        """Return the way from a parameter to a part of what it gives; ``None`` also for the whole."""
        found = self.way(context, value)
        return found if found is not None and found.start != _WHOLE else None

    def way(self, context: Context, value: int) -> Taken | None:
        """Return the way from a parameter to what it gives, or to a part of that."""
        return self._way(context, value, 0)

    def passed(self, context: Context, value: int, call: ir.Call) -> int:
        """Return the configuration that a library's call gives back, merged or resolved, with the same names; else ``NONE``."""
        if call.object == NONE or context.targets(value):
            return NONE
        types = context.receiver_type(call), context.type_of(value)
        if not all(one is not None and self._known.is_configuration(one.name) for one in types):
            return NONE
        texts = (context.type_of(arg) for arg in call.args)
        return NONE if any(one == STRING for one in texts) else call.object

    def _way(self, context: Context, value: int, depth: int) -> Taken | None:
        start = _WHOLE
        for _ in range(_LINKS):
            self._values.program.meter.spend()
            value = root(context, value)
            instr = context.code[value] if value != NONE else None
            match instr:
                case ir.Load(up=0):
                    return _below(self._loaded(context, instr.slot, depth), start)
                case ir.Choice() if depth <= _DEPTH:
                    arms = self._full(context, (instr.then, instr.other))
                    return _below(_only(self._way(context, arm, depth + 1) for arm in arms), start)
                case ir.Call() if (inside := self._inside(context, value, instr)) != NONE:
                    value = inside
                case ir.Call() if row := next(iter(self._known.rows(context, value, instr)), None):
                    key = self._values.of(context, instr.args[row.argument], 1)
                    start = concat(concat(key, ((row.separator,),)), start)
                    value = instr.object
                case ir.Call() | ir.New():
                    handed = self._handed(context, value, instr, depth)
                    if handed is None:
                        return None
                    value, own = handed
                    start = concat(own, start)
                case _:
                    return None
        return None

    def _handed(
        self, context: Context, value: int, call: ir.Call | ir.New, depth: int
    ) -> tuple[int, Templates] | None:
        """Return what a helper, or an object that is made, is given, and where below that its part begins."""
        targets = context.targets(value)
        taken = self.of(targets[0], depth + 1) if targets else None
        if taken is None or taken.slot >= len(call.args):
            return None
        return call.args[taken.slot], filled(self._values, context, call, taken)

    def _inside(self, context: Context, value: int, call: ir.Call) -> int:
        inside = held(context, value, call)
        if inside != NONE or next(iter(self._known.rows(context, value, call)), None) is not None:
            return inside
        return self.passed(context, value, call)

    def _loaded(self, context: Context, slot: int, depth: int) -> Taken | None:
        """Return the way to a parameter, or to a local that all its assignments lead to in one way."""
        stores = context.stores(slot, _STORES)
        if context.is_parameter(slot):
            return None if stores else Taken(slot, _WHOLE)
        if depth > _DEPTH or not 1 < len(stores) < _STORES:
            return None
        return _only(self._way(context, one, depth + 1) for one in self.assigned(context, slot))

    def assigned(self, context: Context, slot: int) -> Iterator[int]:
        """Yield what is assigned to a local, without empty parts and what is made of its own earlier value; nothing if that is much."""
        stored = [store.value for store in context.stores(slot, _STORES)]
        if len(stored) == _STORES:
            return
        for value in self._full(context, stored):
            if not self._is_own(context, value, slot):
                yield value

    def _full(self, context: Context, values: Iterable[int]) -> Iterator[int]:
        return (value for value in values if not self._known.is_empty(context, value))

    def _is_own(self, context: Context, value: int, slot: int) -> bool:
        for _ in range(_LINKS):
            instr = context.code[value] if value != NONE else None
            if isinstance(instr, ir.Cast):
                value = instr.value
            elif isinstance(instr, ir.Call):
                value = self.passed(context, value, instr)
            else:
                return isinstance(instr, ir.Load) and not instr.up and instr.slot == slot
        return False


def _only(ways: Iterable[Taken | None]) -> Taken | None:
    """Return the one way that all are; ``None`` if they differ or there is none."""
    found = set(ways)
    return found.pop() if len(found) == 1 else None


def _below(taken: Taken | None, start: Templates) -> Taken | None:
    return Taken(taken.slot, concat(taken.start, start)) if taken is not None else None


def filled(values: Values, context: Context, call: ir.Call | ir.New, taken: Taken) -> Templates:
    """Return the start of the keys below what a call of a helper takes out."""
    receiver = call.object if isinstance(call, ir.Call) else NONE

    def fill(part: Part) -> Templates:
        return values.open_filled(context, receiver, call.args, part)

    return substitute(taken.start, fill)
