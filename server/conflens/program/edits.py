"""Which bodies of a file an edit that leaves the surface alone has touched, and what they use.

Absent: surfaces, whose changes touch everything (``program``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import TYPE_CHECKING, NamedTuple

from conflens.facts.model import FileFacts

if TYPE_CHECKING:
    from conflens.program.program import MemberRef, Program


def stale(before: FileFacts, after: FileFacts) -> frozenset[int]:
    """Return the members of a file whose bodies differ, and those that share locals with such.

    A class declared in code reads locals of the body around it, so all of these go together.  Both have
    the same surface, hence the same members and types.
    """
    changed = [
        number
        for number, (old, new) in enumerate(zip(before.bodies, after.bodies, strict=True))
        if old != new
    ]
    if not changed or all(decl.member < 0 for decl in after.types):
        return frozenset(changed)
    roots = [outermost(after, number) for number in range(len(after.members))]
    touched = {roots[number] for number in changed}
    return frozenset(number for number, root in enumerate(roots) if root in touched)


def outermost(facts: FileFacts, number: int) -> int:
    """Return the member around all local classes that a member stands in, or the member itself."""
    found = number
    index = facts.members[number].owner
    while index >= 0:
        decl = facts.types[index]
        if decl.member >= 0:
            found = decl.member
            index = facts.members[found].owner
        else:
            index = decl.outer
    return found


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


def _used(facts: FileFacts, numbers: Set[int]) -> Iterator[str]:
    """Yield the names that some members of a file call, mention or make objects of."""
    for table in (facts.calls, facts.names):
        for name, users in table.items():
            if not numbers.isdisjoint(users):
                yield name
