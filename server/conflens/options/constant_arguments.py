"""Questions that definitions, annotations and bindings share: constants and type gates.

Absent: anything that yields a finding.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import FileFacts
from conflens.models.load import Models
from conflens.models.schema import ConstantRow, ReadRow
from conflens.program.body_uses import takers
from conflens.program.expressions import Context
from conflens.program.fluent import MOST_HOPS, fluent_type
from conflens.program.library import Library, LibraryType
from conflens.program.nesting import Nesting
from conflens.program.program import Program
from conflens.program.templates import Template
from conflens.program.types import JavaType

_ENDS = "types of chain ends"

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def words(name: str) -> tuple[str, ...]:
    """Return the lower-case words of a Java name: ``maxHTTPSize_ms``: max, http, size, ms."""
    return tuple(word.lower() for word in _WORD.findall(name))


def rendered(template: Template) -> str:
    """Return a template as a name pattern: each hole is a ``*``."""
    return "".join(part if isinstance(part, str) else "*" for part in template)


def constant_row(models: Models, context: Context, value: int) -> ConstantRow | None:
    """Return the row of the constant that an expression names, or that a call without arguments makes."""
    if value == NONE:
        return None
    instr = context.code[value]
    owners: list[str] = []
    if isinstance(instr, ir.Field) and instr.object != NONE:
        owner = context.denotes(instr.object)
        owners = [owner] if owner is not None else []
        name = instr.name
    elif isinstance(instr, ir.Name):
        name = instr.name
        field = context.field_of(value)
        owners = [field.owner] if field is not None else context.static_imports(name)
    elif isinstance(instr, ir.Call) and not instr.args:
        owner = context.denotes(instr.object) if instr.object != NONE else None
        name = instr.name
        owners = context.static_imports(name) if instr.object == NONE else [owner or ""]
    else:
        return None
    for owner in owners:
        for type_ in (owner, *context.program.supertypes(owner)):
            row = models.constants_by_type.get(type_, {}).get(name)
            if row is not None:
                return row
    return None


def class_row(models: Models, context: Context, value: int) -> ConstantRow | None:
    """Return the row of the nested class that ``X.class`` or ``new X()`` names."""
    instr = context.code[value]
    if not isinstance(instr, (ir.ClassLiteral, ir.New)):
        return None
    place = (context.ref.path, context.ref.owner)
    owner, _, last = context.program.resolve(instr.type, *place).name.rpartition(".")
    for type_ in (owner, context.program.resolve(owner, *place).name if owner else ""):
        row = models.constants_by_type.get(type_, {}).get(last)
        if row is not None:
            return row
    return None


def takes(context: Context, call: ir.Call, row: ReadRow) -> bool:
    """Tell whether a row is about calls with such arguments: as many, and a class where it says so and not for a name."""
    count = len(call.args)
    if count < row.min_args or (row.max_args is not None and count > row.max_args):
        return False
    name = row.name if isinstance(row.name, int) else -1
    if 0 <= name < count and isinstance(context.code[call.args[name]], ir.ClassLiteral):
        return False
    if row.parameters and any(
        wanted == "String" and _is_class(context, given)
        for wanted, given in zip(row.parameters, call.args, strict=False)
    ):
        return False
    if row.class_argument == 0 and count:
        type_ = context.type_of(call.args[0])
        return type_ is None or type_.name == "java.lang.Class"
    return True


def _is_class(context: Context, value: int) -> bool:
    """Tell whether an argument is a class, by itself or by its type."""
    if isinstance(context.code[value], ir.ClassLiteral):
        return True
    type_ = context.type_of(value)
    return type_ is not None and type_.name == "java.lang.Class"


class Reach:
    """Tells which library types the files of a program can name at all: by import or package, or in full."""

    def __init__(self, program: Program) -> None:
        """Look in ``program``'s files."""
        self._program = program
        self._files: dict[str, frozenset[str]] = {}
        self._types: dict[tuple[str, ...], frozenset[str]] = {}

    def can(self, path: str, types: tuple[str, ...]) -> bool:
        """Tell whether file ``path`` can name one of ``types``."""
        imported = self._files.get(path)
        if imported is None:
            imported = _imported(self._program.files[path])
            self._files[path] = imported
        wanted = self._types.get(types)
        if wanted is None:
            wanted = frozenset(prefix for name in types for prefix in _prefixes(name))
            self._types[types] = wanted
        return not imported.isdisjoint(wanted)


def _imported(facts: FileFacts) -> frozenset[str]:
    """Return what a file imports, the types of its static imports, its package, and the types that it names in full."""
    found = {imported.name for imported in facts.imports}
    for imported in facts.imports:
        if imported.static:
            found.add(imported.name.rpartition(".")[0])
    if facts.package:
        found.add(facts.package)
    found.update(name for name in facts.names if "." in name)
    for member in facts.members:
        if "." in member.type and member.kind == "field":
            found.add(member.type.partition("<")[0])
    return frozenset(found)


