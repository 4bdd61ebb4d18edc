"""Defaults that stand in control flow: what a program uses when an option is not set.

Shapes: ``x == null ? d : x``, ``if (x == null) x = d``, ``if (x != null) y = parse(x)`` after ``y = d``, or where ``y`` is
a field with the initial value ``d``; ``if (x == null) return d`` in a method that else returns the value, ``orElse(d)`` and
other calls whose row names the place of a default, a ``catch`` clause (``caught``), and calls of methods of the project that have one of these shapes
themselves: a helper that is given the value, a wrapper that reads it.  ``x`` may be read again where it is asked for.  Only
constants count.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Modifier
from conflens.flow.code import ENTRY, Code
from conflens.flow.domain import START, Followed, Relation
from conflens.flow.transfer import ToLocal, ToParameter, ToValue
from conflens.flow.uses import Uses
from conflens.options.inference.caught import caught
from conflens.options.inference.missing import (
    asks_for_object,
    compared_with_null,
    null_tests,
    read_again,
)
from conflens.options.value_texts import PRIMITIVE_DEFAULTS, in_unit, time_text, unit_of
from conflens.program.metered import SHARE
from conflens.program.nesting import Nesting
from conflens.program.reaching import certain
from conflens.program.refs import MemberRef
from conflens.program.templates import known_text
from conflens.program.text_calls import class_name

DEPTH = 3
"""Helpers within helpers, and wrappers within wrappers, that are looked into."""

STEPS = 60
"""Values visited inside one helper or wrapper."""

Place = tuple[Code, int]


class Look(NamedTuple):
    """How deep in methods of the project a look is, and the files of those looked into so far."""

    depth: int
    files: set[str]

    def deeper(self) -> Look:
        return self._replace(depth=self.depth + 1)


_PLAIN = (ir.Const, ir.Name, ir.Field, ir.Unary, ir.Cast, ir.Load, ir.ClassLiteral)


def default_of(uses: Uses, followed: Followed, start: MemberRef, files: set[str]) -> str | None:
    """Return the text of the one default that is used in the body of ``start``; see ``elsewhere`` for others.

    The files that were looked at go into ``files``.
    """
    reached = {index for ref, index in followed.reached if ref == start and index != NONE}
    if not reached:
        return None
    reached |= read_again(uses.code(start), reached)
    code = uses.code(start)
    return _one(uses, fallbacks(uses, code, reached, Look(0, files)), unit_among(code, reached))


def wrapper_default(uses: Uses, ref: MemberRef) -> tuple[str | None, frozenset[str]]:
    """Return the default that a method which reads an option for its caller has in its own body.

    The read is any call that is told the name and whose value the method returns.  Also returns the files
    that were looked at.
    """
    files: set[str] = set()
    text = _default_inside(uses, ref, Look(0, files))
    return text, frozenset(files)


def _default_inside(uses: Uses, ref: MemberRef, look: Look) -> str | None:
    code = uses.code(ref)
    look.files.add(ref.path)
    found: set[str] = set()
    for index, instr in enumerate(code.code):
        if not isinstance(instr, ir.Call) or not told_name(code, instr):
            continue
        reached = within(uses, code, (index,), look)
        if not returned_of(code, reached):
            continue
        places = list(fallbacks(uses, code, reached, look.deeper()))
        text = _one(uses, places, unit_among(code, reached))
        targets = code.context.targets(index)[:1]
        if not places and targets and look.depth < DEPTH:
            text = _default_inside(uses, targets[0], look.deeper())
        if text is not None:
            found.add(text)
    return found.pop() if len(found) == 1 else None


def told_name(code: Code, call: ir.Call) -> bool:
    """Tell whether an argument is made of something that a caller, or the object, decides."""
    for arg in call.args:
        for index in code.inside(arg):
            instr = code.code[index]
            if isinstance(instr, ir.Load):
                if instr.up == 0 and code.context.is_parameter(instr.slot):
                    return True
            elif isinstance(instr, (ir.Name, ir.Field)):
                field = code.context.field_of(index)
                if field is not None and not code.context.program.is_constant(field):
                    return True
    return False


def _one(uses: Uses, places: Iterable[Place], unit: str) -> str | None:
    found = {
        text
        for code, value in places
        if (text := constant_default(uses, code, value, unit)) is not None
    }
    return found.pop() if len(found) == 1 else None


def unit_among(code: Code, reached: Iterable[int]) -> str:
    """Return the unit in which a number is made a duration, so that a user writes the number alone."""
    units = {unit for value in reached if (unit := unit_of(code.context, value))}
    return units.pop() if len(units) == 1 else ""


def constant_default(uses: Uses, code: Code, value: int, unit: str) -> str | None:
    """Return the text of a default; what is put together is words for a message, not a value.

    A field without an initial value (``NONE``) holds what its type does.
    """
    if value == NONE:
        return PRIMITIVE_DEFAULTS.get(code.context.member.type)
    if isinstance(code.code[value], ir.Binary):
        return None
    text = uses.transfer.constant(code, value)
    text = text if text is not None else _class_name(code, value)
    if text is not None:
        return text
    time = time_text(uses.values, code.context, value)
    return in_unit(time, unit) if time is not None and unit else time


def _class_name(code: Code, value: int) -> str | None:
    """Return the name of a class that ``X.class.getName()``, or a reference to that method, gives; ``None`` for anything else."""
    made = code.code[value]
    if not isinstance(made, (ir.Call, ir.MethodRef)) or made.object == NONE:
        return None
    literal = code.code[made.object]
    if not isinstance(literal, ir.ClassLiteral):
        return None
    return known_text(class_name(code.context, literal, made.name))


# -- where a value goes inside one body ------------------------------------------------------------


def within(uses: Uses, code: Code, values: Iterable[int], look: Look) -> set[int]:
    """Return what values are, perhaps converted, inside one body."""
    reached = set(values)
    queue = list(reached)
    for _ in range(STEPS):
        if not queue:
            break
        for move in uses.transfer.step(code, queue.pop(), START):
            new: list[int] = []
            match move:
                case ToValue() if move.code is code and move.trace.relation is Relation.SAME:
                    new = [move.index]
                case ToLocal(up=0) if move.trace.relation is Relation.SAME:
                    new = code.reached(move.slot, move.at)
                case ToParameter() if look.depth < DEPTH:
                    inner = _entered(uses, move.ref, move.slot, look.deeper())
                    new = [move.index] if inner is not None else []
                case _:
                    pass
            queue += [value for value in new if value not in reached]
            reached.update(new)
    return reached


def _entered(uses: Uses, ref: MemberRef, slot: int, look: Look) -> set[int] | None:
    """Return what a parameter is inside a helper that returns it, perhaps converted; else ``None``."""
    member = uses.program.member(ref)
    if member.kind != "method" or member.varargs or slot >= len(member.params):
        return None
    look.files.add(ref.path)
    code = uses.code(ref)
    reached = within(uses, code, code.reached(slot, ENTRY), look)
    return reached if returned_of(code, reached) else None


def returned_of(code: Code, reached: set[int]) -> list[int]:
    """Return the instructions that return one of some values."""
    return [
        index
        for value in reached
        for index in code.takers.get(value, ())
        if isinstance(code.code[index], ir.Return) and not isinstance(code.code[value], ir.Binary)
    ]


# -- shapes ----------------------------------------------------------------------------------------


def fallbacks(uses: Uses, code: Code, reached: set[int], look: Look) -> Iterator[Place]:
    """Yield what is used instead of values that are not there, else of those that cannot be converted."""
    places = list(_replaced(uses, code, reached, look))
    yield from places or ((code, value) for value in caught(code, reached))


def _replaced(uses: Uses, code: Code, reached: set[int], look: Look) -> Iterator[Place]:
    asked = null_branches(uses, code, reached)
    put: dict[int, list[int]] = {}
    kept: dict[str, list[int]] = {}
    for value in sorted(reached):
        for index in code.takers.get(value, ()):
            instr = code.code[index]
            match instr:
                case ir.Choice():
                    if instr.test != value and asks_presence(uses, code, instr.test, reached):
                        other = instr.other if instr.then == value else instr.then
                        if other not in reached:
                            yield code, other
                case ir.Call():
                    yield from by_row(uses, code, index, instr, value, reached)
                    if value in instr.args:
                        by = _by_helper if index in reached else _by_setter
                        yield from by(uses, code, index, instr, value, look)
                case ir.Store(up=0) if asked:
                    put.setdefault(instr.slot, []).append(index)
                case ir.StoreField() if asked:
                    kept.setdefault(instr.name, []).append(index)
                case _:
                    pass
    for slot, indices in put.items():
        yield from _around(code, indices, code.stores.get(slot, ()), reached, asked)
    for indices in kept.values():
        yield from _around_field(uses, code, indices, reached, asked)
    yield from by_return(uses, code, reached)


def asks_presence(uses: Uses, code: Code, test: int, reached: set[int]) -> bool:
    """Tell whether a test asks whether there is a value: ``null``, ``isEmpty``; no comparison else."""
    inside = list(code.inside(test))
    if not any(index in reached for index in inside):
        return False
    return not any(
        (
            isinstance(code.code[index], ir.Binary)
            and not _null_test(uses, code, index, reached)
            and not asks_for_object(code, index, reached)
        )
        or _asks_what(code, index, reached)
        for index in inside
    )


def _asks_what(code: Code, index: int, reached: set[int]) -> bool:
    """Tell whether a call compares the value with a text, as ``x.equals("a")`` and ``"a".equals(x)`` do."""
    call = code.code[index]
    if not isinstance(call, ir.Call) or index in reached:
        return False
    sides = [side for side in (call.object, *call.args) if side != NONE]
    texts = (code.code[side] for side in sides)
    compared = any(
        isinstance(text, ir.Const) and text.kind == "s" and text.value for text in texts
    )
    return compared and not reached.isdisjoint(sides)


def _null_test(uses: Uses, code: Code, test: int, reached: set[int]) -> str:
    """Return the operator of a comparison of the value with ``null``, else an empty text."""
    return next((op for value, op in compared_with_null(uses, code, test) if value in reached), "")


def by_row(
    uses: Uses, code: Code, index: int, call: ir.Call, value: int, reached: set[int]
) -> Iterator[Place]:
    """Yield what a library call gives back if the value is not there."""
    place = -1 if call.object == value else call.args.index(value)
    for row in uses.rows.conversions(code, index, place):
        if row.default is not None and 0 <= row.default < len(call.args):
            other = _given(code, call.args[row.default])
            if not _is_answer(code, other, value, reached):
                yield code, other


def _is_answer(code: Code, other: int, value: int, reached: set[int]) -> bool:
    """Tell whether a constant stands for the answer of a function that only asks about the value, or for one of several
    constants that a function returns in its place."""
    instr = code.code[other] if other != NONE else None
    truth = isinstance(instr, ir.Const) and instr.kind == "b"
    call = code.code[value]
    while isinstance(call, ir.Call):
        for arg in call.args:
            if not isinstance(code.code[arg], ir.Lambda):
                continue
            given = _given(code, arg)
            if given not in reached and (truth or isinstance(code.code[given], ir.Const)):
                return True
        if call.object == NONE:
            return False
        call = code.code[call.object]
    return False


def _given(code: Code, value: int) -> int:
    """Return what a function without branches returns, any other value as it is."""
    function = code.code[value]
    if isinstance(function, ir.Lambda):
        body = code.code.within(function.start, function.stop)
        returns = [instr for instr in body if isinstance(instr, ir.Return)]
        if len(returns) == 1:
            return returns[0].value
    return value


def _by_helper(
    uses: Uses, code: Code, index: int, call: ir.Call, value: int, look: Look
) -> Iterator[Place]:
    """Look into a method of the project that is given the value and returns it."""
    targets = code.context.targets(index)[:1]
    if look.depth >= DEPTH or not targets or _may_be_another(uses, targets[0]):
        return
    inside = uses.code(targets[0])
    reached = _entered(uses, targets[0], call.args.index(value), look.deeper())
    if reached is None:
        return
    for place, other in fallbacks(uses, inside, reached, look.deeper()):
        slot = _parameter(place, other) if place is inside else NONE
        if slot == NONE:
            yield place, other
        elif slot < len(call.args):
            yield code, call.args[slot]


def _by_setter(
    uses: Uses, code: Code, index: int, call: ir.Call, value: int, look: Look
) -> Iterator[Place]:
    """Look into a method of the project that keeps the value in a field of its object, or something else if there is none."""
    targets = code.context.targets(index)[:1]
    if look.depth >= DEPTH or not targets or _may_be_another(uses, targets[0]):
        return
    member, slot = uses.program.member(targets[0]), call.args.index(value)
    if member.kind != "method" or member.varargs or slot >= len(member.params):
        return
    look.files.add(targets[0].path)
    inside = uses.code(targets[0])
    if not inside.field_stores:
        return
    reached = within(uses, inside, inside.reached(slot, ENTRY), look.deeper())
    asked = null_branches(uses, inside, reached)
    kept: dict[str, list[int]] = {}
    for store in inside.field_stores if asked else ():
        instr = inside.code[store]
        if isinstance(instr, ir.StoreField) and instr.value in reached:
            kept.setdefault(instr.name, []).append(store)
    for indices in kept.values():
        yield from _around_field(uses, inside, indices, reached, asked)


def _parameter(code: Code, value: int) -> int:
    """Return the parameter that a value is as it was handed in, ``NONE`` if it is none."""
    instr = code.code[value] if value != NONE else None
    if not isinstance(instr, ir.Load) or instr.up or code.stores.get(instr.slot):
        return NONE
    return instr.slot if code.context.is_parameter(instr.slot) else NONE


def _may_be_another(uses: Uses, ref: MemberRef) -> bool:
    closed = Modifier.PRIVATE | Modifier.STATIC | Modifier.FINAL
    modifiers = uses.program.member(ref).modifiers
    return not modifiers & closed and bool(uses.values.asking.overriders(ref))


def null_branches(uses: Uses, code: Code, reached: set[int]) -> list[tuple[int, ir.If, str]]:
    """Return the branches that ask whether there is a value, with the operator of their test."""
    tests = null_tests(uses, code)
    found = {branch: op for value in reached for branch, op in tests.get(value, ())}
    return [
        (branch, if_, found[branch])
        for branch in sorted(found)
        if isinstance(if_ := code.code[branch], ir.If)
    ]


def _around(
    code: Code,
    indices: Iterable[int],
    others: Iterable[int],
    reached: set[int],
    asked: list[tuple[int, ir.If, str]],
) -> Iterator[Place]:
    """Look at the other assignments of the local or field that the value is put into."""
    put = sorted(indices)
    missing = Nesting((*arms(if_, op)[0], branch) for branch, if_, op in asked)
    filled = [branch for branch, if_, op in asked if _is_any_in(put, arms(if_, op)[1])]
    last = max(filled, default=NONE)
    for other in others:
        instr = code.code[other]
        if not isinstance(instr, (ir.Store, ir.StoreField)) or instr.value in reached:
            continue
        if other < last or any(missing.around(other)):
            yield code, instr.value


def _is_any_in(numbers: list[int], span: tuple[int, int]) -> bool:
    """Tell whether one of some numbers, in order, lies in a span."""
    at = bisect_left(numbers, span[0])
    return at < len(numbers) and numbers[at] < span[1]


def _around_field(
    uses: Uses,
    code: Code,
    indices: list[int],
    reached: set[int],
    asked: list[tuple[int, ir.If, str]],
) -> Iterator[Place]:
    """Look at the other assignments of the own field that the value is put into, else at its initial value."""
    own = [index for index in indices if _is_own(code, index)]
    store = code.code[own[0]] if own else None
    field = code.context.target_field(store) if isinstance(store, ir.StoreField) else None
    if field is None or not isinstance(store, ir.StoreField) or field.path != code.ref.path:
        return
    others = [
        other
        for other in code.field_stores
        if isinstance(instr := code.code[other], ir.StoreField)
        and instr.name == store.name
        and _is_own(code, other)
    ]
    code.context.program.meter.spend(1 + len(code.field_stores) // SHARE)
    found = list(_around(code, own, others, reached, asked))
    yield from found
    if not found and any(_is_any_in(sorted(own), arms(if_, op)[1]) for _, if_, op in asked):
        yield from held_at_first(uses, field, code.ref)


def held_at_first(uses: Uses, field: MemberRef, reader: MemberRef) -> Iterator[Place]:
    """Yield the initial value of a field that ``reader`` sets where an option is given; ``NONE``: it is declared without one.

    What a constructor sets under a condition only is not what every object begins with.
    """
    inside = uses.code(field)
    name = uses.program.member(field).name
    given = [inside.code[number] for number in inside.field_stores]
    found = [one.value for one in given if isinstance(one, ir.StoreField) and one.name == name]
    if not found and any(
        isinstance(store, ir.StoreField) and store.name == name
        for maker in uses.program.own_methods(field.owner).get("<init>", ())
        if maker != reader
        for made in (uses.code(maker),)
        for number in made.field_stores
        if certain(made.context, number, len(made.code))
        for store in (made.code[number],)
    ):
        return
    for value in found or [NONE]:
        yield inside, value


def _is_own(code: Code, index: int) -> bool:
    """Tell whether an assignment is one of a field of this object."""
    store = code.code[index]
    if not isinstance(store, ir.StoreField):
        return False
    return store.object == NONE or isinstance(code.code[store.object], ir.This)


def arms(if_: ir.If, op: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the arm for a value that is missing and that for one that is there."""
    then, other = (if_.then_start, if_.else_start), (if_.else_start, if_.stop)
    return (then, other) if op == "==" else (other, then)


def by_return(uses: Uses, code: Code, reached: set[int]) -> Iterator[Place]:
    """Yield what is returned early, or last, by a method that else returns the value."""
    given: dict[int, list[int]] = {}
    for index in sorted(returned_of(code, reached)):
        given.setdefault(code.lambda_of(index), []).append(index)
    for branch, if_, op in null_branches(uses, code, reached) if given else ():
        alike = given.get(code.lambda_of(branch), [])
        (start, stop), present = arms(if_, op)
        there = _is_any_in(alike, present)
        if start == stop and there:
            start = if_.stop
            stop = next(
                (
                    index + 1
                    for index in range(start, len(code.code))
                    if not isinstance(code.code[index], _PLAIN)
                ),
                start,
            )
        elif not (there or (alike and alike[-1] >= stop)):
            continue
        last = code.code[stop - 1] if stop > start else None
        if isinstance(last, ir.Return) and last.value != NONE and last.value not in reached:
            yield code, last.value
