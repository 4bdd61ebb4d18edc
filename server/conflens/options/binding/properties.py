"""A property of a class that is filled: its name, type and place, and the value that it has if nothing fills it.

Absent: which properties a class has (``members``, ``creators``).
"""

from __future__ import annotations

import attrs

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Modifier
from conflens.flow.kinds import kind_of
from conflens.models.load import Models
from conflens.options.annotation_elements import Use, uses
from conflens.options.binding.signs import in_place
from conflens.options.member_types import simple
from conflens.options.value_texts import PRIMITIVE_DEFAULTS, default_value
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.types import JavaType
from conflens.program.values import Values


@attrs.frozen
class Property:
    """See the module text.  Offsets are absolute; ``symbol`` is ``Type.member``; ``implied``: nobody wrote the default;
    ``constant``: it is one of a library's class of that name, as those of enums are."""

    name: str
    type: JavaType
    path: str
    at: int
    end: int
    scope_at: int
    scope_end: int
    symbol: str
    member: MemberRef | None
    default: tuple[str, int, int] | None
    uses: tuple[Use, ...]
    implied: bool = False
    constant: bool = False


def plain(program: Program, ref: MemberRef, *, static: bool = False) -> bool:
    """Tell whether a field or component can be a property: neither transient nor a logger."""
    member = program.member(ref)
    return (
        member.kind in ("field", "component")
        and bool(member.modifiers & Modifier.STATIC) == static
        and not member.modifiers & Modifier.TRANSIENT
        and not member.type.rpartition(".")[2].endswith("Logger")
    )


def of_field(models: Models, values: Values, ref: MemberRef, beside: tuple[Use, ...]) -> Property:
    """Return the property of a field, with the annotations on it and ``beside`` it."""
    program = values.program
    member = program.member(ref)
    stated_default = initial(models, values, ref)
    implied = None
    if stated_default is None and member.kind == "field":
        implied = implied_value(values, ref)
    return Property(
        member.name,
        program.field_type(ref),
        ref.path,
        member.name_at,
        member.name_end,
        member.at,
        member.end,
        f"{simple(ref.owner)}.{member.name}",
        ref,
        stated_default or implied,
        (*uses(member.annotations, ref.path, ref.owner), *beside),
        implied is not None,
        stated_default is not None and is_constant(values, ref),
    )


def is_constant(values: Values, ref: MemberRef) -> bool:
    """Tell whether a field's initial text is the name of a constant of its type, whose source is not at hand."""
    program = values.program
    type_ = program.field_type(ref)
    if program.type(type_.name) or program.jdk_type(type_.name) or kind_of(program, type_):
        return False
    context = values.open(ref)
    stored = [instr.value for instr in context.code if isinstance(instr, ir.StoreField)]
    return len(stored) == 1 and _library_constant(program, context, stored[0], ref) is not None


def initial(models: Models, values: Values, ref: MemberRef) -> tuple[str, int, int] | None:
    """Return a field's initial text and its absolute offsets."""
    program = values.program
    name = program.member(ref).name
    places = [ref]
    places.extend(
        constructor
        for constructor in program.own_methods(ref.owner).get("<init>", ())
        if not program.member(constructor).params
    )
    for place in places:
        context = values.open(place)
        for number in reversed(context.named(name).stores):
            instr = context.code[number]
            program.meter.spend()
            if not isinstance(instr, ir.StoreField):
                continue
            if place != ref and context.target_field(instr) != ref:
                continue
            given = default_value(models, values, context, instr.value)
            if given is not None:
                return in_place(models, values, ref, given)
            return _library_constant(program, context, instr.value, ref)
    return None


def _library_constant(
    program: Program, context: Context, value: int, ref: MemberRef
) -> tuple[str, int, int] | None:
    """Return the name of a library's constant that a field of the same type is given: that of an enum.

    The JDK is known: there a constant that is none of an enum has no text.
    """
    instr = context.code[value] if value != NONE else None
    owners: list[str] = []
    if isinstance(instr, ir.Field) and instr.object != NONE:
        owner = context.denotes(instr.object)
        owners = [owner] if owner is not None else []
    elif isinstance(instr, ir.Name):
        owners = context.static_imports(instr.name)
    if instr is None or program.field_type(ref).name not in owners:
        return None
    owner = program.field_type(ref).name
    if program.type(owner) is not None or program.jdk_type(owner) is not None:
        return None
    assert isinstance(instr, (ir.Field, ir.Name))
    base = context.member.at
    return instr.name, base + instr.at, base + instr.end


def implied_value(values: Values, ref: MemberRef) -> tuple[str, int, int] | None:
    """Return what a primitive field holds that nothing assigns while its object is made, at its name."""
    program = values.program
    member = program.member(ref)
    text = PRIMITIVE_DEFAULTS.get(member.type)
    if text is None:
        return None
    makers = [
        user
        for user in values.asking.within(ref.path, member.name)
        if program.member(user).name == "<init>"
    ]
    plain = values.trail.remembered(
        ("plain constructor", ref.owner), lambda: _has_plain_constructor(values, ref.owner)
    )
    if plain:
        makers = [
            user for user in makers if user.owner != ref.owner or not program.member(user).params
        ]
    for place in dict.fromkeys((ref, *makers)):
        context = values.open(place)
        for number in context.named(member.name).stores:
            instr = context.code[number]
            if not isinstance(instr, ir.StoreField) or context.target_field(instr) in (None, ref):
                return None
    return text, member.name_at, member.name_at + len(member.name.encode())


def _has_plain_constructor(values: Values, owner: str) -> bool:
    """Tell whether a class has a constructor without parameters that does its work without another one of the class.

    A binder that calls setters creates the object with this constructor, so what other constructors assign does not count.
    """
    for constructor in values.program.own_methods(owner).get("<init>", ()):
        if values.program.member(constructor).params:
            continue
        code = values.open(constructor).code
        return not any(
            isinstance(instr, ir.Call)
            and instr.name == "<init>"
            and instr.object != NONE
            and isinstance(made := code[instr.object], ir.This)
            and made.qualifier != "super"
            for instr in code
        )
    return False


def parameter_place(values: Values, ref: MemberRef, slot: int) -> tuple[int, int]:
    """Return the absolute offsets of a parameter's name."""
    member = values.program.member(ref)
    found = values.open(ref).body.locals
    if slot < len(found) and found[slot].parameter:
        at = member.at + found[slot].at
        return at, at + len(found[slot].name.encode())
    return member.name_at, member.name_end
