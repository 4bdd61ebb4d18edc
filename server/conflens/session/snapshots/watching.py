"""Watched folders: which profiler files there are new, or have changed, and are complete.

A *pattern* is a folder, whose snapshot files (by suffix) count, or a glob, of which all matches count; both relative to
the project.  ``.conflens/profiles`` is always watched.  A file is complete once its size and time are the same in
two looks, so that a profiler that still writes is waited for.

Invariants: a file is given once for each size and time; a look visits at most ``MAX_FILES`` files, and ``**`` leads
through no link.  Absent: importing, a clock.
"""

from __future__ import annotations

import glob
import itertools
import os
import stat
from collections.abc import Iterable, Iterator, Sequence

from conflens.session.snapshots.store import Origin

STANDARD = ".conflens/profiles"
MAX_FILES = 2_000
MAX_FOLDERS = 20_000
"""So many folders are entered at most for one pattern with ``**``."""
MAX_FIRST = 10
"""Files that were there before the first look are given only if they are among the newest so many."""

SUFFIXES = (
    ".jfr",
    ".collapsed",
    ".folded",
    ".stacks",
    ".pprof",
    ".pb",
    ".xml",
    ".csv",
    ".json",
    ".txt",
    ".gz",
    ".xz",
)
_MAGIC = "*?["


class Watch:
    """See the module text; called by one thread at a time."""

    def __init__(self, root: str) -> None:
        """Watch below the absolute path ``root``; nothing is looked at yet."""
        self._root = root
        self._before: dict[bytes, Origin] = {}
        self._given: set[Origin] = set()
        self._looked = False

    def look(self, patterns: Sequence[str]) -> list[Origin]:
        """Return the files that are complete and were not given before, the oldest first."""
        present = {item.path: item for item in self._present(patterns)}
        self._given &= set(present.values())
        if not self._looked:
            self._looked = True
            old = sorted(present.values(), key=lambda item: item.modified)[:-MAX_FIRST]
            self._given.update(old)
        ready = [
            item
            for path, item in present.items()
            if self._before.get(path) == item and item not in self._given
        ]
        self._before = present
        self._given.update(ready)
        return sorted(ready, key=lambda item: item.modified)

    def _present(self, patterns: Sequence[str]) -> Iterator[Origin]:
        visited = itertools.islice(self._named(patterns), MAX_FILES)
        for name in dict.fromkeys(visited):
            try:
                found = os.stat(name)
            except (OSError, ValueError):
                continue
            if stat.S_ISREG(found.st_mode) and found.st_size:
                yield Origin(os.fsencode(name), found.st_size, found.st_mtime_ns)

    def _named(self, patterns: Iterable[str]) -> Iterator[str]:
        for pattern in (STANDARD, *patterns):
            # ``join`` leaves an absolute pattern as it is: a profiler may write elsewhere.
            whole = os.path.join(self._root, os.path.expanduser(pattern))
            if "\0" in whole:
                continue
            if any(sign in pattern for sign in _MAGIC):
                whole = os.path.join(glob.escape(self._root), os.path.expanduser(pattern))
                yield from _matching(whole, [MAX_FOLDERS])
            else:
                yield from _listed(whole)


def _matching(pattern: str, left: list[int]) -> Iterator[str]:
    """What matches a glob; ``left`` is how many more folders ``**`` may enter.

    It enters no link, so that links among folders neither lead in circles nor multiply the ways.
    """
    parts = pattern.replace(os.sep, "/").split("/")
    if "**" not in parts:
        yield from glob.iglob(pattern)
        return
    first = parts.index("**")
    rest = parts[first + 1 :]
    while rest and rest[0] == "**":
        rest.pop(0)
    for folder in glob.iglob("/".join((*parts[:first], ""))):
        for below in _folders(folder, left):
            yield from _matching("/".join((glob.escape(below), *(rest or ["*"]))), left)


def _folders(folder: str, left: list[int]) -> Iterator[str]:
    """A folder and those below it, but hidden ones and links."""
    pending = [folder]
    while pending and left[0] > 0:
        left[0] -= 1
        folder = pending.pop()
        yield folder
        try:
            with os.scandir(folder) as scan:
                pending += [
                    entry.path
                    for entry in scan
                    if not entry.name.startswith(".") and entry.is_dir(follow_symlinks=False)
                ]
        except OSError:
            continue


def _listed(folder: str) -> Iterator[str]:
    """The snapshot files right below a folder; a file that is named itself counts, too."""
    try:
        with os.scandir(folder) as scan:
            for entry in scan:
                hidden = entry.name.startswith(".")
                if not hidden and entry.name.lower().endswith(SUFFIXES):
                    yield entry.path
    except NotADirectoryError:
        yield folder
    except OSError:
        return
