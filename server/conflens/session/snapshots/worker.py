"""The process that imports one snapshot: a request in, progress and the encoded snapshot out.

Run as ``python -m conflens.session.snapshots.worker``; what it hears and says are ``snapshot_messages`` in ``frames``.  It
allocates at most what the request allows, and takes no more processor time than that allows (``effort``).  It ends when its
input does, so that it does not outlive its parent, nor does a tool that it has started outlive it.

A recording whose version the importer does not know is printed by the JDK's own ``jfr``, which may be newer, and read
from there.
Invariant: the file is opened once, and must then be a regular file; a pipe would never end, nor would a device.  Only
``jfr`` opens it again.
"""

from __future__ import annotations

import faulthandler
import os
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import IO, NoReturn

import msgspec

from conflens.profiling.codec import encode
from conflens.profiling.importing import Hints, read_snapshot
from conflens.profiling.jfr.binary_reader import MAGIC, MAJOR, jfr_command
from conflens.profiling.model import EventKind, ImportFailure, Snapshot, Unit
from conflens.session.snapshots.effort import Effort, TooLong
from conflens.session.snapshots.jdk import ToolMissing, find_tool
from conflens.session.snapshots.messages import (
    Failed,
    Imported,
    Progress,
    Request,
    summary_of,
)
from conflens.session.workers.ipc_frames import read_frame, write_frame

_TELL_SECONDS = 0.1
_MAX_REASON = 1_000
_HEAP = "-J-Xmx256m"
_tools: list[subprocess.Popen[bytes]] = []
"""What was started, for ``_watch``."""
_MAPPED = 256 << 20
"""Bytes of address space beside what is allocated: code, and what is only reserved."""


