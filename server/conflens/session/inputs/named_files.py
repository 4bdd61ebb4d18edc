"""The config files that a user names (``conflens.configFiles.paths``, ``[configuration] paths``): which they are.

A file that is named is a config file: whatever its suffix, its keys, a ``.gitignore`` and the folder it lies in.  Patterns are those
of ``.gitignore``; ``!`` says that a file is none, and a pattern that names a folder names all below it.

Terms
    exact    the path of a pattern without wildcards, ``conf/broker.conf``.
    root     the folder that a pattern spells out, ``target/conf/`` of ``target/conf/*.conf``.  It is entered although the walk would
             pass it or a folder around it over (``opened``).  A wildcard opens no folder, or ``*.properties`` would bring the copies
             in build output.

Absent: the walk (``policy``), reading a file (``config_files``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate

from conflens.base.system import System
from conflens.documents.configfiles.model import ConfigFile
from conflens.models.workspace import MAX_PARTS, MAX_PATTERN
from conflens.session.analysis import LeftOut, Problem
from conflens.session.inputs.ignores import Ignores

CODE = "config-file"
"""The code of problems with files that the user names."""

_WILD = frozenset("*?[\\")


class NamedFiles:
    """The patterns of one configuration."""

    def __init__(self, patterns: Iterable[str]) -> None:
        given = tuple(pattern for pattern in patterns if not _is_endless(pattern))
        self._ignores = Ignores(given)
        self._files = Ignores(pattern for pattern in given if _names_files(pattern.strip()))
        self.roots: set[str] = set()
        self.opened: set[str] = set()
        self.exact: set[str] = set()
        for pattern in given:
            self._note(pattern.strip())

    def __bool__(self) -> bool:
        return bool(self._ignores)

    def verdict(self, path: str) -> bool | None:
        """Return whether a file or folder (with its slash) is named, ``None`` when no pattern is about it."""
        if not self._ignores:
            return None
        return verdict_above(self._ignores, path)

    def expects(self, path: str) -> bool:
        """Whether a pattern that says how the file is called names it, and not only the folder that it lies in."""
        return self._files.verdict(path) is True and self.verdict(path) is True

    def reaches(self, folder: str, path: str) -> bool:
        """Whether a pattern leads through ``folder`` to the path of a file below."""
        return any(root.startswith(folder) and path.startswith(root) for root in self.roots)

    def _note(self, pattern: str) -> None:
        if not pattern or pattern[0] in "!#":
            return
        parts = pattern.strip("/").split("/")
        if not all(parts) or not {".", ".."}.isdisjoint(parts):
            return
        if "/" not in pattern.rstrip("/"):
            return
        wild = [index for index, part in enumerate(parts) if not _WILD.isdisjoint(part)]
        literal = parts[: wild[0]] if wild else parts
        folders = literal if wild or pattern.endswith("/") else literal[:-1]
        opened = [f"{path}/" for path in accumulate(folders, "{}/{}".format)]
        self.opened.update(opened)
        self.roots.update(opened[-1:])
        if not wild and not pattern.endswith("/"):
            self.exact.add("/".join(parts))


def _is_endless(pattern: str) -> bool:
    """Whether a pattern is longer than any path; one of the workspace file has a problem told there."""
    return len(pattern) > MAX_PATTERN or pattern.count("/") >= MAX_PARTS


def verdict_above(ignores: Ignores, path: str) -> bool | None:
    """Return what patterns say of a path, else of the nearest folder around it."""
    verdict = ignores.verdict(path)
    while verdict is None and path:
        above = path.rstrip("/").rpartition("/")[0]
        path = f"{above}/" if above else ""
        verdict = ignores.verdict(path) if path else None
    return verdict


def _names_files(pattern: str) -> bool:
    """Whether a pattern says how files are called; one that takes back (``!``) is kept with these."""
    if pattern.startswith("!"):
        return True
    return not pattern.endswith("/") and bool(pattern.rpartition("/")[2].strip("*?"))


def unread_files(
    system: System,
    files: Mapping[str, ConfigFile],
    named: NamedFiles,
    left_out: Iterable[LeftOut],
) -> tuple[Problem, ...]:
    """Return a problem for each named file of which nothing is read, sorted by path."""
    reasons = dict(_reasons(system, files, named, left_out))
    return tuple(
        Problem(path, 1, 1, CODE, f"This file is listed as a config file, but {reason}.")
        for path, reason in sorted(reasons.items())
    )


def _reasons(
    system: System,
    files: Mapping[str, ConfigFile],
    named: NamedFiles,
    left_out: Iterable[LeftOut],
) -> Iterator[tuple[str, str]]:
    """The paths with why nothing is read from each, completing "this file …, but"."""
    for path in files:
        if named.expects(path) and (reason := files[path].unread):
            yield path, reason
    reasons = {item.path: item.reason for item in left_out}
    for path, reason in reasons.items():
        if not path.endswith((".java", "/")) and path not in files and named.expects(path):
            yield path, _failure(system, path) or f"it is {reason}"
    holding = {folder for file in files for folder in _around(file)} if named.exact else set()
    for path in named.exact:
        if path in files or path in reasons or not named.expects(path):
            continue
        if f"{path}/" in holding:
            continue
        above = (reasons[folder] for folder in _around(path) if folder in reasons)
        if failure := _failure(system, path) or next((f"it is {why}" for why in above), ""):
            yield path, failure


def _around(path: str) -> list[str]:
    """Return the folders around a path, each with its slash, the outermost first."""
    return [f"{folder}/" for folder in accumulate(path.split("/")[:-1], "{}/{}".format)]


def _failure(system: System, path: str) -> str:
    """Why a file cannot be read; empty for one that can."""
    try:
        system.read(path)
    except FileNotFoundError:
        return "it does not exist"
    except (OSError, ValueError) as error:
        return f"it cannot be read: {getattr(error, 'strerror', None) or error}"
    return ""
