"""How a walk came to where it is, kept as shared links and written out only when somebody looks.

A link holds the way before it, the local steps of one slice up to a fact, and what follows them.  ``Chain``
is the finished path: a sequence of steps that is made on first use.  Absent: the walk (``engine``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

from typing_extensions import override

from conflens.flow.forms import Fact
from conflens.flow.making import Slice
from conflens.flow.results import Step
from conflens.program.program import MemberRef


class Link:
    """One piece of a way; ``before`` is the way to it."""

    __slots__ = ("before", "part", "ref", "slice", "source", "tail")

    def __init__(
        self,
        before: Link | None,
        ref: MemberRef | None,
        slice_: Slice | None,
        source: Fact | None,
        tail: tuple[Step, ...],
    ) -> None:
        self.before = before
        self.ref = ref
        self.slice = slice_
        self.source = source
        self.tail = tail
        self.part: tuple[Link | None, Link | None] | None = None

    @staticmethod
    def of(step: Step) -> Link:
        """Return the beginning of a way."""
        return Link(None, None, None, None, (step,))

    @staticmethod
    def between(before: Link, start: Link | None, end: Link | None) -> Link:
        """Return the way ``before``, continued by what lies between two links of another way."""
        link = Link(before, None, None, None, ())
        link.part = (start, end)
        return link

    def own(self) -> list[Step]:
        """Return the steps of this piece alone."""
        found: list[Step] = []
        if self.part is not None:
            start, end = self.part
            pieces: list[Link] = []
            while end is not None and end is not start:
                pieces.append(end)
                end = end.before
            for piece in reversed(pieces):
                found.extend(piece.own())
        if self.slice is not None and self.ref is not None:
            source = self.source
            if source is not None and source in self.slice.came:
                ref = self.ref
                found.extend(Step(ref, index, role) for index, role in self.slice.steps(source))
        found.extend(self.tail)
        return found


class Chain(Sequence[Step]):
    """The steps of a way, written out on first use; equal to any sequence of the same steps."""

    __slots__ = ("_link", "_steps")

    def __init__(self, link: Link) -> None:
        self._link: Link | None = link
        self._steps: tuple[Step, ...] = ()

    def steps(self) -> tuple[Step, ...]:
        """Return the steps, each once where it follows itself."""
        if self._link is not None:
            pieces: list[Link] = []
            link: Link | None = self._link
            while link is not None:
                pieces.append(link)
                link = link.before
            found: list[Step] = []
            for piece in reversed(pieces):
                for step in piece.own():
                    if not found or found[-1] != step:
                        found.append(step)
            self._steps = tuple(found)
            self._link = None
        return self._steps

    @override
    def __len__(self) -> int:
        return len(self.steps())

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Step, ...]: ...
    @override
    def __getitem__(self, index: int | slice) -> Step | tuple[Step, ...]:
        return self.steps()[index]

    @override
    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps())

    @override
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self.steps() == tuple(other)

    @override
    def __hash__(self) -> int:
        return hash(self.steps())

    @override
    def __repr__(self) -> str:
        return repr(self.steps())
