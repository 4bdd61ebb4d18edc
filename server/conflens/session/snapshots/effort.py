"""The processor time that an import may take: some for every file, and more for each megabyte.

What a file makes its importer do is in proportion to its bytes, with a factor that differs among formats; a file that takes
many times as long is damaged or was made for it.  The bound is so far above what files need that a slow machine does not
meet it, and it counts this process alone: a busy machine does not meet it either.

Terms
    bytes   those of the file, or what it unpacks to, or what a tool prints of it, as far as they were seen.

Invariants: ``TooLong`` is raised in the main thread, by ``check`` or, where the system can be told, by a signal, so that no loop
without ``check`` escapes; it is raised once.
"""

from __future__ import annotations

import math
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

_MEGABYTE = 1 << 20


class TooLong(BaseException):
    """An import has taken all its time; nothing on the way may take it for a fault of the file."""


class Effort:
    """What is left of the time of one import."""

    def __init__(
        self,
        seconds: float,
        seconds_per_mb: float,
        clock: Callable[[], float] = time.process_time,
    ) -> None:
        """``seconds``: for any file, 0 is no bound."""
        self._seconds = seconds
        self._per_byte = seconds_per_mb / _MEGABYTE
        self._clock = clock
        self._begun = clock()
        self._bytes = 0
        self._over = False

    @property
    def allowed(self) -> float:
        """Return the seconds for the bytes that were seen; without a bound endless."""
        return self._seconds + self._bytes * self._per_byte if self._seconds else math.inf

    def saw(self, size: int) -> None:
        """Allow what so many bytes may take, if they are more than were seen before."""
        self._bytes = max(self._bytes, size)

    def check(self) -> None:
        """Raise ``TooLong`` if more was taken than is allowed."""
        if not self._over and self._clock() - self._begun > self.allowed:
            self._over = True
            raise TooLong

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Have the system see to the bound as well while the work inside runs, in a process that does nothing else."""
        number = getattr(signal, "SIGXCPU", None)
        if not self._seconds or number is None:
            yield
            return

        def met(_signal: int, _frame: object) -> None:
            self._limit()
            self.check()

        with suppress(ValueError):  # not the main thread
            signal.signal(number, met)
            self._limit()
        try:
            yield
        finally:
            self._over = True
            _set_limit(math.inf)

    @contextmanager
    def unwatched(self) -> Iterator[None]:
        """Do what starts a tool, which would inherit the system's bound."""
        _set_limit(math.inf)
        try:
            yield
        finally:
            if self._seconds:
                self._limit()

    def _limit(self) -> None:
        """Have the system tell when what is allowed by now is taken."""
        _set_limit(math.inf if self._over else max(self._begun + self.allowed, self._clock() + 1))


def _set_limit(seconds: float) -> None:
    try:
        import resource  # noqa: PLC0415 - not on every platform
    except ImportError:
        return
    with suppress(ValueError, OSError):
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        wanted = hard if math.isinf(seconds) else math.ceil(seconds)
        if hard != resource.RLIM_INFINITY:
            wanted = min(wanted, hard) if wanted >= 0 else hard
        resource.setrlimit(resource.RLIMIT_CPU, (wanted, hard))
