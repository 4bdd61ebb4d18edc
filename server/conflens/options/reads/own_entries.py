"""Entries that a class puts into its own store and takes out again: data in an object of a configuration type.

A row says of which types (``keeps``): their objects are empty unless somebody fills them.  The key is a private constant, so that
nobody else can mean it, and both calls are made on the same field.
Absent: maps that the program fills (``origins.filled_here``).
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Modifier
from conflens.models.load import Models
from conflens.options.constant_arguments import receiver_is
from conflens.options.origins.tracing import root
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.values import Values

_WRITES = ("set", "put", "write", "add")
_MOST = 60


def is_own_entry(
    models: Models, values: Values, context: Context, value: int, call: ir.Call
) -> bool:
    """Tell whether the class that looks an option up is who puts it there."""
    places = [
        row.name
        for row in models.reads_by_method.get(call.name, ())
        if row.keeps
        and isinstance(row.name, int)
        and receiver_is(context, value, call, (row.type, *row.also_types))
    ]
    store = context.field_of(call.object) if places and call.object != NONE else None
    if store is None or places[0] >= len(call.args):
        return False
    key = _constant(context, call.args[places[0]])
    return key is not None and values.trail.remembered(
        ("own entry", store, key),
        lambda: _is_put(values, store, key) or _is_put(values, None, key),
    )


def is_own_helper(values: Values, context: Context, call: ir.Call) -> bool:
    """Tell whether a class asks a method of its own for what it has put in by another."""
    if call.object != NONE:
        return False
    keys = (_constant(context, arg) for arg in call.args)
    key = next((one for one in keys if one is not None), None)
    return key is not None and values.trail.remembered(
        ("own helper", key), lambda: _is_put(values, None, key)
    )


def _is_put(values: Values, store: MemberRef | None, key: MemberRef) -> bool:
    program = values.program
    name = program.member(key).name
    for user in values.asking.within(key.path, name)[:_MOST]:
        context = values.open(user)
        for _, call in context.calls():
            if not isinstance(call, ir.Call) or not call.name.startswith(_WRITES):
                continue
            given = (call.object, *call.args)
            held = call.object == NONE
            if store is not None:
                held = any(one != NONE and context.field_of(one) == store for one in given)
            if held and any(_constant(context, one) == key for one in call.args):
                return True
    return False


def _constant(context: Context, value: int) -> MemberRef | None:
    """Return the private constant that a key is, or begins with."""
    program = context.program
    for _ in range(_MOST):
        value = root(context, value)
        instr = context.code[value] if value != NONE else None
        if not isinstance(instr, ir.Binary):
            break
        value = instr.left
    field = context.field_of(value) if isinstance(instr, (ir.Name, ir.Field)) else None
    private = Modifier.PRIVATE | Modifier.STATIC | Modifier.FINAL
    if field is None or program.member(field).modifiers & private != private:
        return None
    return field
