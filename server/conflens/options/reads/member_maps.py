"""Keys asked of a map that is a member of a bound class: ``properties.getProducer().get("acks")`` is ``kafka.producer.acks``.

The map is followed back through locals, choices, copies, accessors, fields and parameters to the member.  A member that
several bound classes inherit counts for those whose objects may be asked there.
Absent: which classes are bound (``binding``); maps in maps (``origins.sections``).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.origins.tracing import Tracer, root
from conflens.options.sites import Found
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef

HOPS = 4
"""Calls, fields and parameters between a lookup and the member."""

MOST = 64
"""Callers and assignments that are followed at each step."""

LOOKS = 200
"""Values on the way to a member that are looked at."""
_MANY = "a map that members of bound classes hold may be more of them than are looked at here"


class _Place(NamedTuple):
    """A value that the map comes from, so many hops away."""

    context: Context
    value: int
    hops: int


class MemberMaps:
    """The maps that members of bound classes hold."""

    def __init__(self, tracer: Tracer, founds: Iterable[Found] = ()) -> None:
        """Follow with ``tracer``; ``founds`` are what is declared."""
        self._tracer = tracer
        self._values = tracer.values
        self._program = tracer.program
        self._held: dict[MemberRef, list[Found]] = {}
        for found in founds:
            if found.inside and found.member is not None and found.name.endswith(".*"):
                self._held.setdefault(found.member, []).append(found)

    def of(self, context: Context, value: int) -> tuple[Found, ...]:
        """Return the members that a map may be."""
        if not self._held or value == NONE:
            return ()
        found: dict[Found, None] = {}
        queue, seen = deque([_Place(context, value, 0)]), set[object]()
        while queue and len(seen) < LOOKS and len(found) < MOST:
            place = queue.popleft()
            value = root(place.context, place.value)
            if value == NONE or (place.context.ref, value) in seen:
                continue
            seen.add((place.context.ref, value))
            self._program.meter.spend()
            for one in self._of(place.context, value, place.hops):
                if isinstance(one, _Place):
                    queue.append(one)
                else:
                    found[one] = None
        if queue:
            self._values.cut(context.ref, _MANY)
        return tuple(found)[:MOST]

    def _of(self, context: Context, value: int, hops: int) -> Iterator[Found | _Place]:
        """Yield the members that a map is, or what it is taken from."""
        instr = context.code[value]
        match instr:
            case ir.Choice():
                yield _Place(context, instr.then, hops)
                yield _Place(context, instr.other, hops)
            case ir.New() if len(instr.args) == 1 and hops < HOPS:
                yield _Place(context, instr.args[0], hops + 1)
            case ir.Load(up=0) if context.is_parameter(instr.slot) and hops < HOPS:
                for caller, _, args in self._values.first(
                    self._tracer.callers(context.ref), MOST, context.ref, _MANY
                ):
                    if instr.slot < len(args):
                        yield _Place(caller, args[instr.slot], hops + 1)
            case ir.Name() | ir.Field():
                field = context.field_of(value)
                if field is not None:
                    object_ = instr.object if isinstance(instr, ir.Field) else NONE
                    yield from self._field(context, field, object_, hops)
            case ir.Call(args=()):
                for target in context.targets(value)[:1]:
                    inner = self._tracer.values.open(target)
                    made = [one.value for one in inner.code if isinstance(one, ir.Return)]
                    returned = root(inner, made[0]) if len(made) == 1 else NONE
                    field = inner.field_of(returned) if returned != NONE else None
                    if field is not None:
                        yield from self._field(context, field, instr.object, hops)
            case _:
                return

    def _field(
        self, context: Context, field: MemberRef, object_: int, hops: int
    ) -> Iterator[Found | _Place]:
        held = self._held.get(field)
        if held is None:
            if hops < HOPS:
                for place, store in self._values.first(
                    self._values.stores(field), MOST, field, _MANY
                ):
                    yield _Place(place, store.value, hops + 1)
            return
        self._program.meter.spend(len(held))
        asked = context.owner_of(object_) if object_ != NONE else context.ref.owner
        is_subtype = self._program.is_subtype
        for found in held:
            if asked is None or is_subtype(found.inside, asked) or is_subtype(asked, found.inside):
                yield found
