"""Which events on disk can change what a session says.

Editors are asked to tell of every change below a folder, and a build writes thousands of files.  Most cannot matter, and
are ignored because of their path alone.  When a folder is deleted, moved or renamed, an editor may report a single event for it.

Invariant: what is passed over changes nothing that a walk would find, nor any file that configures the session.
Absent: what a change leads to (``session``), which files count (``policy``).
"""

from __future__ import annotations

import posixpath

import attrs

from conflens.base.system import System
from conflens.session.inputs.configuration import Configuration
from conflens.session.inputs.ignores import Ignores
from conflens.session.inputs.inputs import WORKSPACE_FILE
from conflens.session.inputs.policy import (
    EXCLUDES,
    is_paper,
    is_passed_over,
    tells_of_folder,
)

_FEW = 100
"""Patterns of a user that an event is compared with: with more of them every event leads to a walk, beside the requests."""


@attrs.frozen
class Events:
    """Judges events by ``settled`` and by the folders that the last walk ``entered``."""

    system: System
    settled: Configuration
    entered: frozenset[str] = frozenset()
    _documents: Ignores = attrs.field(init=False, repr=False)
    _configuring: tuple[str, ...] = attrs.field(init=False, repr=False)

    @_documents.default
    def _of_documents(self) -> Ignores:
        return Ignores(self.settled.rules.documents)

    @_configuring.default
    def _files(self) -> tuple[str, ...]:
        named = filter(None, (self.settled.watched, self.settled.baseline))
        return (WORKSPACE_FILE, *(posixpath.normpath(path) for path in named))

    def configures(self, path: str) -> bool:
        """Tell whether a path is that of a file that configures the session, or of a folder around one."""
        return any(_holds(path, file) for file in self._configuring)

    def may_count(self, path: str) -> bool:
        """Tell whether a path that is not known may be one of a file that counts, or of a folder with such."""
        if path.endswith(".class"):  # thousands of them when a compiler has run
            return tells_of_folder(path)
        if path in self.entered or _holds(path, EXCLUDES):
            return True
        rules = self.settled.rules
        if len(rules.configuration) + len(rules.documents) > _FEW:
            return True
        if self.settled.judged(path) or self._documents.verdict(path) or self._is_opened(path):
            return True
        folder, _, name = path.rpartition("/")
        if folder not in self.entered and is_passed_over(path):
            return False
        if path.endswith(".java") or "." not in name:
            return True
        if name in rules.side_files or name == ".gitignore" or is_paper(path):
            return True
        return not name.startswith(".") and self.system.is_folder(path)

    def _is_opened(self, path: str) -> bool:
        """Whether a user's pattern may lead into what would be a folder with this path."""
        return any(
            _holds(path, pattern.strip().lstrip("!/"))
            for pattern in (*self.settled.rules.configuration, *self.settled.rules.documents)
        )


def _holds(folder: str, path: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")
