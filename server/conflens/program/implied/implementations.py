"""Classes that are generated for an abstract one: its abstract methods without parameters are values, kept in fields.

So are methods that are annotated as giving the ``initial`` value.  Their builder is generated too: a class of its own, or one that implements the abstract builder declared in the class.  The class that
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
        if _is_value(shape, member)
    ]
    if len(values) > MOST_PARAMETERS:
        return
    names = [other.decl.name for other in around] + [shape.decl.name]
    name = note.row.name.replace("*", names[-1] if note.row.alone else "_".join(names))
    outer = _enclosing(around, writer)
    if outer != NONE:
        name = shape.decl.name
    owner = writer.type(name, outer, shape.spot, (), (".".join(names),))
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
            if (bare := _bare(value.name)) != value.name:
                _other_name(made, value, bare, writer)
        _build(made, "build", shape.spot, values, name, name, writer)
        code = Code(shape.spot)
        code.returns(code.new(_BUILDER))
        writer.member(
            owner, "method", "builder", _BUILDER, code, Modifier.PUBLIC | Modifier.STATIC
        )


def _enclosing(around: list[Shape], writer: Writer) -> int:
    """Return the class that is made for the one around, if implementations of classes in that stand there; else ``NONE``."""
    outer = around[-1] if len(around) == 1 else None
    note = making(outer.notes, "enclosing") if outer is not None else None
    if outer is None or note is None:
        return NONE
    name = note.row.name.replace("*", outer.decl.name)
    made = writer.top_level(name)
    return made if made != NONE else writer.type(name, NONE, outer.spot, (), ())


def _is_value(shape: Shape, member: Member) -> bool:
    if member.kind != "method" or member.params or member.type in ("", "void"):
        return False
    if member.modifiers & Modifier.ABSTRACT:
        return True
    return bool(member.annotations) and (
        making(shape.names.of(member.annotations), "initial") is not None
    )


def _bare(name: str) -> str:
    """Return what a value is called without ``get`` or ``is``."""
    for prefix in ("get", "is"):
        bare = name.removeprefix(prefix)
        if bare != name and bare[:1].isupper():
            return bare[0].lower() + bare[1:]
    return name


def _other_name(owner: int, value: Held, called: str, writer: Writer) -> None:
    """Write a setter that calls the one which is called as the value."""
    code = Code(value.spot)
    given = code.load(code.parameter(value.name, value.type))
    code.returns(code.call(code.this(), value.name, [given]))
    writer.member(owner, "method", called, _BUILDER, code)


def _declared_builder(
    builder: Shape, owner: int, values: list[Held], name: str, result: str, writer: Writer
) -> None:
    """Implement the abstract methods of a builder: setters are called as a value, perhaps behind ``set``."""
    by_name = {value.name: value for value in values}
    for value in values:
        by_name.setdefault(_bare(value.name), value)
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
