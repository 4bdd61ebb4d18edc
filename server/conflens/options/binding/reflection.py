"""Project methods that fill any object from properties by reflection, and the classes they fill.

The shape: a method with one parameter for a map or properties and another for an object or class,
that asks the latter for its methods or fields and invokes or sets them.  The classes are the types
of what callers pass.
The methods of ``Class``, ``Method``, ``Field``, ``Map`` and ``Properties`` are known here as parts of
that shape.  Absent: libraries that do the same (model rows).
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import FileFacts
from conflens.options.constant_arguments import words
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.values import Values

_LISTS = ("getMethods", "getDeclaredMethods", "getFields", "getDeclaredFields", "getField")
_SETS = ("invoke", "set", "setInt", "setLong", "setBoolean")
_SOURCES = frozenset({"getProperty", "get", "getOrDefault", "containsKey"})
_MAPS = ("java.util.Properties", "java.util.Map")
_MOST = 64
_SPEAKING = frozenset({"config", "configuration", "settings", "options", "properties", "conf"})


def filled(program: Program, values: Values) -> list[str]:
    """Return the project classes whose objects are filled, sorted."""
    found: set[str] = set()
    for path, facts in program.files.items():
        for index in _candidates(facts):
            ref = program.ref(path, index)
            slot = _object_slot(program, ref)
            if slot >= 0:
                found |= _passed(program, values, ref, slot)
    return sorted(found)


def _candidates(facts: FileFacts) -> set[int]:
    listing = {index for name in _LISTS for index in facts.calls.get(name, ())}
    if not listing:
        return listing
    setting = {index for name in _SETS for index in facts.calls.get(name, ())}
    reading = {index for name in _SOURCES for index in facts.calls.get(name, ())}
    return listing & setting & reading


def _object_slot(program: Program, ref: MemberRef) -> int:
    """Return the parameter that is filled; -1 when the method has another shape."""
    member = program.member(ref)
    types = [program.resolve(param.type, ref.path, ref.owner).name for param in member.params]
    if not any(
        name in _MAPS or any(map_ in program.supertypes(name) for map_ in _MAPS) for name in types
    ):
        return -1
    context = Context.of(program, ref)
    for instr in context.code:
        if isinstance(instr, ir.Call) and instr.name in (*_LISTS, "getClass"):
            receiver = context.code[instr.object] if instr.object != NONE else None
            if (
                isinstance(receiver, ir.Load)
                and not receiver.up
                and context.is_parameter(receiver.slot)
                and types[receiver.slot] in ("java.lang.Object", "java.lang.Class")
            ):
                return receiver.slot
    return -1


def _passed(program: Program, values: Values, ref: MemberRef, slot: int) -> set[str]:
    found: set[str] = set()
    for context, _, args in values.callers(ref)[:_MOST]:
        if slot >= len(args):
            continue
        type_ = context.type_of(args[slot])
        if type_ is not None and type_.name == "java.lang.Class" and type_.args:
            type_ = type_.args[0]
        if type_ is None:
            continue
        info = program.type(type_.name)
        if info is not None and _SPEAKING.intersection(words(info.decl.name)):
            found.add(info.name)
    return found
