"""Names of secrets in code around the value of an option: what it is directly put into, handed over to, or taken from.

    receivers   the variable, field or method that the value is put into or returned by, the parameter and the setter that it
                is handed over to, and the key beside it: ``String password = get("user.p")``, ``setPassword(get("user.p"))``,
                ``get("db.password", get("user.p"))``.
    givers      the constant, variable or method that the default comes from: ``get("user.p", DEFAULT_PASSWORD)``.

Which names are those of secrets is said by ``base.secrets``; what holds a number, a truth value or a list holds no secret.
Absent: whether a value of the option is hidden then (``secret_values``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from conflens.base.secrets import is_secret_name
from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.domain import Followed, Relation
from conflens.flow.kinds import kind_of
from conflens.flow.uses import Uses
from conflens.options.names.spelling import words_of
from conflens.options.secret_values import KINDS
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.templates import known_text
from conflens.program.types import JavaType

_TEXTS = ("", "string")
_KEY = re.compile(r"[\w.-]{1,100}")
_SETTERS = ("set", "with", "put", "add")
_PLAIN_WORDS = frozenset({"token", "tokens", "pass", "pin", "pat", "cookie"})
"""Parameters with these names often are pieces of text that a method takes to pieces, or steps."""


def receiver(uses: Uses, followed: Followed) -> str:
    """Return the name of a secret that a value is put into or handed over to, empty if there is none."""
    return min(filter(is_secret_name, _receivers(uses, followed)), default="")


def _receivers(uses: Uses, followed: Followed) -> Iterator[str]:
    for passed in followed.passed:
        trace = passed.trace
        direct = trace.relation is Relation.SAME and not trace.hops and not trace.stack
        if direct and _holds_text(uses.program, passed.type):
            yield passed.name
    for ref, index in sorted(followed.same):
        if index != NONE:
            code = uses.code(ref)
            for taker in code.takers.get(index, ()):
                yield from _handed(uses, code, taker, index)


def _handed(uses: Uses, code: Code, taker: int, value: int) -> Iterator[str]:
    """Yield what a call says that an argument of it is."""
    call = code.code[taker]
    if not isinstance(call, (ir.Call, ir.New)) or value not in call.args:
        return
    if isinstance(call, ir.Call) and len(call.args) == 1 and is_secret_name(call.name):
        prefix = next((one for one in _SETTERS if call.name.startswith(one)), "")
        if prefix or (call.name[:1].islower() and not any(map(str.isupper, call.name))):
            yield call.name
    slot = call.args.index(value)
    key = known_text(uses.values.of(code.context, call.args[0])) if slot else None
    if key is not None and _KEY.fullmatch(key):
        yield key
    for target in code.context.targets(taker)[:1]:
        params = uses.program.member(target).params
        if slot < len(params) and params[slot].name.lower() not in _PLAIN_WORDS:
            type_ = uses.program.resolve(params[slot].type, target.path, target.owner)
            if _holds_text(uses.program, type_):
                yield params[slot].name


def _holds_text(program: Program, type_: JavaType | None) -> bool:
    return kind_of(program, type_) in _TEXTS


def of_member(uses: Uses, ref: MemberRef, slot: int) -> str:
    """Return the name of a secret that a field, a method, or a parameter of one has, or the constant that a field begins with."""
    member = uses.program.member(ref)
    names = [member.name]
    if slot != NONE and member.kind in ("method", "constructor"):
        names.append(member.params[slot].name)
    elif member.kind == "field":
        code = uses.code(ref)
        stores = (one for one in code.code if isinstance(one, ir.StoreField))
        names += (giver(code, store.value) for store in stores)
    return next(filter(is_secret_name, names), "")


def giver(code: Code, value: int) -> str:
    """Return the name of a secret that a default is taken from, empty if it is not one."""
    instr = code.code[value] if value != NONE else None
    name = ""
    if isinstance(instr, (ir.Name, ir.Field)) or (isinstance(instr, ir.Call) and not instr.args):
        name = instr.name
    elif isinstance(instr, ir.Load) and not instr.up:
        name = code.context.body.locals[instr.slot].name
    kind = not KINDS.isdisjoint(map(str.lower, words_of(name)))
    return name if is_secret_name(name) and not kind else ""