def _prefixes(name: str) -> list[str]:
    """Return a qualified name, its outer types and its package."""
    found = [name]
    while "." in name:
        name, _, _ = name.rpartition(".")
        found.append(name)
        if not name.rpartition(".")[2][:1].isupper():
            break
    return found


def is_one_of(program: Program, name: str, types: Iterable[str]) -> bool:
    """Tell whether a type is one of ``types`` or a subtype of one."""
    wanted = tuple(types)
    return name in wanted or any(type_ in wanted for type_ in program.supertypes(name))


def receiver_is(context: Context, value: int, call: ir.Call, types: tuple[str, ...]) -> bool:
    """Tell whether a call's method is one of ``types``, as far as the receiver tells.

    A fluent call of a library, whose result type is not known, passes for its receiver's type.
    """
    program = context.program
    if call.object == NONE:
        targets = context.targets(value)
        if targets:
            return is_one_of(program, targets[0].owner, types)
        owners = (context.ref.owner, *context.static_imports(call.name))
        return any(is_one_of(program, owner, types) for owner in owners)
    type_ = fluent_type(context, call)
    return type_ is not None and is_one_of(program, type_.name, types)


def chain_end_type(context: Context, value: int) -> JavaType | None:
    """Return the declared type of what the chain that a call stands in is assigned to, returned as or cast to."""
    kept = context.notes.setdefault(_ENDS, {})
    assert isinstance(kept, dict)
    passed = []
    type_ = None
    for _ in range(MOST_HOPS):
        if value in kept:
            type_ = kept[value]
            break
        passed.append(value)
        outer = None
        for number in takers(context, value):
            instr = context.code[number]
            if isinstance(instr, ir.Call) and instr.object == value:
                outer = number
            else:
                type_ = type_ or _declared_for(context, number, instr)
        if outer is None:
            break
        value = outer
    kept.update(dict.fromkeys(passed, type_))
    return type_


def _declared_for(context: Context, number: int, instr: ir.Instr) -> JavaType | None:
    """Return the type that an instruction demands of the value it takes, as far as it is written there."""
    match instr:
        case ir.Cast():
            return context.type_of(number)
        case ir.Store() if not instr.up and context.body.locals[instr.slot].type:
            return context.local_type(instr.slot)
        case ir.StoreField():
            field = context.target_field(instr)
            return context.program.field_type(field) if field is not None else None
        case ir.Return() if instr.kind == "return" and context.member.type:
            code = context.code
            inner = Nesting(
                (one.start, one.stop, None) for one in code if isinstance(one, ir.Lambda)
            )
            if not any(inner.around(number)):
                ref = context.ref
                return context.program.resolve(context.member.type, ref.path, ref.owner)
    return None


def parameters_fit(context: Context, args: tuple[int, ...], wanted: tuple[str, ...]) -> int:
    """Return how many arguments have the simple type asked for; -1 when one cannot have it.

    What is not known fits, but does not count.
    """
    matched = 0
    for arg, name in zip(args, wanted, strict=False):
        if name == "*":
            continue
        type_ = context.type_of(arg)
        if type_ is not None:
            fits = _simple_is(context.program, type_, name)
            if fits is False:
                return -1
            matched += fits is True
        else:
            instr = context.code[arg]
            owner = None
            if isinstance(instr, ir.Field) and instr.object != NONE:
                owner = context.denotes(instr.object)
            matched += owner is not None and owner.rpartition(".")[2] == name
    return matched


def _simple_is(program: Program, type_: JavaType, wanted: str) -> bool | None:
    """Tell whether a type is, or is not, called ``wanted``; ``None``: that cannot be told."""
    if wanted == "Object":
        return None
    for name in (type_.name, *program.supertypes(type_.name)):
        if name.rpartition(".")[2] == wanted:
            return True
    return False if program.known(type_.name) else None


_JDK = ("java.", "javax.")


def library_types(models: Models) -> Library:
    """Return the types that rows speak of, with their outer types: the library of ``Program.build``."""
    found: dict[str, LibraryType] = {}
    for rows in (
        models.reads,
        models.containers,
        models.prefixes,
        models.annotations,
        models.definitions,
        models.validators,
        models.checks,
        models.deprecations,
        models.bindings,
        models.constants,
        models.keys,
        models.libraries,
    ):
        for row in rows:
            for type_ in (row.type, *getattr(row, "also_types", ())):
                for name in _prefixes(type_)[:-1]:
                    found.setdefault(name, LibraryType())
    costly = {row.type for row in models.operations} | {row.type for row in models.callbacks}
    for type_ in costly:
        if not type_.startswith(_JDK):
            found.setdefault(type_, LibraryType())
    for library in models.libraries:
        # Several rows of a type, from different files, add up.
        known = found.get(library.type, LibraryType())
        found[library.type] = LibraryType(
            tuple(dict.fromkeys((*known.supers, *library.supers))),
            {**known.returns, **library.returns},
            library.value_type or known.kind,
            {**known.fields, **library.fields},
        )
    return found
