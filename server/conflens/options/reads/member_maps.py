"""Keys asked of a map that is a member of a bound class: ``properties.getProducer().get("acks")`` is ``kafka.producer.acks``.

The map is followed back through locals, choices, copies, accessors, fields and parameters to the member.  A member that
several bound classes inherit counts for those whose objects may be asked there.
Absent: which classes are bound (``binding``); maps in maps (``origins.sections``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.origins.tracing import Tracer, root
from conflens.options.sites import Found
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef

HOPS = 4
"""Calls, fields and parameters between a lookup and the member."""

MOST = 8
"""Callers and assignments that are followed at each step."""


class MemberMaps:
    """The maps that members of bound classes hold."""

    def __init__(self, tracer: Tracer, founds: Iterable[Found] = ()) -> None:
        """Follow with ``tracer``; ``founds`` are what is declared."""
        self._tracer = tracer
        self._program = tracer.program
        self._held: dict[MemberRef, list[Found]] = {}
        for found in founds:
            if found.inside and found.member is not None and found.name.endswith(".*"):
                self._held.setdefault(found.member, []).append(found)

    def of(self, context: Context, value: int) -> tuple[Found, ...]:
        """Return the members that a map may be."""
        if not self._held or value == NONE:
            return ()
        return tuple(dict.fromkeys(self._of(context, value, 0)))[:MOST]

    def _of(self, context: Context, value: int, hops: int) -> Iterator[Found]:
        self._program.meter.spend()
        value = root(context, value)
        instr = context.code[value] if value != NONE else None
        match instr:
            case ir.Choice():
                for arm in (instr.then, instr.other):
                    if arm != NONE:
                        yield from self._of(context, arm, hops)
            case ir.New() if len(instr.args) == 1 and hops < HOPS:
                yield from self._of(context, instr.args[0], hops + 1)
            case ir.Load(up=0) if context.is_parameter(instr.slot) and hops < HOPS:
                for caller, _, args in self._tracer.callers(context.ref)[:MOST]:
                    if instr.slot < len(args):
                        yield from self._of(caller, args[instr.slot], hops + 1)
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
    ) -> Iterator[Found]:
        held = self._held.get(field)
        if held is None:
            if hops < HOPS:
                for place, store in self._tracer.values.stores(field)[:MOST]:
                    yield from self._of(place, store.value, hops + 1)
            return
        asked = context.owner_of(object_) if object_ != NONE else context.ref.owner
        is_subtype = self._program.is_subtype
        for found in held:
            if asked is None or is_subtype(found.inside, asked) or is_subtype(asked, found.inside):
                yield found
