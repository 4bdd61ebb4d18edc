"""Definitions whose name is made of what a caller hands over: each call declares an option of its own.

A method or constructor that defines an option takes its name, or part of it, from a parameter, perhaps over other methods.
What the same call states about the option, such as the default, belongs to that name and to no other.
Absent: names that depend on fields of an object; names that a caller computes.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.constant_arguments import rendered
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.templates import Param, Templates, substitute
from conflens.program.values import Values

DEPTH = 4
"""Methods between the definition and the call that names the option."""

MOST = 400
"""Calls of one definition that are looked at."""
_FAR = f"the name of a definition is passed through more than {DEPTH} methods; callers of this one are not analysed"
_MANY = f"more than {MOST} methods name the definition that is made here; only these are analysed"


class Stated(NamedTuple):
    """A call that names an option, and where the values stand that the definition is given there, in the order asked for."""

    context: Context
    call: int
    names: tuple[str, ...]
    given: tuple[tuple[Context, int], ...]


def stated(
    values: Values, context: Context, names: Templates, given: tuple[int, ...]
) -> list[Stated]:
    """Return the calls that name the options of a definition in ``context``; ``given`` are values of its body."""
    if not _by_parameter(names):
        return []
    found: list[Stated] = []
    seen: set[tuple[MemberRef, int, tuple[str, ...]]] = set()
    queue = [(context, names, tuple((context, value) for value in given), 0)]
    for _ in range(MOST):
        if not queue:
            break
        where, open_names, places, depth = queue.pop(0)
        for caller, call, args in values.callers(where.ref):
            if caller.targets(call)[:1] != [where.ref]:
                continue
            filled = substitute(open_names, partial(values.open_filled, caller, NONE, args))
            moved = tuple(_moved(where, place, caller, args) for place in places)
            known = tuple(
                dict.fromkeys(
                    rendered(parts)
                    for parts in filled
                    if all(isinstance(part, str) for part in parts)
                )
            )
            key = (caller.ref, call, known)
            if known and key not in seen:
                seen.add(key)
                found.append(Stated(caller, call, known, moved))
            rest = tuple(parts for parts in filled if _by_parameter((parts,)))
            if rest and depth >= DEPTH:
                values.cut(where.ref, _FAR)
            elif rest and caller.ref != where.ref:
                queue.append((caller, rest, moved, depth + 1))
    if queue:
        values.cut(context.ref, _MANY)
    return sorted(found, key=lambda item: (item.context.ref, item.call))


def _by_parameter(names: Templates) -> bool:
    """Tell whether names depend on the caller's arguments alone, and on no field of them."""
    parts = [part for template in names for part in template]
    return any(isinstance(part, Param) for part in parts) and all(
        isinstance(part, str) or (isinstance(part, Param) and not (part.name or part.owner))
        for part in parts
    )


def _moved(
    where: Context, place: tuple[Context, int], caller: Context, args: tuple[int, ...]
) -> tuple[Context, int]:
    """Return where a value stands, as the caller of ``where`` gives it."""
    context, value = place
    if context.ref != where.ref or value == NONE:
        return place
    instr = context.code[value]
    while isinstance(instr, ir.Cast):
        instr = context.code[instr.value]
    if isinstance(instr, ir.Load) and not instr.up and context.is_parameter(instr.slot):
        return (caller, args[instr.slot]) if instr.slot < len(args) else place
    return place
