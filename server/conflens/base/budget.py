"""What one piece of work may cost, and what is reported when it costs more or fails.

Terms
    step     a unit of work: about one round of an inner loop.  Steps depend on the input alone, so a budget is met at the same
             place on every machine.
    piece    work that may fail alone: one walk, one file of discovery, one inference.
    fault    a piece that was given up, with its place and the reason in one sentence.

Invariant: ``Meter.limited`` restores what the work around it had left, less what was spent.  Absent: clocks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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


class Meter:
    """Counts the steps of the piece of work that is being done; without a limit they are as many as it takes."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left: float = math.inf

    def spend(self, steps: int = 1) -> None:
        """Count steps that are about to be made.  Raises :class:`ExhaustedError`."""
        self.left -= steps
        if self.left < 0:
            raise ExhaustedError

    @contextmanager
    def limited(self, steps: float) -> Iterator[None]:
        """Let the work inside make so many steps, or as many as the work around it has left if these are fewer."""
        around = self.left
        allowed = self.left = min(steps, around)
        try:
            yield
        finally:
            self.left = around - (allowed - self.left)


class Pieces:
    """Does pieces of work by file: one that fails gives a substitute and leaves a fault; all of one file share a budget.

    What all files have together is less than what each may have: no file of a known project comes near its own.
    """

    def __init__(self, meter: Meter, steps: float, together: float = math.inf) -> None:
        """Allow so many steps for each file, and for all of them."""
        self.faults: dict[tuple[object, ...], Fault] = {}
        self.done: set[tuple[object, ...]] = set()
        self._meter = meter
        self._steps = steps
        self._left: dict[str, float] = {}
        self._together = together

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
    def within(self, path: str) -> Iterator[None]:
        """Take what the work inside spends from the budget of a file."""
        left = self._left.get(path, self._steps)
        with self._meter.limited(min(left, self._together)):
            before = self._meter.left
            try:
                yield
            finally:
                spent = before - self._meter.left
                self._left[path] = left - spent
                self._together -= spent


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
