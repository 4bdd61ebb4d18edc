"""The calls that may run a member of the program, followed backwards; each is looked up once.

Tests are no callers.  Absent: what runs in other threads (``entries``), calls by reflection.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from conflens.base.paths import is_test_path
from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Modifier
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.starting import has_main

_USERS = 40
"""Members that call a method by one name, beyond which nobody could say which of them mean it."""
_TARGETS = 4
"""Methods that override one, beyond which a call of it says little of any."""


class Caller(NamedTuple):
    """A call in a body; ``exact``: it cannot run another method instead."""

    ref: MemberRef
    at: int
    exact: bool = True


class Called(NamedTuple):
    """Who calls a member; ``complete``: nobody else in the program does; ``cost``: instructions that were looked at for
    that; ``many``: so many do that they were not looked at."""

    callers: tuple[Caller, ...]
    complete: bool
    cost: int = 0
    many: bool = False


NOBODY = Called((), complete=False)
MANY = Called((), complete=False, many=True)


class Callers:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        """Ask about ``program``."""
        self.program = program
        self._found: dict[MemberRef, Called] = {}
        self._made: dict[str, tuple[Caller, ...]] = {}
        self._has_main: bool | None = None

    def of(self, ref: MemberRef) -> Called:
        """Return who calls a member."""
        found = self._found.get(ref)
        if found is None:
            found = self._found[ref] = self._find(ref)
        return found

    def is_open(self, ref: MemberRef) -> bool:
        """Tell whether others that are not in the sources may call a member."""
        member = self.program.member(ref)
        if member.annotations and any(
            one.name.rpartition(".")[2] not in _HARMLESS for one in member.annotations
        ):
            return True
        if member.name == "main" and member.modifiers & Modifier.STATIC:
            return True
        if self._overrides_library(ref):
            return True
        return not member.modifiers & Modifier.PRIVATE and not self.has_main()

    def has_main(self) -> bool:
        """Tell whether the sources are of something that is started, not only called by others."""
        if self._has_main is None:
            self._has_main = has_main(self.program)
        return self._has_main

    def _find(self, ref: MemberRef) -> Called:
        member = self.program.member(ref)
        if member.kind == "constructor":
            return self._makers(ref)
        if member.kind != "method":
            return NOBODY
        program = self.program
        above = program.overridden(ref)
        meant = {ref, *above}
        wide = any(len(program.overriders(one)) > _TARGETS for one in above)
        alone = all(len(program.overriders(one)) == 1 for one in above)
        users = [one for one in program.users(member.name) if not is_test_path(one.path)]
        if len(users) > _USERS:
            return MANY
        found: list[Caller] = []
        complete = not wide
        cost = 0
        for user in users:
            context = Context.of(program, user)
            cost += len(context.code)
            for index in context.of_kind(ir.Call):
                call = context.code[index]
                if not isinstance(call, ir.Call) or call.name != member.name:
                    continue
                targets = context.targets(index)
                if targets:
                    if ref in targets:
                        found.append(Caller(user, index))
                    elif not wide and not meant.isdisjoint(targets):
                        found.append(Caller(user, index, exact=alone))
                elif call.object != NONE and self._may_mean(context, call, ref):
                    complete = False
            if any(
                isinstance(one := context.code[at], ir.MethodRef) and one.name == member.name
                for at in context.of_kind(ir.MethodRef)
            ):
                complete = False
        return Called(tuple(found), complete, cost)

    def _may_mean(self, context: Context, call: ir.Call, ref: MemberRef) -> bool:
        """Tell whether a call of a method that is not known may mean one."""
        member = self.program.member(ref)
        if len(call.args) != len(member.params) and not member.varargs:
            return False
        type_ = context.receiver_type(call)
        return type_ is None or self.program.is_subtype(ref.owner, type_.name)

    def _makers(self, ref: MemberRef) -> Called:
        """Return where objects are made by a constructor."""
        program = self.program
        found = [one for one in self.makers(ref.owner) if self._is_by(one, ref)]
        below = [
            one
            for type_ in program.subtypes(ref.owner)
            for one in program.own_methods(type_).get("<init>", ())
        ]
        found += [Caller(one, NONE) for one in below]
        alone = (
            not program.subtypes(ref.owner)
            and len(program.own_methods(ref.owner).get("<init>", ())) == 1
        )
        return Called(tuple(found), complete=alone and bool(found))

    def _is_by(self, caller: Caller, ref: MemberRef) -> bool:
        targets = Context.of(self.program, caller.ref).targets(caller.at)
        return not targets or ref in targets

    def makers(self, owner: str) -> tuple[Caller, ...]:
        """Return where objects of a class are made."""
        found = self._made.get(owner)
        if found is None:
            found = self._made[owner] = tuple(self._find_makers(owner))
        return found

    def _find_makers(self, owner: str) -> Iterator[Caller]:
        program = self.program
        info = program.type(owner)
        if info is None or not info.decl.name:
            return
        users = [one for one in program.mentions(info.decl.name) if not is_test_path(one.path)]
        if len(users) > _USERS:
            return
        for user in users:
            context = Context.of(program, user)
            for index in context.of_kind(ir.New):
                call = context.code[index]
                written = isinstance(call, ir.New) and call.type.endswith(info.decl.name)
                type_ = context.type_of(index) if written else None
                if type_ is not None and type_.name == owner:
                    yield Caller(user, index)

    def _overrides_library(self, ref: MemberRef) -> bool:
        program = self.program
        member = program.member(ref)
        if member.kind != "method" or program.is_static(ref):
            return False
        for type_ in (*program.supertypes(ref.owner), "java.lang.Object"):
            if program.type(type_) is not None:
                continue
            jdk = program.jdk_type(type_)
            if jdk is None or member.name in jdk.methods:
                return True
        return False


_HARMLESS = frozenset(
    {"Override", "Deprecated", "SuppressWarnings", "VisibleForTesting", "Nullable", "Nonnull"}
)
