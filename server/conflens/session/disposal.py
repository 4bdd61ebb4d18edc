"""Analyses that were replaced: what they hold is let go as soon as nobody looks at them any more.

A program and what was worked out about its bodies refer to each other, so counting references does not free them; the collector
of cycles would, much later and in one long stop, and never what was there when it was told to set aside (``lsp.workspace.folder``).
Invariant: a program is released only if no analysis that somebody holds, and not the current one, has it.
"""

from __future__ import annotations

import contextlib
import ctypes
import sys
import weakref

from conflens.program.program import Program
from conflens.session.analysis import Analysis

_MANY = 1_000
"""So many bodies let go are a program that was made anew, and not one that an edit has changed."""


class Retired:
    """The analyses that were replaced and may still be looked at; used by one thread at a time."""

    def __init__(self) -> None:
        """None was replaced yet."""
        self._waiting: list[tuple[weakref.ref[Analysis], Program]] = []

    def add(self, analysis: Analysis) -> None:
        """Hear that an analysis is not the current one any more."""
        self._waiting.append((weakref.ref(analysis), analysis.program))

    def release(self, current: Analysis) -> None:
        """Let go of programs that nobody looks at."""
        held = [item for item in self._waiting if item[0]() is not None]
        kept = {id(current.program), *(id(program) for _, program in held)}
        gone = {id(program): program for _, program in self._waiting if id(program) not in kept}
        self._waiting = held
        bodies = sum(program.release() for program in gone.values())
        if bodies >= _MANY:
            _trim()

    def end(self) -> None:
        """Let go of all programs, each as soon as nobody looks at an analysis of it any more."""
        looks: dict[int, tuple[Program, list[object]]] = {}
        for analysis, program in self._waiting:
            _, lookers = looks.setdefault(id(program), (program, []))
            if (held := analysis()) is not None:
                lookers.append(None)
                weakref.finalize(held, _looked, program, lookers).atexit = False
        self._waiting.clear()
        if sum(program.release() for program, lookers in looks.values() if not lookers) >= _MANY:
            _trim()


def _looked(program: Program, lookers: list[object]) -> None:
    """One of the last analyses of a program is gone: without any, nobody asks the program any more."""
    lookers.pop()
    if not lookers and program.release() >= _MANY:
        _trim()


def _trim() -> None:
    """Give the system back what was freed; the C library of Linux keeps it otherwise."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
