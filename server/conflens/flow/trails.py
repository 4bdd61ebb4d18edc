"""How a walk came to where it is, kept as shared links and written out only when somebody looks.

A link holds the way before it, the local steps of one slice up to a fact, and what follows them.  ``Chain``
is the finished path: a sequence of steps that is made on first use.  Absent: the walk (``engine``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from typing_extensions import override

from conflens.base.lazy import LazySequence, once
from conflens.flow.forms import Fact
from conflens.flow.making import Slice
from conflens.flow.results import Reach, Step, StepRole
from conflens.program.refs import MemberRef

_GOVERNED = (StepRole.GUARD, StepRole.CALL)
_DEEP, _FILES = 3, 3
"""Readers found 8 of 43 such flows wrong, and 15 of 336 others of high confidence."""


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

    def has(self, role: StepRole) -> bool:
        """Tell whether a step of this piece has a role; without writing them out."""
        if any(step.role is role for step in self.tail):
            return True
        if self.slice is not None and self.slice.has(self.source, role):
            return True
        start, end = self.part or (None, None)
        while end is not None and end is not start:
            if end.has(role):
                return True
            end = end.before
        return False

    def pieces(self) -> list[Link]:
        """Return the pieces of the way, from its beginning, those of other ways that lie in it in their places."""
        found: list[Link] = []
        link: Link | None = self
        while link is not None:
            found.append(link)
            start, end = link.part or (None, None)
            while end is not None and end is not start:
                found.append(end)
                end = end.before
            link = link.before
        return found[::-1]


def is_deep(link: Link) -> bool:
    """Tell whether a way comes over a condition and two calls below it, or as many of both, and through three files."""
    pieces = link.pieces()
    governed = sum(step.role in _GOVERNED for piece in pieces for step in piece.tail)
    if governed < _DEEP:
        return False
    files = {piece.ref.path for piece in pieces if piece.ref is not None}
    files.update(step.ref.path for piece in pieces for step in piece.tail)
    return len(files) >= _FILES


class Chain(LazySequence[Step]):
    """The steps of a way, written out on first use; ``link`` is its end until then."""

    __slots__ = ("link",)

    def __init__(self, link: Link) -> None:
        """Write out the way that ends with ``link``."""
        super().__init__()
        self.link: Link | None = link

    @override
    def make(self) -> tuple[Step, ...]:
        """Return the steps, each once where it follows itself."""
        link = self.link
        if link is None:
            return self._made or ()
        pieces: list[Link] = []
        while link is not None:
            pieces.append(link)
            link = link.before
        return _written(pieces)

    def since(self, role: StepRole) -> Sequence[Step]:
        """Return the steps from the last one of a role on, the last step if there is none; only these are written out."""
        link = self.link
        if link is None:
            return _since(self.all(), role)
        pieces: list[Link] = []
        at: Link | None = link
        while at is not None:
            pieces.append(at)
            if at.has(role):
                return _since(_written(pieces), role)
            at = at.before
        return link.tail[-1:] or _since(self.once(), role)

    def settle(self, known: dict[Step, Step]) -> None:
        """Write out the steps, those that are ``known`` as they are there, and let go of the way."""
        if self._made is None:
            self._made = tuple(known.setdefault(step, step) for step in self.make())
        self.release()

    @override
    def release(self) -> None:
        """Let go of the way."""
        self.link = None


def write_out(reaches: Iterable[Reach]) -> None:
    """Write out all ways, so that slices can be let go; steps that ways have in common are there once."""
    known: dict[Step, Step] = {}
    for reach in reaches:
        paths = [path for flow in reach.flows for path in flow.paths]
        for path in (*paths, *(hold.path for hold in reach.holds)):
            if isinstance(path.steps, Chain):
                path.steps.settle(known)


def since(steps: Sequence[Step], role: StepRole) -> Sequence[Step]:
    """Return the steps from the last one of a role on, the last step if there is none; what is made for that is not kept."""
    return steps.since(role) if isinstance(steps, Chain) else _since(once(steps), role)


def _since(steps: Sequence[Step], role: StepRole) -> Sequence[Step]:
    last = len(steps) - 1
    return steps[next((at for at in range(last, -1, -1) if steps[at].role is role), last) :]


def _written(pieces: list[Link]) -> tuple[Step, ...]:
    """The steps of pieces, the last one first, each once where it follows itself."""
    found: list[Step] = []
    for piece in reversed(pieces):
        for step in piece.own():
            if not found or found[-1] != step:
                found.append(step)
    return tuple(found)
