"""What one piece of work may cost, and what is reported when it costs more or fails.

Terms
    step     a unit of work: about one round of an inner loop.  Steps depend on the input alone, so a budget is met at the same
             place on every machine.
    piece    work that may fail alone: one walk, one file of discovery, one inference.
    fault    a piece that was given up, with its place and the reason in one sentence.

After an edit most pieces are kept and what they worked out is free, so that steps are fewer than those of a new analysis.  A
meter therefore sums up what each piece has taken since the analysis was begun anew.  As long as all sums are ``ample``, a new
analysis would not meet a budget either; otherwise whoever keeps pieces begins anew.  A part of a piece
that an edit makes run again from its start is not counted twice: only its shared steps (``Meter.sharing``) add up, and of
its own steps the largest run counts.

Invariant: ``Meter.limited`` restores what the work around it had left, less what was spent.  Absent: clocks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import get_ident
from typing import TypeVar

import attrs

from conflens.base.cancel import Cancelled

T = TypeVar("T")


class ExhaustedError(Exception):
    """Raised by :meth:`Meter.spend` once the budget is spent."""


@attrs.frozen
class Fault:
    """A piece of work on a Java file that was given up; ``at`` is a byte offset in ``path``.

    ``bounded``: it was cut short at a bound, and is so whenever it is done; other faults may be gone next time.
    """

    path: str
    at: int
    message: str
    bounded: bool = False


_MARGIN = 0.5
"""The share of a budget that sums of steps may reach.  The rest is for what a piece shares with others that have paid for it."""

PieceKey = tuple[str | int, ...]


@attrs.frozen
class Sums:
    """What pieces have taken together since an analysis was begun anew; ``ample``: none came near its budget."""

    ample: bool = True
    steps: Mapping[PieceKey, float] = attrs.field(factory=dict)


class Meter:
    """Counts the steps of the piece of work that is being done; without a limit they are as many as it takes.

    Others may use meanwhile what is worked out: only the thread that set a limit counts.
    """

    __slots__ = ("_own", "_shared", "_sharing", "_sums", "_thread", "ample", "left")

    def __init__(self) -> None:
        self.left: float = math.inf
        self.ample = True
        self._thread = 0
        self._sums: dict[PieceKey, float] = {}
        self._own: dict[tuple[PieceKey, object], float] = {}
        self._shared = 0.0
        self._sharing = False

    def spend(self, steps: int = 1) -> None:
        """Count steps that are about to be made.  Raises :class:`ExhaustedError`."""
        if get_ident() == self._thread:
            self.left -= steps
            if self.left < 0:
                raise ExhaustedError

    @contextmanager
    def limited(self, steps: float, key: PieceKey = (), part: object = None) -> Iterator[None]:
        """Let the work inside make so many steps, or as many as the work around it has left if these are fewer.

        ``key`` is the piece that makes them; without one they are not summed up.  ``part`` is what is done of it, if
        that is done whole each time.
        """
        around, thread = self.left, self._thread
        shared = self._shared
        allowed = self.left = min(steps, around)
        self._thread = get_ident()
        try:
            yield
        finally:
            spent = allowed - self.left
            self.left, self._thread = around - spent, thread
            if key:
                self.add(key, spent, steps, part, self._shared - shared)

    @contextmanager
    def sharing(self) -> Iterator[None]:
        """Do what stays for the next time, and for others: its steps are not made again."""
        if self._sharing or get_ident() != self._thread:
            yield
            return
        before, self._sharing = self.left, True
        try:
            yield
        finally:
            self._shared += before - self.left
            self._sharing = False

    @property
    def shared(self) -> float:
        """Return how many steps were made for others."""
        return self._shared

    def add(
        self, key: PieceKey, spent: float, steps: float, part: object = None, shared: float = 0
    ) -> None:
        """Sum up what a piece, or one part of it, has spent of a budget of so many steps, ``shared`` of them for others."""
        if part is not None:
            own = spent - shared
            most = self._own.get((key, part), 0)
            self._own[key, part] = max(own, most)
            spent = shared + max(0, own - most)
        self._sums[key] = total = self._sums.get(key, 0) + spent
        if total > steps * _MARGIN:
            self.ample = False

    @property
    def sums(self) -> Sums:
        """Return what was summed up."""
        return Sums(self.ample, dict(self._sums))

    def begin(self, sums: Sums) -> None:
        """Go on from sums that were kept, or anew."""
        self.ample, self._sums = sums.ample, dict(sums.steps)
        self._own.clear()


class Pieces:
    """Does pieces of work by file: one that fails gives a substitute and leaves a fault; all of one file share a budget.

    What all files have together is less than what each may have: no file of a known project comes near its own.
    """

    def __init__(
        self,
        meter: Meter,
        name: str,
        steps: float,
        together: float = math.inf,
        before: Callable[[], object] = lambda: None,
    ) -> None:
        """Allow so many steps for each file, and for all of them; ``name`` tells what is done, ``before`` is done before each."""
        self.faults: dict[tuple[object, ...], Fault] = {}
        self.done: set[tuple[object, ...]] = set()
        self._meter = meter
        self._before = before
        self._name = name
        self._steps = steps
        self._left: dict[str, float] = {}
        self._all = self._together = together

    def run(
        self,
        key: tuple[object, ...],
        path: str,
        at: int,
        what: str,
        make: Callable[[], T],
        substitute: T,
    ) -> T:
        """Return what ``make`` gives, or ``substitute`` where it fails; ``what`` completes "… not …"."""
        self.done.add(key)
        self._before()
        try:
            with self.within(path):
                return make()
        except Cancelled:
            raise
        except Exception as error:  # a fault of ours in one piece must not cost the others
            self.faults[key] = Fault(path, at, f"{what}: {reason_of(error)}")
            return substitute

    def note(self, key: tuple[object, ...], path: str, at: int, message: str) -> None:
        """Leave a fault of work that was cut short at a bound."""
        self.done.add(key)
        self.faults[key] = Fault(path, at, message, bounded=True)

    @contextmanager
    def within(self, path: str, part: object = None) -> Iterator[None]:
        """Take what the work inside spends from the budget of a file; ``part`` as in ``Meter.limited``."""
        shared = self._meter.shared
        left = self._left.get(path, self._steps)
        with self._meter.limited(min(left, self._together)):
            before = self._meter.left
            try:
                yield
            finally:
                spent = before - self._meter.left
                self._left[path] = left - spent
                self._together -= spent
                shared = self._meter.shared - shared
                self._meter.add((self._name, path), spent, self._steps, part, shared)
                self._meter.add((self._name,), spent, self._all, part, shared)


def allowance(steps: int, files: int) -> float:
    """Return the steps that a program of so many files, or one of them, may cost: walks are longer in a large program."""
    return steps * (1 + files / 1_000)


def reason_of(error: Exception) -> str:
    """Return why work was given up, for a person to read and report."""
    if isinstance(error, ExhaustedError):
        return "the code is too large for a complete answer"
    place, trace = "", error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        place = (
            f" in {code.co_filename.replace(chr(92), '/').rpartition('/')[2]}:{trace.tb_lineno}"
        )
        trace = trace.tb_next
    return f"internal error ({type(error).__name__}{place})"
