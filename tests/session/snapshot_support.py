"""What the tests of snapshots share: small profiles, a process that hangs, and looking whether one is gone."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import psutil

from conflens.session.snapshots.importing import ImportOptions
from conflens.session.snapshots.snapshots import AUTOMATIC, Snapshots, Wanted
from conflens.session.snapshots.store import Entry
from patience import PATIENCE

HANGING = """
import os, subprocess, sys, time
command = [sys.executable, "-c", "import time; time.sleep(9999)"]
child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
with open(sys.argv[1] + ".new", "w") as out:
    out.write(f"{os.getpid()} {child.pid}")
os.replace(sys.argv[1] + ".new", sys.argv[1])
time.sleep(9999)
"""
"""A process that starts another one, writes both numbers into a file, and never answers."""


def hanging(pids: Path, seconds: float = PATIENCE) -> ImportOptions:
    """Options under which an import hangs, as soon as ``pids`` is there."""
    return ImportOptions(seconds=seconds, command=(sys.executable, "-c", HANGING, os.fspath(pids)))


def profile(file: Path, weight: int = 5, frame: str = "p/A.run") -> str:
    """Write collapsed stacks of one chain; return the path."""
    file.write_text(f"{frame};p/A.work {weight}\n{frame} 1\n", encoding="utf-8")
    return os.fspath(file)


def large(file: Path, lines: int) -> str:
    """Write collapsed stacks of so many lines, each with frames of its own; return the path."""
    with file.open("w", encoding="utf-8") as out:
        for line in range(lines):
            chain = ";".join(f"p/C{line}.m{depth}" for depth in range(12))
            out.write(f"{chain} 1\n")
    return os.fspath(file)


def added(snapshots: Snapshots, file: str, role: Wanted = AUTOMATIC) -> Entry:
    return snapshots.add(snapshots.importing(file), role, quiet)


def quiet(_done: int, _total: int) -> None:
    """Progress that nobody looks at."""


def gone(pid: int) -> bool:
    """Tell whether a process has ended, whether or not somebody has asked for its exit code."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
