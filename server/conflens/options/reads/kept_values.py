"""What an object has unless it is set: ``config.setSize(read("size", config.getSize()))`` leaves what the field was made with.

The default of such a read is the initial value of the field that the getter returns, if the setter on the same object takes
what is made of the read.  A field that a constructor fills has no such value.
Absent: what the text of an expression is (``value_texts``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.load import Models
from conflens.options.reads.fallbacks import made_of
from conflens.options.value_texts import made_text
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.templates import UNKNOWN, Templates, known_text
from conflens.program.values import Values

_GETTER = re.compile(r"(?:get|is)([A-Z]\w*)")
_NOTE = "options.setters"
_Setters = Mapping[tuple[str, object], set[int]]
_MOST = 4
"""Classes that may implement a getter."""


def stated(
    models: Models, values: Values, context: Context, value: int, default: Templates | None = None
) -> Templates:
    """Return a default argument's templates, or its text where calls make it of constants."""
    default = values.of(context, value) if default is None else default
    if value == NONE or known_text(default) is not None:
        return default
    text = made_text(models, values, context, value) if default == UNKNOWN else None
    text = kept_text(models, values, context, value) if text is None else text
    return ((text,),) if text is not None else default


def kept_text(models: Models, values: Values, context: Context, value: int) -> str | None:
    """Return what an argument gives that asks an object for what this body sets; ``None`` where that is not known."""
    call = context.code[value] if value != NONE else None
    if not isinstance(call, ir.Call) or call.args or call.object == NONE:
        return None
    named = _GETTER.fullmatch(call.name)
    setter = (f"set{named[1]}", _key(context, call.object)) if named is not None else None
    taken = _setters(context).get(setter, set()) if setter is not None else set()
    if not taken or taken.isdisjoint(made_of(context, (value,))):
        return None
    texts = {
        values.trail.remembered((_NOTE, ref), lambda ref=ref: _initial(models, values, ref))  # type: ignore[misc]
        for ref in _implemented(values, context, value)
    }
    return texts.pop() if len(texts) == 1 else None


def _setters(context: Context) -> _Setters:
    """Return what a body gives to setters, by their names and the objects that they are called on; kept with it."""
    kept = context.notes.get(_NOTE)
    if isinstance(kept, dict):
        return kept
    found: dict[tuple[str, object], set[int]] = {}
    for _, call in context.calls():
        if isinstance(call, ir.Call) and call.name.startswith("set") and call.object != NONE:
            found.setdefault((call.name, _key(context, call.object)), set()).update(call.args)
    context.notes[_NOTE] = found
    return found


def _key(context: Context, value: int) -> object:
    """Return what is equal for two mentions of one object."""
    match context.code[value]:
        case ir.Load() as load:
            return "local", load.slot, load.up
        case ir.Name() as name:
            return "name", name.name
        case ir.This():
            return "this"
        case _:
            return value


def _implemented(values: Values, context: Context, value: int) -> Iterator[MemberRef]:
    """Yield the methods with code that a call may run; none if they are many."""
    targets = context.targets(value)[:1]
    found = [
        ref
        for target in targets
        for ref in (target, *values.asking.overriders(target))
        if any(isinstance(instr, ir.Return) for instr in values.open(ref).code)
    ]
    if len(found) <= _MOST:
        yield from found


def _initial(models: Models, values: Values, getter: MemberRef) -> str | None:
    """Return the text of the value with which the field is made that a getter returns."""
    inner = values.open(getter)
    returned = [instr.value for instr in inner.code if isinstance(instr, ir.Return)]
    field = inner.field_of(returned[0]) if len(returned) == 1 and returned[0] != NONE else None
    if field is None or values.program.member(field).kind != "field":
        return None
    if any(where.member.kind == "constructor" for where, _ in values.stores(field)):
        return None
    made = values.open(field)
    stores = [instr for instr in made.code if isinstance(instr, ir.StoreField)]
    return made_text(models, values, made, stores[0].value) if len(stores) == 1 else None
