"""What an evaluation looked at, so that it can be kept until one of these things changes.

Rule for staleness: a result made with a trail stays right while no body of ``bodies`` and no file of ``whole`` changes, and no
other body begins to use one of ``names`` (called methods, fields, constructed types).  What follows from surfaces alone is not on
it: a change of a surface redoes everything, unless it can be told in names (``surfaces``): then what uses none of them is kept, and
what looks through the members of a class notes ``shaped(owner)``, and what asks which methods override another ``declared(name)``.  What looked through so many files for one name that they are not worth listing notes
``used(name)`` instead: it stays right while no body changes that uses the name, before or after.  Places move with any edit of
their file: who keeps places compares their files with the edited ones as well.  Where a body begins or ceases to use any name,
all of its file counts as changed, since who looks at the users of a name within one file need not note that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, NamedTuple, TypeVar

from conflens.program.refs import MemberRef

T = TypeVar("T")


def used(name: str) -> str:
    """Return what stands among ``names`` for all bodies that use a name; no name of Java begins so."""
    return f"={name}"


def shaped(owner: str) -> str:
    """Return what stands among ``names`` for how the members of a class are declared; that of no class: the types of all fields."""
    return f"#{owner}"


def declared(name: str) -> str:
    """Return what stands among ``names`` for which classes declare a method of a name."""
    return f"~{name}"


class Cut(NamedTuple):
    """A bound that was met: what is missing, in a sentence, and where."""

    path: str
    at: int
    message: str


class Seen(NamedTuple):
    """A finished trail; ``cuts`` are the bounds that were met on it."""

    whole: frozenset[str]
    names: frozenset[str]
    cuts: frozenset[Cut] = frozenset()
    bodies: frozenset[MemberRef] = frozenset()

    @property
    def paths(self) -> frozenset[str]:
        """The files of which anything was looked at."""
        return self.whole | {ref.path for ref in self.bodies}

    def touched_by(
        self,
        changed: frozenset[str],
        begun: frozenset[str],
        bodies: frozenset[MemberRef] | None = None,
        wide: frozenset[str] = frozenset(),
    ) -> bool:
        """Tell whether changed files, or names that they began to use, can change the result.

        ``bodies`` are those that differ in these files; without them, and in ``wide`` files, each may.
        """
        if not (self.whole.isdisjoint(changed) and self.names.isdisjoint(begun)):
            return True
        if bodies is None:
            return any(ref.path in changed for ref in self.bodies)
        # A bound is said at its place, which moves with what stands before it.
        return (
            not self.bodies.isdisjoint(bodies)
            or any(ref.path in wide for ref in self.bodies)
            or any(cut.path in changed for cut in self.cuts)
        )


class Trail:
    """Collects; nested results are remembered together with their own part of the trail."""

    def __init__(self) -> None:
        """Start empty."""
        self.whole: set[str] = set()
        self.names: set[str] = set()
        self.cuts: set[Cut] = set()
        self.bodies: set[MemberRef] = set()
        self._kept: dict[object, tuple[object, Seen]] = {}

    def during(self, make: Callable[[], T], *, said: bool = True) -> tuple[T, Seen]:
        """Return what ``make`` gives and what it looked at; the outer trail gets that too.

        ``said`` is false where the bounds of what gives nothing are not to be said.
        """
        whole, names, cuts, bodies = self.whole, self.names, self.cuts, self.bodies
        self.whole, self.names, self.cuts, self.bodies = set(), set(), set(), set()
        try:
            made = make()
            if not said and not made:
                self.cuts = set()
            seen = Seen(
                frozenset(self.whole),
                frozenset(self.names),
                frozenset(self.cuts),
                frozenset(self.bodies),
            )
        finally:
            whole |= self.whole
            names |= self.names
            cuts |= self.cuts
            bodies |= self.bodies
            self.whole, self.names, self.cuts, self.bodies = whole, names, cuts, bodies
        return made, seen

    def remembered(self, key: object, make: Callable[[], T]) -> T:
        """Return what ``make`` gave for ``key`` the first time."""
        kept = self._kept.get(key)
        if kept is None:
            kept = self.during(make)
            self._kept[key] = kept
        else:
            self.rest(kept[1])
        return kept[0]  # type: ignore[return-value]

    def known(self, key: object) -> bool:
        """Tell whether ``key`` is remembered."""
        return key in self._kept

    def rest(self, seen: Seen) -> None:
        """Let what is being evaluated rest on what something earlier looked at."""
        self.whole |= seen.whole
        self.names |= seen.names
        self.cuts |= seen.cuts
        self.bodies |= seen.bodies


class Recall(Generic[T]):
    """Parts of an evaluation by key: those of an earlier program that still hold, and those of this one.

    Of a part that gives nothing no bound is said: nothing shows that there is more beyond.
    """

    def __init__(self, before: Mapping[object, tuple[T, Seen]] | None = None) -> None:
        """Recall from ``before``."""
        self._before = before or {}
        self.now: dict[object, tuple[T, Seen]] = {}

    def recalled(self, trail: Trail, key: object, make: Callable[[], T]) -> T:
        """Return what is known for ``key``, or what ``make`` gives."""
        known = self._before.get(key)
        if known is None:
            known = trail.during(make, said=False)
        else:
            trail.rest(known[1])
        self.now[key] = known
        return known[0]


def untouched(
    kept: Mapping[object, tuple[T, Seen]],
    changed: frozenset[str],
    begun: frozenset[str],
    bodies: frozenset[MemberRef] | None = None,
) -> dict[object, tuple[T, Seen]]:
    """Return the parts that changed files, and names that they began to use, cannot change."""
    return {
        key: part for key, part in kept.items() if not part[1].touched_by(changed, begun, bodies)
    }
