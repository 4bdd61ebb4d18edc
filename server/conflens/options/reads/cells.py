"""Option objects that keep the values of their options, and the accessors that give them.

``for (Option o : values()) { String v = System.getProperty(o.key); if (v != null) o.set(v); }`` puts what is read under the
name of an object into a field of that object: its *cell*.  A method of the class that gives the cell back, whatever it
gives where nothing was read, is then a wrapper that reads the option of the object it is called on, and
``Option.SIZE.getInt()`` is a read.

Absent: cells in other objects, such as a map (``derived``); methods that only ask about the cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Modifier
from conflens.options.reads.fallbacks import Fallbacks, alternatives, made_of
from conflens.options.sites import NO_HINT, Api, Site
from conflens.program.body_uses import takers
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.templates import CONSTANT, Each, Param, Part, SelfField, Template, Templates
from conflens.program.values import Values

DEPTH = 3
"""Setters within setters that are looked into."""
MOST = 1_000
"""Methods of a class among which accessors are looked for."""
_MANY = f"this class has more than {MOST:,} methods, of which only these are taken for accessors"

Same = Callable[[int], bool]
"""Tells whether an instruction gives the object in question; ``NONE`` is what the code runs on."""
Accessor = tuple[MemberRef, int, int, Templates | None]

_ASKS = (ir.Binary, ir.Unary, ir.InstanceOf, ir.Const)


def accessors(
    program: Program, values: Values, fallbacks: Fallbacks, site: Site
) -> tuple[Api, ...]:
    """Return the wrappers that give what a read has put into the object that names its option."""
    found: dict[tuple[MemberRef, Template], Api] = {}
    context = values.open(site.ref)
    for template in site.names:
        owner = _named_by(program, template)
        if owner is None:
            continue
        own = tuple(_own(part) for part in template)
        if not _stays(program, owner, template):
            continue
        for cell in _cells(values, context, site, owner, template):
            for ref, at, end, default in _giving(program, values, fallbacks, owner, cell, own):
                member = program.member(ref)
                found[ref, own] = Api(
                    ref,
                    site.domain,
                    f"{_simple(owner)}.{member.name}",
                    (own,),
                    default,
                    NO_HINT,
                    False,
                    site.depth + 1,
                    any(isinstance(part, str) and part for part in own),
                    True,
                    at,
                    end,
                    site.api,
                )
    return tuple(found.values())


def _named_by(program: Program, template: Template) -> str | None:
    """Return the class of the one object that names an option."""
    owners = {
        part.owner
        for part in template
        if isinstance(part, (Each, SelfField)) or (isinstance(part, Param) and part.name)
    }
    owner = owners.pop() if len(owners) == 1 else None
    return owner if owner is not None and program.type(owner) is not None else None


def _stays(program: Program, owner: str, template: Template) -> bool:
    """Tell whether an object is called the same for good: by its constant's name, or by final fields."""
    for part in template:
        if isinstance(part, (Each, SelfField, Param)) and part.name != CONSTANT:
            field = program.field(owner, part.name)
            if field is None or not program.member(field).modifiers & Modifier.FINAL:
                return False
    return True


def _own(part: Part) -> Part:
    """Return a part of a name in terms of the object that names the option."""
    if isinstance(part, Each) or (isinstance(part, Param) and part.name):
        return SelfField(part.owner, part.name, part.how)
    return part


# -- cells -----------------------------------------------------------------------------------------


def _cells(
    values: Values, context: Context, site: Site, owner: str, template: Template
) -> dict[MemberRef, None]:
    """Return the fields of the object that names the option which the value of a read is put into."""
    slots = {part.slot for part in template if isinstance(part, Param) and part.name}
    looped = any(isinstance(part, Each) for part in template)
    itself = any(isinstance(part, SelfField) for part in template)

    def same(value: int) -> bool:
        instr = context.code[value] if value != NONE else None
        if instr is None or isinstance(instr, ir.This):
            return itself
        if not isinstance(instr, ir.Load) or instr.up:
            return False
        if instr.slot in slots:
            return not context.stores(instr.slot, 1)
        refs = values.each(context, value) if looped else ()
        return bool(refs) and refs[0].owner == owner

    made = made_of(context, (site.value,))
    return dict.fromkeys(_filled(values, context, made, same, 0))


def _filled(
    values: Values, context: Context, made: set[int], same: Same, depth: int
) -> Iterator[MemberRef]:
    """Yield the fields of an object that values are put into; ``same`` tells which expressions are that object."""
    for number in sorted({number for value in made for number in takers(context, value)}):
        instr = context.code[number]
        if isinstance(instr, ir.StoreField):
            if instr.value in made and same(instr.object):
                field = context.target_field(instr)
                if field is not None and not context.program.is_static(field):
                    yield field
        elif isinstance(instr, ir.Call) and depth < DEPTH and same(instr.object):
            slots = [slot for slot, arg in enumerate(instr.args) if arg in made]
            for target in context.targets(number)[:1] if slots else ():
                if context.program.is_static(target):
                    continue
                inner = values.open(target)
                inside = made_of(inner, (), slots)
                yield from _filled(values, inner, inside, _itself(inner), depth + 1)


def _itself(context: Context) -> Same:
    def same(value: int) -> bool:
        return value == NONE or isinstance(context.code[value], ir.This)

    return same


# -- accessors -------------------------------------------------------------------------------------


def _giving(
    program: Program,
    values: Values,
    fallbacks: Fallbacks,
    owner: str,
    cell: MemberRef,
    names: Template,
) -> Iterator[Accessor]:
    """Yield the methods of a class that give a cell: where they load it, and what they give instead."""
    values.asking.shape(owner)
    methods = [ref for refs in program.own_methods(owner).values() for ref in refs]
    for ref in values.first(methods, MOST, cell, _MANY):
        member = program.member(ref)
        if member.kind != "method" or member.type == "void" or program.is_static(ref):
            continue
        context = values.open(ref)
        loads = [
            number
            for number, instr in enumerate(context.code)
            if isinstance(instr, (ir.Name, ir.Field)) and context.field_of(number) == cell
        ]
        if not loads or not _gives(context, loads):
            continue
        default = fallbacks.of_values(context, loads, (names,), frozenset(names))
        first = context.code[loads[0]]
        yield ref, first.at, first.end, default


def _gives(context: Context, loads: Iterable[int]) -> bool:
    """Tell whether a method returns what a field holds, and not only an answer about it."""
    made = made_of(context, loads)
    return any(
        value in made and not isinstance(context.code[value], _ASKS)
        for instr in context.code
        if isinstance(instr, ir.Return) and instr.kind == "return" and instr.value != NONE
        for value in alternatives(context, instr.value)
    )


def _simple(qualified: str) -> str:
    return qualified.rpartition(".")[2]
