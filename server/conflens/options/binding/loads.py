"""Loads of the fields of bound classes: where each load is a read of its own (``Found.loads_are_reads``).

A call of an accessor that no code declares is a load, and so is a reference to it; a written one loads its field itself.
Absent: which classes are bound (``bound``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Modifier
from conflens.models.load import Models
from conflens.options.binding import beans
from conflens.options.model import ReadKind
from conflens.options.sites import Found, Site
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.templates import Templates

Getters = Mapping[MemberRef, tuple[MemberRef, Sequence[Found]]]
"""The field that an accessor returns, and its declarations."""


class Fields(NamedTuple):
    """The declarations whose loads are reads, by the name of the field; accessors that are implied, by name."""

    named: Mapping[str, Sequence[Found]]
    getters: Mapping[str, Getters]


def fields(
    program: Program, declared: Mapping[str, tuple[Found, ...]], roots: Iterable[Found]
) -> Fields:
    """Return the fields whose loads are reads."""
    named: dict[str, list[Found]] = {}
    by_member: dict[MemberRef, list[Found]] = {}
    for founds in (*declared.values(), roots):
        for found in founds:
            if found.loads_are_reads and found.member is not None:
                named.setdefault(program.member(found.member).name, []).append(found)
                by_member.setdefault(found.member, []).append(found)
    getters: dict[str, dict[MemberRef, tuple[MemberRef, Sequence[Found]]]] = {}
    for field, owners in by_member.items():
        info = program.type(field.owner)
        if info is not None and info.decl.kind == "interface":
            getters.setdefault(program.member(field).name, {})[field] = field, owners
        for ref in program.implied_by(field):
            member = program.member(ref)
            if not member.params and ref.owner == field.owner:
                getters.setdefault(member.name, {})[ref] = field, owners
    return Fields(named, getters)


def find(
    program: Program, path: str, wanted: Fields, models: Models | None = None
) -> Iterator[Site]:
    """Yield the reads in one file; ``models`` have the bound classes without source."""
    yield from _loads(program, path, wanted.named)
    yield from _accesses(program, path, wanted.getters)
    if models is not None:
        yield from beans.find(program, path, models)


def _loads(program: Program, path: str, wanted: Mapping[str, Sequence[Found]]) -> Iterator[Site]:
    facts = program.files[path]
    numbers = {
        number for name in facts.names.keys() & wanted.keys() for number in facts.names[name]
    }
    for number in sorted(numbers):
        if facts.members[number].modifiers & Modifier.IMPLIED:
            continue
        context = Context.of(program, program.ref(path, number))
        written = {instr.at: instr for instr in context.code if isinstance(instr, ir.StoreField)}
        for value, instr in enumerate(context.code):
            if not isinstance(instr, (ir.Name, ir.Field)) or instr.name not in wanted:
                continue
            if instr.at in written and written[instr.at].value != value:
                continue
            field = context.field_of(value)
            owners = [found for found in wanted[instr.name] if found.member == field]
            if owners and field is not None:
                end = context.member.at + instr.end
                at = end - len(instr.name.encode())
                yield _site(context, value, instr.name, (at, end, end), owners, field)


def _accesses(program: Program, path: str, wanted: Mapping[str, Getters]) -> Iterator[Site]:
    facts = program.files[path]
    numbers = {
        number for name in facts.calls.keys() & wanted.keys() for number in facts.calls[name]
    }
    for number in sorted(numbers):
        if facts.members[number].modifiers & Modifier.IMPLIED:
            continue
        context = Context.of(program, program.ref(path, number))
        base = context.member.at
        for value, instr in enumerate(context.code):
            if isinstance(instr, ir.Call) and not instr.args and instr.name in wanted:
                at = base + instr.name_at
                spot = (at, at + len(instr.name.encode()), base + instr.end)
                meant = context.targets(value)[:1]
            elif isinstance(instr, ir.MethodRef) and instr.name in wanted:
                end = base + instr.end
                spot = (end - len(instr.name.encode()), end, end)
                meant = _referred(context, instr)
            else:
                continue
            getters = wanted[instr.name]
            asked = [ref for other in meant for ref in (other, *program.overriders(other))]
            for ref in dict.fromkeys(asked):
                if ref in getters:
                    field, owners = getters[ref]
                    yield _site(context, value, instr.name, spot, owners, field)


def _referred(context: Context, reference: ir.MethodRef) -> list[MemberRef]:
    """Return what a reference to a method without parameters can mean."""
    owner = context.owner_of(reference.object) if reference.object != NONE else None
    if owner is None and reference.type:
        text = reference.type.partition("<")[0]
        type_ = context.program.resolve_name(text, context.ref.path, context.ref.owner)
        owner = type_.name if type_ is not None else None
    return context.program.methods(owner, reference.name, 0)[:1] if owner is not None else []


def _site(
    context: Context,
    value: int,
    name: str,
    spot: tuple[int, int, int],
    owners: Sequence[Found],
    field: MemberRef,
) -> Site:
    names: Templates = tuple(dict.fromkeys((found.name,) for found in owners))
    owner = context.program.type(field.owner)
    api = f"{owner.decl.name if owner is not None else '?'}.{name}"
    at, end, anchor = spot
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
        anchor,
        at,
        end,
        hint=owners[0].hint,
        # What a reference stands for is followed by flows alone.
        followed=NONE if isinstance(context.code[value], ir.MethodRef) else value,
    )
