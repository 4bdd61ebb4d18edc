"""Where the keys and values of a TOML text stand, as lines and columns.

The parser of TOML gives values without places, but a problem needs a line.  Whoever reads a workspace file says how places are
found (``documents.configfiles.toml.places``); without that everything stands in line 1.

Terms
    path    how to reach a value: keys, and after an array of tables the table's index, as in ``("read", 0, "name")``; of a text
            in an array its index, as in ``("exclude", "paths", 1)``.

Invariant: lines and columns count from 1, columns in characters.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence

import attrs

Path = tuple[str | int, ...]


@attrs.frozen
class Places:
    """The offsets of one text's keys (and headers) and of their values; ``starts`` are those of its lines."""

    keys: Mapping[Path, int] = attrs.field(factory=dict)
    values: Mapping[Path, int] = attrs.field(factory=dict)
    starts: Sequence[int] = (0,)

    def key(self, path: Path) -> tuple[int, int]:
        """Line and column of a key or header, or of the nearest one around it."""
        return self._place(self.keys, path)

    def value(self, path: Path) -> tuple[int, int]:
        """Line and column of a key's value, or of the nearest key around it."""
        if path in self.values:
            return self._place(self.values, path)
        return self._place(self.keys, path)

    def _place(self, offsets: Mapping[Path, int], path: Path) -> tuple[int, int]:
        while path and path not in offsets:
            path = path[:-1]
        offset = offsets.get(path, 0)
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1


FindPlaces = Callable[[str], Places]


def no_places(_text: str) -> Places:
    """Find nothing."""
    return Places()
