"""The one interface to files and clock, with its in-memory twin for tests.

Paths are strings with ``/``, relative to the project's root.  Every method reports failure by
``OSError`` naming the path.  Absent: writing into the project; ConfLens never does that.
"""

from __future__ import annotations

import errno
import posixpath
from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

import attrs
from typing_extensions import override


@attrs.frozen
class FileStat:
    """What a cheap look at a file tells: size in bytes, modification time in nanoseconds."""

    size: int
    modified: int


def follow_none(path: str) -> bool:
    """Follow no link out of the root."""
    return False


class System(Protocol):
    """A project's files and a clock."""

    def read(self, path: str) -> bytes:
        """Return the content of the file at ``path``."""

    def stat(self, path: str) -> FileStat:
        """Return size and modification time of the file at ``path``."""

    def is_folder(self, path: str) -> bool:
        """Tell whether there is a folder at ``path``."""

    def linked(self, path: str) -> bool:
        """Tell whether a link stands at ``path`` or above it, so that only a walk can say whether the file counts."""

    def leaves(self, path: str) -> bool:
        """Tell whether a link at ``path`` or above it leads out of the root, or nowhere."""

    def made_up(self, path: str) -> bool:
        """Tell whether a link at ``path`` leads to what the operating system makes up as it is read: processes, devices."""

    def ways(self, path: str) -> frozenset[str]:
        """Return the paths below the root that are passed on the way to the file at ``path``: its own, those of links and of
        what each leads to, and its real one; of a file that is not there as many as there are."""

    def walk(
        self, follow: Callable[[str], bool] = follow_none
    ) -> Iterator[tuple[str, list[str], list[str]]]:
        """Yield (folder, folder names, file names) top down; removing a folder's name prunes it.

        The root's own name is ``""``.  Each folder is visited once, whatever links lead to it.  A link out of the root is
        followed only if ``follow`` accepts its path, which ends in a slash for a folder.
        """

    def now(self) -> float:
        """Return seconds on a monotonic clock."""


class MemorySystem(System):
    """Files in a dictionary; the clock advances by hand."""

    def __init__(self, files: Mapping[str, str | bytes]) -> None:
        """Hold ``files``: path to text (stored as UTF-8) or bytes."""
        self.files: dict[str, bytes] = {}
        self.revisions: dict[str, int] = {}
        self.clock = 0.0
        for path, content in files.items():
            self.write(path, content)

    def write(self, path: str, content: str | bytes) -> None:
        """Create or replace a file."""
        self.files[path] = content.encode() if isinstance(content, str) else content
        self.revisions[path] = self.revisions.get(path, 0) + 1

    def remove(self, path: str) -> None:
        """Delete a file."""
        del self.files[path]

    @override
    def read(self, path: str) -> bytes:
        if path not in self.files:
            raise FileNotFoundError(2, "No such file", path)
        return self.files[path]

    @override
    def stat(self, path: str) -> FileStat:
        return FileStat(len(self.read(path)), self.revisions[path])

    @override
    def is_folder(self, path: str) -> bool:
        return any(file.startswith(f"{path}/") for file in self.files)

    @override
    def linked(self, path: str) -> bool:
        return False

    @override
    def leaves(self, path: str) -> bool:
        return False

    @override
    def made_up(self, path: str) -> bool:
        return False

    @override
    def ways(self, path: str) -> frozenset[str]:
        return frozenset((posixpath.normpath(path),))

    @override
    def walk(
        self, follow: Callable[[str], bool] = follow_none
    ) -> Iterator[tuple[str, list[str], list[str]]]:
        def visit(folder: str) -> Iterator[tuple[str, list[str], list[str]]]:
            prefix = f"{folder}/" if folder else ""
            rest = [path[len(prefix) :] for path in self.files if path.startswith(prefix)]
            folders = sorted({item.split("/", 1)[0] for item in rest if "/" in item})
            names = sorted(item for item in rest if "/" not in item)
            yield folder, folders, names
            for name in folders:
                yield from visit(prefix + name)

        yield from visit("")

    @override
    def now(self) -> float:
        return self.clock


def check_own(system: System, path: str) -> None:
    """Raise ``OSError`` for a file that the project itself names and that is a link out of it.

    Nothing of what such a link leads to is read: a message about it would show a part.
    """
    if system.leaves(path):
        reason = "it is a link out of the project, which is not followed"
        raise OSError(errno.ELOOP, reason, path)


class Texts(Protocol):
    """Where the text of a file comes from: the editor's if open there, else the disk's."""

    def text(self, path: str) -> bytes | None:
        """Return the content of ``path`` as last analysed or read; ``None`` when it is gone."""
