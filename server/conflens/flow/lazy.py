"""Steps of a path that are made when somebody looks: most paths are never opened.

Absent: where the steps come from; that is each subclass's own (``trails``, and whoever moves or stores paths).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import overload

from typing_extensions import override

from conflens.flow.results import Step


class LazySteps(Sequence[Step]):
    """A sequence of steps, equal to any sequence of the same steps."""

    __slots__ = ("_made",)

    def __init__(self) -> None:
        """Make nothing yet."""
        self._made: tuple[Step, ...] | None = None

    @abstractmethod
    def make(self) -> tuple[Step, ...]:
        """Return the steps; asked once."""

    def all(self) -> tuple[Step, ...]:
        """Return the steps."""
        if self._made is None:
            self._made = self.make()
        return self._made

    @override
    def __len__(self) -> int:
        return len(self.all())

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Step, ...]: ...
    @override
    def __getitem__(self, index: int | slice) -> Step | tuple[Step, ...]:
        return self.all()[index]

    @override
    def __iter__(self) -> Iterator[Step]:
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
