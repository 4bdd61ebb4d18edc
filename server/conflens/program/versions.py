"""What differs between two programs, one of which was made from the other: members and names.

Absent: what an edit did to one file (``edits``), what declarations that differ can change (``surfaces``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from typing import NamedTuple

from conflens.facts.model import FileFacts
from conflens.program.edits import stale
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.trail import declared, shaped, used


def follows(before: Program, after: Program) -> bool:
    """Tell whether one program was made from another so that what differs is known."""
    told = after.difference
    return before.memo is after.memo or (told is not None and told.memo is before.memo)


class Touched(NamedTuple):
    """Members whose bodies are others, or share locals with such, and the names that they use or used."""

    members: frozenset[MemberRef]
    names: frozenset[str]


def touched(before: Program, after: Program, changed: Iterable[str]) -> Touched:
    """Return what of the changed files is other than before, and what the members that are declared otherwise touch
    (``surfaces``); the numbers of members are the same."""
    numbers: dict[str, set[int]] = {}
    names: set[str] = set()
    told = after.difference if before.memo is not after.memo else None
    if told is not None:
        names |= told.names | told.asked
        for ref in told.touched:
            numbers.setdefault(ref.path, set()).add(ref.number)
    for path in changed:
        if path in before.files and path in after.files:
            numbers.setdefault(path, set()).update(stale(before.files[path], after.files[path]))
    for path, found in numbers.items():
        names.update(_used(before.files[path], found), _used(after.files[path], found))
    members = (after.ref(path, number) for path, found in numbers.items() for number in found)
    return Touched(frozenset(members), frozenset(names))


def begun(
    before: Program, after: Program, changed: Iterable[str], bodies: Touched
) -> frozenset[str]:
    """Return the names that bodies of changed files have begun to mention, or to call where they only mentioned them, and what
    stands for all bodies that use a name which one of ``bodies`` uses."""
    names = set(map(used, bodies.names))
    for path in changed:
        if path in before.files and path in after.files:
            old, new = before.files[path], after.files[path]
            names.update(_begun(old.names, new.names), _begun(old.calls, new.calls))
    told = after.difference if before.memo is not after.memo else None
    if told is not None:
        names |= told.names | told.asked
        names.update(map(declared, told.names))
        for ref in told.touched:
            names.add(shaped(ref.owner))
            old_member, member = before.member(ref), after.member(ref)
            if member.kind == "field" and member.type != old_member.type:
                names.add(shaped(""))
    return frozenset(names)


def using_others(before: Program, after: Program, changed: Iterable[str]) -> frozenset[str]:
    """Return the changed files of which a body has begun or ceased to mention or to call something."""
    return frozenset(
        path
        for path in changed
        if path in before.files
        and path in after.files
        and (
            before.files[path].names != after.files[path].names
            or before.files[path].calls != after.files[path].calls
        )
    )


def _begun(
    before: Mapping[str, Collection[int]], after: Mapping[str, Collection[int]]
) -> Iterator[str]:
    """Yield the names that a member uses which did not use them before."""
    for name, users in after.items():
        if not set(users) <= set(before.get(name, ())):
            yield name


def _used(facts: FileFacts, numbers: Set[int]) -> Iterator[str]:
    """Yield the names that some members of a file call, mention or make objects of."""
    for table in (facts.calls, facts.names):
        for name, users in table.items():
            if not numbers.isdisjoint(users):
                yield name
