"""Does a mapper read a format that is there for configuration, such as YAML, and how does it name members?

The mapper is followed to what makes it: over locals, fields, chains of calls and what methods of the project return,
whose parameters are the arguments of that call.  Its class, an argument of its constructor or a name on the way says
the format.
Absent: mappers that a method is given by its callers, of which each may give another.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.load import Models
from conflens.models.schema import BindingRow
from conflens.models.words import Naming
from conflens.options.constant_arguments import (
    class_row,
    constant_row,
    receiver_is,
    words,
)
from conflens.options.member_types import simple
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.values import Values

MOST = 60
"""Values that are looked at for one mapper."""
_CALLS = 6
_STORES = 4
_FORMATS = frozenset({"yaml", "yml", "toml", "props", "hocon"})


class _Frame(NamedTuple):
    """The call that a body serves, and the one around it."""

    context: Context
    args: tuple[int, ...]
    outer: _Frame | None
    depth: int


class _Value(NamedTuple):
    context: Context
    value: int
    frame: _Frame | None


def says_format(values: Values, context: Context, value: int) -> bool:
    """Tell whether what a mapper is called or made of names a format of configuration."""
    return any(
        not _FORMATS.isdisjoint(words(_name(current)))
        for current in _reached(values, context, value)
    )


class Namings:
    """How mappers of a program name members: what a call says to them, or to what builds them."""

    def __init__(self, models: Models, values: Values) -> None:
        """Look in the program of ``values``."""
        self._models = models
        self._values = values
        rows: dict[str, list[BindingRow]] = {}
        for row in models.bindings:
            if row.shape == "naming":
                rows.setdefault(row.method, []).append(row)
        self._rows = rows
        self._files = {
            path: set(rows) & facts.calls.keys() for path, facts in values.program.files.items()
        }
        self._any = any(self._files.values())

    def of(self, context: Context, value: int) -> Naming | None:
        """Return the naming of a mapper; ``None``: its own."""
        if not self._any:
            return None
        for current in _reached(self._values, context, value):
            instr = current.context.code[current.value]
            if isinstance(instr, ir.Call) and instr.name in self._rows:
                found = self._said(current.context, current.value, instr)
                if found is not None:
                    return found
            found = self._told(current)
            if found is not None:
                return found
        return None

    def _told(self, current: _Value) -> Naming | None:
        """Return what statements say to the object that a variable or field holds."""
        context = current.context
        instr = context.code[current.value]
        if isinstance(instr, ir.Load) and not instr.up:
            return self._in(context, context, current.value)
        if not isinstance(instr, (ir.Name, ir.Field)):
            return None
        field = context.field_of(current.value)
        if field is None:
            return None
        facts = self._values.program.files[field.path]
        numbers = {
            number for method in self._files.get(field.path, ()) for number in facts.calls[method]
        }
        for number in sorted(numbers):
            inner = self._values.open(self._values.program.ref(field.path, number))
            found = self._in(inner, context, current.value)
            if found is not None:
                return found
        return None

    def _in(self, inner: Context, context: Context, held: int) -> Naming | None:
        """Return what a body says to what ``held`` holds in ``context``."""
        wanted = context.code[held]
        for value, instr in inner.calls():
            if not isinstance(instr, ir.Call) or instr.name not in self._rows:
                continue
            start = instr.object
            while start != NONE and isinstance(call := inner.code[start], ir.Call):
                start = call.object
            if start == NONE:
                continue
            asked = inner.code[start]
            same = (
                isinstance(wanted, ir.Load)
                and isinstance(asked, ir.Load)
                and (asked.slot, asked.up) == (wanted.slot, wanted.up)
            )
            if not same and isinstance(asked, (ir.Name, ir.Field)):
                same = (field := inner.field_of(start)) is not None and field == context.field_of(
                    held
                )
            found = self._said(inner, value, instr) if same else None
            if found is not None:
                return found
        return None

    def _said(self, context: Context, value: int, call: ir.Call) -> Naming | None:
        for row in self._rows[call.name]:
            place = row.argument or 0
            if place < len(call.args) and receiver_is(
                context, value, call, (row.type, *row.also_types)
            ):
                return naming_of(self._models, context, call.args[place])
        return None


def naming_of(models: Models, context: Context, value: int) -> Naming | None:
    """Return the naming that a constant, a class, or an object of such a class stands for."""
    row = constant_row(models, context, value) or class_row(models, context, value)
    return row.naming if row is not None else None


def _reached(values: Values, context: Context, value: int) -> Iterator[_Value]:
    """Yield what a mapper is made of, nearest first."""
    queue = deque([_Value(context, value, None)])
    seen: set[tuple[MemberRef, int]] = set()
    while queue and len(seen) < MOST:
        current = queue.popleft()
        place = (current.context.ref, current.value)
        if current.value == NONE or place in seen:
            continue
        seen.add(place)
        values.program.meter.spend()
        yield current
        queue.extend(_made_of(values, current))


def _name(current: _Value) -> str:
    instr = current.context.code[current.value]
    match instr:
        case ir.New():
            return simple(instr.type.partition("<")[0])
        case ir.Call() | ir.Name() | ir.Field():
            return instr.name
        case ir.Load(up=0):
            return current.context.body.locals[instr.slot].name
        case _:
            return ""


def _made_of(values: Values, current: _Value) -> Iterator[_Value]:
    context, value, frame = current
    instr = context.code[value]
    match instr:
        case ir.New():
            yield from (_Value(context, arg, frame) for arg in instr.args)
        case ir.Cast():
            yield _Value(context, instr.value, frame)
        case ir.Choice():
            yield _Value(context, instr.then, frame)
            yield _Value(context, instr.other, frame)
        case ir.Load(up=0):
            for store in context.stores(instr.slot):
                if not store.up:
                    yield _Value(context, store.value, frame)
            given = frame.args if frame is not None and context.is_parameter(instr.slot) else ()
            if frame is not None and instr.slot < len(given):
                yield _Value(frame.context, given[instr.slot], frame.outer)
        case ir.Name() | ir.Field():
            field = context.field_of(value)
            if field is not None:
                for place, assigned in values.stores(field)[:_STORES]:
                    yield _Value(place, assigned.value, None)
        case ir.Call():
            yield from _given(values, current, instr)
        case _:
            pass


def _given(values: Values, current: _Value, call: ir.Call) -> Iterator[_Value]:
    """Yield what a call gives back: what its code returns; without code its receiver, or what a factory is given."""
    context, value, frame = current
    targets = context.targets(value)
    depth = frame.depth + 1 if frame is not None else 1
    if targets:
        inner = values.open(targets[0])
        for instr in inner.code if depth <= _CALLS else ():
            if isinstance(instr, ir.Return) and instr.kind == "return":
                yield _Value(inner, instr.value, _Frame(context, call.args, frame, depth))
        return
    yield _Value(context, call.object, frame)
    if call.object == NONE or context.denotes(call.object) is not None:
        yield from (_Value(context, arg, frame) for arg in call.args)
