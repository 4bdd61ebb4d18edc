"""What the editor and the disk have told a session and the next rebuild has yet to look at.

Every method is quick and may be called from any thread; a rebuild takes all that is pending at
once, and gives it back if it is cancelled.  Looking twice at the same input is harmless, missing
one is not: whatever is unclear stays pending.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping

import attrs

WORKSPACE_FILE = ".conflens.toml"
WHOLE_PROJECT = ""
"""The path of the project's own folder, as of a file in it."""


@attrs.frozen(eq=False)
class OpenDocument:
    """A text in the editor; compared by identity."""

    text: bytes = attrs.field(repr=False)
    version: int


@attrs.frozen
class Taken:
    """All inputs at one moment."""

    open: Mapping[str, OpenDocument]
    paths: frozenset[str]
    sweep: bool
    configured: bool


class Inputs:
    """The pending inputs.  A new session has everything pending."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: dict[str, OpenDocument] = {}
        self._paths: set[str] = set()
        self._sweep = True
        self._configured = True
        self._edited = False

    @property
    def pending(self) -> bool:
        """Whether a rebuild has anything to look at."""
        with self._lock:
            return bool(self._paths or self._sweep or self._configured or self._edited)

    def put(self, path: str, text: str, version: int) -> None:
        """Open a document or replace its text."""
        document = OpenDocument(text.encode("utf-8", "replace"), version)
        with self._lock:
            self._open[path] = document
            self._edited = True

    def close(self, path: str) -> None:
        """Go back to the disk's text."""
        with self._lock:
            self._open.pop(path, None)
            self._paths.add(path)
            self._edited = True

    def touch(self, paths: Iterable[str]) -> None:
        """Note that files or folders were created, changed or deleted on disk."""
        with self._lock:
            for path in paths:
                name = path.rpartition("/")[2]
                if path == WHOLE_PROJECT:
                    self._sweep = self._configured = True
                elif path == WORKSPACE_FILE:
                    self._configured = True
                elif name == ".gitignore":
                    self._sweep = True
                else:
                    self._paths.add(path)

    def sweep(self, configured: bool = False) -> None:
        """Ask for a walk over the project, with ``configured`` for all settings anew."""
        with self._lock:
            self._sweep = True
            self._configured = self._configured or configured

    def opened(self) -> Mapping[str, OpenDocument]:
        """Return the open documents now."""
        with self._lock:
            return dict(self._open)

    def take(self) -> Taken:
        """Return what is pending, which from now on it is no longer."""
        with self._lock:
            taken = Taken(dict(self._open), frozenset(self._paths), self._sweep, self._configured)
            self._paths = set()
            self._sweep = self._configured = self._edited = False
            return taken

    def give_back(self, taken: Taken) -> None:
        """Make pending again what a rebuild did not finish."""
        with self._lock:
            self._paths |= taken.paths
            self._sweep = self._sweep or taken.sweep
            self._configured = self._configured or taken.configured
            self._edited = True
