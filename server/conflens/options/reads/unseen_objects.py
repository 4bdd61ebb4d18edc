"""Objects that are asked as one of a class, but are not seen to be of the subclass whose code would read an option.

A subclass puts a prefix that it keeps before each key that its class is asked for.  What is asked of an object of the class has such a prefix
only if the object is known to be of that subclass; otherwise every prefix in the program would apply to it.  Each object of an interface, or of an
abstract class, is one of a subclass.
Absent: what fields of objects hold (``program.objects``).
"""

from __future__ import annotations

from collections.abc import Iterator

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Modifier
from conflens.options.origins.tracing import root
from conflens.program.body_uses import returned
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.templates import RESULT, Param, SelfField, Templates
from conflens.program.types import JavaType
from conflens.program.values import Values

_MOST = 8
"""Values that are looked at to see of which class an object is."""


def is_unseen(
    values: Values, context: Context, receiver: int, args: tuple[int, ...], names: Templates
) -> bool:
    """Tell whether names depend on what a subclass keeps, of objects that may be none of it."""
    return any(
        _may_be_other(values.program, context, value, field.owner)
        and values.open_filled(context, receiver, args, part) == values.expand(field)
        and not _is_seen(values, context, value, field.owner)
        for part, value, field in _asked(receiver, args, names)
    )


def _asked(
    receiver: int, args: tuple[int, ...], names: Templates
) -> Iterator[tuple[SelfField | Param, int, SelfField]]:
    """Yield the holes that a field of an object fills, with the object."""
    for part in dict.fromkeys(part for one in names for part in one):
        if isinstance(part, SelfField):
            value, field = receiver, part
        elif isinstance(part, Param) and part.name and not part.name.startswith(RESULT):
            value = args[part.slot] if part.slot < len(args) else NONE
            field = SelfField(part.owner, part.name)
        else:
            continue
        if value != NONE:
            yield part, value, field


def is_never_seen(program: Program, ref: MemberRef, names: Templates) -> bool:
    """Tell whether names depend on what a subclass keeps, of a parameter for which no caller hands over an object of it."""
    params = program.member(ref).params
    return any(
        isinstance(part, Param)
        and bool(part.owner and part.name)
        and part.slot < len(params)
        and _is_above(
            program, program.resolve(params[part.slot].type, ref.path, ref.owner), part.owner
        )
        for one in names
        for part in one
    )


def _may_be_other(program: Program, context: Context, value: int, owner: str) -> bool:
    type_ = context.type_of(value)
    return type_ is not None and _is_above(program, type_, owner)


def _is_above(program: Program, type_: JavaType, owner: str) -> bool:
    """Tell whether a class, of which there are objects, is above another."""
    info = program.type(type_.name)
    if info is None or info.decl.kind != "class" or info.decl.modifiers & Modifier.ABSTRACT:
        return False
    return info.name != owner and info.name in program.supertypes(owner)


def _is_seen(values: Values, context: Context, value: int, owner: str) -> bool:
    """Tell whether an object may be seen to be of a class: where it is made, or by what gives it."""
    queue = [(context, value)]
    seen: set[object] = set()
    while queue and len(seen) < _MOST:
        place, number = queue.pop(0)
        number = root(place, number)
        if number == NONE or (place.ref, number) in seen:
            continue
        seen.add((place.ref, number))
        type_ = place.type_of(number)
        if type_ is not None and owner in (type_.name, *values.program.supertypes(type_.name)):
            return True
        instr = place.code[number]
        field = place.field_of(number)
        if field is not None:
            queue += [(at, store.value) for at, store in values.stores(field)[:_MOST]]
        elif isinstance(instr, ir.Choice):
            queue += [(place, instr.then), (place, instr.other)]
        elif isinstance(instr, ir.Load) and not instr.up:
            queue += [(place, store.value) for store in place.stores(instr.slot, _MOST)]
        elif isinstance(instr, ir.Call) and (targets := place.targets(number)):
            inner = values.open(targets[0])
            queue += [(inner, made) for made in returned(inner)]
    return False
