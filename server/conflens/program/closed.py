"""Closing bodies where too many are open (``open_body``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conflens.program.expressions import Context
from conflens.program.open_body import full
from conflens.program.program import Program


class ClosedContext(Context):
    """A context that is closed (``open_body``)."""

    __slots__ = ()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            """Open it again, since something is asked for that is not there."""
            with self.program.open_size.lock:  # no other thread closes it before the answer
                self.open_again(Context)
                return object.__getattribute__(self, name)


def close_if_full(program: Program) -> bool:
    """Close all bodies if too many are open; tell whether that was done.

    Called by the one thread that opens any, with nothing half done.
    """
    if full(program):
        close_all(program)
        return True
    return False


def close_all(program: Program) -> None:
    """Close all bodies."""
    for context in program.open_bodies():
        context.close(ClosedContext)
    program.bodies.clear()
    program.open_size.instructions = 0
