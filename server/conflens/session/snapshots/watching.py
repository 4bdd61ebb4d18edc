"""Watched folders: which profiler files there are new, or have changed, and are complete.

A *pattern* is a folder, whose snapshot files (by suffix) count, or a glob, of which all matches count; both relative to
the project.  ``.conflens/profiles`` is always watched.  A file is complete once its size and time are the same in
two looks, so that a profiler that still writes is waited for.

Invariants: a file is given once for each size and time; a look visits at most ``MAX_FILES`` files, and for each pattern
at most ``MAX_FOLDERS`` folders, each once however many links lead to it; ``**`` leads through no link; no link leads out
of the project from ``.conflens/profiles``, which nobody has to name.  Absent: importing, a clock.
"""

from __future__ import annotations

import itertools
import os
import stat
from collections.abc import Iterable, Iterator, Sequence

from conflens.base.globs import PathGlob
from conflens.session.snapshots.store import Origin

STANDARD = ".conflens/profiles"
MAX_FILES = 2_000
MAX_FOLDERS = 20_000
"""So many folders are entered at most for one pattern."""
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
            below = os.path.expanduser(pattern)
            if "\0" in below:
                continue
            found = (
                _matching(self._root, below)
                if any(sign in pattern for sign in _MAGIC)
                else _listed(os.path.join(self._root, below))
            )
            yield from self._inside(found) if pattern is STANDARD else found

    def _inside(self, names: Iterable[str]) -> Iterator[str]:
        """Leave out what links lead to outside of the project."""
        root = os.path.join(os.path.realpath(self._root), "")
        folders: dict[str, str] = {}
        for name in names:
            folder, _, last = name.rpartition(os.sep)
            if folder not in folders:
                folders[folder] = os.path.realpath(folder)
            real = os.path.join(folders[folder], last)
            if os.path.islink(real):
                real = os.path.realpath(real)
            if real.startswith(root):
                yield name


def _matching(root: str, pattern: str) -> Iterator[str]:
    """The files that fit a glob, relative to ``root`` or absolute."""
    names = pattern.replace(os.sep, "/").split("/")
    plain = next(at for at, name in enumerate(names) if any(sign in name for sign in _MAGIC))
    start = os.path.join(root, os.sep.join([*names[:plain], ""]) if plain else "")
    glob = PathGlob(os.path.normcase("/".join(names[plain:])).replace(os.sep, "/"), hidden=False)
    entered: set[tuple[int, int, frozenset[int]]] = set()
    waiting = [(start, glob.start())]
    while waiting and len(entered) < MAX_FOLDERS:
        folder, states = waiting.pop()
        try:
            own = os.stat(folder)
            key = (own.st_dev, own.st_ino, states)
            if key in entered:
                continue
            entered.add(key)
            with os.scandir(folder) as scan:
                for entry in scan:
                    link = entry.is_symlink()
                    further = glob.advance(states, os.path.normcase(entry.name), link)
                    if glob.accepts(further):
                        yield entry.path
                    if further and entry.is_dir():
                        waiting.append((entry.path, further))
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
