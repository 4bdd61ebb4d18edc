"""How well an argument fits a parameter, as far as their types are known.

Absent: which overload is meant (``expressions``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.types import ARRAY, OBJECT, PRIMITIVES, JavaType, promoted, unboxed

FEW = 32
"""Overloads up to which each is looked at for each call."""


def same(
    program: Program, candidates: list[MemberRef], types: Sequence[JavaType | None]
) -> list[MemberRef]:
    """Return those of many overloads whose parameters are of the very types of the arguments; all if there are none.

    They are found in a table, since generated classes have thousands of overloads and as many calls.
    """
    if len(candidates) <= FEW or None in types:
        return candidates
    first = candidates[0]
    key = ("overloads", first, len(candidates), len(types))
    kept = program.memo.values
    if key not in kept:
        found: dict[tuple[str, ...], list[MemberRef]] = {}
        for ref in candidates:
            params = program.member(ref).params
            named = (program.resolve(one.type, ref.path, ref.owner).name for one in params)
            found.setdefault(tuple(named), []).append(ref)
        kept[key] = found
    table = cast("dict[tuple[str, ...], list[MemberRef]]", kept[key])
    return list(table.get(tuple(one.name for one in types if one), ())) or candidates


def without_varargs(
    program: Program, candidates: list[MemberRef], types: Sequence[JavaType | None]
) -> list[MemberRef]:
    """Leave out the overloads that could only be called with their last arguments in an array, if another surely takes the arguments as they are.

    Java looks for methods of fixed arity first (JLS §15.12.2); a varargs method is one of them where it is handed an array.
    """
    if all(not program.member(ref).varargs for ref in candidates):
        return candidates
    fixed: list[MemberRef] = []
    sure = False
    for ref in candidates:
        params = program.member(ref).params
        if len(params) != len(types):
            continue
        wanted = [program.resolve(one.type, ref.path, ref.owner) for one in params]
        fits = [
            (1 if to == OBJECT else 0) if given is None else fit(program, given, to)
            for given, to in zip(types, wanted, strict=True)
        ]
        if min(fits, default=1) >= 0 and not _needs_array(program, ref, types):
            fixed.append(ref)
            sure = sure or min(fits, default=1) > 0
    return fixed if sure else candidates


def _needs_array(program: Program, ref: MemberRef, types: Sequence[JavaType | None]) -> bool:
    """Tell whether a call with as many arguments as a method has parameters puts the last into an array, as far as its type tells."""
    last = types[-1] if types else None
    return program.member(ref).varargs and last is not None and last.name != ARRAY


def fit(program: Program, given: JavaType, wanted: JavaType) -> int:
    """Return how well a value of one type fits a parameter of another; below zero: not at all."""
    if given.name == wanted.name == ARRAY and given.args and wanted.args:
        return _fit_elements(program, given.args[0], wanted.args[0])
    if given.name == wanted.name:
        return 4 - _differ(program, given, wanted)
    if unboxed(given) and unboxed(wanted):
        return (
            3
            if unboxed(given) == unboxed(wanted)
            else (1 if promoted(given, wanted) == wanted else -6)
        )
    if program.is_subtype(given.name, wanted.name):
        return 2 - _differ(program, given, wanted)
    if wanted == OBJECT or len(wanted.name) <= 2:
        return 1
    if given.name == OBJECT.name or not program.known(given.name):
        return 0
    if not program.known(wanted.name):
        return 0
    return -6


def _fit_elements(program: Program, given: JavaType, wanted: JavaType) -> int:
    """Return how well an array of one type fits one of another: elements are not converted."""
    if given.name == wanted.name:
        return (
            fit(program, given, wanted)
            if given.name == ARRAY
            else 4 - _differ(program, given, wanted)
        )
    if given.name in PRIMITIVES or wanted.name in PRIMITIVES:
        return -6
    return -6 if fit(program, given, wanted) < 0 else 3


def _differ(program: Program, given: JavaType, wanted: JavaType) -> int:
    """Return 1 if two types hold different classes of the project (``List<Order>`` and ``Collection<Item>``), else 0."""
    if len(given.args) != 1 or len(wanted.args) != 1:
        return 0
    one, other = given.args[0].name, wanted.args[0].name
    if one == other or program.type(one) is None or program.type(other) is None:
        return 0
    return 0 if program.is_subtype(one, other) else 1
