"""Lookups that fill an object instead of giving a single value: ``bind("pool", PoolConfig.class)``; those that fill a map of values.

Absent: what such a call binds (``binding``), also where it is given the class by its callers.
"""

from __future__ import annotations

import attrs

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.load import Models
from conflens.options.bundles import words
from conflens.options.sites import NO_HINT, Site
from conflens.program.expressions import Context
from conflens.program.templates import concat
from conflens.program.types import ARRAY, OBJECT, JavaType

_MAPS = frozenset(("java.util.Map", "java.util.Properties"))


def fills_class(models: Models, context: Context, call: ir.Call) -> bool:
    """Tell whether a call that rows of bindings speak of gives no value of the JDK.

    It is given a class here, on its own or in a description of types, or an object, or the class that a caller chooses; or
    what it is given as the name is called a prefix, and nothing tells which class is meant.
    """
    for row in models.bindings_by_method.get(call.name, ()):
        place = row.argument
        if row.prefix is None or place is None or not 0 <= place < len(call.args):
            continue
        types = _types(context, call.args[place])
        if any(not _is_plain(context, one) for one in types):
            return True
        if not types and (
            _fills_another(models, context, call.args[place])
            or _is_prefix(context, call.args[row.prefix])
        ):
            return True
    return False


def map_of(models: Models, context: Context, call: ir.Call, site: Site) -> Site:
    """Return what a call reads: ``NAME.*`` where rows of bindings tell that it gives a map of what stands below the name."""
    for row in models.bindings_by_method.get(call.name, ()):
        place = row.argument
        if row.prefix is None or place is None or not 0 <= place < len(call.args):
            continue
        types = _types(context, call.args[place])
        if any(one.name in _MAPS for one in types) or _makes_map(context, call.args[place]):
            names = concat(site.names, ((".*",),))
            return attrs.evolve(site, names=names, hint=NO_HINT, followed=NONE)
    return site


def _fills_another(models: Models, context: Context, given: int) -> bool:
    """Tell whether an object is described, which is filled, or a class is meant that only callers know."""
    instr = context.code[given]
    if isinstance(instr, ir.Load) and not instr.up and context.is_parameter(instr.slot):
        return True
    rows = models.bindings_by_method.get(instr.name, ()) if isinstance(instr, ir.Call) else ()
    return any(row.shape == "object" for row in rows)


def _is_prefix(context: Context, name: int) -> bool:
    """Tell whether what a class of the callers' choice is bound to is called a prefix."""
    instr = context.code[name]
    if not isinstance(instr, ir.Load) or instr.up:
        return False
    return "prefix" in words(context.body.locals[instr.slot].name)


def _makes_map(context: Context, given: int) -> bool:
    instr = context.code[given]
    return isinstance(instr, ir.Call) and instr.name == "mapOf"


def _types(context: Context, given: int) -> list[JavaType]:
    instr = context.code[given]
    parts = (instr, *(context.code[one] for one in ir.operands(instr) if one >= 0))
    return [
        context.program.resolve(part.type, context.ref.path, context.ref.owner)
        for part in parts
        if isinstance(part, ir.ClassLiteral)
    ]


def _is_plain(context: Context, type_: JavaType) -> bool:
    if type_.name == ARRAY and type_.args:
        return _is_plain(context, type_.args[0])
    if type_ == OBJECT or context.program.type(type_.name) is not None:
        return type_ == OBJECT
    return "." not in type_.name or context.program.jdk_type(type_.name) is not None
