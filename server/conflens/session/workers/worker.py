"""A worker process: texts of Java files in, encoded facts out.

Run as ``python -m conflens.session.workers.worker SECONDS NICE``; it talks in ``frames``.  In: a list of texts, a *batch*.  Out: first ``0`` (ready); then
for each text, in order, its encoded facts or, when lowering raised, a list with the reason; after
each batch the peak resident memory in KB as a number.  The process ends when its input does, so it
does not outlive its parent; stuck in one file, it ends itself after twice ``SECONDS``.
Invariant: imports nothing but the facts layer, because its start is paid on every cold scan.
"""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import time
from contextlib import suppress

import msgspec

from conflens.facts.codec import encode
from conflens.facts.lower import lower
from conflens.session.workers.ipc_frames import read_frame, write_frame

_batch = msgspec.msgpack.Decoder(list[bytes])


def lowered(text: bytes) -> bytes | list[str]:
    """Return the encoded facts of a text, or a list with the reason why there are none."""
    try:
        return encode(lower(text))
    except Exception as error:  # a fault of ours in one file must not cost the others
        return [f"not understood: {type(error).__name__}: {error}"]


def peak_kb() -> int:
    """Return the peak resident memory of this process in KB, 0 where the system does not tell."""
    try:
        import resource  # noqa: PLC0415 - not on every platform
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak // 1024 if sys.platform == "darwin" else peak


def main(arguments: list[str]) -> None:
    """Answer batches until the input ends."""
    seconds, nice = float(arguments[0]), int(arguments[1])
    with suppress(ValueError, OSError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    if nice and hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(nice)
    source, target = sys.stdin.buffer, sys.stdout.buffer
    write_frame(target, 0)
    with suppress(BrokenPipeError), open(os.devnull, "w", encoding="utf-8") as nowhere:
        while (data := read_frame(source)) is not None:
            armed = -1.0
            for text in _batch.decode(data):
                now = time.monotonic()
                if armed < 0 or now - armed > seconds / 4:
                    # Its clock runs in a thread of its own that does not need the interpreter.
                    faulthandler.dump_traceback_later(2 * seconds, exit=True, file=nowhere)
                    armed = now
                write_frame(target, lowered(text))
            faulthandler.cancel_dump_traceback_later()
            write_frame(target, peak_kb())


if __name__ == "__main__":
    main(sys.argv[1:])
