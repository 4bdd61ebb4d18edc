"""The texts an analysis was made from: the editor's where open, else the disk's.

Who asks for the places of a file asks for its text again and again; the texts of the last files are kept as long as their size
and time on disk stay.  A link out of the project has no text unless the user names it, whoever asks.  Absent: whether a text on disk is still the one that was analysed (``session.analysis``).
"""

from __future__ import annotations

from collections.abc import Mapping, Set

import attrs

from conflens.base.system import FileStat, System

_KEPT = 4
"""Files whose texts are kept."""


@attrs.frozen
class SessionTexts:
    """See the module text."""

    system: System
    open: Mapping[str, bytes] = attrs.field(repr=False)
    followed: Set[str] = frozenset()
    """The links out of the project that are followed."""
    _last: dict[str, tuple[FileStat, bytes]] = attrs.field(
        init=False, factory=dict, repr=False, eq=False
    )

    def text(self, path: str) -> bytes | None:
        """See ``base.system.Texts``."""
        found = self.open.get(path)
        if found is not None:
            return found
        try:
            stat = self.system.stat(path)
            known = self._last.get(path)
            if known is not None and known[0] == stat:
                return known[1]
            if self.system.leaves(path) and not self._is_followed(path):
                return None
            text = self.system.read(path)
        except OSError:
            return None
        # Others ask meanwhile: the oldest goes, whoever takes it.
        for old in list(self._last)[: max(0, len(self._last) - _KEPT + 1)]:
            self._last.pop(old, None)
        self._last[path] = (stat, text)
        return text

    def _is_followed(self, path: str) -> bool:
        """Whether a path, or a folder above it, is a link that is followed."""
        above = path
        while above and above not in self.followed:
            above = above.rpartition("/")[0]
        return bool(above)
