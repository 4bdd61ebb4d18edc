"""Reads of bound classes whose source is not at hand: ``properties.getCache().getMaxSize()`` is ``app.cache.max-size``.

The chain of accessors is followed back, over locals that are set once, to an expression of the class's type.  An accessor
is a read if what lies above its name is a section of the files, and its own name is none.
Absent: which classes are bound, and to what (``learned.beans``); what a value of a section is when it is handed on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.beans import BeanRow
from conflens.options.binding.expand import kebab
from conflens.options.model import Limits, OptionType, ReadKind
from conflens.options.names.naming import loose
from conflens.options.sites import NO_HINT, Hint, Site
from conflens.program.expressions import Context
from conflens.program.program import Program

_ACCESSOR = re.compile(r"(?:get|is)([A-Z]\w*)")
_SWITCH = Hint(OptionType.BOOLEAN, limits=Limits(accepts="switch"))
"""What a library says of a property whose accessor begins with ``is``: it has a boolean made of its text."""
_LONGEST = 12
"""Steps from an accessor to the object of the class."""

_Path = tuple[BeanRow, tuple[str, ...]]
"""A bound class, and the names of the accessors from it."""


def find(program: Program, path: str, rows: Sequence[BeanRow]) -> Iterator[Site]:
    """Yield the reads in one file."""
    facts = program.files[path]
    imported = {one.name for one in facts.imports}
    wanted = {row.type: row for row in rows if row.type in imported}
    if not wanted:
        return
    numbers = {
        number
        for name, members in facts.calls.items()
        if _ACCESSOR.fullmatch(name)
        for number in members
    }
    for number in sorted(numbers):
        context = Context.of(program, program.ref(path, number))
        asked = {
            one.object
            for one in context.code
            if isinstance(one, ir.Call) and one.name.startswith("get") and not one.args
        }
        for value, instr in enumerate(context.code):
            if not isinstance(instr, ir.Call) or instr.args or value in asked:
                continue
            if _ACCESSOR.fullmatch(instr.name):
                found = _path(context, wanted, value, 0)
                if found is not None and _is_option(*found):
                    yield _site(context, value, instr, *found)


def _path(context: Context, wanted: Mapping[str, BeanRow], value: int, steps: int) -> _Path | None:
    """Return the accessors that lead to a value, none if it is the bound object itself; ``None`` if it is none of it."""
    instr = context.code[value] if value != NONE and steps < _LONGEST else None
    match instr:
        case ir.Call(args=()) if instr.object != NONE:
            named = _ACCESSOR.fullmatch(instr.name)
            inner = _path(context, wanted, instr.object, steps + 1) if named else None
            if inner is not None and named is not None:
                return inner[0], (*inner[1], kebab(named[1]))
        case ir.Load(up=0):
            stores = context.stores(instr.slot, 2)
            if len(stores) == 1 and not context.is_parameter(instr.slot):
                inner = _path(context, wanted, stores[0].value, steps + 1)
                if inner is not None:
                    return inner
        case ir.Load() | ir.Name() | ir.Field() | ir.Cast():
            pass
        case _:
            return None
    type_ = context.type_of(value)
    row = wanted.get(type_.name) if type_ is not None else None
    return (row, ()) if row is not None else None


def _is_option(row: BeanRow, names: tuple[str, ...]) -> bool:
    spelt = [row.prefix, *map(loose, names)]
    return len(spelt) > 1 and (
        ".".join(spelt[:-1]) in row.sections and ".".join(spelt) not in row.sections
    )


def _site(
    context: Context, value: int, call: ir.Call, row: BeanRow, names: tuple[str, ...]
) -> Site:
    base = context.member.at
    at, end = base + call.name_at, base + call.name_at + len(call.name.encode())
    return Site(
        context.ref,
        value,
        ReadKind.CALL,
        row.domain,
        f"{row.type.rpartition('.')[2]}.{call.name}",
        ((".".join((row.prefix, *names)),),),
        NONE,
        at,
        base + call.end,
        base + call.end,
        at,
        end,
        hint=_SWITCH if call.name.startswith("is") else NO_HINT,
        followed=value,
    )
