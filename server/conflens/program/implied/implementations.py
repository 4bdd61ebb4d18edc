"""Classes that are generated for an abstract one: its abstract methods without parameters are values, kept in fields.

Their builder is generated too: a class of its own, or one that implements the abstract builder declared in the class.  The class that
is implemented declares what the values are called; values of supertypes are not looked at, as they may stand in other files.
"""

from __future__ import annotations

from conflens.facts.ir import NONE
from conflens.facts.model import Member, Modifier
from conflens.program.implied.accessors import construct, getter, setter
from conflens.program.implied.shapes import MOST_PARAMETERS, Held, Shape, capital, making
from conflens.program.implied.writing import Code, Spot, Writer

_BUILDER = "Builder"


def write(shape: Shape, around: list[Shape], inner: dict[str, Shape], writer: Writer) -> None:
    """Write the class that implements ``shape``; ``around`` are the types that it is declared in, ``inner`` those in it."""
    note = making(shape.notes, "implementation")
    if note is None:
        return
    values = [
        Held(member.name, member.type, Spot(member.name_at, member.name))
        for member in shape.members
        if _is_value(member)
    ]
    if len(values) > MOST_PARAMETERS:
        return
    names = [other.decl.name for other in around] + [shape.decl.name]
    name = note.row.name.replace("*", "_".join(names))
    owner = writer.type(name, NONE, shape.spot, (), (".".join(names),))
    for value in values:
        writer.member(
            owner,
            "field",
            value.name,
            value.type,
            Code(value.spot),
            Modifier.PRIVATE | Modifier.FINAL,
        )
        getter(owner, value, value.name, writer)
    construct(owner, shape.spot, values, int(Modifier.NONE), writer)
    declared = next(
        (other for other in inner.values() if making(other.notes, "implementation-builder")), None
    )
    if declared is not None:
        above = ".".join((*names, declared.decl.name))
        made = writer.type(declared.decl.name, owner, declared.spot, (), (above,))
        _declared_builder(declared, made, values, name, shape.decl.name, writer)
    elif "builder" in note.row.makes:
        made = writer.type(_BUILDER, owner, shape.spot, (), ())
        for value in values:
            writer.member(
                made, "field", value.name, value.type, Code(value.spot), Modifier.PRIVATE
            )
            setter(made, value, value.name, _BUILDER, writer)
        _build(made, "build", shape.spot, values, name, name, writer)
        code = Code(shape.spot)
        code.returns(code.new(_BUILDER))
        writer.member(
            owner, "method", "builder", _BUILDER, code, Modifier.PUBLIC | Modifier.STATIC
        )


def _is_value(member: Member) -> bool:
    return (
        member.kind == "method"
        and bool(member.modifiers & Modifier.ABSTRACT)
        and not member.params
        and member.type not in ("", "void")
    )


def _declared_builder(
    builder: Shape, owner: int, values: list[Held], name: str, result: str, writer: Writer
) -> None:
    """Implement the abstract methods of a builder: setters are called as a value, perhaps behind ``set``."""
    by_name = {value.name: value for value in values}
    for value in values:
        for prefix in ("get", "is"):
            bare = value.name.removeprefix(prefix)
            if bare != value.name and bare[:1].isupper():
                by_name.setdefault(bare[0].lower() + bare[1:], value)
    by_name |= {f"set{capital(key)}": value for key, value in by_name.items()}
    for value in values:
        writer.member(owner, "field", value.name, value.type, Code(value.spot), Modifier.PRIVATE)
    for member in builder.members:
        if member.kind != "method" or not member.modifiers & Modifier.ABSTRACT:
            continue
        if not member.params and member.type.rpartition(".")[2] == result:
            spot = Spot(member.name_at, member.name)
            _build(owner, member.name, spot, values, name, member.type, writer)
        meant = by_name.get(member.name)
        if meant is not None and len(member.params) == 1:
            given = Held(meant.name, member.params[0].type, Spot(member.name_at, member.name))
            setter(owner, given, member.name, member.type, writer)


def _build(
    owner: int, called: str, spot: Spot, values: list[Held], name: str, result: str, writer: Writer
) -> None:
    code = Code(spot)
    args = [code.field(code.this(value.spot), value.name, value.spot) for value in values]
    code.returns(code.new(name, args))
    writer.member(owner, "method", called, result, code)
