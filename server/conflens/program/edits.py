"""Which bodies of a file an edit that leaves the surface alone has touched.

Absent: surfaces, whose changes touch everything (``program``); programs before and after (``versions``).
"""

from __future__ import annotations

from conflens.facts.model import FileFacts


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
