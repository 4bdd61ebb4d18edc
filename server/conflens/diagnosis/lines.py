"""Which lines of a profile can be believed, and where they are in the source of today.

Terms
    check     a frame with a line and the frame that it called: the source of today has that call on that line (it
              *fits*), elsewhere in the member (it *misses*), or nowhere, which says nothing.
    trusted   a file whose lines are taken as they are: nine of ten checks, and at least three, fit; or
              too few can be made, none misses, and the file is older than every snapshot.  One line outside of the
              member it is said of, and the file is not trusted, whatever its times say.
    shift     lines by which a member of another file has moved: the one number that makes all its checks, on two
              lines or more, fit.  Lines outside of those that were checked stay unknown.

Invariant: a line that is not known to be right is 0.  Absent: times of files and of snapshots (given).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from conflens.diagnosis.frames import FrameIndex
from conflens.diagnosis.results import Located
from conflens.diagnosis.sites import call_lines, calls_on, calls_to
from conflens.profiling.model import CallTree, Frame, Snapshot
from conflens.program.refs import MemberRef

_FIT = 0.9
"""The share of checks that must fit."""
_CHECKS = 3
_INITIAL = ("<init>", "<clinit>")
_NO_FRAME = 0xFFFFFFFF
_UNWRITTEN = frozenset(
    {
        *("iterator", "hasNext", "next", "close", "addSuppressed", "ordinal", "values"),
        *("append", "toString", "hashCode", "equals", "getClass", "requireNonNull", "valueOf"),
        *("booleanValue", "byteValue", "charValue", "shortValue", "intValue", "longValue"),
        *("floatValue", "doubleValue", "<init>", "<clinit>", "makeConcatWithConstants"),
    }
)
"""What the compiler calls where the source does not say so: a call of it on another line is no miss."""

Places = tuple[MemberRef, ...]


class Site(NamedTuple):
    """Instruction ``instr`` of ``ref``, which calls what the frame below runs."""

    ref: MemberRef
    instr: int


class _Shift(NamedTuple):
    """``lines``, and the first and last line of the snapshot that it was checked on."""

    lines: int
    first: int
    last: int


class LineBook:
    """The lines of the frames of some snapshots; remembers every answer."""

    def __init__(
        self,
        index: FrameIndex,
        snapshots: Iterable[Snapshot],
        modified: Mapping[str, float] | None = None,
    ) -> None:
        """``modified``: when each file was last changed, seconds since 1970, where known."""
        self.index = index
        self._program = index.program
        self._modified = modified or {}
        self._begun = float("inf")
        self._pairs: dict[str, set[tuple[Frame, Frame | None]]] = {}
        self._trusted: dict[str, bool] = {}
        self._shifts: dict[Places, _Shift | None] = {}
        self._of_places: dict[Places, list[tuple[Frame, Frame | None]]] = {}
        self._calls: dict[tuple[Places, str, str, str, str], frozenset[int]] = {}
        self._lines: dict[tuple[Frame, Frame | None], int] = {}
        self._sites: dict[tuple[Frame, ...], tuple[Site, ...]] = {}
        for snapshot in snapshots:
            seen: dict[int, tuple[Sequence[Frame], set[int]]] = {}
            """Pairs of the trees that share their frames."""
            begun = snapshot.taken - snapshot.seconds if snapshot.taken else 0.0
            self._begun = min(self._begun, begun)
            for series in (*snapshot.series, *snapshot.before):
                frames = series.tree.frames
                seen.setdefault(id(frames), (frames, set()))[1].update(_pairs(series.tree))
            for frames, pairs in seen.values():
                self._note(frames, pairs)

    def _note(self, frames: Sequence[Frame], pairs: Iterable[int]) -> None:
        """Note what frames of the project called, as far as it can be checked."""
        certain: dict[int, Places] = {}
        for pair in pairs:
            above, below = pair >> 32, pair & _NO_FRAME
            places = certain.get(above)
            if places is None:
                places = self.index.places(frames[above])
                places = places if places and _certain(frames[above], places) else ()
                certain[above] = places
            if places:
                called = frames[above], None if below == _NO_FRAME else frames[below]
                self._pairs.setdefault(places[0].path, set()).add(called)
                self._of_places.setdefault(places, []).append(called)

    # -- answers -------------------------------------------------------------------------------

    def line_of(self, frame: Frame, callee: Frame | None) -> int:
        """Return the 1-based line of a frame in the source of today, 0 if it is not known.

        ``callee`` is the frame that it called, ``None`` for the last one of a chain.
        """
        if frame.line <= 0:
            return 0
        found = self._lines.get((frame, callee))
        if found is None:
            found = self._lines[frame, callee] = self._line(frame, callee)
        return found

    def locate(self, frame: Frame, callee: Frame | None) -> Located:
        """Return what a frame is in the source of today.

        Beyond ``FrameIndex.locate`` its line, or the only call of the callee, tells overloads without
        descriptor, and the parts of an initialisation, apart.
        """
        places = self.index.places(frame)
        line = self.line_of(frame, callee)
        if len(places) > 1:
            here = [ref for ref in places if line and self.index.holds(ref, line)]
            if not line and callee is not None and frame.method in _INITIAL:
                here = [ref for ref in places if calls_to(self.index, ref, callee, 0, frame)]
            if len(here) == 1:
                return Located(frame, here[0], line)
        return Located(frame, self.index.locate(frame), line)

    def sites(self, frames: Sequence[Frame], position: int) -> tuple[Site, ...]:
        """Return the instructions through which ``frames[position]`` called what stands below it.

        Several if names, arguments and lines do not tell which; none if no call is written, or the
        frame is not the project's.  Glue below the frame is seen through.
        """
        if position + 1 >= len(frames):
            return ()
        caller, below = frames[position], frames[position + 1]
        under = frames[position + 2] if position + 2 < len(frames) else None
        key = (caller, below) if under is None else (caller, below, under)
        found = self._sites.get(key)
        if found is None:
            found = self._sites[key] = self._find(caller, below, under)
        return found

    def is_trusted(self, path: str) -> bool:
        """Tell whether the lines of a file are taken as they are."""
        found = self._trusted.get(path)
        if found is None:
            found = self._trusted[path] = self._judge(path)
        return found

    # -- sites ---------------------------------------------------------------------------------

    def _find(self, caller: Frame, below: Frame, under: Frame | None) -> tuple[Site, ...]:
        index = self.index
        places = index.places(caller)
        if not places or (len(places) > 1 and caller.method not in _INITIAL):
            ref = self.locate(caller, below).ref
            places = (ref,) if ref is not None else ()
        callee = below
        if below.method.startswith("access$") and under is not None:
            callee = under
        line = self.line_of(caller, below)
        found = [
            Site(ref, at) for ref in places for at in calls_to(index, ref, callee, line, caller)
        ]
        if line and len(places) > 1:
            here = [site for site in found if line in call_lines(self.index, *site)]
            found = here or found
        if not found and line and callee.method.startswith("lambda$"):
            found = [Site(ref, at) for ref in places for at in calls_on(index, ref, line, caller)]
        return tuple(found)

    # -- lines ---------------------------------------------------------------------------------

    def _line(self, frame: Frame, callee: Frame | None) -> int:
        places = self.index.places(frame)
        if not places or self.index.is_glue(frame, callee) or self._is_other(frame, places):
            return 0
        if self.is_trusted(places[0].path):
            fits = self._within(frame, places) and self._check(frame, callee, places) is not False
            return frame.line if fits else 0
        shift = self._shift(places)
        if shift is None:
            return 0
        moved = frame.line + shift.lines
        if self._lines_of_call(frame, callee, places):
            return moved if moved in self._lines_of_call(frame, callee, places) else 0
        return moved if shift.first <= frame.line <= shift.last else 0

    def _is_other(self, frame: Frame, places: Places) -> bool:
        """Tell whether a frame has another descriptor than the method found for it: a bridge, whose line is its
        class's, or a method whose parameters have changed."""
        if not frame.descriptor or frame.method in _INITIAL or frame.method.startswith("lambda$"):
            return False
        return len(places) == 1 and not self.index.declares(places[0], frame.descriptor)

    def _judge(self, path: str) -> bool:
        fits = misses = 0
        for frame, callee in self._pairs.get(path, ()):
            places = self.index.places(frame)
            if self.index.is_glue(frame, callee) or self._is_other(frame, places):
                continue
            if not self._within(frame, places):
                return False
            check = self._check(frame, callee, places)
            fits += check is True
            misses += check is False
        if fits + misses >= _CHECKS:
            return fits >= _FIT * (fits + misses)
        return not misses and self._modified.get(path, float("inf")) <= self._begun

    def _check(self, frame: Frame, callee: Frame | None, places: Places) -> bool | None:
        """Tell whether the call of ``callee`` stands on the line of ``frame``; ``None`` if it cannot be told."""
        lines = self._lines_of_call(frame, callee, places)
        if frame.line in lines:
            return True
        if not lines or callee is None or callee.method in _UNWRITTEN:
            return None
        return False

    def _lines_of_call(self, frame: Frame, callee: Frame | None, places: Places) -> frozenset[int]:
        """Return the lines on which the source of today calls ``callee`` in what ``frame`` runs."""
        if callee is None or callee.method == "<clinit>" or callee.method.startswith("access$"):
            return frozenset()
        key = (places, frame.method, callee.owner, callee.method, callee.descriptor)
        found = self._calls.get(key)
        if found is None:
            found = self._calls[key] = frozenset(
                line
                for ref in places
                for at in calls_to(self.index, ref, callee, 0, frame)
                for line in call_lines(self.index, ref, at)
            )
        return found

    def _shift(self, places: Places) -> _Shift | None:
        if places not in self._shifts:
            self._shifts[places] = self._find_shift(places)
        return self._shifts[places]

    def _find_shift(self, places: Places) -> _Shift | None:
        common: set[int] | None = None
        checked: set[int] = set()
        for frame, callee in self._of_places.get(places, ()):
            if callee is None or callee.method in _UNWRITTEN:
                continue
            lines = self._lines_of_call(frame, callee, places)
            if lines:
                moved = {line - frame.line for line in lines}
                common = moved if common is None else common & moved
                checked.add(frame.line)
        if common is None or len(common) != 1 or len(checked) < 2:
            return None
        return _Shift(next(iter(common)), min(checked), max(checked))

    def _within(self, frame: Frame, places: Places) -> bool:
        """Tell whether a frame's line lies in what it runs; for an initialisation, in its class."""
        if frame.method in _INITIAL:
            facts = self._program.files[places[0].path]
            decl = facts.types[facts.members[places[0].number].owner]
            first = self.index.line_at(places[0].path, decl.at)
            return first <= frame.line <= self.index.line_at(places[0].path, decl.end)
        return any(self.index.holds(ref, frame.line) for ref in places)


def _certain(frame: Frame, places: Places) -> bool:
    return len(places) == 1 or frame.method in _INITIAL


def _pairs(tree: CallTree) -> set[int]:
    """Return the numbers of the frames of a tree that have a line, each with that of what it called."""
    frames, frame, parent, own = tree.frames, tree.frame, tree.parent, tree.own
    lined = [item.line > 0 for item in frames]
    seen: set[int] = set()
    for node in range(1, len(parent)):
        at = frame[node]
        if lined[at] and own[node]:
            seen.add(at << 32 | _NO_FRAME)
        above = frame[parent[node]]
        if above >= 0 and lined[above]:
            seen.add(above << 32 | at)
    return seen
