"""Reads on an enum constant of which only the run knows which it is: each of the enum may be the one.

``type.threads(conf)`` looks up what the constant ``type`` names; a field or a parameter that holds it may hold any constant of its class.
Absent: enums of more than ``LIMIT`` names, whose options stay unresolved, which is said; objects of other classes, of which there may be any number.
"""

from __future__ import annotations

from conflens.options.sites import Api
from conflens.program.expressions import Context
from conflens.program.templates import UNKNOWN, Each, SelfField, Templates, known_text
from conflens.program.values import Values


def filled(
    context: Context, values: Values, api: Api, names: Templates, receiver: int
) -> Templates:
    """Return ``names``, or if they are not known the names that the constants of an enum give ``api``, which looks up what ``receiver`` names."""
    part = api.names[0][0] if len(api.names) == 1 and len(api.names[0]) == 1 else None
    if names not in (UNKNOWN, ()) or not isinstance(part, SelfField) or part.how:
        return names
    program = values.program
    info, type_ = program.type(part.owner), context.type_of(receiver)
    if info is None or info.decl.kind != "enum" or type_ is None or type_.name != part.owner:
        return names
    field = context.field_of(receiver)
    if field is not None and program.member(field).kind == "enum_constant":
        return names
    every = values.spread(((Each(part.owner, part.name),),))
    return tuple(one for one in every if known_text((one,))) or names
