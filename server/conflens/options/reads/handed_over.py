"""Objects that parts of a program hand each other in a map of settings: they come out of no file.

A method that is configured with a map may find objects of the program in it beside the settings: another part of the program has put
them there under a constant of its own.  Where such a key is looked up, the value is cast to a type that no text becomes by a cast.
If that is a class of the project that nothing makes of a text, this is enough.  Any other type must be seen on the other side as
well, also an interface, which may stand for a class that a file names: the constant is the key in a map that the program fills, and
what follows it has such a type and is no constant; for configuration that was parsed is cast, too.

What a definition declares is an option, whatever is done with it, and so is what is asked for its type before it is cast.  A list or a number
may stand in a document as well: whether it does, the class of the constant tells (``namespaces``).  Where a key is spelled out, only a class of the
project is enough.  Absent: what is put under keys that are no constants of the project.
"""

from __future__ import annotations

from collections.abc import Set

from conflens.base.paths import is_test_path
from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Modifier
from conflens.flow.kinds import enum_constants, kind_of
from conflens.models.load import Models
from conflens.options.member_types import simple
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.templates import Templates, known_text
from conflens.program.types import BOXES, OBJECT, PRIMITIVES, STRING, JavaType
from conflens.program.values import Values

_MOST = 200
"""Members that name a key and are looked at."""
_TEXTS = frozenset({"java.lang.CharSequence", "char", "java.lang.Character"})
_MOST_AT_ONCE = 8
"""Lookups that one value is followed from."""
_WRITTEN = frozenset({"String", "CharSequence", "Object"})
_MAPS = "java.util."
_PARSED = frozenset(
    {
        "java.lang.Object",
        "java.lang.String",
        "java.lang.Number",
        "java.lang.Iterable",
        "java.util.Collection",
        "java.util.List",
        "java.util.Map",
    }
)


class HandedOver:
    """Tells of lookups in one program."""

    def __init__(self, program: Program, models: Models, values: Values) -> None:
        """Look in ``program``."""
        self._program = program
        self._reads = frozenset(row.method for row in models.reads if not row.write)
        self._values = values
        self.declared: Set[str] = frozenset()
        """The names of options that the program declares; set before anything is asked."""

    def is_object(self, context: Context, value: int, key: int, names: Templates) -> bool:
        """Tell whether what ``value`` looks up under ``key``, called ``names``, is an object that the program has put there."""
        if (name := known_text(names)) in self.declared:
            return False
        field = context.field_of(key)
        uses = self._uses_in(context)
        if field is None:
            return name is not None and self._is_cast_to_own(uses, value)
        if not self._program.is_constant(field):
            return False
        if value in uses.tested and value not in uses.casts:
            return field in self._objects_in(context)
        return self._is_cast_object(uses, value, field)

    def is_parsed(self, context: Context, value: int, key: int) -> bool:
        """Tell whether what ``value`` looks up under ``key`` is only cast to what a parsed document holds, so that it may be configuration
        although the program puts it there as well."""
        uses, field = self._uses_in(context), context.field_of(key)
        types = uses.casts.get(value) or [
            type_
            for other, found in uses.casts.items()
            if isinstance(call := context.code[other], ir.Call)
            and context.field_of(call.args[0]) == field
            for type_ in found
        ]
        return all(type_ is not None and _is_in_documents(type_) for type_ in types)

    def _uses_in(self, context: Context) -> _Uses:
        key = ("lookups", context.ref)
        return self._values.trail.remembered(key, lambda: _Uses(context, self._reads))

    def _objects_in(self, context: Context) -> Set[MemberRef]:
        """Return the constants under which a body looks up objects; for what it tests for being there before."""

        def find() -> Set[MemberRef]:
            uses = self._uses_in(context)
            found = set()
            for value in uses.casts:
                call = context.code[value]
                field = context.field_of(call.args[0]) if isinstance(call, ir.Call) else None
                if field is not None and self._is_cast_object(uses, value, field):
                    found.add(field)
            return found

        return self._values.trail.remembered(("objects", context.ref), find)

    def _is_cast_object(self, uses: _Uses, value: int, field: MemberRef) -> bool:
        if self._is_cast_to_own(uses, value):
            return True
        return bool(self._objects(uses, value)) and self._values.trail.remembered(
            ("handed over", field), lambda: self._is_put(field)
        )

    def _is_cast_to_own(self, uses: _Uses, value: int) -> bool:
        return any(self._is_own(type_) for type_ in self._objects(uses, value))

    def _objects(self, uses: _Uses, value: int) -> list[JavaType | None]:
        """Return the types that a value is cast to, if no text becomes any of them."""
        types = [type_ for type_ in uses.casts.get(value, ()) if _is_no_text(type_)]
        if value in uses.asked or any(self._is_made_of_text(type_) for type_ in types):
            return []
        return types

    def _is_own(self, type_: JavaType | None) -> bool:
        """Tell whether a type is a class of the project that is no kind of value."""
        info = self._program.type(type_.name) if type_ is not None else None
        if info is None or info.decl.kind == "interface":
            return False
        if info.decl.modifiers & Modifier.ABSTRACT:
            return False
        return not kind_of(self._program, type_) and not enum_constants(self._program, type_)

    def _is_made_of_text(self, type_: JavaType | None) -> bool:
        """Tell whether a class of the project has a constructor or a factory that takes one text."""
        if type_ is None:
            return False
        made = simple(type_.name)
        self._values.asking.shape(type_.name)
        for refs in self._program.own_methods(type_.name).values():
            for member in map(self._program.member, refs):
                if len(member.params) == 1 and member.params[0].type in _WRITTEN:
                    returned = simple(member.type.partition("<")[0])
                    factory = bool(member.modifiers & Modifier.STATIC) and returned == made
                    if factory or member.kind == "constructor":
                        return True
        return False

    def _is_put(self, field: MemberRef) -> bool:
        """Tell whether a constant is the key of something in a map that the program fills."""
        name = self._program.member(field).name
        for number, ref in enumerate(self._values.asking.every_mention(name)):
            if number == _MOST:
                break
            if is_test_path(ref.path):
                continue
            self._program.meter.spend()
            context = self._values.open(ref)
            for _, call in context.calls():
                if isinstance(call, ir.Call) and self._puts(context, call, field):
                    return True
        return False

    def _puts(self, context: Context, call: ir.Call, field: MemberRef) -> bool:
        if call.object == NONE or call.name in self._reads or len(call.args) < 2:
            return False
        for key, given in zip(call.args, call.args[1:], strict=False):
            if context.field_of(key) == field:
                type_ = context.type_of(given)
                return (
                    self._is_map(context, call)
                    and _is_no_text(type_)
                    and known_text(self._values.of(context, given)) is None
                )
        return False

    def _is_map(self, context: Context, call: ir.Call) -> bool:
        type_ = context.receiver_type(call)
        name = type_.name if type_ is not None else context.denotes(call.object) or ""
        return name.startswith(_MAPS) or any(
            above.startswith(_MAPS) for above in self._program.supertypes(name)
        )


