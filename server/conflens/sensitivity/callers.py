"""Who calls a member of a program, and whether anything calls it at all.

Terms
    root   a member that something outside the sources may call: ``main``, what overrides a method of a library, what has an
           annotation, what is named like a property or a callback; constructors of classes that no source makes.
    dead   a member that no root calls, over any number of calls.

Tests are no callers.  In doubt a member is called.  In a program without ``main`` nothing is dead, since others call it.
Everything is a function of one program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from conflens.base.paths import is_test_path
from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Annotation, Member, Modifier
from conflens.program.body_uses import called, references
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.starting import has_main
from conflens.sensitivity.amounts import Unused
from conflens.sensitivity.lexicon import split

_MOST = 300
"""Members that one question looks at; beyond, what is asked about is taken for called."""
_MOST_USERS = 60
"""Members that call a method by one name; of more names nobody could say."""


class Callers:
    """Answers for one program."""

    def __init__(self, program: Program, words: Unused) -> None:
        """Ask about ``program``; ``words`` tell roots."""
        self.program = program
        self.words = words
        self._alive: dict[MemberRef, bool] = {}
        self._has_main: bool | None = None

    def is_dead(self, ref: MemberRef) -> bool:
        """Tell whether a member is dead."""
        return self.is_started() and not self._is_alive(ref)

    def is_started(self) -> bool:
        """Tell whether the sources are of something that is started, not only called by others."""
        if self._has_main is None:
            self._has_main = has_main(self.program)
        return self._has_main

    def is_open(self, ref: MemberRef) -> bool:
        """Tell whether others that are not in the sources may use a member by its name."""
        return not self.program.member(ref).modifiers & Modifier.PRIVATE and not self.is_started()

    def calls(self, ref: MemberRef) -> Iterator[tuple[MemberRef, int]]:
        """Yield the calls that may run a method, and references to it, outside of tests."""
        program = self.program
        member = program.member(ref)
        meant = {ref, *program.overridden(ref)}
        for user in program.users(member.name):
            if is_test_path(user.path):
                continue
            context = Context.of(program, user)
            for index, call in called(context, member.name):
                if isinstance(call, ir.Call) and self._means(context, index, call, meant, ref):
                    yield user, index
            for index in references(context, member.name):
                yield user, index

    def is_root(self, ref: MemberRef, named: bool = True) -> bool:
        """Tell whether something outside the sources may call a method; ``named``: by its name alone, too."""
        member = self.program.member(ref)
        if member.name == "main" or any(self.matters(one) for one in member.annotations):
            return True
        if self.program.is_static(ref):
            return False
        return (named and self._is_property(member)) or self._overrides_library(ref)

    def _is_property(self, member: Member) -> bool:
        """Tell whether frameworks may call a method by its name: it gets, sets, starts or ends something."""
        first = split(member.name)[:1]
        return bool(first) and (
            first[0] in self.words.roots and len(member.params) == (first[0] == "set")
        )

    def matters(self, annotation: Annotation) -> bool:
        """Tell whether an annotation may be why something outside the sources calls what it stands at."""
        return annotation.name.rpartition(".")[2] not in self.words.annotations

    def _means(
        self, context: Context, index: int, call: ir.Call, meant: set[MemberRef], ref: MemberRef
    ) -> bool:
        targets = context.targets(index)
        if targets:
            return not meant.isdisjoint(targets)
        if call.object == NONE:
            return False
        member = self.program.member(ref)
        if len(call.args) != len(member.params) and not member.varargs:
            return False
        type_ = context.receiver_type(call)
        return type_ is None or self.program.is_subtype(ref.owner, type_.name)

    def _overrides_library(self, ref: MemberRef) -> bool:
        program = self.program
        name = program.member(ref).name
        strange = False
        for type_ in (*program.supertypes(ref.owner), "java.lang.Object"):
            if program.type(type_) is not None:
                continue
            jdk = program.jdk_type(type_)
            if jdk is None:
                strange = True
            elif name in jdk.methods:
                return True
        written = any(
            one.name.rpartition(".")[2] == "Override" for one in program.member(ref).annotations
        )
        return strange and written and not program.overridden(ref)

    # -- what is alive -----------------------------------------------------------------------------

    def _is_alive(self, ref: MemberRef) -> bool:
        """Tell whether a root calls a member; the calls are followed backwards."""
        found = self._alive.get(ref)
        if found is None:
            seen: dict[MemberRef, MemberRef | None] = {ref: None}
            alive = self._called_by_root(seen)
            found = bool(alive)
            # All on the way from a root is alive; nothing that leads to a dead member is.
            self._alive.update(dict.fromkeys(alive, True) if alive else dict.fromkeys(seen, False))
        return found

    def _called_by_root(self, seen: dict[MemberRef, MemberRef | None]) -> list[MemberRef]:
        """Return a way from a root to the member in ``seen``, empty if there is none; add all that was looked at, each with
        what it calls.  Where too much is looked at, all of it is taken for alive."""
        waiting = list(seen)
        while waiting:
            ref = waiting.pop()
            known = self._alive.get(ref)
            callers = self._callers(ref) if known is None else None
            if known or (known is None and callers is None):
                return _way(seen, ref)
            for caller in callers or ():
                if caller not in seen:
                    seen[caller] = ref
                    waiting.append(caller)
            if len(seen) > _MOST:
                return list(seen)
        return []

    def _callers(self, ref: MemberRef) -> Iterable[MemberRef] | None:
        """Return the members that run one; ``None`` if something outside the sources may, or too many do."""
        member = self.program.member(ref)
        if member.kind == "method":
            if self.is_root(ref) or len(self.program.users(member.name)) > _MOST_USERS:
                return None
            return (user for user, _ in self.calls(ref))
        if member.modifiers & Modifier.STATIC or member.kind == "enum_constant":
            return None
        return self._makers(ref.owner)

    def _makers(self, owner: str) -> Iterable[MemberRef] | None:
        """Return the members that make objects of a class or its subclasses; ``None`` if others may, or too many do."""
        program = self.program
        makers: dict[MemberRef, None] = {}
        for name in (owner, *program.all_subtypes(owner)):
            info = program.type(name)
            if info is None or info.decl.kind != "class" or not info.decl.name:
                return None
            if any(self.matters(one) for one in info.decl.annotations):
                return None
            makers.update(dict.fromkeys(program.mentions(info.decl.name)))
        found = [one for one in makers if not is_test_path(one.path)]
        return found if 0 < len(found) <= _MOST_USERS else None


def _way(seen: dict[MemberRef, MemberRef | None], ref: MemberRef) -> list[MemberRef]:
    """Return a member and all that it leads to."""
    found = [ref]
    called = seen[ref]
    while called is not None:
        found.append(called)
        called = seen[called]
    return found
