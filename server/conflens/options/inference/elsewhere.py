"""Defaults that stand in another body than the read.

A value that may be missing is handed on as it is: put into a builder, given to a constructor, kept in a field.  What is
used instead stands where it is taken out: ``orElse(d)`` and other calls whose row names the place of a default,
``x == null ? d : x`` that is kept or returned by a getter.  A field that is only set where there is a value, by
``ifPresent(this::setX)`` or under ``if (x != null)``, keeps its initial value else; so does a variable that is set
where the option's name was found among arguments.

Terms
    holder   an object of a library that holds a value or none, such as ``Optional``: a type with a row that names the
             place of a default.

Absent: fields that a constructor sets before a setter does; what depends on which object of a class is asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import ENTRY, Code
from conflens.flow.domain import START, Followed
from conflens.flow.transfer import ToField, ToParameter
from conflens.flow.uses import Uses
from conflens.options.inference.defaults import (
    Look,
    Place,
    arms,
    asks_presence,
    by_return,
    by_row,
    constant_default,
    null_branches,
    unit_among,
    within,
)
from conflens.options.inference.missing import read_again
from conflens.program.refs import MemberRef
from conflens.program.types import PRIMITIVES, JavaType

_TRUTHS = ("true", "false")

BODIES = 12
"""Bodies that a value is handed to and that are looked at."""


class Elsewhere(NamedTuple):
    """The text of the one default, and what says so: files, and names that other files may begin to use."""

    text: str | None
    files: frozenset[str]
    names: frozenset[str]


def default_elsewhere(uses: Uses, followed: Followed, start: MemberRef, truth: bool) -> Elsewhere:
    """Return the default that is used where the value that ``start`` reads was handed to.

    ``truth``: the value is a truth value; the answer to a question about another one is no default.
    """
    code = uses.code(start)
    here = {index for ref, index in followed.same if ref == start and index != NONE}
    files: set[str] = set()
    if followed.ended:
        here = within(uses, code, here, Look(0, files))
    fields = dict.fromkeys(_set_if_present(uses, code, here, files))
    missing = [(start, value) for value in sorted(here) if _may_be_missing(uses, code, value)]
    if not fields and not (
        missing if followed.ended else any(_used_instead(uses, followed, start, files))
    ):
        return Elsewhere(None, frozenset(files), frozenset())
    if not followed.ended:
        missing = [(start, value) for value in sorted(here) if _passes(uses, code, value)]
    handed = uses.only(missing, fields, partial(_passes, uses))
    files |= handed.files
    known = len(fields)
    for ref, reached in _bodies(handed, start).items():
        fields |= dict.fromkeys(_set_if_present(uses, uses.code(ref), reached, files))
    if len(fields) > known:
        handed = uses.only(missing, fields, partial(_passes, uses))
    places = [place for field in fields for place in initial(uses, field)]
    places += _used_instead(uses, handed, start, files)
    files |= handed.files | {field.path for field in fields}
    unit = unit_among(code, here)
    found = {
        text
        for inside, value in places
        if (truth or not _is_const(inside, value, "b"))
        and (text := constant_default(uses, inside, value, unit)) is not None
        and (not truth or text in _TRUTHS)
    }
    text = found.pop() if len(found) == 1 else None
    return Elsewhere(text, frozenset(files), handed.names)


def default_kept(uses: Uses, code: Code, reached: set[int]) -> tuple[str | None, frozenset[str]]:
    """Return what the one variable holds at first that a value is put into only if the option is given, and the files
    that say so: the arm of a comparison with the option's name puts it there."""
    files: set[str] = set()
    places: dict[object, list[Place]] = {}
    for value in sorted(reached):
        for index in code.takers.get(value, ()):
            instr = code.code[index]
            if isinstance(instr, ir.Store) and not instr.up and not instr.declares:
                declared = code.code[code.stores[instr.slot][0]]
                if isinstance(declared, ir.Store) and declared.declares:
                    places[instr.slot] = [(code, declared.value)]
                continue
            fields: list[MemberRef] = []
            if isinstance(instr, ir.StoreField) and instr.value == value:
                field = code.context.target_field(instr)
                fields = [field] if field is not None else []
            elif isinstance(instr, ir.Call):
                for move in uses.transfer.step(code, value, START):
                    if isinstance(move, ToParameter) and move.index == index:
                        files.add(move.ref.path)
                        fields += stored(uses, move.ref, move.slot)
            for field in fields:
                files.add(field.path)
                places[field] = list(initial(uses, field, code.ref))
    if len(places) != 1:
        return None, frozenset(files)
    (held,) = places.values()
    texts = {constant_default(uses, inside, value, "") for inside, value in held}
    return (texts.pop() if len(texts) == 1 else None), frozenset(files)


def _may_be_missing(uses: Uses, code: Code, value: int) -> bool:
    """Tell whether a value is a holder, or a read whose default argument is ``null``."""
    if _is_holder(uses, code.context.type_of(value)):
        return True
    call = code.code[value]
    return isinstance(call, ir.Call) and any(_is_const(code, arg, "n") for arg in call.args)


def _is_const(code: Code, value: int, kind: str) -> bool:
    instr = code.code[value] if value != NONE else None
    return isinstance(instr, ir.Const) and instr.kind == kind


def _passes(uses: Uses, code: Code, value: int) -> bool:
    """Tell whether a value may still be missing: no number or truth value, and nothing that a holder has given away."""
    type_ = code.context.type_of(value)
    if type_ is not None and type_.name in PRIMITIVES:
        return False
    instr = code.code[value]
    if isinstance(instr, ir.Load):
        around = code.lambda_of(value)
        function = code.code[around] if around != NONE else None
        return not (isinstance(function, ir.Lambda) and instr.slot in function.params)
    if isinstance(instr, ir.Call) and instr.object != NONE and not _is_holder(uses, type_):
        kept = any(_is_const(code, arg, "n") for arg in instr.args)
        return kept or not _is_holder(uses, code.context.type_of(instr.object))
    return True


