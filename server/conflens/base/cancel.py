"""Cancellation: a token that long work asks between steps.

Terms: work is *urged* if somebody waits for what comes after it: it goes on, but waits for nothing itself.

The token is the only mutable object that crosses from the event loop to a worker thread; setting
it is atomic.  At each check, other short work may run on the same thread.
Absent: timeouts and deadlines; the caller sets them.
"""

from __future__ import annotations

from collections.abc import Callable


class Cancelled(Exception):  # noqa: N818 - the field's word for it; it is not an error
    """Raised by :meth:`CancelToken.check` once somebody cancelled the work."""


class CancelToken:
    """A flag that can only go from "go on" to "stop"."""

    __slots__ = ("_between", "_cancelled", "_urged")

    def __init__(self, between: Callable[[], None] | None = None) -> None:
        """Start in the state "go on"; ``between`` is called at each check."""
        self._between = between
        self._cancelled = False
        self._urged = False

    def cancel(self) -> None:
        """Ask the work to stop at its next check."""
        self._cancelled = True

    @property
    def cancelled(self) -> bool:
        """Whether somebody asked the work to stop."""
        return self._cancelled

    def urge(self) -> None:
        """Ask the work to wait for nothing that can wait."""
        self._urged = True

    @property
    def urged(self) -> bool:
        """Whether somebody waits for what comes after the work."""
        return self._urged

    def check(self) -> None:
        """Raise :class:`Cancelled` if somebody asked the work to stop."""
        if self._between is not None and not self._cancelled:
            self._between()
        if self._cancelled:
            raise Cancelled
