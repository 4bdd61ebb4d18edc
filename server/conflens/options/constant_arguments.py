"""Questions that definitions, annotations and bindings share: constants, type gates, default texts.

Absent: anything that yields a finding.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import FileFacts
from conflens.models.load import Models
from conflens.models.schema import ConstantRow
from conflens.program.expressions import Context
from conflens.program.library import Library, LibraryType
from conflens.program.program import Program
from conflens.program.templates import Template, known_text
from conflens.program.types import JavaType
from conflens.program.values import Values

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_DURATIONS = {
    "ofNanos": "ns",
    "ofMillis": "ms",
    "ofSeconds": "s",
    "ofMinutes": "m",
    "ofHours": "h",
    "ofDays": "d",
}
_LISTS = frozenset({"of", "asList", "singletonList", "singleton"})
_NANOSECONDS = {
    "NANOSECONDS": 1,
    "MICROSECONDS": 1_000,
    "MILLISECONDS": 1_000_000,
    "SECONDS": 1_000_000_000,
    "MINUTES": 60_000_000_000,
    "HOURS": 3_600_000_000_000,
    "DAYS": 86_400_000_000_000,
}
_TO_UNIT = {
    "toNanos": "NANOSECONDS",
    "toMicros": "MICROSECONDS",
    "toMillis": "MILLISECONDS",
    "toSeconds": "SECONDS",
    "toMinutes": "MINUTES",
    "toHours": "HOURS",
    "toDays": "DAYS",
}


def words(name: str) -> tuple[str, ...]:
    """Return the lower-case words of a Java name: ``maxHTTPSize_ms``: max, http, size, ms."""
    return tuple(word.lower() for word in _WORD.findall(name))


def rendered(template: Template) -> str:
    """Return a template as a name pattern: each hole is a ``*``."""
    return "".join(part if isinstance(part, str) else "*" for part in template)


def constant_row(models: Models, context: Context, value: int) -> ConstantRow | None:
    """Return the row of the constant that an expression names."""
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
    else:
        return None
    for owner in owners:
        for type_ in (owner, *context.program.supertypes(owner)):
            row = models.constants_by_type.get(type_, {}).get(name)
            if row is not None:
                return row
    return None


class Reach:
    """Tells which library types the files of a program can name at all: by import or package."""

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
    """Return what a file imports, the types of its static imports, and its package."""
    found = {imported.name for imported in facts.imports}
    for imported in facts.imports:
        if imported.static:
            found.add(imported.name.rpartition(".")[0])
    if facts.package:
        found.add(facts.package)
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
    type_ = context.receiver_type(call)
    if type_ is not None:
        return is_one_of(program, type_.name, types)
    inner = context.code[call.object]
    hops = 0
    while isinstance(inner, ir.Call) and inner.object != NONE and hops < 400:
        type_ = context.receiver_type(inner)
        if type_ is not None:
            return is_one_of(program, type_.name, types)
        inner = context.code[inner.object]
        hops += 1
    return False


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


def value_text(values: Values, context: Context, value: int) -> str | None:
    """Return an expression's value as a user would write it, when it is known.

    Lists are joined by commas, durations written with their unit (``5s``).
    """
    if value == NONE:
        return None
    instr = context.code[value]
    if isinstance(instr, ir.NewArray) and not instr.dims:
        return _joined(values, context, instr.values)
    if isinstance(instr, ir.Call) and instr.args and instr.object != NONE:
        owner = context.denotes(instr.object)
        if owner == "java.time.Duration" and instr.name in _DURATIONS:
            amount = known_text(values.of(context, instr.args[0]))
            return f"{amount}{_DURATIONS[instr.name]}" if amount is not None else None
        if owner is not None and owner.startswith("java.util.") and instr.name in _LISTS:
            return _joined(values, context, instr.args)
        if instr.name in _TO_UNIT:
            return _converted(values, context, instr)
    if isinstance(instr, ir.Cast):
        return value_text(values, context, instr.value)
    found = values.of(context, value)
    if any(not isinstance(part, str) for template in found for part in template):
        found = values.closed(context, found)
    return known_text(found)


def _converted(values: Values, context: Context, call: ir.Call) -> str | None:
    """Return ``TimeUnit.DAYS.toSeconds(1)`` as a number."""
    unit = known_text(values.of(context, call.object))
    amount = known_text(values.of(context, call.args[0]))
    factor = _NANOSECONDS.get(unit or "")
    if factor is None or amount is None or not amount.isdecimal():
        return None
    return str(int(amount) * factor // _NANOSECONDS[_TO_UNIT[call.name]])


def _joined(values: Values, context: Context, items: tuple[int, ...]) -> str | None:
    found = [known_text(values.of(context, item)) for item in items]
    if any(text is None for text in found):
        return None
    return ",".join(text for text in found if text is not None)


def default_value(
    models: Models, values: Values, context: Context, value: int
) -> tuple[str, int, int] | None:
    """Return a default's text and its absolute offsets; none when it is absent, null or not known."""
    row = constant_row(models, context, value)
    if value == NONE or (row is not None and row.absent):
        return None
    text = value_text(values, context, value)
    if text is None:
        return None
    instr = context.code[value]
    base = context.member.at
    return text, base + instr.at, base + instr.end


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
        models.libraries,
    ):
        for row in rows:
            for type_ in (row.type, *getattr(row, "also_types", ())):
                for name in _prefixes(type_)[:-1]:
                    found.setdefault(name, LibraryType())
    for library in models.libraries:
        found[library.type] = LibraryType(library.supers, library.returns)
    return found
