"""``conflens dump-facts``: the facts of one Java file as text, for whoever works on ConfLens itself.

One line for each declaration with its position (1-based line:column, in bytes), and below it the
instructions of its body: index, position, kind, operands by their field names.
"""

from __future__ import annotations

import argparse
from bisect import bisect_right
from collections.abc import Iterator

import msgspec

from conflens.cli.errors import OK, BadInputError
from conflens.cli.output import emit_lines
from conflens.facts.codec import annotation_code, decode_body
from conflens.facts.ir import Instr
from conflens.facts.lower import lower
from conflens.facts.model import Annotation, FileFacts, Member, Modifier, TypeDecl


def run(arguments: argparse.Namespace) -> int:
    """Lower the file and print; any bytes can be lowered, but the file must be readable."""
    try:
        with open(arguments.file, "rb") as file:
            text = file.read()
    except OSError as error:
        raise BadInputError(f"{arguments.file}: {error.strerror or error}") from error
    emit_lines(dump(lower(text)))
    return OK


def dump(facts: FileFacts) -> Iterator[str]:
    """Yield the lines of the dump."""
    yield f"package {facts.package or '(none)'}"
    yield f"{facts.length} bytes, {len(facts.starts)} lines, surface {facts.surface.hex()}"
    for item in facts.imports:
        static = "static " if item.static else ""
        yield f"import {static}{item.name}{'.*' if item.on_demand else ''}"
    for problem in facts.problems:
        yield f"problem {_position(facts, problem.at)} {problem.message}"
    for index, declared in enumerate(facts.types):
        yield ""
        yield f"type {index} {_type(facts, declared)}"
        yield from _annotations(facts, declared.annotations)
        for number, (member, body) in enumerate(zip(facts.members, facts.bodies, strict=True)):
            if member.owner == index:
                yield from _member(facts, number, member, body)


def _position(facts: FileFacts, offset: int) -> str:
    line = bisect_right(facts.starts, offset)
    return f"{line}:{offset - facts.starts[line - 1] + 1}"


def _words(modifiers: int) -> str:
    return "".join(f"{flag.name.lower()} " for flag in Modifier(modifiers) if flag.name)


def _type(facts: FileFacts, declared: TypeDecl) -> str:
    parts = [_words(declared.modifiers) + declared.kind, declared.name or "(anonymous)"]
    if declared.outer >= 0:
        parts.append(f"in type {declared.outer}")
    if declared.member >= 0:
        parts.append(f"in member {declared.member} number {declared.ordinal}")
    if declared.supers:
        parts.append(f"below {', '.join(declared.supers)}")
    return f"{' '.join(parts)}  {_position(facts, declared.name_at)}"


def _annotations(facts: FileFacts, annotations: tuple[Annotation, ...]) -> Iterator[str]:
    for annotation in annotations:
        values = ", ".join(
            f"{key}={value}" for key, value in zip(annotation.keys, annotation.values, strict=True)
        )
        yield f"    @{annotation.name}({values})  {_position(facts, annotation.at)}"
        yield from _code(facts, annotation_code(annotation), 0)


def _member(facts: FileFacts, number: int, member: Member, body: bytes) -> Iterator[str]:
    yield (
        f"  member {number} {_words(member.modifiers)}{member.kind} {member.key}"
        f" : {member.type or '-'}  {_position(facts, member.name_at)}"
    )
    yield from _annotations(facts, member.annotations)
    decoded = decode_body(body)
    for slot, local in enumerate(decoded.locals):
        kind = "parameter" if local.parameter else "local"
        yield f"    {kind} {slot} {local.name} : {local.type or '?'}"
    yield from _code(facts, decoded.code, member.at)


def _code(facts: FileFacts, code: tuple[Instr, ...], base: int) -> Iterator[str]:
    for index, instr in enumerate(code):
        operands = " ".join(
            f"{field.name}={_operand(getattr(instr, field.name))}"
            for field in msgspec.structs.fields(instr)
            if field.name not in ("at", "end")
        )
        where = _position(facts, base + instr.at)
        yield f"    {index:4} {where:>9} {type(instr).__name__} {operands}".rstrip()


def _operand(value: object) -> str:
    if isinstance(value, str):
        return repr(value)
    if isinstance(value, tuple):
        return f"[{', '.join(map(_operand, value))}]"
    if isinstance(value, msgspec.Struct):
        fields = (
            f"{field.name}={_operand(getattr(value, field.name))}"
            for field in msgspec.structs.fields(value)
        )
        return f"({' '.join(fields)})"
    return str(value)
