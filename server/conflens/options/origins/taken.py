"""What a text or a part of a tree was looked up by: ``all.get("pool")`` is the entry ``pool`` of ``all``.

The lookup is found behind locals and in a chain of library calls whose lambdas take it
(``fetched().map(all -> all.get(key)).map(text -> …)``).
Absent: maps inside maps and providers of keys (``sections``); whether the carrier is configuration (``sources``).
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.origins.tracing import Value, root
from conflens.program.body_uses import takers
from conflens.program.expressions import Context

_LOOKUPS = frozenset({"get", "getOrDefault", "path"})
_LINKS = 12


def taken(context: Context, value: int) -> tuple[Value, Value] | None:
    """Return the key and the carrier of the lookup that gives a value, if one does."""
    for _ in range(_LINKS):
        value = root(context, value)
        instr = context.code[value] if value != NONE else None
        if isinstance(instr, ir.Load) and not instr.up:
            value = _passed(context, instr.slot)
            continue
        if not isinstance(instr, ir.Call) or instr.object == NONE or context.targets(value):
            return None
        if _is_lookup(context, instr):
            return (context, instr.args[0]), (context, instr.object)
        value = _mapped(context, instr)
    return None


def _passed(context: Context, slot: int) -> int:
    """Return what a library call gives a parameter of the lambda that it is passed; ``NONE`` for another local."""
    number, binder = context.binder(slot) or (NONE, None)
    if not isinstance(binder, ir.Lambda):
        return NONE
    for taker in takers(context, number):
        call = context.code[taker]
        if isinstance(call, ir.Call) and number in call.args and not context.targets(taker):
            return call.object
    return NONE


def _mapped(context: Context, call: ir.Call) -> int:
    """Return the lookup that the lambda of a call makes, else the object of the call, of which the rest is asked."""
    for arg in call.args:
        made = context.code[arg]
        if not isinstance(made, ir.Lambda):
            continue
        for instr in context.code[made.start : made.stop]:
            if isinstance(instr, ir.Return) and instr.value != NONE:
                found = context.code[root(context, instr.value)]
                if isinstance(found, ir.Call) and _is_lookup(context, found):
                    return instr.value
    return call.object


def _is_lookup(context: Context, call: ir.Call) -> bool:
    """Tell whether a call asks for an entry by a text; the elements of a list have numbers."""
    if call.name not in _LOOKUPS or not call.args or call.object == NONE:
        return False
    type_ = context.type_of(call.args[0])
    return type_ is None or type_.name == "java.lang.String"
