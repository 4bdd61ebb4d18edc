"""Standard input and output as a transport.

The protocol gets descriptors of its own; standard output then leads to standard error, so that no
print of ours, of a library or of a child process can fall between two messages. A thread of our
own moves input to the loop in whole chunks, because a message then costs one change of threads
instead of one for every header line, and a cancellation is seen before the requests that stand in
front of it in the same chunk are worked on.  What is too large for a pipe to take at once goes out on a thread of its own,
because a client that is busy would else stop the loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import threading
import time
from typing import BinaryIO

_CHUNK = 1 << 16
_AT_ONCE = 1 << 14
"""So many bytes are written where they are given, unless others wait: that saves a change of threads."""


def take_over() -> tuple[int, BinaryIO]:
    """Return (input descriptor, output); standard input is empty and output an alias of error
    after."""
    source, sink = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return source, os.fdopen(sink, "wb")


def pump(source: int, loop: asyncio.AbstractEventLoop) -> asyncio.StreamReader:
    """Return a reader that a thread fills from ``source`` until that ends.

    The thread is a daemon: a blocked read must not keep the process alive.
    """
    reader = asyncio.StreamReader(loop=loop)

    def run() -> None:
        while True:
            try:
                chunk = os.read(source, _CHUNK)
            except OSError:
                chunk = b""
            with contextlib.suppress(RuntimeError):  # the loop is closed
                if not chunk:
                    loop.call_soon_threadsafe(reader.feed_eof)
                else:
                    loop.call_soon_threadsafe(reader.feed_data, chunk)
            if not chunk or loop.is_closed():
                return

    threading.Thread(target=run, name="conflens-input", daemon=True).start()
    return reader


class Output:
    """A writer of bytes in the order in which they are given, all by one thread (the loop)."""

    def __init__(self, sink: BinaryIO) -> None:
        """Write to the descriptor of ``sink``, past its buffer: a lock on that could outlive the interpreter."""
        self._sink = sink
        self._waiting: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._left = 0
        """How many pieces have been given to the thread and are not written yet."""
        self._failure: OSError | None = None
        self._thread: threading.Thread | None = None

    def write(self, data: bytes) -> None:
        """Write ``data``, perhaps later; raise ``BrokenPipeError`` once the client has gone."""
        if self._failure is not None:
            raise BrokenPipeError(str(self._failure))
        with self._lock:
            at_once = self._left == 0 and len(data) <= _AT_ONCE
            self._left += 0 if at_once else 1
        if at_once:
            self._out(data)
            return
        self._waiting.put(data)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="conflens-output", daemon=True)
            self._thread.start()

    def drain(self, seconds: float) -> None:
        """Wait until all is written, or the client has gone, at most ``seconds``."""
        end = time.monotonic() + seconds
        while self._left and time.monotonic() < end:
            time.sleep(0.005)

    def close(self) -> None:
        """Let the descriptor go."""
        self._sink.close()

    def _run(self) -> None:
        while True:
            data = self._waiting.get()
            try:
                if self._failure is None:
                    self._out(data)
            except (OSError, ValueError) as error:  # ``ValueError``: it is closed
                self._failure = error if isinstance(error, OSError) else OSError(str(error))
            with self._lock:
                self._left -= 1

    def _out(self, data: bytes) -> None:
        left = memoryview(data)
        while left:
            left = left[os.write(self._sink.fileno(), left) :]
