"""Builders: a class with a method for each value, and a method that makes the object of them.

A builder is made of a class, a constructor or a static method; one that is *inherited* continues that of the superclass, returns itself
by a type variable, and is given whole to the constructor.
"""

from __future__ import annotations

from conflens.facts.codec import decode_body
from conflens.facts.ir import NONE
from conflens.facts.model import Member, Modifier, TypeParam
from conflens.program.implied.accessors import setter
from conflens.program.implied.notes import Note
from conflens.program.implied.shapes import MOST_PARAMETERS, Held, Shape, access, capital, making
from conflens.program.implied.writing import Code, Spot, Writer

_NAME = "*Builder"
_SELF = "B"


def write(shape: Shape, inner: dict[str, Shape], writer: Writer) -> None:
    """Write the builders of a class; ``inner`` are the classes declared in it, by name."""
    note = making(shape.notes, "builder")
    if note is not None and "implementation" not in note.row.makes:
        _Builder(shape, note, shape.decl.name, inner, writer).write(shape.assigned)
    note = making(shape.notes, "inherited-builder")
    if note is not None:
        _Builder(shape, note, shape.decl.name, inner, writer).write_inherited()
    for number in shape.own:
        member = shape.facts.members[number]
        if member.kind not in ("method", "constructor") or not member.annotations:
            continue
        note = making(shape.names.of(member.annotations), "builder")
        if note is not None:
            result = shape.decl.name if member.kind == "constructor" else member.type
            builder = _Builder(shape, note, result, inner, writer)
            builder.write(_parameters(shape, number, member), member)


def _parameters(shape: Shape, number: int, member: Member) -> list[Held]:
    locals_ = decode_body(shape.facts.bodies[number]).locals
    return [
        Held(
            param.name,
            param.type,
            Spot(member.at + local.at, param.name),
            notes=shape.names.of(param.annotations),
        )
        for param, local in zip(member.params, locals_, strict=False)
    ]


