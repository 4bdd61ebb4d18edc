"""What all files of beans give members of classes: what ``options.learned`` makes rows of.

Files of tests do not count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from conflens.base.paths import is_test_path
from conflens.checking.placeholder_wires import entering
from conflens.documents.configfiles.model import ConfigFile
from conflens.documents.configfiles.wiring import WIRING
from conflens.models.schema import DomainRow
from conflens.options.learned.wires import Entering


class Wires:
    """Gathers, and keeps what each file gives until it is another."""

    def __init__(self) -> None:
        """Nothing is looked at yet."""
        self._kept: dict[str, tuple[ConfigFile, tuple[Entering, ...]]] = {}
        self._last: tuple[Mapping[str, ConfigFile], Sequence[DomainRow]] | None = None
        self._all: tuple[Entering, ...] = ()

    def of(
        self, files: Mapping[str, ConfigFile], rows: Sequence[DomainRow]
    ) -> tuple[Entering, ...]:
        """Return what all files give; the same object while it is the same."""
        if self._last is not None and self._last[0] is files and self._last[1] is rows:
            return self._all
        if self._last is not None and self._last[1] is not rows:
            self._kept.clear()
        kept: dict[str, tuple[ConfigFile, tuple[Entering, ...]]] = {}
        for path in sorted(files):
            file = files[path]
            if file.format in WIRING and not is_test_path(path):
                known = self._kept.get(path)
                if known is None or known[0] is not file:
                    known = file, tuple(dict.fromkeys(entering(file, rows)))
                kept[path] = known
        self._kept = kept
        found = tuple(one for _, given in kept.values() for one in given)
        if found != self._all:
            self._all = found
        self._last = files, rows
        return self._all
