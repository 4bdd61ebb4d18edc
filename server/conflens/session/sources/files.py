"""The real file system behind the ``System`` interface.

Folders are visited once: a link to a folder inside the root is not followed (its files are met at
their own place), a link to the outside is, unless it leads to an ancestor of itself.  A folder
that cannot be read is passed over, and so are pipes, sockets and devices.  Names that are not
valid UTF-8 arrive with surrogate escapes and go back to the system unharmed.
Absent: which files count (``policy``), writing.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterator

from typing_extensions import override

from conflens.base.system import FileStat, System


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
            raise OSError(errno.EINVAL, "is no regular file")
        with open(name, "rb") as file:
            return file.read()

    @override
    def stat(self, path: str) -> FileStat:
        found = os.stat(self.absolute(path))
        return FileStat(found.st_size, found.st_mtime_ns)

    @override
    def walk(self) -> Iterator[tuple[str, list[str], list[str]]]:
        return self._visit("", self.root, frozenset())

    @override
    def now(self) -> float:
        return time.monotonic()

    def _visit(
        self, folder: str, absolute: str, ancestry: frozenset[tuple[int, int]]
    ) -> Iterator[tuple[str, list[str], list[str]]]:
        try:
            own = os.stat(absolute)
            identity = (own.st_dev, own.st_ino)
            if identity in ancestry:
                return
            with os.scandir(absolute) as scan:
                entries = sorted(scan, key=lambda entry: entry.name)
        except OSError:
            return
        folders: list[str] = []
        names: list[str] = []
        for entry in entries:
            try:
                if entry.is_symlink() and self._inside(entry.path):
                    continue
                if entry.is_dir():
                    folders.append(entry.name)
                elif entry.is_file():
                    names.append(entry.name)
            except OSError:
                continue
        yield folder, folders, names
        below = ancestry | {identity}
        for name in folders:
            path = f"{folder}/{name}" if folder else name
            yield from self._visit(path, os.path.join(absolute, name), below)

    def _inside(self, link: str) -> bool:
        """Tell whether a link leads to a place below the root, or nowhere."""
        target = os.path.realpath(link)
        inside = target == self.root or target.startswith(self.root + os.sep)
        return inside or not os.path.exists(target)
