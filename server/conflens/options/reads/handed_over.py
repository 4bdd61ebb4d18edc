"""Objects that parts of a program hand each other in a map of settings: they come out of no file.

A method that is configured with a map may find objects of the program in it beside the settings: another part of the program has put
them there under a constant of its own.  Where such a key is looked up, the value is cast to a type that no text becomes by a cast.
If that is a class of the project, this is enough.  Any other type must be seen on the other side as well: the constant is the key in
a map that the program fills, and what follows it has such a type and is no constant; for configuration that was parsed is cast, too.

What a definition declares is an option, whatever is done with it.  Absent: keys that are no constants of the project.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

from conflens.base.paths import is_test_path
from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.kinds import enum_constants, kind_of
from conflens.models.load import Models
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.templates import Templates, known_text
from conflens.program.trail import used
from conflens.program.types import OBJECT, STRING, JavaType
from conflens.program.values import Values

_MOST = 200
"""Members that name a key and are looked at."""
_TEXTS = frozenset({"java.lang.CharSequence", "char", "java.lang.Character"})
_MAPS = "java.util."


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
        field = context.field_of(key)
        if field is None or not self._program.is_constant(field):
            return False
        types = [type_ for type_ in _casts(context, value) if _is_no_text(type_)]
        if not types or known_text(names) in self.declared:
            return False
        if any(self._is_own(type_) for type_ in types):
            return True
        return self._values.trail.remembered(("handed over", field), lambda: self._is_put(field))

    def _is_own(self, type_: JavaType | None) -> bool:
        """Tell whether a type is a class of the project that is no kind of value."""
        if type_ is None or self._program.type(type_.name) is None:
            return False
        return not kind_of(self._program, type_) and not enum_constants(self._program, type_)

    def _is_put(self, field: MemberRef) -> bool:
        """Tell whether a constant is the key of something in a map that the program fills."""
        name = self._program.member(field).name
        self._values.trail.names.update((name, used(name)))
        for number, ref in enumerate(self._program.mentions(name)):
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


def _casts(context: Context, value: int) -> Iterator[JavaType | None]:
    """Yield the types that a value is cast to, perhaps after a local or a method that hands it back."""
    same, slots = {value}, set[int]()
    for number, instr in enumerate(context.code):
        match instr:
            case ir.Cast() if instr.value in same:
                yield context.type_of(number)
            case ir.Call() if number != value and not same.isdisjoint(instr.args):
                same.add(number)
            case ir.Store(up=0) if instr.value in same:
                slots.add(instr.slot)
            case ir.Load(up=0) if instr.slot in slots:
                same.add(number)


def _is_no_text(type_: JavaType | None) -> bool:
    return type_ is not None and type_ not in (STRING, OBJECT) and type_.name not in _TEXTS
