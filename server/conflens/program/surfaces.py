"""What an edit of declarations can have changed for bodies, told by the names of the members declared.

Terms
    told      a simple name whose members are declared otherwise than before: what a body without it calls
              or reads is resolved as before.
    touched   a member whose body, or a body around or inside it, uses a told name, or that is itself
              declared otherwise.  A constant that is touched tells its name in turn.

Only edits that leave numbers of types and members, hierarchy and imports as they are can be told in names;
after all others nothing is known.  Of a constructor the names of its class and its subclasses are told,
as making one runs it unnamed.
Absent: bodies that differ (``edits``), what rows say of names (``options.incremental.flow_analysis``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple, Protocol

from conflens.facts.codec import decode_body
from conflens.facts.model import Annotation, FileFacts, Member, Modifier, TypeDecl
from conflens.program.edits import outermost
from conflens.program.refs import MemberRef, TypeInfo
from conflens.program.users import MakeRef

MANY = 1200
"""Touched members above which it is no cheaper to keep the others."""

_CODE = frozenset({"method", "constructor", "field"})
_CONSTANT = Modifier.STATIC | Modifier.FINAL
_WITH_BODY = Modifier.DEFAULT | Modifier.STATIC
_OPEN = Modifier.DEFAULT | Modifier.STATIC | Modifier.PRIVATE | Modifier.ABSTRACT


class Difference(NamedTuple):
    """What declarations that differ from those of ``memo``'s programs can have changed.

    ``asked`` are those of ``names`` whose users, or what they mean by it, may be others although each
    touched body means the same: their members override each other, or are seen elsewhere.
    """

    names: frozenset[str]
    asked: frozenset[str]
    touched: frozenset[MemberRef]
    memo: object


class Declarations(Protocol):
    """What is asked of a program here."""

    @property
    def files(self) -> Mapping[str, FileFacts]: ...
    @property
    def memo(self) -> object: ...
    @property
    def ref(self) -> MakeRef: ...
    def type(self, name: str) -> TypeInfo | None: ...
    def member(self, ref: MemberRef) -> Member: ...
    def users(self, called: str) -> tuple[MemberRef, ...]: ...
    def mentions(self, name: str) -> tuple[MemberRef, ...]: ...
    def supertypes(self, name: str) -> tuple[str, ...]: ...
    def all_subtypes(self, name: str) -> list[str]: ...
    def own_methods(self, name: str) -> Mapping[str, tuple[MemberRef, ...]]: ...


def told(
    program: Declarations,
    files: Mapping[str, FileFacts],
    changed: Iterable[str],
    type_names: Mapping[str, tuple[str, ...]],
) -> frozenset[str]:
    """Return the names told when ``changed`` files become those of ``files``; none: all may differ.

    ``type_names`` are those of each file of ``program``.
    """
    names: set[str] = set()
    twice: set[str] | None = None
    for path in changed:
        before, after = program.files.get(path), files.get(path)
        if before is None or after is None:
            return frozenset()
        if before.surface != after.surface:
            found = _told_by(program, path, before, after)
            twice = _declared_twice(type_names) if twice is None else twice
            if not found or not twice.isdisjoint(type_names.get(path, ())):
                return frozenset()
            names |= found
    return frozenset(names)


def _declared_twice(type_names: Mapping[str, tuple[str, ...]]) -> set[str]:
    """Return the types that more than one file declares: which of their members a name means may change."""
    counts = Counter(name for names in type_names.values() for name in frozenset(names))
    return {name for name, count in counts.items() if count > 1}


def _told_by(
    program: Declarations, path: str, before: FileFacts, after: FileFacts
) -> set[str] | None:
    if (before.package, before.imports) != (after.package, after.imports):
        return None
    if list(map(_type_form, before.types)) != list(map(_type_form, after.types)):
        return None
    if len(before.members) != len(after.members):
        return None
    names: set[str] = set()
    functions = [
        one == 1 or two == 1
        for one, two in zip(_functions(before), _functions(after), strict=True)
    ]
    repeated = _repeated(before.members) | _repeated(after.members)
    for number, (old, new) in enumerate(zip(before.members, after.members, strict=True)):
        if (old.owner, old.kind) != (new.owner, new.kind):
            return None
        if _form(old) == _form(new):
            continue
        if not repeated.isdisjoint((_signature(old), _signature(new))):
            return None
        differing = old.modifiers ^ new.modifiers
        owner = before.types[old.owner]
        if old.kind not in _CODE or (differing & _CONSTANT and old.kind == "field"):
            return None
        if old.kind == "field" and _has_value(before, number) != _has_value(after, number):
            return None
        if owner.kind not in ("class", "enum") and (differing & _OPEN or old.kind != "method"):
            return None
        if functions[old.owner]:
            # Lambdas that are handed on as this interface name neither it nor its method.
            return None
        if old.kind == "constructor":
            ref = program.ref(path, number)
            if owner.kind == "enum" or owner.type_params:
                # Constants make their enum unnamed, and so does a reference to a generic constructor.
                return None
            for name in (ref.owner, *program.all_subtypes(ref.owner)):
                info = program.type(name)
                if info is not None and info.decl.name:
                    names.add(info.decl.name)
        else:
            names |= {old.name, new.name}
    return names


def _has_value(facts: FileFacts, number: int) -> bool:
    """Tell whether a field is given a value where it is declared; while that is typed, it has none."""
    return bool(decode_body(facts.bodies[number]).code)


def _functions(facts: FileFacts) -> list[int]:
    """Return how many methods each interface leaves to others; of one that leaves one a lambda is an object."""
    found = [0] * len(facts.types)
    for member in facts.members:
        if member.kind == "method" and not member.modifiers & _WITH_BODY:
            found[member.owner] += facts.types[member.owner].kind == "interface"
    return found


def _repeated(members: Iterable[Member]) -> set[object]:
    """Return what is declared more than once, as while a line is copied: a name means the first of them."""
    return {one for one, count in Counter(map(_signature, members)).items() if count > 1}


def _signature(member: Member) -> object:
    return member.owner, member.kind, member.name, tuple(item.type for item in member.params)


def _type_form(decl: TypeDecl) -> object:
    return (
        *(decl.name, decl.kind, decl.outer, decl.member, decl.ordinal, decl.modifiers),
        *(decl.type_params, decl.supers, decl.permits, _annotations(decl.annotations)),
    )


def _form(member: Member) -> object:
    constant = member.kind == "enum_constant" or (
        member.kind == "field" and member.modifiers & Modifier.FINAL
    )
    return (
        *(member.name, member.type, member.varargs, member.modifiers, member.type_params),
        [(item.name, item.type, _annotations(item.annotations)) for item in member.params],
        _annotations(member.annotations),
        member.digest if constant else b"",
    )


def _annotations(items: Iterable[Annotation]) -> list[object]:
    return [(item.name, item.keys, item.code) for item in items]


def difference(
    before: Declarations, after: Declarations, names: frozenset[str], changed: Iterable[str]
) -> Difference | None:
    """Return what ``names`` told between two programs can have changed; ``None`` if that is too much."""
    touched: set[MemberRef] = set()
    asked: set[str] = set()
    for path in changed:
        old, new = before.files[path], after.files[path]
        for number, (one, two) in enumerate(zip(old.members, new.members, strict=True)):
            if _form(one) != _form(two):
                touched.add(after.ref(path, number))
                if not _stands_alone(after, after.ref(path, number), one, two):
                    asked |= {one.name, two.name}
                if one.kind == "constructor":
                    owner = after.ref(path, number).owner
                    for name in (owner, *after.all_subtypes(owner)):
                        touched.update(after.own_methods(name).get("<init>", ()))
                    asked |= names
    known: set[str] = set()
    new_names = set(names)
    while new_names:
        name = new_names.pop()
        known.add(name)
        for program in (before, after):
            for ref in (*program.users(name), *program.mentions(name)):
                if ref in touched:
                    continue
                touched.add(ref)
                member = after.member(ref)
                if member.kind == "field" and member.modifiers & Modifier.FINAL:
                    new_names |= {member.name} - known
                    asked.add(member.name)
        if len(touched) > MANY:
            return None
    around = _around(after, touched)
    return Difference(frozenset(known), frozenset(asked), frozenset(around), before.memo)


def _stands_alone(program: Declarations, ref: MemberRef, old: Member, new: Member) -> bool:
    """Tell whether a method neither overrides nor is overridden, and is seen from where it was."""
    if old.kind != "method" or (old.name, old.modifiers) != (new.name, new.modifiers):
        return False
    return not any(
        old.name in program.own_methods(name)
        for name in (*program.all_subtypes(ref.owner), *program.supertypes(ref.owner))
    )


def _around(program: Declarations, touched: Iterable[MemberRef]) -> set[MemberRef]:
    """Return members with all those that share locals with them."""
    found = set(touched)
    paths: dict[str, set[int]] = {}
    for ref in touched:
        paths.setdefault(ref.path, set()).add(ref.number)
    for path, numbers in paths.items():
        facts = program.files[path]
        if all(decl.member < 0 for decl in facts.types):
            continue
        roots = {outermost(facts, number) for number in numbers}
        found.update(
            program.ref(path, number)
            for number in range(len(facts.members))
            if outermost(facts, number) in roots
        )
    return found
