"""Layers of defaults: where a project pairs the name that an option object holds with another of its members.

``for (Option o : Option.values()) map.put(o.key(), o.value())`` and ``toMap(Option::key, Option::value)`` say of
the second member what the first one's option is when nobody sets it.  The object may be any variable of the class;
the two members stand next to each other in one call.

Absent: what happens to the map.
"""

from __future__ import annotations

from itertools import pairwise

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.templates import SelfField
from conflens.program.values import Values

_USERS = 200
"""Members that call a method by name, up to which they are looked at."""


def paired(program: Program, values: Values, owner: str, key: str) -> tuple[str, ...]:
    """Return the member of ``owner`` that is paired with its member ``key``; none if several are."""
    names = {key, *_accessors(program, values, owner, key)}
    asking = values.asking
    users = {user for name in names for user in (*asking.users(name), *asking.mentions(name))}
    found: dict[str, None] = {}
    for user in sorted(users)[:_USERS]:
        context = values.open(user)
        for _, call in context.calls():
            if len(call.args) < 2:
                continue
            told = [_told(values, context, owner, arg) for arg in call.args]
            for one, two in pairwise(told):
                if one and two and one[1] == key and two[1] != key and one[0] == two[0]:
                    found[two[1]] = None
    return tuple(found) if len(found) == 1 else ()


def _accessors(program: Program, values: Values, owner: str, key: str) -> list[str]:
    """Return the methods of a class that give a field of it."""
    return [
        name
        for name, refs in program.own_methods(owner).items()
        for ref in refs
        if values.returned(ref, 0) == ((SelfField(owner, key),),)
    ]


def _told(values: Values, context: Context, owner: str, value: int) -> tuple[object, str] | None:
    """Return the object that an argument asks, or that it will be asked of, and the member of ``owner`` that it gives."""
    program = values.program
    instr = context.code[value]
    if isinstance(instr, ir.Lambda):
        returns = [
            item.value
            for item in context.code.within(instr.start, instr.stop)
            if isinstance(item, ir.Return)
        ]
        inner = _told(values, context, owner, returns[0]) if len(returns) == 1 else None
        return ("function", inner[1]) if inner is not None else None
    if isinstance(instr, ir.MethodRef):
        if not instr.type:
            return None
        type_ = program.resolve(instr.type, context.ref.path, context.ref.owner)
        refs = program.methods(type_.name, instr.name, 0) if type_.name == owner else []
        name = _given(values, owner, values.returned(refs[0], 0)) if refs else None
        return ("function", name) if name is not None else None
    subject = instr.object if isinstance(instr, (ir.Call, ir.Field)) else NONE
    if subject == NONE:
        if isinstance(instr, ir.Call) and len(instr.args) == 1:
            return _told(values, context, owner, instr.args[0])
        return None
    load = context.code[subject]
    if isinstance(instr, ir.Call) and instr.args:
        single = len(instr.args) == 1 and context.denotes(subject) is not None
        return _told(values, context, owner, instr.args[0]) if single else None
    if not isinstance(load, ir.Load):
        return None
    type_of = context.type_of(subject)
    if type_of is None or not program.is_subtype(type_of.name, owner):
        return None
    if isinstance(instr, ir.Field):
        return (load.up, load.slot), instr.name
    targets = context.targets(value)
    name = _given(values, owner, values.returned(targets[0], 0)) if targets else None
    return ((load.up, load.slot), name) if name is not None else None


def _given(values: Values, owner: str, templates: object) -> str | None:
    """Return the field that a method's result is."""
    if not isinstance(templates, tuple) or len(templates) != 1 or len(templates[0]) != 1:
        return None
    part = templates[0][0]
    own = isinstance(part, SelfField) and values.program.is_subtype(owner, part.owner)
    return part.name if own else None
