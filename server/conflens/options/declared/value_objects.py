"""The texts for which objects stand that a definition is given as default or as allowed values.

A constant of an enum stands for what its method ``getValue`` or ``value`` gives, if it has one, else for its name; an object of a
library's class for the first text that its constructor is given: ``new AllowableValue("none", "No tracking", "…")``.
Absent: texts, numbers and durations (``value_texts``).
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.kinds import enum_constants
from conflens.options.value_names import words
from conflens.program.body_uses import returned
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.templates import CONSTANT, SelfField, known_text
from conflens.program.types import JavaType
from conflens.program.values import Values

_GIVES = (("value",), ("get", "value"))
_FIRST = (*_GIVES, ("name",), ("get", "name"), ("to", "string"))
"""The words of methods that give what an object of a library was first given."""


def text_of(values: Values, context: Context, value: int) -> str | None:
    """Return the text for which a constant object stands, also if it is asked for it; ``None`` where it is not known."""
    instr = context.code[value] if value != NONE else None
    if isinstance(instr, ir.Call):
        if instr.args or instr.object == NONE or tuple(words(instr.name)) not in _FIRST:
            return None
        value, instr = instr.object, context.code[instr.object]
    ref = context.field_of(value) if isinstance(instr, (ir.Name, ir.Field)) else None
    if ref is None or not values.program.is_constant(ref):
        return None
    if values.program.member(ref).kind == "enum_constant":
        return _of_constant(values, ref)
    inner = values.open(ref)
    made = next((one.value for one in inner.code if isinstance(one, ir.StoreField)), NONE)
    new = inner.code[made] if made != NONE else None
    if not isinstance(new, ir.New) or not new.args or inner.targets(made):
        return None
    return known_text(values.of(inner, new.args[0]))


def texts_of_enum(values: Values, type_: JavaType) -> tuple[str, ...]:
    """Return the texts of all constants of an enum; none if one is not known, or for any other type."""
    values.asking.shape(type_.name)
    fields = values.program.own_fields(type_.name)
    found = [
        _of_constant(values, fields[name]) if name in fields else name
        for name in enum_constants(values.program, type_)
    ]
    known = [text for text in found if text is not None]
    return tuple(known) if len(known) == len(found) else ()


def _of_constant(values: Values, ref: MemberRef) -> str | None:
    """Return the text for which a constant of an enum stands."""
    program = values.program
    values.asking.shape(ref.owner)
    for name, methods in program.own_methods(ref.owner).items():
        if tuple(words(name)) not in _GIVES:
            continue
        for method in methods:
            if not program.member(method).params and not program.is_static(method):
                return _given(values, ref, method)
    return program.member(ref).name


def _given(values: Values, ref: MemberRef, method: MemberRef) -> str | None:
    """Return what a method without parameters gives for one constant."""
    inner = values.open(method)
    found = [value for value in returned(inner) if value != NONE]
    templates = values.of(inner, found[0]) if len(found) == 1 else ()
    if len(templates) != 1 or len(templates[0]) != 1:
        return None
    part = templates[0][0]
    if not isinstance(part, SelfField):
        return part if isinstance(part, str) else None
    if part.name == CONSTANT:
        return values.program.member(ref).name
    made = values.origins.constant(ref)
    field = values.origins.field(made, part.name) if made is not None else None
    return known_text(values.origins.templates(field)) if field is not None else None
