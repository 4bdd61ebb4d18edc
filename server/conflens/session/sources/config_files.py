"""The files of a project that may be config files: each is read and parsed when somebody looks at it, once.

A mapping from paths to parsed files that is handed out with every analysis and never changes.  What did not change from one
analysis to the next is the same object, so that whatever was found out about it can be kept.
Invariants: safe for several threads (two that look at one file at the same time may both parse it, with equal results); a
file that can no longer be read has no assignments.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping

import attrs
from typing_extensions import override

from conflens.base.system import System
from conflens.documents.configfiles.model import ConfigFile, Format
from conflens.documents.configfiles.parsing import read

_log = logging.getLogger("conflens.session.documents")


@attrs.define(eq=False)
class Unparsed:
    """A file to parse at first use; ``text`` is the editor's, ``None`` for the disk's."""

    path: str
    text: bytes | None = attrs.field(repr=False)
    _file: ConfigFile | None = attrs.field(default=None, init=False, repr=False)

    def file(self, system: System) -> ConfigFile:
        """Return the parsed file."""
        found = self._file
        if found is None:
            found = self._file = self._parsed(system)
            self.text = None
        return found

    def _parsed(self, system: System) -> ConfigFile:
        text = self.text
        try:
            if text is None:
                text = system.read(self.path)
            return read(self.path, text)
        except OSError as error:
            reason = f"it cannot be read: {error.strerror or error}"
        except Exception as error:  # a fault of ours in one file must not cost all
            _log.exception("parsing %s failed", self.path)
            reason = f"parsing it failed: {type(error).__name__}"
        kept = (text or b"").decode("utf-8", "replace").encode()
        return ConfigFile(self.path, Format.PROPERTIES, kept, (), unread=reason)


class ConfigFiles(Mapping[str, ConfigFile]):
    """See the module text."""

    def __init__(self, system: System, files: Mapping[str, Unparsed]) -> None:
        self._system = system
        self.files = files

    @override
    def __getitem__(self, path: str) -> ConfigFile:
        return self.files[path].file(self._system)

    @override
    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    @override
    def __len__(self) -> int:
        return len(self.files)

    @override
    def __contains__(self, path: object) -> bool:
        return path in self.files
