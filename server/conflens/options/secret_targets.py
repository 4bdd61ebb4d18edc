"""Is the value of an option used as a secret?  The names in the code around it that say so.

    receivers   the variable or field that gets the value, the method that returns it, the parameter or setter that it is passed
                to, the key beside it, and the text of which it is the secret part: ``String password = get("user.p")``,
                ``setPassword(get("user.p"))``, ``get("db.password", get("user.p"))``, ``"jdbc:h2:mem;password=" + get("user.p")``.
    partners    other values that the same variable or expression may have: ``v != null ? v : get("user.p")`` with ``v = get("db.password")``.
    givers      the constant, variable or method that the default comes from: ``get("user.p", DEFAULT_PASSWORD)``.

Where the value goes as it is, is what ``flow.uses`` found.  From there on it is followed through what is built around it
(texts, encoders, holders), and over one border of a method or field at most.  What builds and what falls back is said by rows
(``SecretWordRow``), which arguments of a library are secrets as well (``SecretRow``).

The way of one value is ``secret_walk``.  Which names are those of secrets is said by ``base.secrets``; what holds a number, a truth value or a list of them holds no secret.
Absent: whether a value of the option is hidden then (``secret_values``).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from conflens.base.secrets import is_secret_name
from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Modifier
from conflens.flow.code import Code
from conflens.flow.domain import Followed, Relation
from conflens.flow.kinds import kind_of
from conflens.flow.uses import Uses
from conflens.options.model import OptionType
from conflens.options.secret_arguments import Takers
from conflens.options.secret_values import may_be_secret
from conflens.options.secret_walk import KEY, Walk, giver, holds_text, stores
from conflens.options.sites import Inference
from conflens.program.refs import MemberRef
from conflens.program.templates import known_text

_LINKS = 12
"""Assignments from a value back to the constant that it is."""


class Told(NamedTuple):
    """The name of a secret that was found, empty for none, with the files looked at and the members that others may come to use."""

    name: str
    files: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()


class SecretTargets:
    """Looks for these in one program."""

    def __init__(self, uses: Uses) -> None:
        """Look at nothing yet."""
        self._uses = uses
        models = uses.rows.models
        self._takers = Takers(models.secrets, models.secret_words)

    def receiver(self, followed: Followed, type_: OptionType, why: str) -> Told:
        """Return the name of a secret that a value is put into, handed over to, or stands in for; ``why`` it has its type."""
        uses = self._uses
        if not (followed.same or followed.passed) or not may_be_secret(type_, why):
            return Told("")
        direct = (
            passed.name
            for passed in followed.passed
            if passed.trace.relation is Relation.SAME
            and not passed.trace.hops
            and not passed.trace.stack
            and is_secret_name(passed.name)
            and holds_text(uses.program, passed.type)
        )
        name = min(direct, default="")
        if name:
            return Told(name)
        walk = Walk(uses, self._takers, followed)
        return Told(walk.first(), frozenset(walk.files), frozenset(walk.names))

    def of_member(
        self, ref: MemberRef, slot: int, entry: tuple[MemberRef | None, int], found: Inference
    ) -> Told:
        """Return the same of a field, a method or a parameter of one, with ``found`` about it, and of the parameter by which it is filled."""
        name = self._named(ref, slot) or found.target
        entered, place = entry
        if entered is not None and not name and may_be_secret(found.type, found.why):
            name = self._named(entered, place)
            if not name:
                followed = self._uses.parameter(entered, place)
                told = self.receiver(followed, found.type, found.why)
                files, names = followed.files | told.files, followed.names | told.names
                return Told(told.name, found.files | files, found.names | names)
        return Told(name, found.files, found.names)

    def _named(self, ref: MemberRef, slot: int) -> str:
        """Return the name of a secret that a field, a method, or a parameter of one has, or the constant that a field begins with."""
        program = self._uses.program
        member = program.member(ref)
        handed = slot != NONE and member.kind in ("method", "constructor")
        type_ = program.resolve(
            member.params[slot].type if handed else member.type, ref.path, ref.owner
        )
        if kind_of(program, type_) == "list" and not holds_text(program, type_):
            return ""
        names = [member.name]
        if handed:
            names.append(member.params[slot].name)
        elif member.kind == "field":
            code = self._uses.code(ref)
            stores = (one for one in code.code if isinstance(one, ir.StoreField))
            names += (self.giver(code, store.value) for store in stores)
        return next(filter(is_secret_name, names), "")

    def giver(self, code: Code, value: int) -> str:
        """Return the name of a secret that a default is taken from, empty if it is not one."""
        pending, seen = [value], set[int]()
        while pending and len(seen) < _LINKS:
            value = pending.pop()
            if value == NONE or value in seen:
                continue
            seen.add(value)
            name = giver(code, value) or self._shared(code, value)
            if name:
                return name
            instr = code.code[value]
            if isinstance(instr, ir.Load) and not instr.up:
                pending += [one.value for one in stores(code, instr.slot)]
        return ""

    def _shared(self, code: Code, value: int) -> str:
        """Return the secret that something else gives the same variable or constant to, as its default."""
        instr = code.code[value]
        places: Iterable[tuple[Code, int]] = ()
        if isinstance(instr, ir.Load) and not instr.up:
            places = ((code, load) for load in code.loads.get(instr.slot, ()))
        elif isinstance(instr, ir.Name):
            field = code.context.field_of(value)
            if field is not None and self._uses.program.member(field).modifiers & Modifier.PRIVATE:
                places = self._uses.loads(field).found
            else:
                same = (
                    at for at in code.context.of_kind(ir.Name) if _named(code, at) == instr.name
                )
                places = ((code, at) for at in same)
        for user, load in places:
            for taker in user.takers.get(load, ()) if (user, load) != (code, value) else ():
                call = user.code[taker]
                if isinstance(call, ir.Call) and load in call.args[1:]:
                    key = known_text(self._uses.values.of(user.context, call.args[0])) or ""
                    if KEY.fullmatch(key) and is_secret_name(key):
                        return key
        return ""


def _named(code: Code, index: int) -> str:
    instr = code.code[index]
    return instr.name if isinstance(instr, ir.Name) else ""
