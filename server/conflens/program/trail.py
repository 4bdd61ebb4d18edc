"""What an evaluation looked at, so that it can be kept until one of these things changes.

Rule for staleness: a result made with a trail stays right while no file of ``files`` changes and no
other file begins to use one of ``names`` (called methods, fields, constructed types).  What follows
from surfaces alone is not on it: a change of a surface redoes everything.  What looked through so many files for one name that
they are not worth listing notes ``used(name)`` instead: it stays right while no body changes that uses the name, before or after.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

T = TypeVar("T")


def used(name: str) -> str:
    """Return what stands among ``names`` for all bodies that use a name; no name of Java begins so."""
    return f"={name}"


class Seen(NamedTuple):
    """A finished trail."""

    files: frozenset[str]
    names: frozenset[str]

    def touched_by(self, changed: frozenset[str], begun: frozenset[str]) -> bool:
        """Tell whether changed files, or names that they began to use, can change the result."""
        return not (self.files.isdisjoint(changed) and self.names.isdisjoint(begun))


class Trail:
    """Collects; nested results are remembered together with their own part of the trail."""

    def __init__(self) -> None:
        """Start empty."""
        self.files: set[str] = set()
        self.names: set[str] = set()
        self._kept: dict[object, tuple[object, Seen]] = {}

    def during(self, make: Callable[[], T]) -> tuple[T, Seen]:
        """Return what ``make`` gives and what it looked at; the outer trail gets that too."""
        files, names = self.files, self.names
        self.files, self.names = set(), set()
        try:
            made = make()
            seen = Seen(frozenset(self.files), frozenset(self.names))
        finally:
            files |= self.files
            names |= self.names
            self.files, self.names = files, names
        return made, seen

    def remembered(self, key: object, make: Callable[[], T]) -> T:
        """Return what ``make`` gave for ``key`` the first time."""
        kept = self._kept.get(key)
        if kept is None:
            kept = self.during(make)
            self._kept[key] = kept
        else:
            self.files |= kept[1].files
            self.names |= kept[1].names
        return kept[0]  # type: ignore[return-value]

    def known(self, key: object) -> bool:
        """Tell whether ``key`` is remembered."""
        return key in self._kept
