"""Members that the program itself gives an object, whatever a file says.

``target.setDevice(device)``, in code that is handed the target, or what holds it, and has made the device or has a method make it, sets a member that holds what the program finds out: the members of
that object are no options.  Code that does so under a condition, or asks for the member as well may only fill it in where a file does not, and what sets up
an object that it has made itself says nothing of those that are bound.
A member is *marked* where several parts of the program, whenever they take such an object from another, set the member to what they know:
``Job job = templates.get(app); job.setMonitor(id)``.
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
from conflens.program.refs import MemberRef
from conflens.program.templates import known_text
from conflens.program.values import Values

_MOST = 32
"""Callers of setters of one name that are looked at."""
_MARKS = 2
"""Methods that must mark a member."""
_GETTERS = 4
"""Getters between a parameter and an object that is taken out of it."""


def is_replaced(values: Values, item: Property) -> bool:
    """Tell whether code that is handed the object sets a member to one that it has made itself."""
    setter = _setter(values, item)
    return any(_sets(values, values.open(user), setter, item) for user in _users(values, item))


def is_marked(values: Values, item: Property) -> bool:
    """Tell whether several methods give a member a value of their own in an object that they get from another."""
    setter, users = _setter(values, item), _users(values, item)
    if len(users) < _MARKS:
        return False
    return sum(_marks(values, values.open(user), setter, item) for user in users) >= _MARKS


def _setter(values: Values, item: Property) -> str:
    """Return the name of the method that sets a member."""
    name = values.program.member(item.member).name if item.member is not None else ""
    return name if name.startswith("set") else f"set{item.name[:1].upper()}{item.name[1:]}"


def _users(values: Values, item: Property) -> list[MemberRef]:
    """Return the members of other classes, tests left out, that call a method called like the setter."""
    if item.member is None:
        return []
    owner = item.member.owner
    return [
        user
        for user in values.asking.few_users(_setter(values, item), _MOST)
        if user.owner != owner and not is_test_path(user.path)
    ]


def _marks(values: Values, context: Context, name: str, item: Property) -> bool:
    """Tell whether a body sets a member, for which it does not ask, of an object that a method of the program gives it."""
    asked = {f"get{name[3:]}", f"is{name[3:]}", item.name}
    calls = [(value, call) for value, call in context.calls() if isinstance(call, ir.Call)]
    owner = item.member.owner if item.member is not None else ""
    if any(call.name in asked and _is_of(context, call.object, owner) for _, call in calls):
        return False
    return any(
        call.name == name
        and len(call.args) == 1
        and _is_of(context, call.object, owner)
        and _is_given(context, call.object, value)
        and known_text(values.of(context, call.args[0])) is None
        for value, call in calls
    )


def _is_given(context: Context, value: int, at: int) -> bool:
    """Tell whether an object is what another gives for arguments, wherever the instruction ``at`` is reached with it.

    A static method may make what it gives.
    """
    value = root(context, value)
    made = context.code[value] if value != NONE else None
    if not isinstance(made, ir.Call) or not made.args:
        return False
    targets = context.targets(value)
    if not targets or context.program.is_static(targets[0]):
        return False
    if _is_of(context, value, targets[0].owner):
        return False  # A step of a chain of setters gives what it is asked of.
    branches = (one for one in context.code if isinstance(one, ir.If))
    return all(
        one.then_start <= value < one.stop for one in branches if one.then_start <= at < one.stop
    )


def _is_of(context: Context, value: int, owner: str) -> bool:
    type_ = context.type_of(value) if value != NONE else None
    return type_ is not None and owner in (
        type_.name,
        *context.program.supertypes(type_.name),
    )


def _sets(values: Values, context: Context, name: str, item: Property) -> bool:
    calls = [(value, call) for value, call in context.calls() if isinstance(call, ir.Call)]
    asked = {f"get{name[3:]}", f"is{name[3:]}", item.name}
    loaded = (one.name for one in context.code if isinstance(one, ir.Field))
    if any(call.name in asked for _, call in calls) or item.name in loaded:
        return False
    branches = [one for one in context.code if isinstance(one, ir.If)]
    return any(
        call.name == name
        and len(call.args) == 1
        and not any(one.then_start <= value < one.stop for one in branches)
        and _is_handed(context, call.object, item)
        and _is_made(values, context, call.args[0], item)
        for value, call in calls
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
    return _is_of(context, value, item.member.owner if item.member is not None else "")


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
