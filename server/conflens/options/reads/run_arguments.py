"""Arguments that a program gives to a part of its own: what is asked of the map that a plug-in is started with is no option then.

``setting.addOption(LIVE, servers)`` in a method that makes the setting, and that other parts of the program call, gives the plug-in what
this one run needs.  A method that fills an object it is given (``static void setLimit(Setting setting, int limit)``) is a helper for users; a key that goes
with a fixed text is described or has a default; a value that configuration gives is the user's.  A constant that is used
in any other way is kept as well.
Absent: maps that are seen to be filled on their way (``origins.filled_here``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from conflens.base.paths import is_test_path
from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.constant_arguments import rendered
from conflens.options.member_types import simple
from conflens.options.origins.sources import Sources
from conflens.options.origins.tracing import root
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.templates import known_text

_PUTS = ("put", "add", "set")
_ASKS = ("get", "contains", "has", "remove")
_MOST = 60
"""Members that mention a key; a key that more of them mention is not judged."""
_CALLS = 3
"""Calls from a method that puts something to another class."""


def is_given_by_run(sources: Sources, context: Context, call: ir.Call, key: int) -> bool:
    """Tell whether what a plug-in asks the map for that it is given is put there by the program alone."""
    asked = root(context, call.object) if call.object != NONE else NONE
    load = context.code[asked] if asked != NONE else None
    if not isinstance(load, ir.Load) or load.up or not context.is_parameter(load.slot):
        return False
    field = context.field_of(key)
    text = known_text(sources.tracer.values.of(context, key))
    if text is None or not _overrides(sources, context):
        return False
    if field is None and not isinstance(context.code[root(context, key)], ir.Const):
        return False
    owner = context.ref.owner
    return sources.tracer.values.trail.remembered(
        ("given by run", owner, field or text), lambda: _is_put(sources, owner, field, text)
    )


def _overrides(sources: Sources, context: Context) -> bool:
    """Tell whether a method is one that a framework calls."""
    member = context.member
    if any(simple(one.name) == "Override" for one in member.annotations):
        return True
    return bool(sources.tracer.values.asking.overridden(context.ref))


def _is_put(sources: Sources, owner: str, field: MemberRef | None, text: str) -> bool:
    values = sources.tracer.values
    if field is None:
        values.asking.shape(owner)
        own = values.program.own_methods(owner).values()
        users: Iterable[MemberRef] = [ref for refs in own for ref in refs]
    else:
        if not values.program.is_constant(field):
            return False
        users = values.asking.every_mention(values.program.member(field).name)
    users = [ref for ref in users if not is_test_path(ref.path)]
    if len(users) > _MOST:
        return False
    put = False
    for ref in users:
        for speaks in _uses(sources, values.open(ref), owner, field, text):
            if not speaks:
                return False
            put = True
    return put


def _uses(
    sources: Sources, context: Context, owner: str, field: MemberRef | None, text: str
) -> Iterator[bool]:
    """Yield for each use of a key in one body whether the program gives the value; lookups say nothing."""
    for _, call in context.calls():
        at = [place for place, arg in enumerate(call.args) if _is_key(context, arg, field, text)]
        if not at or (isinstance(call, ir.Call) and call.name.startswith(_ASKS)):
            continue
        value = _given(context, call, at[0])
        if value == NONE:
            # A literal may be the name of something else.
            if field is not None or any(_is_described(sources, context, arg) for arg in call.args):
                yield False
            continue
        fixed = known_text(sources.tracer.values.of(context, value)) is not None
        fixed = fixed or _is_described(sources, context, value)
        yield not fixed and _is_of_program(sources, context, call, owner, value)


def _is_key(context: Context, arg: int, field: MemberRef | None, text: str) -> bool:
    if field is not None:
        return context.field_of(arg) == field
    instr = context.code[arg]
    return isinstance(instr, ir.Const) and instr.kind == "s" and instr.value == text


def _given(context: Context, call: ir.Call | ir.New, at: int) -> int:
    """Return what a call puts under the key that is its argument ``at``, ``NONE`` if it does something else."""
    if not isinstance(call, ir.Call):
        return NONE
    if call.name.startswith(_PUTS):
        return call.args[1] if at == 0 and len(call.args) == 2 else NONE
    made = call.name == "of" and _is_map(context, call.object)
    return call.args[at + 1] if made and at % 2 == 0 and at + 1 < len(call.args) else NONE


def _is_map(context: Context, value: int) -> bool:
    instr = context.code[value] if value != NONE else None
    return isinstance(instr, (ir.Name, ir.Field)) and instr.name in ("Map", "ImmutableMap")


def _is_described(sources: Sources, context: Context, value: int) -> bool:
    """Tell whether a value has words in it that are fixed, as a description has."""
    texts = map(rendered, sources.tracer.values.of(context, value))
    return any(" " in text for text in texts)


def _is_of_program(
    sources: Sources, context: Context, call: ir.Call | ir.New, owner: str, value: int
) -> bool:
    """Tell whether a body puts a value of its own into an object that it makes, on behalf of another class than ``owner``."""
    filled = call.object if isinstance(call, ir.Call) else NONE
    made = context.code[root(context, filled)] if filled != NONE else None
    if not isinstance(made, ir.New) and not _is_map(context, filled):
        return False
    if is_configured(sources, context, value):
        return False
    own = (owner, *sources.tracer.program.supertypes(owner))
    return context.ref.owner not in own or _is_called(sources, context.ref, own, _CALLS)


def is_configured(sources: Sources, context: Context, value: int) -> bool:
    """Tell whether names on the way to a value say that it is configuration."""
    for _ in range(_MOST):
        value = root(context, value)
        instr = context.code[value] if value != NONE else None
        if instr is None or sources.roles.of(context, value).score > 0:
            return instr is not None
        if not isinstance(instr, (ir.Call, ir.Field)):
            return False
        value = instr.object
    return False


def _is_called(sources: Sources, ref: MemberRef, own: Collection[str], calls: int) -> bool:
    """Tell whether another class of the program calls a method."""
    if calls == 0 or sources.tracer.program.member(ref).kind not in ("method", "constructor"):
        return False
    for caller, _, _ in sources.tracer.callers(ref, judged=True):
        if is_test_path(caller.ref.path):
            continue
        if caller.ref.owner not in own or _is_called(sources, caller.ref, own, calls - 1):
            return True
    return False
