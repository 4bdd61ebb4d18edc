"""Writing results: bytes that survive any encoding and a reader that leaves early.

Output that cannot be written for another reason (a full disk) is a ``BadInputError``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from conflens.cli.main import BadInputError


def emit(data: bytes) -> None:
    """Write UTF-8 ``data`` to standard output; a reader that has gone is no error."""
    buffer = getattr(sys.stdout, "buffer", None)
    try:
        if buffer is None:
            sys.stdout.write(data.decode())
        else:
            buffer.write(data)
        sys.stdout.flush()
    except BrokenPipeError:
        _reader_left()
    except OSError as error:
        _reader_left()
        raise BadInputError(f"the result cannot be written: {error.strerror or error}") from error


def emit_lines(lines: Iterable[str]) -> None:
    """Write lines in the encoding of standard output; what it cannot show becomes ``?``."""
    text = "".join(f"{line.rstrip()}\n" for line in lines)
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        sys.stdout.write(text.encode(encoding, "replace").decode(encoding, "replace"))
        sys.stdout.flush()
    except BrokenPipeError:
        _reader_left()
    except OSError as error:
        _reader_left()
        raise BadInputError(f"the result cannot be written: {error.strerror or error}") from error


def _reader_left() -> None:
    """Let what is still buffered, and the flush at the interpreter's end, go nowhere."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)
