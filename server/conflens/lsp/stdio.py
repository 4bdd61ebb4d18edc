"""Standard input and output as a transport.

The protocol gets descriptors of its own; standard output then leads to standard error, so that no
print of ours, of a library or of a child process can fall between two messages. A thread of our
own moves input to the loop in whole chunks, because a message then costs one change of threads
instead of one for every header line, and a cancellation is seen before the requests that stand in
front of it in the same chunk are worked on.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from typing import BinaryIO

_CHUNK = 1 << 16


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
