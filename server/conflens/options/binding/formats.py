"""Does a mapper read a format that is there for configuration, such as YAML?

The mapper is followed to what makes it: over locals, fields, chains of calls and what methods of the project return,
whose parameters are the arguments of that call.  Its class, an argument of its constructor or a name on the way says
the format.
Absent: mappers that a method is given by its callers, of which each may give another.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.constant_arguments import words
from conflens.options.member_types import simple
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.values import Values

MOST = 60
"""Values that are looked at for one mapper."""
_CALLS = 6
_STORES = 4
_FORMATS = frozenset({"yaml", "yml", "toml", "props", "hocon"})


class _Frame(NamedTuple):
    """The call that a body serves, and the one around it."""

    context: Context
    args: tuple[int, ...]
    outer: _Frame | None
    depth: int


class _Value(NamedTuple):
    context: Context
    value: int
    frame: _Frame | None


def says_format(values: Values, context: Context, value: int) -> bool:
    """Tell whether what a mapper is called or made of names a format of configuration."""
    queue = deque([_Value(context, value, None)])
    seen: set[tuple[MemberRef, int]] = set()
    while queue and len(seen) < MOST:
        current = queue.popleft()
        place = (current.context.ref, current.value)
        if current.value == NONE or place in seen:
            continue
        seen.add(place)
        values.program.meter.spend()
        if not _FORMATS.isdisjoint(words(_name(current))):
            return True
        queue.extend(_made_of(values, current))
    return False


def _name(current: _Value) -> str:
    instr = current.context.code[current.value]
    match instr:
        case ir.New():
            return simple(instr.type.partition("<")[0])
        case ir.Call() | ir.Name() | ir.Field():
            return instr.name
        case ir.Load(up=0):
            return current.context.body.locals[instr.slot].name
        case _:
            return ""


def _made_of(values: Values, current: _Value) -> Iterator[_Value]:
    context, value, frame = current
    instr = context.code[value]
    match instr:
        case ir.New():
            yield from (_Value(context, arg, frame) for arg in instr.args)
        case ir.Cast():
            yield _Value(context, instr.value, frame)
        case ir.Choice():
            yield _Value(context, instr.then, frame)
            yield _Value(context, instr.other, frame)
        case ir.Load(up=0):
            for store in context.stores(instr.slot):
                if not store.up:
                    yield _Value(context, store.value, frame)
            given = frame.args if frame is not None and context.is_parameter(instr.slot) else ()
            if frame is not None and instr.slot < len(given):
                yield _Value(frame.context, given[instr.slot], frame.outer)
        case ir.Name() | ir.Field():
            field = context.field_of(value)
            if field is not None:
                for place, assigned in values.stores(field)[:_STORES]:
                    yield _Value(place, assigned.value, None)
        case ir.Call():
            yield from _given(values, current, instr)
        case _:
            pass


def _given(values: Values, current: _Value, call: ir.Call) -> Iterator[_Value]:
    """Yield what a call gives back: what its code returns; without code its receiver, or what a factory is given."""
    context, value, frame = current
    targets = context.targets(value)
    depth = frame.depth + 1 if frame is not None else 1
    if targets:
        inner = values.open(targets[0])
        for instr in inner.code if depth <= _CALLS else ():
            if isinstance(instr, ir.Return) and instr.kind == "return":
                yield _Value(inner, instr.value, _Frame(context, call.args, frame, depth))
        return
    yield _Value(context, call.object, frame)
    if call.object == NONE or context.denotes(call.object) is not None:
        yield from (_Value(context, arg, frame) for arg in call.args)
