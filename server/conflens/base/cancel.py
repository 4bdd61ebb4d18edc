"""Cancellation: a token that long work asks between steps.

The token is the only mutable object that crosses from the event loop to a worker thread; setting
it is atomic.  Absent: timeouts and deadlines, which belong to whoever started the work.
"""

from __future__ import annotations


class Cancelled(Exception):  # noqa: N818 - the field's word for it; it is not an error
    """Raised by :meth:`CancelToken.check` once somebody cancelled the work."""


class CancelToken:
    """A flag that can only go from "go on" to "stop"."""

    __slots__ = ("_cancelled",)

    def __init__(self) -> None:
        """Start in the state "go on"."""
        self._cancelled = False

    def cancel(self) -> None:
        """Ask the work to stop at its next check."""
        self._cancelled = True

    @property
    def cancelled(self) -> bool:
        """Whether somebody asked the work to stop."""
        return self._cancelled

    def check(self) -> None:
        """Raise :class:`Cancelled` if somebody asked the work to stop."""
        if self._cancelled:
            raise Cancelled
