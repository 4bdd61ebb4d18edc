"""The real file system behind the ``System`` interface.

A folder is visited once, and so is a linked file, by its identity (device and number).  A link to a place inside
the root is not followed (the files there are met at their own place), and one out of the root only if the caller
accepts it.  A folder that cannot be read is passed over, and so are pipes, sockets and devices.  Names that are not
valid UTF-8 arrive with surrogate escapes and go back to the system unharmed.
Absent: which files count (``policy``), writing.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable, Iterator

from typing_extensions import override

from conflens.base.system import FileStat, System, follow_none

_MOST_LINKS = 40
"""Links that are followed on the way to one file, as many as Linux follows."""

_MADE_UP = ("/proc", "/sys", "/dev")
"""Folders without files of their own; of a process they hold the whole disk once more."""


class RealSystem(System):
    """The files below one folder."""

    def __init__(self, root: str) -> None:
        """Use the folder ``root``; it need not exist yet."""
        self.root = os.path.realpath(root)

    def absolute(self, path: str) -> str:
        """Return the name by which the operating system knows ``path``."""
        return os.path.join(self.root, *path.split("/")) if path else self.root

    @override
    def read(self, path: str) -> bytes:
        name = self.absolute(path)
        if not stat.S_ISREG(os.stat(name).st_mode):  # a pipe would never end, nor would a device
            raise OSError(errno.EINVAL, "is not a regular file")
        with open(name, "rb") as file:
            return file.read()

    @override
    def stat(self, path: str) -> FileStat:
        found = os.stat(self.absolute(path))
        return FileStat(found.st_size, found.st_mtime_ns)

    @override
    def is_folder(self, path: str) -> bool:
        return os.path.isdir(self.absolute(path))

    @override
    def linked(self, path: str) -> bool:
        name = self.absolute(path)
        return os.path.realpath(name) != name

    @override
    def leaves(self, path: str) -> bool:
        name = self.absolute(path)
        real = os.path.realpath(name)
        return real != name and not is_below(real, self.root)

    @override
    def made_up(self, path: str) -> bool:
        real = os.path.realpath(self.absolute(path))
        return any(is_below(real, folder) for folder in _MADE_UP)

    @override
    def ways(self, path: str) -> frozenset[str]:
        found: set[str] = set()
        self._pass(self.absolute(path), found)
        below = (os.path.relpath(name, self.root) for name in found if is_below(name, self.root))
        return frozenset(name.replace(os.sep, "/") for name in below if name != os.curdir)

    @override
    def walk(
        self, follow: Callable[[str], bool] = follow_none
    ) -> Iterator[tuple[str, list[str], list[str]]]:
        visited: set[object] = set()
        levels: list[tuple[str, str, Iterator[str]]] = [("", self.root, iter(("",)))]
        while levels:
            above, absolute, names = levels[-1]
            name = next(names, None)
            if name is None:
                levels.pop()
                continue
            folder = f"{above}/{name}" if above else name
            absolute = os.path.join(absolute, name) if name else absolute
            listed = self._listed(folder, absolute, visited, follow)
            if listed is not None:
                yield folder, *listed
                levels.append((folder, absolute, iter(listed[0])))

    @override
    def now(self) -> float:
        return time.monotonic()

    def _listed(
        self, folder: str, absolute: str, visited: set[object], follow: Callable[[str], bool]
    ) -> tuple[list[str], list[str]] | None:
        """The names of folders and of files in a folder; ``None`` if it was visited before or cannot be read."""
        try:
            own = _identity(absolute)
            if own in visited:
                return None
            visited.add(own)
            with os.scandir(absolute) as scan:
                entries = sorted(scan, key=lambda entry: entry.name)
        except OSError:
            return None
        folders: list[str] = []
        names: list[str] = []
        for entry in entries:
            try:
                is_folder = entry.is_dir()
                if _is_link(entry):
                    path = f"{folder}/{entry.name}" if folder else entry.name
                    if self._inside(entry.path) or not follow(f"{path}/" if is_folder else path):
                        continue
                    if not is_folder:
                        own = _identity(entry.path)
                        if own in visited:
                            continue
                        visited.add(own)
                if is_folder:
                    folders.append(entry.name)
                elif entry.is_file():
                    names.append(entry.name)
            except OSError:
                continue
        return folders, names

    def _pass(self, name: str, found: set[str]) -> None:
        """Add what is passed on the way to a file, link by link and as the system resolves it."""
        left = _MOST_LINKS
        here, parts = self.root, _parts(name[len(self.root) :])
        try:
            found.add(os.path.realpath(name))
            while parts:
                part = parts.pop()
                if part == os.pardir:
                    found.add(here)
                    here = os.path.dirname(here)
                    continue
                step = os.path.join(here, part)
                target = _target(step)
                if target is None or left <= 0:
                    here = step
                    continue
                left -= 1
                found.add(step)
                if os.path.isabs(target):
                    here = os.path.abspath(os.sep)
                parts += _parts(target)
            found.add(here)
        except (OSError, ValueError):  # a name with NUL
            return

    def _inside(self, link: str) -> bool:
        """Tell whether a link leads to a place below the root, or nowhere."""
        target = os.path.realpath(link)
        return is_below(target, self.root) or not os.path.exists(target)


def is_below(path: str, root: str) -> bool:
    """Tell whether a real path is ``root`` or lies below it."""
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)


def _parts(name: str) -> list[str]:
    """The parts of a name, the last one first."""
    parts = os.path.splitdrive(name)[1].replace(os.sep, "/").split("/")
    return [part for part in reversed(parts) if part not in ("", os.curdir)]


def _target(name: str) -> str | None:
    """Where a link leads, ``None`` for anything else."""
    try:
        return os.readlink(name)
    except OSError:
        return None


def _is_link(entry: os.DirEntry[str]) -> bool:
    """Whether an entry leads elsewhere; a junction of Windows does, which is not called a link there."""
    is_junction: Callable[[], bool] | None = getattr(entry, "is_junction", None)
    return entry.is_symlink() or (is_junction is not None and is_junction())


def _identity(path: str) -> object:
    """What is equal for two names of one file; its real path where the file system numbers no files."""
    found = os.stat(path)
    return (found.st_dev, found.st_ino) if found.st_ino else os.path.realpath(path)
