"""The processor time of an import: in proportion to the bytes, said when it is met, and met by loops that never check."""

from __future__ import annotations

import gzip
import io
import os
import sys
from pathlib import Path

import pytest

from conflens.profiling.importing import Hints, read_snapshot
from conflens.profiling.model import ImportFailure
from conflens.session.snapshots.effort import Effort, TooLong
from conflens.session.snapshots.importing import Importing, ImportOptions
from conflens.session.snapshots.messages import Request
from session.snapshot_support import large, profile, quiet

MB = 1 << 20
LOOP = """
from conflens.session.snapshots import worker
def hostile(*_):
    while True:
        pass
worker.read_snapshot = hostile
worker.main()
"""
"""An importer that goes round and round without a check."""


class Clock:
    """A clock that goes on when it is told."""

    def __init__(self) -> None:
        self.now = 3.0

    def __call__(self) -> float:
        return self.now


def over(effort: Effort) -> bool:
    try:
        effort.check()
    except TooLong:
        return True
    return False


@pytest.mark.parametrize(("size", "allowed"), [(0, 45), (MB // 2, 50), (100 * MB, 1_045)])
def test_time_is_allowed_in_proportion_to_the_bytes(size: int, allowed: int) -> None:
    clock = Clock()
    effort = Effort(45, 10, clock)
    effort.saw(size)
    clock.now = 3 + allowed
    assert not over(effort)
    clock.now += 0.1
    assert over(effort)


def test_bytes_that_were_seen_count_once() -> None:
    effort = Effort(45, 10, Clock())
    for size in (MB, 3 * MB, 2 * MB):
        effort.saw(size)
    assert effort.allowed == 75


def test_the_bound_is_met_once() -> None:
    clock = Clock()
    effort = Effort(45, 10, clock)
    clock.now = 1_000
    assert [over(effort), over(effort)] == [True, False]


def test_without_a_bound_nothing_is_met() -> None:
    clock = Clock()
    effort = Effort(0, 10, clock)
    clock.now = 1e9
    assert not over(effort)


@pytest.mark.parametrize("packed", [True, False])
def test_a_packed_file_is_allowed_what_it_unpacks_to(packed: bool) -> None:
    data = b"p/A.run;p/A.work 1\n" * 100_000
    seen: list[int] = []
    stream = io.BytesIO(gzip.compress(data) if packed else data)
    read_snapshot(stream, "a.collapsed", lambda _: None, Hints(unpacked=seen.append))
    assert max(seen, default=0) == (len(data) if packed else 0)


def failure(file: str, options: ImportOptions) -> str:
    with pytest.raises(ImportFailure) as caught:
        Importing(Request(os.fsencode(file), os.path.basename(file)), options).run(quiet)
    return str(caught.value)


def test_an_import_that_takes_too_long_says_so(tmp_path: Path) -> None:
    file = large(tmp_path / "large.collapsed", 60_000)
    said = failure(file, ImportOptions(cpu_seconds=0.001, cpu_seconds_per_mb=0))
    assert said == (
        "large.collapsed: takes more than 0 s of processor time to import, "
        "far more than a profile of its size does"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit of CPU time")
def test_a_loop_without_a_check_ends_as_well(tmp_path: Path) -> None:
    options = ImportOptions(
        cpu_seconds=1, cpu_seconds_per_mb=0, command=(sys.executable, "-P", "-c", LOOP)
    )
    said = failure(profile(tmp_path / "a.collapsed"), options)
    assert said.startswith("a.collapsed: takes more than 1 s of processor time to import")
