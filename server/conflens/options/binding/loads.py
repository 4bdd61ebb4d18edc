"""Loads of the fields of bound classes: where each load is a read of its own (``Found.loads_are_reads``).

Absent: which classes are bound (``bound``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.model import ReadKind
from conflens.options.sites import Found, Site
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.templates import Templates

Fields = Mapping[str, Sequence[Found]]
"""The declarations whose loads are reads, by the name of the field."""


def fields(
    program: Program, declared: Mapping[str, tuple[Found, ...]], roots: Iterable[Found]
) -> Fields:
    """Return the fields whose loads are reads."""
    result: dict[str, list[Found]] = {}
    for founds in (*declared.values(), roots):
        for found in founds:
            if found.loads_are_reads and found.member is not None:
                result.setdefault(program.member(found.member).name, []).append(found)
    return result


def find(program: Program, path: str, wanted: Fields) -> Iterator[Site]:
    """Yield the reads in one file."""
    names = program.files[path].names
    numbers = {number for name in names.keys() & wanted.keys() for number in names[name]}
    for number in sorted(numbers):
        context = Context.of(program, program.ref(path, number))
        written = {instr.at: instr for instr in context.code if isinstance(instr, ir.StoreField)}
        for value, instr in enumerate(context.code):
            if not isinstance(instr, ir.Name | ir.Field) or instr.name not in wanted:
                continue
            if instr.at in written and written[instr.at].value != value:
                continue
            field = context.field_of(value)
            owners = [found for found in wanted[instr.name] if found.member == field]
            if owners and field is not None:
                yield _site(context, value, instr, owners, field)


def _site(
    context: Context,
    value: int,
    instr: ir.Name | ir.Field,
    owners: Sequence[Found],
    field: MemberRef,
) -> Site:
    names: Templates = tuple(dict.fromkeys((found.name,) for found in owners))
    owner = context.program.type(field.owner)
    api = f"{owner.decl.name if owner is not None else '?'}.{instr.name}"
    end = context.member.at + instr.end
    at = end - len(instr.name.encode())
    return Site(
        context.ref,
        value,
        ReadKind.FIELD,
        owners[0].domain,
        api,
        names,
        NONE,
        at,
        end,
        end,
        at,
        end,
        hint=owners[0].hint,
        followed=value,
    )
