"""A place in a project: a path and a half-open range of byte offsets.

Paths are relative to the project's root and use ``/``.  Offsets count UTF-8 bytes from the start of
the file; lines and columns are made from them only where something is shown (``text.LineIndex``).
"""

from __future__ import annotations

import attrs


@attrs.frozen(order=True)
class Place:
    """``path[start:end]``."""

    path: str
    start: int
    end: int

    def holds(self, offset: int) -> bool:
        """Tell whether a cursor at ``offset`` touches this place; its end counts."""
        return self.start <= offset <= self.end
