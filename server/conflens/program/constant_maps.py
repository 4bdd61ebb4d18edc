"""What is looked up in a constant map of texts: ``NAMES.get(id)`` is one of its values, or that of a key that is known.

A constant map is a ``static final`` field that a factory, a builder or ``put`` calls of its own file fill.
Bounded by ``MOST`` entries.  Absent: maps of enum constants (``elements``).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.program.body_uses import calls_with
from conflens.program.expressions import Context
from conflens.program.objects import Objects
from conflens.program.refs import MemberRef

MOST = 64
_LINKS = 200
_MANY = f"the map has more than {MOST:,} entries, or is filled in more places than are looked at"
_MAP = "java.util.Map"

Entry = tuple[Context, int, int]
"""A key and its value, and the body in which they are."""


def entries(values: Objects, field: MemberRef) -> list[Entry]:
    """Return the entries of the constant map that a field holds; none if it is another, or may have more."""
    program = values.program
    if not (program.is_static(field) and program.is_constant(field)):
        return []
    type_ = program.field_type(field)
    if _MAP not in (type_.name, *program.supertypes(type_.name)):
        return []
    found: list[Entry] = []
    for entry in chain(_initial(values, field), _put(values, field)):
        found.append(entry)
        if len(found) > MOST:
            values.cut(field, _MANY)
            return []
    return found


def _initial(values: Objects, field: MemberRef) -> Iterator[Entry]:
    made = values.open(field)
    stored = [instr.value for instr in made.code if isinstance(instr, ir.StoreField)]
    for value in stored[-1:]:
        yield from _made(made, value)


def _made(context: Context, value: int) -> Iterator[Entry]:
    """Yield what factories and builders are given: pairs, entries, or a chain of ``put``."""
    queue = [value]
    for _ in range(_LINKS):
        if not queue:
            return
        value = queue.pop()
        call = context.code[value] if value != NONE else None
        if not isinstance(call, ir.Call) or context.targets(value):
            continue
        args = call.args
        if call.name in ("of", "put", "entry") and len(args) % 2 == 0:
            yield from ((context, args[n], args[n + 1]) for n in range(0, len(args), 2))
        elif call.name in ("ofEntries", "unmodifiableMap", "copyOf"):
            queue += reversed(args)
        if call.name in ("put", "build", "buildOrThrow"):
            queue.append(call.object)


def _put(values: Objects, field: MemberRef) -> Iterator[Entry]:
    program = values.program
    name = program.member(field).name
    for user in dict.fromkeys(
        values.first(values.asking.within(field.path, name), _LINKS, field, _MANY)
    ):
        place = values.open(user)
        held = [one for one in place.named(name).loads if place.field_of(one) == field]
        for _, call in calls_with(place, held):
            if call.object in held and call.name == "put" and len(call.args) == 2:
                yield place, call.args[0], call.args[1]