def main() -> NoReturn:
    """Answer one request."""
    with suppress(ValueError, OSError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    target = os.fdopen(os.dup(1), "wb")
    frame = read_frame(sys.stdin.buffer)
    if frame is None:
        _end(1)
    request = msgspec.msgpack.decode(frame, type=Request)
    threading.Thread(target=_watch, daemon=True).start()
    if request.seconds:
        # Its clock runs in a thread of its own that does not need the interpreter.
        nowhere = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - open until the end
        faulthandler.dump_traceback_later(2 * request.seconds, exit=True, file=nowhere)
    with suppress(OSError):  # nobody listens any more
        write_frame(target, answered(request, lambda message: write_frame(target, message)))
    _end(0)


def answered(request: Request, tell: Callable[[Progress], None]) -> Imported | Failed:
    """Return the answer to a request; every failure is one."""
    bound = Bound(request.memory_mb)
    effort = Effort(request.cpu_seconds, request.cpu_seconds_per_mb)
    try:
        bound.lower()
        with effort.watched():
            return _imported(request, tell, bound, effort)
    except TooLong:
        return Failed(
            f"{request.name}: takes more than {effort.allowed:,.0f} s of processor time to import, "
            "far more than a profile of its size does"
        )
    except ImportFailure as failure:
        return Failed(_line(str(failure)))
    except MemoryError:
        bound.lift()
        return Failed(f"{request.name}: needs more than {request.memory_mb} MB to import")
    except OSError as error:
        return Failed(_line(f"{request.name}: cannot be read: {error.strerror or error}"))
    except Exception as error:  # a fault of ours must be told, not hidden in a lost process
        return Failed(_line(f"{request.name}: not understood: {type(error).__name__}: {error}"))


class Bound:
    """What this process may allocate, where the system can be told."""

    def __init__(self, megabytes: int) -> None:
        """0 is no bound."""
        self._bytes = megabytes << 20

    def lower(self) -> None:
        """Let it hold from now on."""
        self._set(self._bytes)

    def lift(self) -> None:
        """Let it hold no longer."""
        self._set(0)

    def _set(self, size: int) -> None:
        if not self._bytes:
            return
        try:
            import resource  # noqa: PLC0415 - not on every platform
        except ImportError:
            return
        for limit, allowed in (
            (resource.RLIMIT_DATA, size),
            (resource.RLIMIT_AS, size + _MAPPED),
        ):
            with suppress(ValueError, OSError):
                hard = resource.getrlimit(limit)[1]
                wanted = allowed if size else hard
                if hard != resource.RLIM_INFINITY and (wanted > hard or wanted < 0):
                    wanted = hard
                resource.setrlimit(limit, (wanted, hard))


def _imported(
    request: Request, tell: Callable[[Progress], None], bound: Bound, effort: Effort
) -> Imported:
    hints = Hints(
        EventKind(request.kind) if request.kind else None,
        Unit(request.unit) if request.unit else None,
        request.salt,
        tempfile.TemporaryFile,
        effort.saw,
    )
    with _opened(request) as stream:
        found = os.fstat(stream.fileno())
        effort.saw(found.st_size)
        check = _teller(found.st_size, tell, effort)
        try:
            snapshot = read_snapshot(stream, request.name, check, hints)
        except ImportFailure as failure:
            if not _foreign(stream):
                raise

            def printed(done: int) -> None:
                effort.saw(done)
                check(0)

            snapshot = _printed(request, failure, printed, hints, bound, effort)
        return Imported(summary_of(snapshot), encode(snapshot), found.st_size, found.st_mtime_ns)


def _foreign(stream: IO[bytes]) -> bool:
    """Tell whether a file is a recording of a version that the importer does not know."""
    stream.seek(0)
    head = stream.read(6)
    return head[:4] == MAGIC and int.from_bytes(head[4:], "big") != MAJOR


def _printed(
    request: Request,
    failure: ImportFailure,
    check: Callable[[int], None],
    hints: Hints,
    bound: Bound,
    effort: Effort,
) -> Snapshot:
    """Read what ``jfr`` prints of a recording; raises ``ImportFailure``, which is ``failure`` if there is no ``jfr``."""
    try:
        jfr = find_tool("jfr")
    except ToolMissing as missing:
        raise ImportFailure(request.name, failure.place, f"{failure.reason}; {missing}") from None
    first, *rest = jfr_command(jfr, os.fsdecode(request.path))
    with tempfile.TemporaryFile() as complaints:
        bound.lift()  # a JVM reserves far more than it uses
        with effort.unwatched():
            process = subprocess.Popen(
                [first, _HEAP, *rest],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=complaints,
            )
        _tools.append(process)
        bound.lower()
        assert process.stdout is not None
        try:
            return read_snapshot(process.stdout, request.name, check, hints)
        except ImportFailure as other:
            if not process.wait():
                raise other from None
            complaints.seek(0)
            said = complaints.read(_MAX_REASON).decode("utf-8", "replace").strip()
            reason = f"the JDK's jfr cannot print it: {said or 'it says nothing'}"
            raise ImportFailure(request.name, "", reason) from None
        finally:
            process.kill()
            process.wait()
            process.stdout.close()


def _opened(request: Request) -> IO[bytes]:
    """Open the file if it is one, without waiting for somebody to write into it."""
    waiting = getattr(os, "O_NONBLOCK", 0)
    stream = open(  # noqa: SIM115 - the caller closes it
        os.fsdecode(request.path), "rb", opener=lambda path, flags: os.open(path, flags | waiting)
    )
    if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
        stream.close()
        raise ImportFailure(request.name, "", "is not a regular file")
    return stream


def _teller(size: int, tell: Callable[[Progress], None], effort: Effort) -> Callable[[int], None]:
    """Return what tells how far we are, now and then, and sees to the time that is left."""
    last = 0.0

    def check(done: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _TELL_SECONDS:
            last = now
            effort.check()
            tell(Progress(min(done, size), size))

    return check


def _watch() -> None:
    """End with the parent, whose end closes our input."""
    with suppress(OSError):
        while os.read(0, 4096):
            pass
    for tool in _tools:
        with suppress(OSError):
            tool.kill()
    _end(1)


def _end(code: int) -> NoReturn:
    os._exit(code)


def _line(text: str) -> str:
    return " ".join(text.split())[:_MAX_REASON]


if __name__ == "__main__":
    main()
