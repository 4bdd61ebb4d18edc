"""What a request on a file is answered from, and positions in it.

The analysis may be of an older text than the one the client sees.  A *shift* then carries offsets
across: both texts agree up to ``start`` and from ``old_end`` or ``new_end`` on, so that everything
outside of the stretch that is being edited keeps its exact place, and requests there need not wait
for a rebuild.
"""

from __future__ import annotations

import attrs
from lsprotocol import types

from conflens.base.span import Place
from conflens.base.text import Encoding, LineIndex
from conflens.lsp.wire.convert import location_of, offset_of, range_of
from conflens.lsp.workspace.folder import Folder
from conflens.session.analysis import Analysis


@attrs.frozen
class Shift:
    """From an analysed text to the present one; offsets in bytes."""

    start: int
    old_end: int
    new_end: int
    present: LineIndex = attrs.field(repr=False)

    @staticmethod
    def of(old: bytes, new: bytes) -> Shift:
        """Compare two texts."""
        start = _common(old, new, min(len(old), len(new)))
        tail = _common(old[start:][::-1], new[start:][::-1], min(len(old), len(new)) - start)
        return Shift(start, len(old) - tail, len(new) - tail, LineIndex.of(new))

    def to_old(self, offset: int) -> int | None:
        """Return where a present offset was; ``None`` in the edited stretch."""
        if offset < self.start:
            return offset
        return offset - self.new_end + self.old_end if offset > self.new_end else None

    def to_new(self, offset: int) -> int:
        """Return where an analysed offset is now; what was edited away is at its end."""
        if offset <= self.start:
            return offset
        return max(offset, self.old_end) - self.old_end + self.new_end

    def carried(self, start: int, end: int) -> tuple[int, int]:
        """Return where an analysed stretch is now; what was put right before it does not belong to it."""
        if start < end and start == self.start == self.old_end:
            return self.new_end, self.to_new(end)
        return self.to_new(start), self.to_new(end)


@attrs.frozen
class View:
    """A folder's analysis, a file in it, and the ``shift`` if its text is newer than the analysis."""

    folder: Folder
    path: str
    analysis: Analysis
    encoding: Encoding
    shift: Shift | None

    def known(self, position: types.Position) -> bool:
        """Tell whether the analysis knows the text at a position."""
        return self.shift is None or self.shift.to_old(self._present(position)) is not None

    def offset(self, position: types.Position) -> int:
        """Return the analysed byte offset of a client's position."""
        if self.shift is None:
            return offset_of(self.analysis, self.path, position, self.encoding)
        old = self.shift.to_old(self._present(position))
        return self.shift.start if old is None else old

    def kept(self, offset: int) -> bool:
        """Tell whether the text around an analysed offset is still there."""
        shift = self.shift
        return shift is None or not shift.start < offset < shift.old_end

    def range(self, place: Place) -> types.Range:
        """Return a place as the range where the client sees it."""
        if self.shift is None or place.path != self.path:
            return range_of(self.analysis, place, self.encoding)
        present = self.shift.present
        begin, stop = self.shift.carried(place.start, place.end)
        start = present.position(begin, self.encoding)
        end = present.position(stop, self.encoding)
        return types.Range(
            start=types.Position(line=start[0], character=start[1]),
            end=types.Position(line=end[0], character=end[1]),
        )

    def location(self, place: Place) -> types.Location:
        """Return a place as a location."""
        if place.path != self.path:
            return location_of(self.folder.root, self.analysis, place, self.encoding)
        return types.Location(uri=self.folder.root.uri_of(place.path), range=self.range(place))

    def _present(self, position: types.Position) -> int:
        assert self.shift is not None
        line, column = max(0, position.line), max(0, position.character)
        return self.shift.present.offset(line, column, self.encoding)


def _common(one: bytes, two: bytes, limit: int) -> int:
    """The length of the common start, by halving: comparing slices is far quicker than bytes one
    by one."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == two[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
