"""The part of a carrier whose keys start with a prefix, handed on under the rest of each key.

The shape is that of the language: ``key.startsWith(prefix)`` selects, ``key.substring(prefix.length())``
is the new key, and the keys are those of an object that speaks for configuration.
Absent: views that libraries make (model rows with ``prefix``).
"""

from __future__ import annotations

import attrs

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.origins.starts import cut
from conflens.options.origins.tracing import Tracer
from conflens.options.roles import Roles
from conflens.program.expressions import Context
from conflens.program.templates import Templates, substitute

_KEYS = frozenset(
    {"stringPropertyNames", "keySet", "entrySet", "propertyNames", "keys", "forEach"}
)


@attrs.frozen
class View:
    """``prefix`` is in terms of the member that uses the view."""

    prefix: Templates
    domain: str | None


def view(tracer: Tracer, roles: Roles, context: Context, value: int) -> View | None:
    """Return the view that a value is, made in its own body or by a project method that it calls."""
    instr = context.code[value]
    if isinstance(instr, ir.Load) and not instr.up and not context.is_parameter(instr.slot):
        made = _made(tracer, roles, context)
        if made is not None:
            return made
    for number in (value, *_stored(context, value)):
        call = context.code[number]
        if isinstance(call, ir.Call):
            for target in context.targets(number)[:1]:
                inner = _made(tracer, roles, tracer.values.open(target))
                if inner is not None:
                    return View(_given(tracer, context, call, inner.prefix), inner.domain)
    return None


def _given(tracer: Tracer, context: Context, call: ir.Call, prefix: Templates) -> Templates:
    return substitute(
        prefix, lambda part: tracer.values.filled(context, call.object, call.args, part)
    )


def _stored(context: Context, value: int) -> list[int]:
    instr = context.code[value]
    if isinstance(instr, ir.Load) and not instr.up:
        return [store.value for store in context.stores(instr.slot)]
    return []


def _made(tracer: Tracer, roles: Roles, context: Context) -> View | None:
    """Return the view that a body makes."""
    key = ("view", context.ref)
    return tracer.values.trail.remembered(key, lambda: _find_made(tracer, roles, context))


def _find_made(tracer: Tracer, roles: Roles, context: Context) -> View | None:
    prefix: Templates | None = None
    domain: str | None = None
    entered = False
    for _, instr in context.calls():
        if not isinstance(instr, ir.Call):
            continue
        if instr.name == "substring" and len(instr.args) == 1:
            start = cut(context, instr.args[0])
            if start != NONE and prefix is None:
                prefix = tracer.values.of(context, start)
        elif instr.name in _KEYS and instr.object != NONE:
            role = roles.of(context, instr.object)
            if role.score > 0:
                entered = True
                domain = domain or role.domain
    if prefix is None or not entered:
        return None
    return View(prefix, domain or "properties")
