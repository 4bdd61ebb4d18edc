"""Cold lowering in worker processes, under supervision.

Terms: a *job* is one file to lower; a *batch* is what a worker gets at a time, about 256 KB of
source.  A worker answers file by file, so when it dies the file it was at is known: that file is
*suspect* and tried again on a fresh worker, then alone on a fresh worker, then left out with a
reason; the rest of its batch goes back into the queue.  A file that takes longer than the time
guard costs its worker's life and is left out at once.

Each worker has a thread here that talks to it over its pipes; the supervisor thread (the caller of
``results``) hands results on and enforces the guard.
Invariants: every job gives exactly one result unless the pool is closed first.  No worker outlives
the pool.  A worker's output is a pipe of its own, never the server's.
When workers cannot be started at all the files are lowered in process.
Absent: reading files, caching, and choosing between workers and the own process (``session``).
"""

from __future__ import annotations

import logging
import os
import queue
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from types import TracebackType

import attrs
import msgspec

from conflens.base.cancel import CancelToken
from conflens.session.workers.ipc_frames import read_frame, write_frame
from conflens.session.workers.worker import lowered

_log = logging.getLogger("conflens.session.workers.pool")

BATCH_BYTES = 256_000
_TICK = 0.1
_START_SECONDS = 60.0
_FAILED_STARTS = 3
_reply = msgspec.msgpack.Decoder(int | bytes | list[str])

CRASHED = "crashed the parser three times"


@attrs.frozen
class Job:
    """One file to lower; ``key`` names it to the caller."""

    key: str
    text: bytes = attrs.field(repr=False)


@attrs.frozen
class Result:
    """The encoded facts of a job, or the reason why there are none; ``late`` is the time guard."""

    key: str
    data: bytes | None = attrs.field(repr=False)
    reason: str = ""
    late: bool = False


@attrs.frozen
class PoolOptions:
    """``seconds`` is the time guard per file; ``nice`` lowers the workers' priority."""

    workers: int
    seconds: float = 10.0
    nice: int = 0
    command: tuple[str, ...] = (sys.executable, "-P", "-m", "conflens.session.workers.worker")


@attrs.define
class _Task:
    """A job on its way; ``strikes`` counts the workers that died at it."""

    job: Job
    strikes: int = 0


class _Worker:
    """A process and the tasks it has been given and not answered yet."""

    def __init__(self, process: subprocess.Popen[bytes], deadline: float) -> None:
        self.process = process
        self.tasks: deque[_Task] = deque()
        self.deadline: float | None = deadline
        self.late = False
        self.peak_kb = 0


