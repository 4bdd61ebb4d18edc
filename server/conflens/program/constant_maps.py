"""What is looked up in a constant map of texts: ``NAMES.get(id)`` is one of its values, or that of a key that is known.

A constant map is a ``static final`` field that a factory, a builder or ``put`` calls of its own file fill.
Bounded by ``MOST`` entries.  Absent: maps of enum constants (``elements``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.program.body_uses import calls_with
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef

MOST = 64
_LINKS = 200
_MAP = "java.util.Map"

Entry = tuple[Context, int, int]
"""A key and its value, and the body in which they are."""


def entries(opened: Callable[[MemberRef], Context], context: Context, value: int) -> list[Entry]:
    """Return the entries of the constant map that a value is; none if it is another, or may have more.

    ``opened`` gives the bodies that are looked at, which the answer rests on.
    """
    field = context.field_of(value) if value != NONE else None
    program = context.program
    if field is None or not (program.is_static(field) and program.is_constant(field)):
        return []
    type_ = program.field_type(field)
    if _MAP not in (type_.name, *program.supertypes(type_.name)):
        return []
    found: list[Entry] = []
    for entry in (*_initial(opened, field), *_put(opened, context, field)):
        found.append(entry)
        if len(found) > MOST:
            return []
    return found


def _initial(opened: Callable[[MemberRef], Context], field: MemberRef) -> Iterator[Entry]:
    made = opened(field)
    stored = [instr.value for instr in made.code if isinstance(instr, ir.StoreField)]
    for value in stored[-1:]:
        yield from _made(made, value)


def _made(context: Context, value: int) -> Iterator[Entry]:
    """Yield what factories and builders are given: pairs, entries, or a chain of ``put``."""
    for _ in range(_LINKS):
        call = context.code[value] if value != NONE else None
        if not isinstance(call, ir.Call) or context.targets(value):
            return
        args = call.args
        if call.name in ("of", "put", "entry") and len(args) % 2 == 0:
            yield from ((context, args[n], args[n + 1]) for n in range(0, len(args), 2))
        elif call.name in ("ofEntries", "unmodifiableMap", "copyOf"):
            for arg in args:
                yield from _made(context, arg)
        value = call.object if call.name in ("put", "build", "buildOrThrow") else NONE


def _put(
    opened: Callable[[MemberRef], Context], context: Context, field: MemberRef
) -> Iterator[Entry]:
    program = context.program
    name = program.member(field).name
    for user in dict.fromkeys(program.mentions(name)[:_LINKS]):
        if user.path != field.path:
            continue
        place = opened(user)
        held = [one for one in place.named(name).loads if place.field_of(one) == field]
        for _, call in calls_with(place, held):
            if call.object in held and call.name == "put" and len(call.args) == 2:
                yield place, call.args[0], call.args[1]
