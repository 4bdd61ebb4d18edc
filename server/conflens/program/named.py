"""What names objects: enum constants are called by their names, objects and class tokens by their classes.

An enum constant that is handed over as ``Enum<?>``, or as an interface that enums implement, is left open (``CONSTANT``, ``CLASS``)
until a call tells which it is, and so is what the ``toString`` of any other object is.
Absent: which subclass of a class that has some an object is of.
"""

from __future__ import annotations

from typing_extensions import override

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.program.elements import Elements
from conflens.program.expressions import Context
from conflens.program.reaching import reaching
from conflens.program.refs import MemberRef
from conflens.program.templates import (
    CLASS,
    CONSTANT,
    RESULT,
    UNKNOWN,
    Param,
    Part,
    SelfField,
    Templates,
)
from conflens.program.types import OBJECT, STRING, unboxed

CLASS_OF = frozenset({"getClass", "getDeclaringClass"})
"""Methods without arguments that give the class of an object, or the enum of a constant."""

_ENUM = "java.lang.Enum"


class Named(Elements):
    """Evaluates the names of enum constants and of classes."""

    def enum_names(self, context: Context, value: int, depth: int) -> Templates:
        """Return the name of the enum constant that an object is, in terms of what it is asked of; none of another object."""
        if value == NONE or isinstance(context.code[value], ir.This):
            owner = context.ref.owner
        else:
            type_ = context.type_of(value)
            owner = type_.name if type_ is not None else ""
            if type_ is None:
                owner = next((ref.owner for ref in self.each(context, value)), "")
        if not self._is_enum(owner):
            return ()
        return self.own(context, value, (), SelfField(owner, CONSTANT), depth)

    def constant_name(self, context: Context, instr: ir.Instr) -> str | None:
        """Return the name of a constant of a library, which only enums are asked for."""
        if not isinstance(instr, (ir.Name, ir.Field)) or not instr.name.isupper():
            return None
        owner = context.denotes(instr.object) if isinstance(instr, ir.Field) else None
        if owner is None or self.program.type(owner) is not None:
            return None
        return instr.name

    def declared_name(
        self, context: Context, call: ir.Call, target: MemberRef, depth: int
    ) -> Templates:
        """Return the name of the enum constant that is asked by an interface which declares ``name()``; none for another method."""
        if call.name != "name" or call.args or self.asking.overriders(target):
            return ()
        below = (target.owner, *self.program.all_subtypes(target.owner))
        if self.open(target).code or not any(map(self._is_enum, below)):
            return ()
        return self.own(context, call.object, (), SelfField(target.owner, CONSTANT), depth)

    def asked_name(self, context: Context, call: ir.Call, type_: str, depth: int) -> Templates:
        """Return what ``name()`` or ``toString()`` of an object gives that may be an enum constant; none for another object."""
        if call.name == "name":
            if type_ != _ENUM:
                return ()
            return self.own(context, call.object, (), SelfField(_ENUM, CONSTANT), depth)
        asked = context.code[call.object]
        if type_ not in (_ENUM, OBJECT.name) or not self._is_parameter(
            context, asked, call.object
        ):
            return ()
        assert isinstance(asked, ir.Load)
        return ((Param(asked.slot, type_, RESULT + call.name),),)

    @override
    def text_of_object(self, context: Context, call: ir.Call, depth: int) -> Templates:
        type_ = context.type_of(call.object)
        name = type_.name if type_ is not None else ""
        if name == STRING.name or unboxed(type_):
            return self.of(context, call.object, depth)
        enum = self.enum_names(context, call.object, depth)
        return enum or self.asked_name(context, call, name, depth) or UNKNOWN

    def class_of(self, context: Context, value: int, depth: int) -> Templates:
        """Return the class of an object, where that is one class; what a call hands over is left open."""
        if value == NONE or isinstance(context.code[value], ir.This):
            return self.only(context.ref.owner)
        type_ = context.type_of(value)
        name = type_.name if type_ is not None else ""
        known = self.only(name)
        if known != UNKNOWN or name not in (_ENUM, OBJECT.name):
            return known
        return self.own(context, value, (), SelfField(name, CLASS), depth)

    def _is_enum(self, name: str) -> bool:
        info = self.program.type(name)
        return info is not None and info.decl.kind == "enum"

    @staticmethod
    def _is_parameter(context: Context, instr: ir.Instr, at: int) -> bool:
        """Tell whether an expression is a parameter that the body gives no other value."""
        if not isinstance(instr, ir.Load) or instr.up or not context.is_parameter(instr.slot):
            return False
        return not reaching(context, instr.slot, at).stores

    def own(
        self, context: Context, receiver: int, args: tuple[int, ...], part: Part, depth: int
    ) -> Templates:
        """Return what fills a hole of an object's member, also of each object that a loop goes through."""
        each = None
        if isinstance(part, SelfField) and receiver != NONE:
            each = self.each_field(context, receiver, part)
        elif isinstance(part, Param) and part.name and part.slot < len(args):
            if part.name.startswith(RESULT):
                return self.filled(context, receiver, args, part, depth)
            each = self.each_field(context, args[part.slot], SelfField(part.owner, part.name))
        return each if each is not None else self.filled(context, receiver, args, part, depth)
