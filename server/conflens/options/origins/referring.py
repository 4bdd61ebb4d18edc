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
from conflens.program.types import JavaType
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
    if reference.object == NONE:
        return False
    type_ = context.type_of(reference.object) or _begun(context, reference.object)
    if type_ is None:
        return False
    kin = context.program.is_subtype
    return kin(type_.name, owner) or kin(owner, type_.name)


def _begun(context: Context, value: int) -> JavaType | None:
    """Return the type of the one object that a chain of library calls begins with, of the parameter of its lambda:
    ``just(pool).flatMap(one -> …)``."""
    load = context.code[value]
    if not isinstance(load, ir.Load) or load.up:
        return None
    number, binder = context.binder(load.slot) or (NONE, None)
    if not isinstance(binder, ir.Lambda):
        return None
    for taker in takers(context, number):
        call = context.code[taker]
        chain = (
            context.code[call.object] if isinstance(call, ir.Call) and call.object >= 0 else None
        )
        if isinstance(chain, ir.Call) and len(chain.args) == 1 and not context.targets(taker):
            return context.type_of(chain.args[0])
    return None
