"""Where a reference to a method or constructor (``Pool::new``) is run, and on what: ``found.map(Pool::new)``.

Absent: lambdas, whose bodies are those of their members; references that are kept (``reads.functions``).
"""

from __future__ import annotations

from collections.abc import Iterator

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.member_types import simple
from conflens.program.body_uses import takers
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.values import Values

_USERS = 40
"""Bodies that mention a class, in which references to its members are looked for."""


def referring(values: Values, ref: MemberRef) -> list[tuple[Context, int]]:
    """Return the calls that are given a reference to a member with one parameter."""
    return values.trail.remembered(("referring", ref), lambda: list(_referring(values, ref)))


def _referring(values: Values, ref: MemberRef) -> Iterator[tuple[Context, int]]:
    member = values.program.member(ref)
    if len(member.params) != 1:
        return
    made = member.kind == "constructor"
    named = made or values.program.is_static(ref)
    name = "<init>" if made else member.name
    owner = simple(ref.owner)
    users = values.asking.mentions(owner) if named else values.asking.users(name)
    for user in users[:_USERS]:
        inner = values.open(user)
        for number, instr in enumerate(inner.code):
            if not isinstance(instr, ir.MethodRef) or instr.name != name:
                continue
            if named and simple(instr.type.partition("<")[0]) != owner:
                continue
            if not (named or _is_of(inner, instr, ref.owner)):
                continue
            for taker in takers(inner, number):
                call = inner.code[taker]
                if isinstance(call, ir.Call) and call.object != NONE and number in call.args:
                    yield inner, taker


def _is_of(context: Context, reference: ir.MethodRef, owner: str) -> bool:
    """Tell whether a reference to an instance method is asked of an object of a class, or of one below or above it."""
    type_ = context.type_of(reference.object) if reference.object != NONE else None
    if type_ is None:
        return False
    kin = context.program.is_subtype
    return kin(type_.name, owner) or kin(owner, type_.name)
