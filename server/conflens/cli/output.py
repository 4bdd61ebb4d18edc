"""Writing results: bytes that survive any encoding, a reader that leaves early, and a terminal.

All that a command writes goes through here, and whatever the analysed project holds, nothing in it is obeyed by a
terminal (``base.control``).  Output that cannot be written for another reason (a full disk) is a ``BadInputError``.  What goes to a
file instead is UTF-8.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import traceback
from collections.abc import Iterable, Iterator
from types import TracebackType

from conflens.base.control import NeutralFormatter, neutral, neutral_data
from conflens.base.redaction import redacted_text
from conflens.cli.errors import BadInputError


def emit(data: bytes, file: str | None = None) -> None:
    """Write UTF-8 ``data`` to standard output, or to ``file``; a reader that has gone is no error."""
    data = neutral_data(data)
    if file is not None:
        _write(data, file)
        return
    _print([data])


def emit_pieces(pieces: Iterable[bytes]) -> None:
    """Write UTF-8 to standard output piece by piece; in these there is nothing that a terminal obeys."""
    _print(pieces)


def _print(chunks: Iterable[bytes]) -> None:
    buffer = getattr(sys.stdout, "buffer", None)
    with writing():
        for data in chunks:
            if buffer is None:
                sys.stdout.write(data.decode())
            else:
                buffer.write(data)
        sys.stdout.flush()


@contextlib.contextmanager
def writing() -> Iterator[None]:
    """End what writes to standard output when its reader has gone; raise :class:`BadInputError` when it cannot be written to."""
    try:
        yield
    except BrokenPipeError:
        _reader_left()
    except OSError as error:
        _reader_left()
        raise BadInputError(f"the result cannot be written: {error.strerror or error}") from error


def emit_lines(lines: Iterable[str], file: str | None = None) -> None:
    """Write lines in the encoding of standard output, or to ``file``; what it cannot show becomes ``?``."""
    emit_styled(map(neutral, lines), file)


def emit_styled(lines: Iterable[str], file: str | None = None) -> None:
    """Write lines as ``emit_lines`` does, with the control sequences in them: whoever calls has made these."""
    text = "".join(f"{line.rstrip()}\n" for line in lines)
    if file is not None:
        _write(text.encode("utf-8", "replace"), file)
        return
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    with writing():
        sys.stdout.write(text.encode(encoding, "replace").decode(encoding, "replace"))
        sys.stdout.flush()


def check_writable(file: str) -> None:
    """Raise :class:`BadInputError` when nothing can be written to ``file``; leave it as it is."""
    folder = os.path.dirname(file) or os.curdir
    if os.path.isdir(file):
        raise BadInputError(f"{file} is a folder")
    if not os.path.isdir(folder):
        raise BadInputError(f"{file}: there is no folder {folder}")
    if not os.access(file if os.path.exists(file) else folder, os.W_OK):
        raise BadInputError(f"{file} cannot be written")


def warn(reason: str) -> None:
    """Write one line to standard error."""
    with contextlib.suppress(OSError):
        sys.stderr.write(f"conflens: {redacted_text(neutral(' '.join(reason.split())))}\n")


def guard_errors() -> None:
    """Have what is logged, and the trace of a fault of ours, obeyed by no terminal either."""
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(NeutralFormatter())
    sys.excepthook = _report_fault


def _report_fault(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    lines = traceback.format_exception(kind, error, trace)
    with contextlib.suppress(OSError):
        sys.stderr.write(redacted_text(neutral("".join(lines))))


def _write(data: bytes, file: str) -> None:
    try:
        with open(file, "wb") as stream:
            stream.write(data)
    except OSError as error:
        raise BadInputError(f"{file} cannot be written: {error.strerror or error}") from error


def _reader_left() -> None:
    """Let what is still buffered, and the flush at the interpreter's end, go nowhere."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)
