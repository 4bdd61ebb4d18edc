"""Whether a program sets an option itself: this is how parts of a program tell each other what no person is to write.

A method outside of tests sets an option if it does not read it, names its constant and calls a setter.  A literal name counts
in the same file only.  A method that only passes its own parameter on (``setSize(int n) { set(SIZE, n); }``) offers the
option to callers: code sets it where one of them is not a test.  A property of a bound class is set where the class calls
its setter in a method that does not look at the property.  Where the constant only stands in a method that sets something, it may be
set.
"""

from __future__ import annotations

from enum import IntEnum
from functools import cached_property

from conflens.base.paths import is_test_path
from conflens.facts import ir
from conflens.facts.model import Member, Modifier
from conflens.options.model import Declaration, Option
from conflens.program.program import Program
from conflens.program.refs import MemberRef

_SETTERS = ("set", "setProperty", "setBoolean", "setInt", "setLong", "setStrings", "setClass")
_GETTERS = ("get", "is")


class SetBy(IntEnum):
    """Who sets an option: nobody, perhaps somebody (callers of a method that offers it), or the program for itself."""

    NOBODY = 0
    PERHAPS = 1
    ITSELF = 2


class Setters:
    """Tells who sets the options of one program; which members call a setter is found once, by file."""

    def __init__(self, program: Program) -> None:
        """Nothing is looked at yet."""
        self._program = program

    @cached_property
    def _callers(self) -> dict[str, dict[MemberRef, None]]:
        found: dict[str, dict[MemberRef, None]] = {}
        for setter in _SETTERS:
            for ref in self._program.users(setter):
                found.setdefault(ref.path, {})[ref] = None
        return found

    def of(self, option: Option) -> SetBy:
        """Return who sets an option."""
        if option.declarations:
            return _set_by(self._program, option)
        paths = {read.place.path for read in option.reads}
        alone = any(
            _sets(self._program.body(ref), option.name)
            for path in sorted(paths)
            for ref in self._callers.get(path, ())
        )
        return SetBy.ITSELF if alone else SetBy.NOBODY


def _set_by(program: Program, option: Option) -> SetBy:
    read_in = {(read.place.path, read.method.rpartition(".")[2]) for read in option.reads}
    found = SetBy.NOBODY
    for declaration in option.declarations:
        if declaration.kind == "constant":
            found = max(found, _constant_set_by(program, declaration, read_in))
        elif declaration.kind == "field":
            found = max(found, _property_set_by(program, declaration))
    return found


def _constant_set_by(
    program: Program, declaration: Declaration, read_in: set[tuple[str, str]]
) -> SetBy:
    found = SetBy.NOBODY
    constant = declaration.symbol.rpartition(".")[2]
    for ref in program.mentions(constant):
        member = program.member(ref)
        if (ref.path, member.name) in read_in or member.kind not in ("method", "constructor"):
            continue
        if is_test_path(ref.path) or not any(ref in program.users(one) for one in _SETTERS):
            continue
        body = program.body(ref)
        if not _passes_on(body, member):
            if _hands_over(body, constant):
                return SetBy.ITSELF
            found = SetBy.PERHAPS
        elif _is_called(program, ref, member):
            found = SetBy.PERHAPS
    return found


def _property_set_by(program: Program, declaration: Declaration) -> SetBy:
    name = declaration.symbol.rpartition(".")[2]
    end = name[:1].upper() + name[1:]
    getters = {getter + end for getter in _GETTERS}
    for ref in program.users(f"set{end}"):
        if ref.path != declaration.place.path:
            continue
        member = program.member(ref)
        if member.kind == "method" and not member.name.startswith(("set", "with")):
            code = program.body(ref).code
            if not any(_looks_at(instruction, name, getters) for instruction in code):
                return SetBy.ITSELF
    return SetBy.NOBODY


def _looks_at(instruction: ir.Instr, name: str, getters: set[str]) -> bool:
    if isinstance(instruction, ir.Call):
        return instruction.name in getters
    return isinstance(instruction, (ir.Name, ir.Field)) and instruction.name == name


def _hands_over(body: ir.Body, constant: str) -> bool:
    """Tell whether a body names a constant where it gives a setter what to set."""
    named = [
        at
        for at, one in enumerate(body.code)
        if isinstance(one, (ir.Name, ir.Field)) and one.name == constant
    ]
    return any(
        isinstance(one, ir.Call)
        and one.name in _SETTERS
        and one.args
        and any(one.object < at <= max(one.args) for at in named)
        for one in body.code
    )


def _passes_on(body: ir.Body, member: Member) -> bool:
    """Tell whether other classes may give what a body sets: each value is a parameter, or a parameter that is converted."""
    code = body.code
    setters = [one for one in code if isinstance(one, ir.Call) and one.name in _SETTERS]
    offered = bool(member.params) and not member.modifiers & Modifier.PRIVATE
    return offered and all(
        one.args and _is_parameter(code, one.args[-1], len(member.params)) for one in setters
    )


def _is_parameter(code: tuple[ir.Instr, ...], at: int, count: int) -> bool:
    value = code[at]
    if isinstance(value, ir.Call):
        given = [*value.args, *([value.object] if value.object >= 0 else [])]
        return any(isinstance(code[one], ir.Load) for one in given) and all(
            not isinstance(code[one], ir.Load) or _is_parameter(code, one, count) for one in given
        )
    return isinstance(value, ir.Load) and not value.up and value.slot < count


def _is_called(program: Program, setter: MemberRef, member: Member) -> bool:
    """Tell whether other code than tests may call a method; overloads that call each other do not count."""
    for ref in program.users(member.name):
        overload = ref.path == setter.path and program.member(ref).name == member.name
        if not overload and not is_test_path(ref.path):
            return True
    return False


def _sets(body: ir.Body, name: str) -> bool:
    """Tell whether a body sets what has this literal name."""
    instructions = body.code
    for instruction in instructions:
        if isinstance(instruction, ir.Call) and instruction.name in _SETTERS:
            first = instructions[instruction.args[0]] if instruction.args else None
            if isinstance(first, ir.Const) and first.value == name:
                return True
    return False
