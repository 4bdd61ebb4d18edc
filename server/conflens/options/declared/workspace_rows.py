"""Fields and parameters that the workspace file declares to hold options.

``[[read]] field = "org.example.Config.*"`` makes every field of the type an option, read where the
field is; ``parameter = "org.example.Server.configure(0)"`` makes a parameter one, read where the
method begins.  Overriding methods are included.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator

from conflens.facts import ir
from conflens.models.load import Models
from conflens.models.schema import FieldReadRow, ParameterReadRow
from conflens.options.sites import Found, Hint
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.templates import known_text
from conflens.program.values import Values


def find(program: Program, models: Models, values: Values) -> Iterator[Found]:
    """Yield the declared options in the order of the rows."""
    for field in models.field_reads:
        yield from _fields(program, values, field)
    for parameter in models.parameter_reads:
        yield from _parameters(program, parameter)


def _fields(program: Program, values: Values, row: FieldReadRow) -> Iterator[Found]:
    for type_ in (row.type, *program.all_subtypes(row.type)):
        for name, ref in program.own_fields(type_).items():
            if fnmatch.fnmatchcase(name, row.field):
                yield _field(program, values, row, ref)


def _field(program: Program, values: Values, row: FieldReadRow, ref: MemberRef) -> Found:
    member = program.member(ref)
    default, start, end = _initial(program, values, ref)
    return Found(
        row.domain,
        row.name.replace("{field}", member.name),
        "field",
        ref.path,
        member.name_at,
        member.name_end,
        member.at,
        member.end,
        f"{_simple(ref.owner)}.{member.name}",
        f"{_simple(ref.owner)}.{member.name}",
        default,
        start,
        end,
        Hint(java_type=program.field_type(ref).text()),
        member=ref,
        loads_are_reads=True,
    )


def _initial(program: Program, values: Values, ref: MemberRef) -> tuple[str | None, int, int]:
    context = Context.of(program, ref)
    for instr in context.code:
        if isinstance(instr, ir.StoreField):
            text = known_text(values.of(context, instr.value))
            given = context.code[instr.value]
            at = context.member.at
            return text, at + given.at, at + given.end
    return None, -1, -1


def _parameters(program: Program, row: ParameterReadRow) -> Iterator[Found]:
    for type_ in (row.type, *program.all_subtypes(row.type)):
        for ref in program.own_methods(type_).get(row.method, ()):
            member = program.member(ref)
            if row.parameter < len(member.params):
                yield _parameter(program, row, ref)


def _parameter(program: Program, row: ParameterReadRow, ref: MemberRef) -> Found:
    member = program.member(ref)
    local = program.body(ref).locals[row.parameter]
    start = member.at + local.at
    end = start + len(local.name.encode())
    symbol = f"{_simple(ref.owner)}.{member.name}"
    return Found(
        row.domain,
        row.name,
        "field",
        ref.path,
        start,
        end,
        start,
        end,
        symbol,
        f"{symbol}({local.name})",
        row.default,
        hint=Hint(java_type=program.resolve(local.type, ref.path, ref.owner).text()),
        is_read=True,
        enters=ref,
        parameter=row.parameter,
    )


def _simple(qualified: str) -> str:
    return qualified.rpartition(".")[2]