class _Uses:
    """What a body does with the values that it looks up: casts them, asks for their types, tests whether they are there."""

    def __init__(self, context: Context, lookups: Set[str]) -> None:
        """Go through a body once; ``lookups`` are names of methods that look something up."""
        self.casts: dict[int, list[JavaType | None]] = {}
        self.asked: set[int] = set()
        self.tested: set[int] = set()
        self._from: dict[int, tuple[int, ...]] = {}
        slots: dict[int, tuple[int, ...]] = {}
        for number, instr in enumerate(context.code):
            match instr:
                case ir.Call() if instr.name in lookups and instr.args:
                    self._from[number] = (number,)
                case ir.Call():
                    self._take(number, instr.args)
                case ir.Store(up=0):
                    slots[instr.slot] = self._from.get(instr.value, ())
                case ir.Load(up=0) if slots.get(instr.slot):
                    self._from[number] = slots[instr.slot]
                case ir.InstanceOf():
                    self.asked.update(self._from.get(instr.value, ()))
                case ir.Cast():
                    for value in self._from.get(instr.value, ()):
                        self.casts.setdefault(value, []).append(context.type_of(number))
                    self._take(number, (instr.value,))
                case ir.Binary(op="==" | "!="):
                    self.tested.update({instr.left, instr.right} & self._from.keys())
                case _:
                    pass

    def _take(self, number: int, values: tuple[int, ...]) -> None:
        found = dict.fromkeys(one for value in values for one in self._from.get(value, ()))
        if 0 < len(found) <= _MOST_AT_ONCE:
            self._from[number] = tuple(found)


def _is_in_documents(type_: JavaType) -> bool:
    """Tell whether a parsed document holds values of a type."""
    return type_.name in _PARSED or type_.name in BOXES or type_.name in PRIMITIVES


def _is_no_text(type_: JavaType | None) -> bool:
    return type_ is not None and type_ not in (STRING, OBJECT) and type_.name not in _TEXTS
