"""Importing a profiler's file in a process of its own, under supervision.

The process can be ended at any moment, so cancelling takes effect whatever the file makes it do; what it allocates
is bounded by the operating system and never ours.  One import runs at a time, however many are asked for.

Invariants: the process does not outlive ``run``, nor what it has started itself; it ends with this process at the
latest.  ``run`` gives a snapshot, raises ``Cancelled``, or raises ``ImportFailure`` with one line.
Absent: keeping what was imported (``snapshot_store``).
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import attrs
import msgspec

from conflens.base.cancel import Cancelled
from conflens.profiling.model import ImportFailure
from conflens.session.snapshots.messages import Answer, Failed, Imported, Progress, Request
from conflens.session.workers.ipc_frames import read_frame, write_frame

_answer: msgspec.msgpack.Decoder[Answer] = msgspec.msgpack.Decoder(Answer)
_TURN = threading.Lock()
_TICK = 0.05


@attrs.frozen
class ImportOptions:
    """``memory_mb``: what the process may allocate; ``seconds``: how long it may run; ``cpu_seconds``, and more for each
    megabyte: the processor time that it may take, see ``effort``."""

    memory_mb: int = 320
    seconds: float = 900.0
    cpu_seconds: float = 45.0
    cpu_seconds_per_mb: float = 10.0
    command: tuple[str, ...] = (sys.executable, "-P", "-m", "conflens.session.snapshots.worker")


class Importing:
    """One import; ``cancel`` may come from any thread, and before ``run``."""

    def __init__(self, request: Request, options: ImportOptions | None = None) -> None:
        """Import what ``request`` says; its bounds are those of ``options``."""
        options = options or ImportOptions()
        self._options = options
        self.request = msgspec.structs.replace(
            request,
            memory_mb=options.memory_mb,
            seconds=options.seconds,
            cpu_seconds=options.cpu_seconds,
            cpu_seconds_per_mb=options.cpu_seconds_per_mb,
        )
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._cancelled = False
        self._late = False

    @property
    def pid(self) -> int | None:
        """The process, while it runs."""
        with self._lock:
            return None if self._process is None else self._process.pid

    def cancel(self) -> None:
        """End the process at once; ``run`` raises ``Cancelled``."""
        self._cancelled = True
        self._kill()

    def run(self, progress: Callable[[int, int], None], salt: bytes = b"") -> Imported:
        """Wait for our turn, import, and tell (bytes done, bytes in all) meanwhile; see the module text.

        ``salt`` is for the digests of redacted values.
        """
        self.request = msgspec.structs.replace(self.request, salt=salt)
        while not _TURN.acquire(timeout=_TICK):
            self._check()
        try:
            return self._run(progress)
        finally:
            _TURN.release()

    def _run(self, progress: Callable[[int, int], None]) -> Imported:
        self._check()
        process = self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        timer = threading.Timer(self._options.seconds, self._expire)
        timer.daemon = True
        timer.start()
        try:
            with suppress(OSError):  # it died: there is no answer
                write_frame(process.stdin, self.request)
            answer = self._answered(process, progress)
        finally:
            timer.cancel()
            self._kill()
            with self._lock:
                self._process = None
            for stream in (process.stdin, process.stdout):
                with suppress(OSError):
                    stream.close()
            code = process.wait()
        self._check()
        if isinstance(answer, Imported):
            return answer
        raise ImportFailure(self.request.name, "", self._reason(answer, code))

    def _answered(
        self, process: subprocess.Popen[bytes], progress: Callable[[int, int], None]
    ) -> Imported | Failed | None:
        """Return the last answer, ``None`` if there was none that can be read."""
        assert process.stdout is not None
        with suppress(OSError, ValueError, msgspec.DecodeError):
            while (frame := read_frame(process.stdout)) is not None:
                answer = _answer.decode(frame)
                if not isinstance(answer, Progress):
                    return answer
                progress(answer.done, answer.size)
        return None

    def _reason(self, answer: Failed | None, code: int) -> str:
        if answer is not None:
            # The answer is on one line, whatever the name is.
            return answer.reason.removeprefix(f"{' '.join(self.request.name.split())}: ")
        if self._late:
            return f"takes longer than {self._options.seconds:g} s to import"
        return f"the process that imports it ended without an answer (exit code {code})"

    def _start(self) -> subprocess.Popen[bytes]:
        try:
            process = subprocess.Popen(
                self._options.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=_environment(),
                # A group of its own, so that what it starts ends with it.
                process_group=None if sys.platform == "win32" else 0,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            reason = f"no process can be started to import it: {error.strerror or error}"
            raise ImportFailure(self.request.name, "", reason) from None
        with self._lock:
            self._process = process
        if self._cancelled:
            self._kill()
        return process

    def _kill(self) -> None:
        with self._lock:
            process = self._process
            # Until ``wait`` has been called its number, and that of its group, is not given to another.
            if process is None or process.returncode is not None:
                return
            with suppress(OSError):
                if sys.platform == "win32":
                    process.kill()
                else:
                    os.killpg(process.pid, signal.SIGKILL)

    def _expire(self) -> None:
        self._late = True
        self._kill()

    def _check(self) -> None:
        if self._cancelled:
            raise Cancelled


def _environment() -> dict[str, str]:
    """An environment in which the process finds ConfLens, wherever it was loaded from."""
    own = str(Path(__file__).resolve().parents[3])
    paths = [own, *(path for path in sys.path if path)]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(dict.fromkeys(paths))}
