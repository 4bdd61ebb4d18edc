"""Getters, setters, copies with one other value, and constructors, of a class or of a record."""

from __future__ import annotations

from conflens.facts.ir import NONE
from conflens.facts.model import Modifier
from conflens.models.generators import Implied
from conflens.program.implied.notes import Note
from conflens.program.implied.shapes import MOST_PARAMETERS, Held, Shape, access, making
from conflens.program.implied.writing import Code, Spot, Writer

_CONSTRUCTORS: tuple[Implied, ...] = ("no-args", "required-args", "all-args")


def write(shape: Shape, writer: Writer) -> None:
    """Write what the annotations of a class and of its fields make."""
    for field in shape.fields:
        _getter(shape, field, writer)
        _setter(shape, field, writer)
        _wither(shape, field, writer)
    _constructors(shape, writer)


def write_record(shape: Shape, writer: Writer) -> None:
    """Write what every record has: accessors and a constructor (JLS 8.10.3, 8.10.4)."""
    components = [field for field in shape.fields if not field.is_static]
    for field in components:
        if shape.claim(field.name, 0):
            getter(shape.number, field, field.name, writer)
    if not shape.constructs(components):
        constructor(shape, components, int(Modifier.PUBLIC), writer)


def _note(shape: Shape, field: Held, what: Implied) -> Note | None:
    own = making(field.notes, what)
    if own is None and not field.is_static:
        own = making(shape.notes, what)
    return None if own is None or own.absent else own


def _getter(shape: Shape, field: Held, writer: Writer) -> None:
    note = _note(shape, field, "getter")
    if note is None:
        return
    style = shape.style_of(field)
    boolean = field.type == "boolean" and not style.plain_booleans
    name = style.accessor(field.name, "is" if boolean else "get", boolean=boolean)
    if shape.claim(name, 0):
        getter(shape.number, field, name, writer, access(note))


def getter(
    owner: int, field: Held, name: str, writer: Writer, modifiers: int = Modifier.PUBLIC
) -> None:
    """Write a method that returns a field."""
    code = Code(field.spot)
    code.returns(code.field(NONE if field.is_static else code.this(), field.name))
    writer.member(
        owner, "method", name, field.type, code, modifiers | (field.modifiers & Modifier.STATIC)
    )


def _setter(shape: Shape, field: Held, writer: Writer) -> None:
    note = _note(shape, field, "setter")
    if note is None or field.modifiers & Modifier.FINAL:
        return
    style = shape.style_of(field)
    boolean = field.type == "boolean" and not style.plain_booleans
    name = style.accessor(field.name, "set", boolean=boolean)
    if shape.claim(name, 1):
        result = shape.decl.name if style.chained and not field.is_static else "void"
        setter(shape.number, field, name, result, writer, access(note))


def setter(
    owner: int,
    field: Held,
    name: str,
    result: str,
    writer: Writer,
    modifiers: int = Modifier.PUBLIC,
) -> None:
    """Write a method that assigns a field, and returns its object unless ``result`` is ``void``."""
    code = Code(field.spot)
    slot = code.parameter(field.name, field.type)
    holder = NONE if field.is_static else code.this()
    code.store(holder, field.name, code.load(slot))
    if result != "void":
        code.returns(code.this())
    writer.member(
        owner, "method", name, result, code, modifiers | (field.modifiers & Modifier.STATIC)
    )


def _wither(shape: Shape, field: Held, writer: Writer) -> None:
    note = _note(shape, field, "wither")
    if note is None or field.is_static or len(shape.assigned) > MOST_PARAMETERS:
        return
    boolean = field.type == "boolean"
    named = shape.style_of(field).property_of(field.name)
    if boolean and named.startswith("is") and len(named) > 2 and not named[2].islower():
        named = named[2:]
    name = f"with{named[0].upper()}{named[1:]}" if named else ""
    if not shape.claim(name, 1):
        return
    code = Code(field.spot)
    slot = code.parameter(field.name, field.type)
    args = []
    for other in shape.assigned:
        if other is field:
            args.append(code.load(slot))
        else:
            args.append(code.field(code.this(), other.name))
    code.returns(code.new(shape.decl.name, args))
    writer.member(shape.number, "method", name, shape.decl.name, code, access(note))


def _constructors(shape: Shape, writer: Writer) -> None:
    made = False
    for what in _CONSTRUCTORS:
        note = making(shape.notes, what)
        if note is not None and not note.absent:
            made = True
            _construct(shape, what, access(note), note.text("static"), writer)
    if made or shape.constructors:
        return
    stated = [note for note in shape.notes if note.row.with_constructor]
    if not stated:
        return
    static = next((text for note in stated if (text := note.text("static"))), "")
    kinds = {note.row.with_constructor for note in stated}
    builder = any("builder" in note.row.makes for note in stated)
    what = "all-args" if "all-args" in kinds else "required-args"
    _construct(shape, what, 0 if builder else int(Modifier.PUBLIC), static, writer)


def _construct(shape: Shape, what: Implied, modifiers: int, static: str, writer: Writer) -> None:
    fields: list[Held] = []
    if what != "no-args":
        fields = shape.assigned if what == "all-args" else shape.required
    if len(fields) > MOST_PARAMETERS:
        return
    if not shape.constructs(fields):
        constructor(shape, fields, int(Modifier.PRIVATE) if static else modifiers, writer)
    if static and shape.claim(static, len(fields)):
        code = Code(shape.spot)
        slots = [code.parameter(field.name, field.type, field.spot) for field in fields]
        code.returns(code.new(shape.decl.name, [code.load(slot) for slot in slots]))
        writer.member(
            shape.number, "method", static, shape.decl.name, code, modifiers | Modifier.STATIC
        )


def constructor(
    shape: Shape, fields: list[Held], modifiers: int, writer: Writer, owner: int | None = None
) -> None:
    """Write a constructor that assigns each of its parameters to the field of its name."""
    shape.constructors.append(())
    construct(shape.number if owner is None else owner, shape.spot, fields, modifiers, writer)


def construct(owner: int, spot: Spot, fields: list[Held], modifiers: int, writer: Writer) -> None:
    """Write a constructor of type number ``owner``."""
    code = Code(spot)
    slots = [code.parameter(field.name, field.type, field.spot) for field in fields]
    for field, slot in zip(fields, slots, strict=True):
        holder = code.this(field.spot)
        code.store(holder, field.name, code.load(slot, field.spot), field.spot)
    writer.member(owner, "constructor", "<init>", "", code, modifiers)