class _Builder:
    """One builder of ``result``."""

    def __init__(
        self, shape: Shape, note: Note, result: str, inner: dict[str, Shape], writer: Writer
    ) -> None:
        self.shape = shape
        self.note = note
        self.result = result
        self.writer = writer
        simple = result.partition("<")[0].partition("[")[0].rpartition(".")[2]
        pattern = note.text("class") or shape.style.builder or _NAME
        self.name = pattern.replace("*", capital(simple))
        self.existing = inner.get(self.name)

    def write(self, fields: list[Held], target: Member | None = None) -> None:
        """Write a builder that gives values to a constructor, or to the constructor or method ``target``."""
        fields = [field for field in fields if not field.is_static]
        if len(fields) > MOST_PARAMETERS:
            return
        owner = self._type((), ())
        self._values(owner, fields, self.name)
        build = self.note.text("build") or "build"
        if self._free(build, 0):
            code = Code(self.shape.spot)
            args = [code.field(code.this(field.spot), field.name, field.spot) for field in fields]
            if target is not None and target.kind == "method":
                code.returns(code.call(NONE, target.name, args))
            else:
                code.returns(code.new(self.shape.decl.name, args))
            self.writer.member(owner, "method", build, self.result, code)
        self._opened(fields, self.name)

    def write_inherited(self) -> None:
        """Write a builder that continues the superclass's, and the constructor that takes it."""
        shape = self.shape
        fields = shape.assigned
        bounds = (TypeParam("C", shape.decl.name), TypeParam(_SELF, self.name))
        supers = []
        if shape.decl.supers:
            above = shape.decl.supers[0].partition("<")[0]
            supers = [f"{above}.{above.rpartition('.')[2]}Builder"]
        owner = self._type(bounds, tuple(supers))
        self._values(owner, fields, _SELF)
        code = Code(shape.spot)
        slot = code.parameter("b", self.name)
        if supers:
            code.call(code.this(qualifier="super"), "<init>", [code.load(slot)])
        for field in fields:
            holder = code.this(field.spot)
            value = code.field(code.load(slot, field.spot), field.name, field.spot)
            code.store(holder, field.name, value, field.spot)
        self.writer.member(shape.number, "constructor", "<init>", "", code, Modifier.PROTECTED)
        if shape.decl.modifiers & Modifier.ABSTRACT:
            return
        build = self.note.text("build") or "build"
        if self._free(build, 0):
            code = Code(shape.spot)
            code.returns(code.new(shape.decl.name, [code.this()]))
            self.writer.member(owner, "method", build, shape.decl.name, code)
        self._opened(fields, self.name)

    def _type(self, params: tuple[TypeParam, ...], supers: tuple[str, ...]) -> int:
        if self.existing is not None:
            return self.existing.number
        return self.writer.type(self.name, self.shape.number, self.shape.spot, params, supers)

    def _free(self, name: str, count: int) -> bool:
        return self.existing is None or self.existing.claim(name, count)

    def _values(self, owner: int, fields: list[Held], result: str) -> None:
        """Write a field and its methods for each value."""
        shape, prefix = self.shape, self.note.text("prefix")
        declared = set()
        if self.existing is not None:
            declared = {field.name for field in self.existing.fields}
        for field in fields:
            if field.name not in declared:
                self.writer.member(
                    owner, "field", field.name, field.type, Code(field.spot), Modifier.PRIVATE
                )
            style = shape.style_of(field)
            named = style.property_of(field.name)
            name = f"{prefix}{capital(named)}" if prefix and named else named
            collected = making(field.notes, "collected")
            if collected is not None and name:
                self._elements(owner, field, name, collected, result)
            elif name and self._free(name, 1):
                setter(owner, Held(field.name, field.type, field.spot), name, result, self.writer)

    def _elements(self, owner: int, field: Held, name: str, note: Note, result: str) -> None:
        """Write the methods that add one element, and many, to a value that is a collection."""
        head, _, inside = field.type.partition("<")
        parts = _split(inside.removesuffix(">"))
        single = note.text("singular") or _singular(name)
        if head.rpartition(".")[2].endswith("Map"):
            names, types = ["key", "value"], [*parts, "Object", "Object"][:2]
            one, many, whole = "put", "putAll", "java.util.Map"
        else:
            names, types = [single], [*parts, "Object"][:1]
            one, many, whole = "add", "addAll", "java.util.Collection"
        for called, run, held, of in (
            (single, one, names, types),
            (name, many, (name,), (whole,)),
        ):
            if not self._free(called, len(held)):
                continue
            code = Code(field.spot)
            slots = [code.parameter(*pair) for pair in zip(held, of, strict=True)]
            holder = code.field(code.this(), field.name)
            code.call(holder, run, [code.load(slot) for slot in slots])
            code.returns(code.this())
            self.writer.member(owner, "method", called, result, code)

    def _opened(self, fields: list[Held], type_: str) -> None:
        """Write the methods that give a builder: an empty one, and one with the values of an object."""
        shape = self.shape
        opening = self.note.text("method") or "builder"
        if shape.claim(opening, 0):
            code = Code(shape.spot)
            code.returns(code.new(type_))
            modifiers = access(self.note) | Modifier.STATIC
            self.writer.member(shape.number, "method", opening, type_, code, modifiers)
        if self.note.truth("copy") and shape.claim("toBuilder", 0):
            known = {field.name for field in shape.fields}
            code = Code(shape.spot)
            made = code.new(type_)
            for field in fields:
                if field.name in known:
                    value = code.field(code.this(field.spot), field.name, field.spot)
                    code.store(made, field.name, value, field.spot)
            code.returns(made)
            self.writer.member(shape.number, "method", "toBuilder", type_, code, access(self.note))


def _split(text: str) -> list[str]:
    """Return the type arguments of a text such as ``String,List<A,B>``."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        if char == "<":
            depth += 1
        elif char == ">":
            depth -= 1
        elif char == "," and not depth:
            parts.append(text[start:at])
            start = at + 1
    return [part for part in (*parts, text[start:]) if part]


def _singular(name: str) -> str:
    """Return a plural's singular, for the endings that most plurals have."""
    if name.endswith("ies"):
        return f"{name[:-3]}y"
    if name.endswith(("sses", "ches", "shes", "xes")):
        return name[:-2]
    return name.removesuffix("s")