class Pool:
    """Runs jobs; use as a context manager, and iterate ``results`` once."""

    def __init__(self, jobs: Sequence[Job], options: PoolOptions) -> None:
        """Start the workers and hand out the first batches."""
        self._options = options
        self._lock = threading.Lock()
        self._todo: deque[_Task] = deque(_Task(job) for job in jobs)
        self._suspects: deque[_Task] = deque()
        self._left = len(jobs)
        self._done: queue.SimpleQueue[Result | None] = queue.SimpleQueue()
        self._workers: dict[int, _Worker] = {}
        self._failed_starts = 0
        self._peaks_kb: list[int] = []
        self._closing = False
        count = max(1, min(options.workers, len(jobs)))
        self._threads = [
            threading.Thread(target=self._serve, name=f"conflens-worker-{index}", daemon=True)
            for index in range(count)
        ]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def pids(self) -> tuple[int, ...]:
        """The process ids of the workers alive now."""
        with self._lock:
            return tuple(worker.process.pid for worker in self._workers.values())

    @property
    def peak_kb(self) -> int:
        """The sum of the peak resident memory of the workers, once the pool is closed."""
        return sum(sorted(self._peaks_kb)[-len(self._threads) :])

    def results(self, token: CancelToken) -> Iterator[Result]:
        """Yield a result for each job as they come; raises ``Cancelled``."""
        while self._left:
            token.check()
            try:
                result = self._done.get(timeout=_TICK)
            except queue.Empty:
                self._enforce()
                if not any(thread.is_alive() for thread in self._threads) and self._done.empty():
                    yield from self._in_process(token)
                continue
            self._enforce()
            if result is not None:
                self._left -= 1
                yield result

    def close(self) -> None:
        """End the workers and wait for them."""
        self._closing = True
        with self._lock:
            workers = list(self._workers.values())
        for worker in workers:
            with suppress(OSError):
                worker.process.kill()
        for thread in self._threads:
            thread.join()

    def _enforce(self) -> None:
        now = time.monotonic()
        with self._lock:
            workers = list(self._workers.values())
        for worker in workers:
            if worker.deadline is not None and now > worker.deadline and not worker.late:
                worker.late = True
                worker.process.kill()

    def _in_process(self, token: CancelToken) -> Iterator[Result]:
        """Lower what no worker could be started for."""
        _log.warning("no worker process could be started; indexing in the server's process")
        for task in (*self._todo, *self._suspects):
            token.check()
            self._left -= 1
            yield _result(task.job, lowered(task.job.text))
        self._todo.clear()
        self._suspects.clear()

    def _serve(self) -> None:
        """Run workers one after the other until there is no more to do (a thread's body)."""
        while not self._closing:
            with self._lock:
                if self._failed_starts >= _FAILED_STARTS:
                    return
            batch = self._take()
            if batch is None:
                return
            if not batch:
                time.sleep(_TICK / 10)
                continue
            self._run_worker(batch)

    def _take(self, fresh: bool = True) -> list[_Task] | None:
        """Return the next batch; ``None`` when all is done, empty when others may still give back.

        A file that killed two workers is tried alone, and only on a worker that is ``fresh``.
        """
        with self._lock:
            if self._closing:
                return None
            if fresh and self._suspects:
                return [self._suspects.popleft()]
            batch: list[_Task] = []
            size = 0
            while self._todo and (not batch or size + len(self._todo[0].job.text) <= BATCH_BYTES):
                task = self._todo.popleft()
                batch.append(task)
                size += len(task.job.text)
            if batch:
                return batch
            busy = any(worker.tasks for worker in self._workers.values())
            return [] if busy or self._suspects else None

    def _run_worker(self, batch: list[_Task] | None) -> None:
        """Give batches to one new worker until it dies or there are none."""
        worker = self._start(batch or [])
        if worker is None:
            return
        pid, process = worker.process.pid, worker.process
        assert process.stdin is not None
        assert process.stdout is not None
        ready = False
        try:
            ready = read_frame(process.stdout) is not None
            while ready and batch:
                worker.deadline = time.monotonic() + self._options.seconds
                write_frame(process.stdin, [task.job.text for task in batch])
                if not self._answers(worker):
                    break
                batch = self._take(fresh=False)
                worker.tasks = deque(batch or ())
        except (OSError, msgspec.DecodeError):
            pass
        finally:
            worker.deadline = None
            for stream in (process.stdin, process.stdout):
                with suppress(OSError):
                    stream.close()
            with suppress(OSError):
                process.kill()
            process.wait()
            self._bury(pid, worker, ready)

    def _start(self, batch: list[_Task]) -> _Worker | None:
        options = self._options
        flags = 0
        if sys.platform == "win32":
            flags = subprocess.CREATE_NO_WINDOW
            if options.nice:
                flags |= subprocess.BELOW_NORMAL_PRIORITY_CLASS
        try:
            process = subprocess.Popen(
                [*options.command, str(options.seconds), str(options.nice)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=_environment(),
                creationflags=flags,
            )
        except OSError:
            with self._lock:
                self._failed_starts += 1
                self._todo.extendleft(reversed(batch))
            return None
        worker = _Worker(process, time.monotonic() + _START_SECONDS)
        worker.tasks.extend(batch)
        with self._lock:
            self._workers[process.pid] = worker
        if self._closing:
            process.kill()
        return worker

    def _answers(self, worker: _Worker) -> bool:
        """Hand on the answers to a batch; tell whether all came."""
        assert worker.process.stdout is not None
        while True:
            frame = read_frame(worker.process.stdout)
            if frame is None:
                return False
            value = _reply.decode(frame)
            if isinstance(value, int):
                worker.peak_kb = value
                worker.deadline = None
                return True
            worker.deadline = time.monotonic() + self._options.seconds
            with self._lock:
                task = worker.tasks.popleft()
            self._done.put(_result(task.job, value))

    def _bury(self, pid: int, worker: _Worker, ready: bool) -> None:
        """Decide what becomes of the tasks of a worker that ended."""
        with self._lock:
            del self._workers[pid]
            self._peaks_kb.append(worker.peak_kb)
            rest = list(worker.tasks)
            if not ready:
                self._failed_starts += 1
                self._todo.extendleft(reversed(rest))
                return
            self._failed_starts = 0
            if not rest:
                return
            suspect, *others = rest
            self._todo.extendleft(reversed(others))
            if self._closing:
                return
            if worker.late:
                reason = f"took longer than {self._options.seconds:g} s"
                self._done.put(Result(suspect.job.key, None, reason, late=True))
                return
            suspect.strikes += 1
            if suspect.strikes == 1:
                self._todo.append(suspect)
            elif suspect.strikes == 2:
                self._suspects.append(suspect)
            else:
                self._done.put(Result(suspect.job.key, None, CRASHED))


def _result(job: Job, value: bytes | list[str]) -> Result:
    if isinstance(value, list):
        return Result(job.key, None, value[0] if value else CRASHED)
    return Result(job.key, value)


def _environment() -> dict[str, str]:
    """Return an environment in which a worker finds the modules this process uses."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
