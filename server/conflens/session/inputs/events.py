"""Which events on disk can change what a session says.

Editors are asked to tell of every change below a folder, and a build writes thousands of files.  Most cannot matter, and
are ignored because of their path alone.  When a folder is deleted, moved or renamed, an editor may report a single event for it.

Invariant: what is passed over changes nothing that a walk would find, nor any file that configures the session.
Absent: what a change leads to (``session``), which files count (``policy``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from conflens.base.system import System
from conflens.documents.configfiles.policy import may_be_config_of_tests
from conflens.session.inputs.configuration import Configuration
from conflens.session.inputs.ignores import Ignores
from conflens.session.inputs.inputs import WORKSPACE_FILE
from conflens.session.inputs.policy import (
    EXCLUDES,
    is_other_source,
    is_paper,
    is_passed_over,
    tells_of_folder,
)

_FEW = 100
"""Patterns of a user that an event is compared with: with more of them every event leads to a walk, beside the requests."""


@attrs.frozen
class Events:
    """Judges events by ``settled`` and by what the last walk came upon: the folders it ``entered``, the ``links`` out of the root
    that it followed."""

    system: System
    settled: Configuration
    entered: frozenset[str] = frozenset()
    links: frozenset[str] = frozenset()
    _documents: Ignores = attrs.field(init=False, repr=False)
    _configuring: frozenset[str] = attrs.field(init=False, repr=False)
    _named: frozenset[str] = attrs.field(init=False, repr=False)

    @_documents.default
    def _of_documents(self) -> Ignores:
        return Ignores(self.settled.rules.documents)

    @_configuring.default
    def _files(self) -> frozenset[str]:
        named = filter(None, (self.settled.watched, self.settled.baseline))
        return _ways(self.system, (WORKSPACE_FILE, *named))

    @_named.default
    def _read_by_name(self) -> frozenset[str]:
        return _ways(self.system, (EXCLUDES, *self.settled.named.exact, *self.links))

    def configures(self, path: str) -> bool:
        """Tell whether a path is one by which a file that configures the session is read, or of a folder around one."""
        return path in self._configuring

    def may_bring(self, path: str) -> bool:
        """Tell whether a file that counts may be read by a path although it counts under another one: through a link."""
        return path in self._named

    def may_count(self, path: str) -> bool:
        """Tell whether a path that is not known may be one of a file that counts, or of a folder with such."""
        if path in self.entered or path in self._named:
            return True
        if path.endswith(".class"):  # thousands of them when a compiler has run
            return tells_of_folder(path) or self._is_new_folder(path)
        rules = self.settled.rules
        if len(rules.configuration) + len(rules.documents) > _FEW:
            return True
        if self.settled.judged(path) or self._documents.verdict(path) or self._is_opened(path):
            return True
        if self._is_passed_over(path):
            return False
        name = path.rpartition("/")[2]
        if path.endswith(".java") or "." not in name or is_other_source(path):
            return True
        if name in rules.side_files or name == ".gitignore" or is_paper(path):
            return True
        if may_be_config_of_tests(path):
            return True
        return self._is_new_folder(path)

    def _is_passed_over(self, path: str) -> bool:
        return path.rpartition("/")[0] not in self.entered and is_passed_over(path)

    def _is_new_folder(self, path: str) -> bool:
        """Whether a walk would enter what stands at a path now; whatever it is called."""
        name = path.rpartition("/")[2]
        return (
            not name.startswith(".")
            and not self._is_passed_over(path)
            and self.system.is_folder(path)
        )

    def _is_opened(self, path: str) -> bool:
        """Whether a user's pattern may lead into what would be a folder with this path."""
        return any(
            _holds(path, pattern.strip().lstrip("!/"))
            for pattern in (*self.settled.rules.configuration, *self.settled.rules.documents)
        )


def _ways(system: System, files: Iterable[str]) -> frozenset[str]:
    """The paths by which files are read, and those of all folders around them: an event for one of these is enough."""
    return frozenset(above for file in files for way in system.ways(file) for above in _up(way))


def _up(path: str) -> Iterator[str]:
    while path:
        yield path
        path = path.rpartition("/")[0]


def _holds(folder: str, path: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")
