"""Workers may die, hang or never start: every job gives one result."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

import conflens
from conflens.base.cancel import Cancelled, CancelToken
from conflens.facts.codec import decode
from conflens.facts.lower import lower
from conflens.session.workers import pool as workers
from conflens.session.workers.pool import CRASHED, Job, Pool, PoolOptions, Result
from patience import PATIENCE, until
from session.support import FIXTURES, java

TEXTS = {
    **{file.name: file.read_bytes() for file in FIXTURES.glob("*.java")},
    **{f"C{number}.java": java(f"C{number}").encode() for number in range(40)},
}
JOBS = [Job(key, text) for key, text in TEXTS.items()]

# A worker that misbehaves on texts that ask for it, and otherwise does its work.
WAYWARD = """
import os, sys, time
from conflens.session.workers import worker
inner = worker.lowered
def lowered(text):
    if b"HANG " in text:
        with open(text.split()[1], "w") as mark:
            mark.write(str(os.getpid()))
        time.sleep(3600)
    if b"DIE" in text:
        os._exit(3)
    if b"RAISE" in text:
        raise SystemExit
    if b"LIMP " in text:
        mark = text.split()[1].decode()
        if not os.path.exists(mark):
            open(mark, "w").close()
            os._exit(3)
    return inner(text)
worker.lowered = lowered
worker.main(sys.argv[1:])
"""


def wayward(count: int = 2, seconds: float = 30.0) -> PoolOptions:
    return PoolOptions(count, seconds, command=(sys.executable, "-P", "-c", WAYWARD))


def run(jobs: list[Job], options: PoolOptions) -> dict[str, Result]:
    with Pool(jobs, options) as pool:
        results = list(pool.results(CancelToken()))
    assert len(results) == len(jobs)
    return {result.key: result for result in results}


def right(results: dict[str, Result], but: set[str] | None = None) -> bool:
    """Whether every result equals what lowering in process gives."""
    return all(
        decode(results[key].data or b"") == lower(text)
        for key, text in TEXTS.items()
        if key not in (but or ())
    )


def test_workers_give_the_same_as_lowering_in_process() -> None:
    results = run(JOBS, PoolOptions(2))
    assert right(results)
    assert decode(results["Shapes.java"].data or b"").package == "org.example.shapes"


def test_killing_workers_during_the_index_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "BATCH_BYTES", 500)
    jobs = [Job(f"{turn}/{job.key}", job.text) for turn in range(10) for job in JOBS]
    results: dict[str, Result] = {}
    killed: set[int] = set()
    with Pool(jobs, PoolOptions(2)) as pool:
        for result in pool.results(CancelToken()):
            results[result.key] = result
            if len(results) in (5, 100, 200):
                until(lambda: set(pool.pids) - killed, "another worker")
                pid = min(set(pool.pids) - killed)
                os.kill(pid, signal.SIGTERM if os.name == "nt" else signal.SIGKILL)
                killed.add(pid)
    assert len(killed) == 3
    assert [result.reason for result in results.values()] == [""] * len(jobs)
    for turn in range(10):
        assert right({key: results[f"{turn}/{key}"] for key in TEXTS})


def test_a_file_that_kills_every_worker_is_the_only_one_excluded() -> None:
    results = run([*JOBS, Job("bad", b"DIE")], wayward())
    assert right(results)
    assert (results["bad"].data, results["bad"].reason) == (None, CRASHED)


def test_a_file_that_killed_one_worker_is_retried(tmp_path: Path) -> None:
    text = f"LIMP {tmp_path / 'mark'} ".encode()
    assert run([Job("lame", text), *JOBS], wayward())["lame"].data is not None


def test_a_file_that_takes_too_long_is_excluded_and_its_batch_continues(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Time passes only while a worker is at that file."""
    mark = tmp_path / "mark"
    now = 0.0

    def monotonic() -> float:
        nonlocal now
        pid = mark.read_text() if mark.exists() else ""
        now += 1000.0 if pid and not gone(int(pid)) else 0.0
        return now

    monkeypatch.setattr(workers, "time", SimpleNamespace(monotonic=monotonic, sleep=time.sleep))
    jobs = [*JOBS[:5], Job("slow", f"HANG {mark} ".encode()), *JOBS[5:]]
    results = run(jobs, wayward(1, seconds=2000.0))
    assert right(results)
    assert results["slow"].late
    assert results["slow"].reason == "took longer than 2000 s"


def test_a_worker_that_exits_is_a_crash() -> None:
    assert run([Job("odd", b"RAISE"), *JOBS], wayward())["odd"].reason == CRASHED


@pytest.mark.parametrize(
    "command", [("no such program",), (sys.executable, "-c", "raise SystemExit")]
)
def test_without_workers_the_work_is_done_in_process(command: tuple[str, ...]) -> None:
    assert right(run(JOBS, PoolOptions(2, command=command)))


def test_cancelling_ends_the_workers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(workers, "BATCH_BYTES", 2000)
    token = CancelToken()
    pool = Pool([*JOBS, Job("slow", f"HANG {tmp_path / 'mark'} ".encode())], wayward())
    until(lambda: len(pool.pids) == 2, "two workers")
    pids = pool.pids
    with pytest.raises(Cancelled), pool:
        for _ in pool.results(token):
            token.cancel()
    assert all(gone(pid) for pid in pids)
    assert pool.pids == ()


def test_a_worker_ends_with_its_parent() -> None:
    parent = (
        "import os, sys\n"
        "from conflens.session.workers.pool import *\n"
        "pool = Pool([Job('a', b'class A {}')] * 3, PoolOptions(1, command=tuple(sys.argv[1:])))\n"
        "while not pool.pids: pass\n"
        "print(pool.pids[0], flush=True)\n"
        "os._exit(0)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(conflens.__file__).parent.parent)}
    command = [sys.executable, "-P", "-m", "conflens.session.workers.worker"]
    done = subprocess.run(
        [sys.executable, "-c", parent, *command],
        env=environment,
        stdout=subprocess.PIPE,
        timeout=PATIENCE,
        check=True,
    )
    pid = int(done.stdout)
    until(lambda: gone(pid), "it has ended")


def test_a_worker_imports_only_what_it_needs() -> None:
    code = (
        "import sys, conflens.session.workers.worker\n"
        "print(*sorted({'.'.join(name.split('.')[:2]) for name in sys.modules"
        " if name.startswith('conflens.')}))\n"
        "print(*{'sqlite3', 'asyncio', 'pygls'} & sys.modules.keys())\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(conflens.__file__).parent.parent)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, check=True
    )
    assert done.stdout.decode().splitlines() == [
        "conflens.base conflens.facts conflens.session conflens.syntax",
        "",
    ]


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return True
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return False
