"""Closed sets of texts that a value is looked up in: constants of an enum, constant collections.

An enum's own look-up compares the value with ``name()``, ``toString()`` or a text field of each
constant; then the allowed values are those texts.  A constant collection is one that is built from
constants where it is declared.  The look-ups of the JDK's collections are known here as parts of
the language.
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.kinds import enum_constants
from conflens.flow.uses import Uses
from conflens.program.refs import MemberRef
from conflens.program.templates import SelfField, known_text
from conflens.program.types import JavaType

LOOKUPS = frozenset({"contains", "containsKey", "get", "getOrDefault"})
_NAMES = frozenset({"name", "toString"})
_SAME_TEXT = frozenset({"toLowerCase", "toUpperCase", "trim"})
_DEPTH = 4


def enum_texts(uses: Uses, code: Code, value: int) -> tuple[str, ...]:
    """Return the texts of all constants when an expression is the text of one of an enum."""
    instr = code.code[value]
    for _ in range(_DEPTH):
        if not isinstance(instr, ir.Call) or instr.object == NONE or instr.name not in _SAME_TEXT:
            break
        instr = code.code[instr.object]
    if not isinstance(instr, (ir.Call, ir.Field)) or instr.object == NONE:
        return ()
    holder = code.code[instr.object]
    if not isinstance(holder, ir.Load):
        return ()
    type_ = code.context.type_of(instr.object)
    constants = enum_constants(uses.program, type_)
    if not constants or type_ is None or uses.program.type(type_.name) is None:
        return ()
    if isinstance(instr, ir.Field):
        return _field_texts(uses, type_.name, SelfField(type_.name, instr.name), constants)
    if instr.args:
        return ()
    declared = uses.program.methods(type_.name, instr.name, 0)
    if not declared:
        return constants if instr.name in _NAMES else ()
    return _method_texts(uses, declared[0], constants)


def _method_texts(uses: Uses, ref: MemberRef, constants: tuple[str, ...]) -> tuple[str, ...]:
    returned = uses.values.returned(ref, 0)
    if returned is None or len(returned) != 1 or len(returned[0]) != 1:
        return ()
    part = returned[0][0]
    return _field_texts(uses, ref.owner, part, constants) if isinstance(part, SelfField) else ()


def _field_texts(
    uses: Uses, enum: str, field: SelfField, constants: tuple[str, ...]
) -> tuple[str, ...]:
    """Return what a field is in each constant, when all of that is known."""
    found: list[str] = []
    fields = uses.program.own_fields(enum)
    for name in constants:
        code = uses.code(fields[name])
        made = [index for index, instr in enumerate(code.code) if isinstance(instr, ir.New)]
        if not made:
            return ()
        text = known_text(uses.values.receiver_field(code.context, made[-1], field, 0))
        if not text:
            return ()
        found.append(text)
    return tuple(found)


def collection_texts(uses: Uses, code: Code, value: int) -> tuple[str, ...]:
    """Return what a constant collection holds; of a map, its keys."""
    type_ = code.context.type_of(value)
    if type_ is None or value == NONE:
        return ()
    field = code.context.field_of(value)
    if field is not None:
        if not uses.program.is_constant(field):
            return ()
        code = uses.code(field)
        stores = [instr for instr in code.code if isinstance(instr, ir.StoreField)]
        if not stores:
            return ()
        value = stores[-1].value
    built = code.code[value]
    if not isinstance(built, ir.Call):
        return ()
    if _is_map(uses, type_):
        return _constants(uses, code, built.args[::2])
    if len(built.args) == 1 and isinstance(code.code[built.args[0]], ir.Call):
        return collection_texts(uses, code, built.args[0])
    return _constants(uses, code, built.args)


def _is_map(uses: Uses, type_: JavaType) -> bool:
    return uses.program.is_subtype(type_.name, "java.util.Map")


def _constants(uses: Uses, code: Code, values: tuple[int, ...]) -> tuple[str, ...]:
    found = [uses.transfer.constant(code, value) for value in values]
    return tuple(text for text in found if text) if all(found) else ()
