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


class Touched(NamedTuple):
    """Members whose bodies are others, or share locals with such, and the names that they use or used."""

    members: frozenset[MemberRef]
    names: frozenset[str]


def touched(before: Program, after: Program, changed: Iterable[str]) -> Touched:
    """Return what of the changed files is other than before; the numbers of members are the same."""
    members: set[MemberRef] = set()
    names: set[str] = set()
    for path in changed:
        old, new = before.files.get(path), after.files.get(path)
        if old is None or new is None:
            continue
        numbers = stale(old, new)
        members.update(after.ref(path, number) for number in numbers)
        names.update(_used(old, numbers), _used(new, numbers))
    return Touched(frozenset(members), frozenset(names))


def _used(facts: FileFacts, numbers: Set[int]) -> Iterator[str]:
    """Yield the names that some members of a file call, mention or make objects of."""
    for table in (facts.calls, facts.names):
        for name, users in table.items():
            if not numbers.isdisjoint(users):
                yield name
