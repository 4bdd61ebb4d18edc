"""Signals that end a program, handled for a while."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

INTERRUPT = ("SIGINT",)
END = ("SIGTERM", "SIGHUP")
"""What a system, a terminal that closes or a client sends."""


@contextmanager
def handled(names: Sequence[str], handler: Callable[[int], None]) -> Iterator[None]:
    """Have the first of some signals call a function instead of ending the program; those that follow are ignored.

    A signal that the program was started to ignore, as by ``nohup``, stays ignored.  Only the main thread can handle signals;
    in others this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = {one: signal.getsignal(one) for one in numbers}
    own = [one for one in numbers if before[one] is not signal.SIG_IGN]

    def met(number: int, frame: FrameType | None) -> None:
        for one in own:
            signal.signal(one, signal.SIG_IGN)
        handler(number)

    for one in own:
        signal.signal(one, met)
    try:
        yield
    finally:
        for one in own:
            signal.signal(one, before[one] or signal.SIG_DFL)
