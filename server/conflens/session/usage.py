"""What the server costs the machine: its memory now, and its cache on disk."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

from conflens.session.store.places import cache_file
from conflens.session.workers.worker import peak_kb

_PAGES_RESIDENT = 1
"""Which number of ``/proc/self/statm``."""


def memory_bytes() -> int:
    """Return the resident memory of this process, its peak where the system tells only that, 0 where it tells nothing."""
    if sys.platform == "linux":
        with suppress(OSError, ValueError, IndexError):
            pages = Path("/proc/self/statm").read_bytes().split()[_PAGES_RESIDENT]
            return int(pages) * os.sysconf("SC_PAGE_SIZE")
    return peak_kb() * 1024


def cache_bytes(root: str) -> int:
    """Return how large the database of the project at ``root`` is with what has not been written back to it; 0 without one."""
    file = cache_file(root)
    found = 0
    for name in (file, f"{file}-wal"):
        with suppress(OSError):
            found += os.stat(name).st_size
    return found
