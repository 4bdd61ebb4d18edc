"""Reads of bound classes whose source is not at hand: ``properties.getCache().getMaxSize()`` is ``app.cache.max-size``.

The chain of accessors is followed back, over locals that are set once, to an expression of the class's type, or of an inner class
of it.  An accessor is a read if a row of the class has its name, or if what lies above its name is a section of the files, and its own
name is none.  A reference to an accessor (``pool::getMaxSize``) is a read where it stands.
An object that a bean of the project has for a property is another than the library's own.
Absent: which classes are bound, and to what (``learned.beans``); what a value of a section is when it is handed on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.beans import OBJECTS, BeanRow, outermost
from conflens.models.load import Models
from conflens.options.annotation_elements import fitting, has_key, uses
from conflens.options.binding.expand import kebab
from conflens.options.model import Limits, OptionType, ReadKind
from conflens.options.names.naming import loose
from conflens.options.origins.tracing import root
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


def find(program: Program, path: str, models: Models) -> Iterator[Site]:
    """Yield the reads in one file."""
    rows = models.beans
    if not rows:
        return
    facts = program.files[path]
    imported = {outermost(one.name) for one in facts.imports}
    wanted: dict[str, _Path] = {}
    for row in rows:
        if row.type in imported:
            wanted[row.type] = row, ()
            for part, section in row.parts.items():
                wanted[f"{row.type}.{part}"] = row, tuple(section.split("."))
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
            if not isinstance(instr, (ir.Call, ir.MethodRef)) or value in asked:
                continue
            if _ACCESSOR.fullmatch(instr.name):
                found = _read(context, models, wanted, value, instr)
                read = _option(*found) if found is not None else None
                if found is not None and read is not None:
                    yield _site(context, value, instr, found[0], *read)


def _read(
    context: Context,
    models: Models,
    wanted: Mapping[str, _Path],
    value: int,
    instr: ir.Call | ir.MethodRef,
) -> _Path | None:
    if isinstance(instr, ir.Call):
        return _path(context, models, wanted, value, 0) if not instr.args else None
    inner = _path(context, models, wanted, instr.object, 1) if instr.object != NONE else None
    if inner is None and instr.type:
        text = instr.type.partition("<")[0]
        type_ = context.program.resolve_name(text, context.ref.path, context.ref.owner)
        inner = wanted.get(type_.name) if type_ is not None else None
    named = _ACCESSOR.fullmatch(instr.name)
    if inner is None or named is None:
        return None
    return inner[0], (*inner[1], kebab(named[1]))


def _path(
    context: Context, models: Models, wanted: Mapping[str, _Path], value: int, steps: int
) -> _Path | None:
    """Return the accessors that lead to a value, none if it is the bound object itself; ``None`` if it is none of it."""
    instr = context.code[value] if value != NONE and steps < _LONGEST else None
    match instr:
        case ir.Call(args=()) if instr.object != NONE:
            named = _ACCESSOR.fullmatch(instr.name)
            inner = _path(context, models, wanted, instr.object, steps + 1) if named else None
            if inner is not None and named is not None:
                return inner[0], (*inner[1], kebab(named[1]))
        case ir.Load(up=0):
            stores = context.stores(instr.slot, 2)
            if len(stores) == 1 and not context.is_parameter(instr.slot):
                inner = _path(context, models, wanted, stores[0].value, steps + 1)
                if inner is not None:
                    return inner
        case ir.Load() | ir.Name() | ir.Field() | ir.Cast():
            pass
        case _:
            return None
    type_ = context.type_of(value)
    if type_ is None or type_.name not in wanted or _is_part(context, models, value):
        return None
    return wanted[type_.name]


def _is_part(context: Context, models: Models, value: int) -> bool:
    """Tell whether an object is what a bean of the project has for a property, which is bound with that bean under its prefix, or is in it."""
    program = context.program
    for _ in range(_LONGEST):
        value = root(context, value) if value != NONE else NONE
        call = context.code[value] if value != NONE else None
        if not isinstance(call, ir.Call) or call.args or call.object == NONE:
            return False
        named, owner = _ACCESSOR.fullmatch(call.name), context.type_of(call.object)
        if named is None or owner is None:
            return False
        info = program.type(owner.name)
        if info is not None:
            # Whether its class is bound depends on an annotation of the class: an edit of that starts discovery over.
            used = uses(info.decl.annotations, info.path, info.name)
            rows = ((row, use) for use in used for row in fitting(program, models, use))
            return any(row.role == "class" and has_key(use, row.prefix) for row, use in rows)
        value = call.object
    return False


def _option(row: BeanRow, names: tuple[str, ...]) -> tuple[str, Hint] | None:
    """Return the name of the option that an accessor reads, and what the row says of it."""
    if not names:
        return None
    spelt = ".".join(map(loose, names))
    name = ".".join((row.prefix, *names))
    if spelt in row.known:
        java = row.known[spelt]
        return (name, _hint(java)) if java != OBJECTS else None
    if f"{spelt}.*" in row.known:
        return f"{name}.*", _hint(row.known[f"{spelt}.*"])
    if any(known.startswith(f"{spelt}.") for known in row.known):
        return None
    whole = f"{loose(row.prefix)}.{spelt}"
    if whole.rpartition(".")[0] in row.sections and whole not in row.sections:
        return name, NO_HINT
    return None


def _hint(java: str) -> Hint:
    match java:
        case "java.lang.Boolean":
            return _SWITCH
        case "java.util.List":
            return Hint(OptionType.LIST)
        case _:
            return Hint(java_type=java)


def _site(
    context: Context,
    value: int,
    instr: ir.Call | ir.MethodRef,
    row: BeanRow,
    name: str,
    hint: Hint,
) -> Site:
    base = context.member.at
    called = isinstance(instr, ir.Call)
    at = base + (
        instr.name_at if isinstance(instr, ir.Call) else instr.end - len(instr.name.encode())
    )
    if hint == NO_HINT and called and instr.name.startswith("is"):
        hint = _SWITCH
    return Site(
        context.ref,
        value,
        ReadKind.CALL,
        row.domain,
        f"{row.type.rpartition('.')[2]}.{instr.name}",
        ((name,),),
        NONE,
        at,
        base + instr.end,
        base + instr.end,
        at,
        at + len(instr.name.encode()),
        hint=hint,
        # What a reference stands for is followed by flows alone.
        followed=value if called else NONE,
    )
