"""Whether an object of a holder leaves the forms of code that are known to be harmless.

Every expression whose type names a holder, or that may hold one though its type is not known, is looked at.  Known are these forms:

    a member of it is used, or it is compared, tested for ``null`` or a type, or locked;
    it is assigned, returned or given to something whose declared type names a holder, which is looked at in turn;
    it is given to a method of ``java.lang`` or ``java.util`` on a static type, on a value of a type that holds holders or on one
    whose type shows that it cannot keep it; the result may hold it, and so may the parameters of a function that is given beside it;
    a class literal is given to the binder, to a factory of loggers, or asked for its name and the like.

All else is an escape: an argument of a library, a value of type ``Object`` or of a type variable, ``var`` of no known type.

Absent: what types say (``held_types``), and where values go in a body (``held_values``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from conflens.base.span import Place
from conflens.facts.model import Modifier
from conflens.ide.rename.held_types import HeldTypes
from conflens.ide.rename.held_values import Body
from conflens.ide.rename.holders import Declared
from conflens.options.member_types import simple
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.session.analysis import Analysis

_MOST_CODE = 150_000
"""Instructions that are looked at for one class."""


class Escapes:
    """Answers for one class, whose holders are ``names``."""

    def __init__(
        self, analysis: Analysis, declared: Declared, owner: str, names: frozenset[str]
    ) -> None:
        self._analysis = analysis
        self._program = analysis.program
        self._names = names
        self._declared = declared
        self._types = HeldTypes(analysis, owner, names)

    def first(self) -> Place | str:
        """Return the place of an escape, or why none can be looked for; an empty text if there is none."""
        left = _MOST_CODE
        for ref in self._members():
            body = Body(self._types, Context.of(self._program, ref))
            left -= len(body.code)
            if left < 0:
                return "too much code uses it"
            found = body.escape()
            if found is not None:
                at = self._program.member(ref).at
                return Place(ref.path, at + found.at, at + found.end)
        return ""

    def _members(self) -> Iterator[MemberRef]:
        """The members with code in which a value of a holder may be: those that name a holder or something of its type, or belong to
        one, with all classes inside of them."""
        around: dict[str, set[int]] = {}
        for ref in self._starts():
            number = self._outermost(ref.path, ref.number)
            around.setdefault(ref.path, set()).add(number)
        for path, numbers in sorted(around.items()):
            for number, member in enumerate(self._program.files[path].members):
                inside = self._outermost(path, number) in numbers
                if inside and not member.modifiers & Modifier.IMPLIED:
                    yield self._program.ref(path, number)

    def _starts(self) -> Iterator[MemberRef]:
        program = self._program
        words = {simple(name) for name in self._names}
        called, mentioned = set[str](), set[str]()
        for word in words:
            for ref in self._declared.members.get(word, ()):
                member = program.member(ref)
                yield ref
                if self._types.holds(program.resolve(member.type, ref.path, ref.owner)):
                    (called if member.kind == "method" else mentioned).add(member.name)
                    if member.kind == "component":
                        called.add(member.name)
        for name in self._names:
            info = program.type(name)
            assert info is not None
            for number in range(len(program.files[info.path].members)):
                ref = program.ref(info.path, number)
                if ref.owner == name:
                    yield ref
        for name in called:
            yield from program.users(name)
        for name in mentioned:
            yield from program.mentions(name)
        asked = [word.encode() for word in words | called]
        pattern = re.compile(
            rb"(?<![\w$])(?:%b)(?![\w$])|::\s*(?:%b)(?![\w$])"
            % (_any_of(words), _any_of(called | {"new"}))
        )
        for path, facts in program.files.items():
            text = self._analysis.text(path)
            if text is None or not any(one in text for one in asked):
                continue
            found = [match.start() for match in pattern.finditer(text)]
            for number, member in enumerate(facts.members if found else ()):
                if any(member.at <= at < member.end for at in found):
                    yield program.ref(path, number)

    def _outermost(self, path: str, number: int) -> int:
        """The member that stands in no body of another."""
        facts = self._program.files[path]
        owner = facts.members[number].owner
        while owner >= 0:
            decl = facts.types[owner]
            if decl.member >= 0:
                number, owner = decl.member, facts.members[decl.member].owner
            else:
                owner = decl.outer
        return number


def _any_of(words: Iterable[str]) -> bytes:
    return b"|".join(re.escape(word.encode()) for word in sorted(words))