def _is_holder(uses: Uses, type_: JavaType | None) -> bool:
    return type_ is not None and not uses.rows.holders.isdisjoint(uses.rows.chain(type_.name))


# -- what is used where the value is taken out -----------------------------------------------------


def _used_instead(
    uses: Uses, followed: Followed, start: MemberRef, files: set[str]
) -> Iterator[Place]:
    """Yield what other bodies use instead of the value that they were handed, but for those that only show it."""
    for ref, reached in _bodies(followed, start).items():
        if uses.program.member(ref).name == "toString":
            continue
        yield from _in_body(uses, uses.code(ref), reached)


def _bodies(followed: Followed, start: MemberRef) -> dict[MemberRef, set[int]]:
    """Return the bodies that a value was handed to, and what it is there."""
    found: dict[MemberRef, set[int]] = {}
    for ref, index in sorted(followed.same):
        if ref != start and index != NONE and (ref in found or len(found) < BODIES):
            found.setdefault(ref, set()).add(index)
    return found


def _in_body(uses: Uses, code: Code, reached: set[int]) -> Iterator[Place]:
    for value in sorted(reached):
        for index in code.takers.get(value, ()):
            instr = code.code[index]
            if isinstance(instr, ir.Call):
                yield from by_row(uses, code, index, instr, value, reached)
            elif isinstance(instr, ir.Choice) and instr.test != value:
                other = instr.other if instr.then == value else instr.then
                if (
                    other not in reached
                    and asks_presence(uses, code, instr.test, reached)
                    and _is_kept(code, index)
                ):
                    yield code, other
    if _is_getter(code):
        yield from by_return(uses, code, reached)


def _is_kept(code: Code, value: int) -> bool:
    """Tell whether a value is put into a field, handed to a constructor or returned by a getter: not only shown."""
    for index in code.takers.get(value, ()):
        instr = code.code[index]
        if isinstance(instr, (ir.StoreField, ir.New)):
            return True
        if isinstance(instr, ir.Return) and _is_getter(code):
            return True
    return False


def _is_getter(code: Code) -> bool:
    member = code.context.member
    return member.kind == "method" and not member.params


# -- what is set only where there is a value -------------------------------------------------------


def _set_if_present(
    uses: Uses, code: Code, reached: set[int], files: set[str]
) -> Iterator[MemberRef]:
    """Yield the fields that are set to the value only where there is one, outside of the body that reads it."""
    asked = reached | read_again(code, reached)
    filled = [arms(if_, op)[1] for _, if_, op in null_branches(uses, code, asked)]
    for value in sorted(reached):
        for index in code.takers.get(value, ()):
            held = _runs_if_present(uses, code, index, value)
            if not held and not any(start <= index < stop for start, stop in filled):
                continue
            for move in uses.transfer.step(code, value, START):
                if isinstance(move, ToParameter) and move.index == index:
                    files.add(move.ref.path)
                    yield from stored(uses, move.ref, move.slot)
                elif held and isinstance(move, ToField) and code.lambda_of(index) != NONE:
                    yield move.ref


def _runs_if_present(uses: Uses, code: Code, index: int, value: int) -> bool:
    """Tell whether an instruction is what a holder does with its value, if it has one: a function that it is given."""
    lambda_ = code.lambda_of(index)
    if lambda_ == NONE:
        call = code.code[index]
        receiver = value
        functions = call.args if isinstance(call, ir.Call) and call.object == value else ()
        if not any(isinstance(code.code[arg], ir.MethodRef) for arg in functions[:1]):
            return False
    else:
        taker = next(iter(code.takers.get(lambda_, ())), NONE)
        call = code.code[taker] if taker != NONE else code.code[index]
        if not isinstance(call, ir.Call) or call.args[:1] != (lambda_,) or call.object == NONE:
            return False
        receiver = call.object
    return _is_holder(uses, code.context.type_of(receiver))


def stored(uses: Uses, ref: MemberRef, slot: int) -> Iterator[MemberRef]:
    """Yield the own fields that a method puts a parameter into."""
    if slot >= len(uses.program.member(ref).params):
        return
    code = uses.code(ref)
    reached = within(uses, code, code.reached(slot, ENTRY), Look(0, set()))
    for index in code.field_stores:
        store = code.code[index]
        if isinstance(store, ir.StoreField) and store.value in reached:
            field = code.context.target_field(store)
            if field is not None and field.path == ref.path:
                yield field


def initial(uses: Uses, field: MemberRef, reader: MemberRef | None = None) -> Iterator[Place]:
    """Yield what a field holds at first, unless a constructor sets it.

    A constructor that reads the option itself is the only one that makes the object, and what it sets is what it reads.
    """
    name = uses.program.member(field).name
    makers = uses.program.own_methods(field.owner).get("<init>", ())
    if reader in makers and not _calls_another(uses.code(reader)):
        makers = ()
    for maker in makers:
        made = uses.code(maker)
        stores = (made.code[index] for index in made.field_stores)
        if any(isinstance(store, ir.StoreField) and store.name == name for store in stores):
            return
    code = uses.code(field)
    for index in code.field_stores:
        store = code.code[index]
        if isinstance(store, ir.StoreField) and store.name == name:
            yield code, store.value


def _calls_another(code: Code) -> bool:
    """Tell whether a constructor begins with another one of its class."""
    return any(
        isinstance(instr, ir.Call)
        and instr.name == "<init>"
        and isinstance(this := code.code[instr.object], ir.This)
        and this.qualifier != "super"
        for instr in code.code
    )
