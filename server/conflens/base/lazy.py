"""Sequences whose items are made when somebody looks: most are never looked at."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import TypeVar, overload

from typing_extensions import override

T = TypeVar("T")


class LazySequence(Sequence[T]):
    """A sequence that is equal to any sequence of the same items."""

    __slots__ = ("_made",)

    def __init__(self) -> None:
        """Make nothing yet."""
        self._made: tuple[T, ...] | None = None

    @abstractmethod
    def make(self) -> tuple[T, ...]:
        """Return the items; asked once by each thread that looks before they are there."""

    def release(self) -> None:
        """Let go of what the items were made from.  ``make`` may still be running in another thread."""

    def all(self) -> tuple[T, ...]:
        """Return the items."""
        if self._made is None:
            made = self.make()
            if self._made is None:
                self._made = made
                self.release()
        return self._made

    def once(self) -> tuple[T, ...]:
        """Return the items without keeping them, unless they are kept already."""
        made = self._made
        if made is None:
            made = self.make()
        return made if self._made is None else self._made

    @override
    def __len__(self) -> int:
        return len(self.all())

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    @override
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        return self.all()[index]

    @override
    def __iter__(self) -> Iterator[T]:
        return iter(self.all())

    @override
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self.all() == tuple(other)

    @override
    def __hash__(self) -> int:
        return hash(self.all())

    @override
    def __repr__(self) -> str:
        return repr(self.all())


def once(items: Sequence[T]) -> Sequence[T]:
    """Return the items of a sequence that is looked at only once; what is made for that is not kept."""
    return items.once() if isinstance(items, LazySequence) else items
