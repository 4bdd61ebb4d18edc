"""Members that the program itself gives an object, whatever a file says.

``target.setDevice(device)``, in code that is handed the target, or what holds it, and has made the device or has a method make it, sets a member that holds what the program finds out: the members of
that object are no options.  Code that asks for the member as well may only fill it in where a file does not, and what sets up
an object that it has made itself says nothing of those that are bound.
Absent: setters that only other code can call (``members``).
"""

from __future__ import annotations

from conflens.base.paths import is_test_path
from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.binding.properties import Property
from conflens.options.member_types import simple
from conflens.options.origins.tracing import root
from conflens.program.body_uses import returned
from conflens.program.expressions import Context
from conflens.program.values import Values

_MOST = 32
"""Callers of setters of one name that are looked at."""
_GETTERS = 4
"""Getters between a parameter and an object that is taken out of it."""


def is_replaced(values: Values, item: Property) -> bool:
    """Tell whether code that is handed the object sets a member to one that it has made itself."""
    if item.member is None:
        return False
    name = values.program.member(item.member).name
    name = name if name.startswith("set") else f"set{item.name[:1].upper()}{item.name[1:]}"
    return any(
        _sets(values, values.open(user), name, item)
        for user in values.asking.few_users(name, _MOST)
        if user.owner != item.member.owner and not is_test_path(user.path)
    )


def _sets(values: Values, context: Context, name: str, item: Property) -> bool:
    calls = [(value, call) for value, call in context.calls() if isinstance(call, ir.Call)]
    asked = {f"get{name[3:]}", f"is{name[3:]}", item.name}
    if any(call.name in asked for _, call in calls):
        return False
    return any(
        call.name == name
        and len(call.args) == 1
        and _is_handed(context, call.object, item)
        and _is_made(values, context, call.args[0], item)
        for _, call in calls
    )


def _is_handed(context: Context, value: int, item: Property) -> bool:
    """Tell whether an object of the class of a member is a parameter, or what getters take out of one."""
    first = value
    for _ in range(_GETTERS):
        first = root(context, first)
        asked = context.code[first] if first != NONE else None
        if not isinstance(asked, ir.Call) or asked.args or not asked.name.startswith("get"):
            break
        first = asked.object
    instr = context.code[first] if first != NONE else None
    if not isinstance(instr, ir.Load) or instr.up or not context.is_parameter(instr.slot):
        return False
    type_ = context.type_of(value)
    owner = item.member.owner if item.member is not None else ""
    return type_ is not None and owner in (
        type_.name,
        *context.program.supertypes(type_.name),
    )


def _is_made(values: Values, context: Context, value: int, item: Property) -> bool:
    """Tell whether a value is a new object, made here or by the method that is called."""
    value = root(context, value)
    made = context.code[value] if value != NONE else None
    if isinstance(made, ir.Call):
        inner = [values.open(target) for target in context.targets(value)[:1]]
        results = [(one, root(one, result)) for one in inner for result in returned(one)]
        return bool(results) and all(_is_new(one.code[result], item) for one, result in results)
    return _is_new(made, item)


def _is_new(made: ir.Instr | None, item: Property) -> bool:
    """Tell whether an instruction makes an object of the class of a member."""
    return isinstance(made, ir.New) and simple(made.type.partition("<")[0]) == simple(
        item.type.name
    )
