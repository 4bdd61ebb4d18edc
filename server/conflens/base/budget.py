"""What one piece of work may cost, and what is reported when it costs more or fails.

Terms
    step     a unit of work: about one round of an inner loop.  Steps depend on the input alone, so a budget is met at the same
             place on every machine.
    piece    work that may fail alone: one walk, one file of discovery, one inference.
    fault    a piece that was given up, with its place and the reason in one sentence.

    shared   work that is done once and reused by every piece that needs it (``Meter.sharing``); the first piece pays for it.

After an edit most pieces are kept and what they worked out is free, so that steps are fewer than those of a new analysis.  A
meter therefore sums up what each piece has taken since the analysis was begun anew.  As long as all sums are ``ample``, a new
analysis would not exhaust a budget either; otherwise the caller that kept pieces starts over.  If an edit
reruns a part of a piece, its own steps are not counted twice: the largest run counts.  A new analysis may run the pieces in
another order, so a piece's sum includes the original cost of all shared work that it uses, whichever piece paid for it.

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
"""The share of a budget that sums of steps may reach.  The rest is for what a piece shares with others without a note of its cost."""

PieceKey = tuple[str | int, ...]

Used = dict[int, float]
"""What shared work once cost, by its number."""


@attrs.frozen
class Sums:
    """What pieces have taken together since an analysis was begun anew; ``ample``: none came near its budget."""

    ample: bool = True
    steps: Mapping[PieceKey, float] = attrs.field(factory=dict)


class Meter:
    """Counts the steps of the piece of work that is being done; without a limit they are as many as it takes.

    Others may use meanwhile what is worked out: only the thread that set a limit counts.
    """

    __slots__ = (
        "_own",
        "_shared",
        "_sharing",
        "_sums",
        "_thread",
        "_used",
        "_used_by",
        "ample",
        "left",
    )

    def __init__(self) -> None:
        self.left: float = math.inf
        self.ample = True
        self._thread = 0
        self._sums: dict[PieceKey, float] = {}
        self._own: dict[tuple[PieceKey, object], float] = {}
        self._shared = 0.0
        self._sharing = False
        self._used: Used | None = None
        self._used_by: dict[PieceKey, Used] = {}

    def spend(self, steps: int = 1) -> None:
        """Count steps that are about to be made.  Raises :class:`ExhaustedError`."""
        if get_ident() == self._thread:
            self.left -= steps
            if self.left < 0:
                raise ExhaustedError

    @contextmanager
    def limited(self, steps: float, key: PieceKey = ()) -> Iterator[None]:
        """Let the work inside make so many steps, or as many as the work around it has left if these are fewer.

        ``key`` is the piece that makes them; without one they are not summed up.
        """
        around, thread = self.left, self._thread
        allowed = self.left = min(steps, around)
        self._thread = get_ident()
        try:
            yield
        finally:
            spent = allowed - self.left
            self.left, self._thread = around - spent, thread
            if key:
                self.add(key, spent, steps)

    @contextmanager
    def limited_whole(self, steps: float, key: PieceKey) -> Iterator[None]:
        """Do a piece that is done whole each time within a limit: its largest run counts, with all shared work that it uses."""
        shared = self._shared
        with self.using() as used, self.limited(steps):
            before = self.left
            try:
                yield
            finally:
                own = before - self.left - (self._shared - shared)
                total = max(own + sum(used.values()), self._sums.get(key, 0))
                self._sum_up(key, total, steps)

    @contextmanager
    def using(self) -> Iterator[Used]:
        """Collect what the work inside uses of what is shared."""
        around = self._used
        found = self._used = {}
        try:
            yield found
        finally:
            self._used = around
            if around is not None:
                around |= found

    def uses(self, what: object, cost: float) -> None:
        """Note that the piece at work uses shared work that once cost so much."""
        if self._used is not None and get_ident() == self._thread:
            self._used.setdefault(hash(what), cost)

    @contextmanager
    def sharing(self) -> Iterator[Callable[[], float]]:
        """Do what stays for the next time, and for others: its steps are not made again.  Gives what tells the steps so far."""
        before = self.left
        if self._sharing or get_ident() != self._thread:
            yield lambda: before - self.left if get_ident() == self._thread else 0
            return
        self._sharing = True
        try:
            yield lambda: before - self.left
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
            spent = shared + self._more(key, spent - shared, part)
        self._sum_up(key, self._sums.get(key, 0) + spent, steps)

    def add_using(self, key: PieceKey, own: float, steps: float, part: object, used: Used) -> None:
        """Sum up the own steps of one part of a piece, and what it uses once for all parts."""
        known = self._used_by.setdefault(key, {})
        more = self._more(key, own, part)
        for number, cost in used.items():
            before = known.get(number, 0)
            if cost > before:
                known[number] = cost
                more += cost - before
        self._sum_up(key, self._sums.get(key, 0) + more, steps)

    def _more(self, key: PieceKey, own: float, part: object) -> float:
        """Return by how much a run of a part exceeds the largest so far."""
        most = self._own.get((key, part), 0)
        self._own[key, part] = max(own, most)
        return max(0, own - most)

    def _sum_up(self, key: PieceKey, total: float, steps: float) -> None:
        self._sums[key] = total
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
        self._used_by.clear()


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
        """Take what the work inside spends from the budget of a file; ``part`` is what is done of it, if that is done whole
        each time."""
        meter = self._meter
        shared = meter.shared
        left = self._left.get(path, self._steps)
        with meter.using() as used, meter.limited(min(left, self._together)):
            before = meter.left
            try:
                yield
            finally:
                spent = before - meter.left
                self._left[path] = left - spent
                self._together -= spent
                shared = meter.shared - shared
                if part is None:
                    meter.add((self._name, path), spent, self._steps)
                else:
                    own = spent - shared
                    meter.add_using((self._name, path), own, self._steps, part, used)
                meter.add((self._name,), spent, self._all, part, shared)


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
