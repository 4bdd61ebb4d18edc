"""What readers of YAML have found so far: open collections, anchors, and the assignments they come to.

Terms
    slot    a place that a value may stand in: behind a key, behind the dash of an item, the root of a document.
    frame   an open mapping or sequence; its owner is the slot that it fills.
    dead    a slot below which nothing is told: too deep, too long a name, below a key that is no scalar.

A list element has its index in the last segment (``servers[0]``, standing where ``servers`` stands).  A key in brackets
(``"[a.b]"``) joins without a dot, as Spring writes keys of maps.  ``%dev`` at the root is a condition, no part of a name.
Aliases copy the assignments of the anchored collection; merge keys do so when their mapping ends, without the keys it has.
Invariant: all copying of a file looks at no more than ``MAX_MERGED`` assignments.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import attrs

from conflens.documents.configfiles.insertion import MAX_NAME
from conflens.documents.configfiles.model import (
    MAX_ASSIGNMENTS,
    MAX_DEPTH,
    MAX_MERGED,
    Assignment,
    Fault,
    Kind,
    Segment,
    Value,
)

CONDITIONS = frozenset(
    ("spring.config.activate.on-profile", "spring.config.activate.onProfile", "spring.profiles")
)
PROFILE = "%"
"""The tag of a slot that holds the keys of a profile."""
LINE_END = re.compile(r"[^\r\n]*+(?:\r\n?|\n|\Z)")
_PROFILE = re.compile(r"%([^.]++)(?:\.(.++))?", re.DOTALL)


class Copied(NamedTuple):
    """An anchored collection: the assignments ``first`` to ``last``, below a name and path."""

    first: int
    last: int
    name: str
    path: tuple[Segment, ...]
    sequence: bool


@attrs.define(eq=False)
class Slot:
    """See the module text.  ``end`` is where its key or dash ends, ``own`` whether it begins a line of its own, ``index`` the
    place kept for its assignment (-1: none), ``sequence`` that of an item, ``merge`` the mapping of a merge key."""

    name: str
    path: tuple[Segment, ...]
    start: int
    end: int
    own: bool = True
    index: int = -1
    sequence: Frame | None = None
    merge: Frame | None = None
    dead: bool = False
    anchor: str = ""
    tag: str = ""


@attrs.define(eq=False)
class Frame:
    """See the module text.  ``pending`` is the slot whose value has not come, ``last`` the index of the last entry, ``plain``
    where its plain value begins if that may go on on the next line.  ``items`` are a sequence's scalars while it has
    nothing else, ``ranges`` where each of them begins, where its value ends, and where its entry ends."""

    owner: Slot
    indent: int
    sequence: bool
    prefix: str
    first: int
    dead: bool
    pending: Slot | None = None
    last: int = -1
    plain: int = -1
    count: int = 0
    end: int = 0
    items: list[Value | None] | None = None
    ranges: list[tuple[int, int, int]] = attrs.Factory(list)
    merges: list[Copied] = attrs.Factory(list)


class Tail(NamedTuple):
    """A value that goes up to the end of the text: its kind (``|``, ``"``, ``[``), where it begins, what it fills, and the
    indentation of its parent, for a block scalar its own."""

    kind: str
    start: int
    slot: Slot
    indent: int


class Emitter:
    """Takes what a reader finds and makes assignments of it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.out: list[Assignment | None] = []
        self.faults: list[Fault] = []
        self.document = -1
        self.condition = ""
        self._anchors: dict[str, Value | tuple[Value, ...] | Copied | None] = {}
        self._budget = MAX_MERGED
        self._first = 0
        self._conditional = "profile" in text or "Profile" in text

    def begin(self) -> Slot:
        """Begin a document; return its root."""
        self.document += 1
        self.condition = ""
        self._anchors.clear()
        self._first = len(self.out)
        return Slot("", (), 0, 0)

    def finish(self) -> None:
        """End a document, all of whose frames are closed: its own condition holds for all of it."""
        if not self._conditional:
            return
        own: list[str] = []
        for one in self.out[self._first :]:
            if one is not None and one.name in CONDITIONS:
                values = one.items if one.value is None else (one.value,)
                own += [value.text for value in values if value.text and value.text not in own]
        if own:
            self.condition = ",".join(own)
            for index in range(self._first, len(self.out)):
                kept = self.out[index]
                if kept is not None:
                    self.out[index] = Assignment(
                        kept.name, kept.path, kept.kind, kept.value, kept.items, kept.start, kept.end,
                        kept.document, self.condition, merged=kept.merged,
                    )  # fmt: skip

    def open(self, slot: Slot, sequence: bool, indent: int) -> Frame:
        """Open a collection in a slot."""
        if slot.sequence is not None and not slot.dead:
            self._flush(slot.sequence)
            if sequence:
                slot.index = len(self.out)
                self.out.append(None)
        self.section(slot, slot.end)
        prefix = slot.name + "." if slot.name else ""
        frame = Frame(slot, indent, sequence, prefix, len(self.out), slot.dead)
        if sequence:
            frame.items = []
        return frame

    def close(self, frame: Frame) -> None:
        """End a collection."""
        if frame.pending is not None:
            self.scalar(frame.pending, None, frame.pending.end)
            frame.pending = None
        slot = frame.owner
        anchored: tuple[Value, ...] | Copied | None = None
        if frame.dead:
            return
        if frame.items is not None:
            if slot.merge is None and slot.index >= 0:
                items = tuple(Value("", start, end) if item is None else item
                              for item, (start, end, _) in zip(frame.items, frame.ranges, strict=True))  # fmt: skip
                end = self.entry_end(slot, max(frame.end, slot.end))
                self.out[slot.index] = self._assignment(slot, Kind.LIST, None, end, items)
                anchored = items
            else:
                self._flush(frame)
        elif frame.merges:
            self._merge(frame)
        if slot.anchor:
            self._anchors[slot.anchor] = (
                Copied(frame.first, len(self.out), slot.name, slot.path, frame.sequence)
                if anchored is None
                else anchored
            )

    def entry(self, frame: Frame, key: str, span: tuple[int, int], start: int, own: bool) -> Slot:
        """Begin an entry of a mapping; ``span`` is where its key stands, without quotes."""
        owner = frame.owner
        end = self.key_end(span[1])
        if frame.dead:
            return Slot("", (), start, end, dead=True)
        if key == "<<" and self.text[start : start + 1] not in ("'", '"'):
            return Slot(owner.name, owner.path, start, end, own, merge=frame)
        at = span[0]
        if not owner.path and owner.tag != PROFILE:
            profile = _PROFILE.fullmatch(key) if key.startswith("%") else None
            self.condition = profile[1] if profile else ""
            if profile is not None:
                if profile[2] is None:
                    return Slot("", (), start, end, own, tag=PROFILE)
                key = profile[2]
                at = max(at, span[1] - len(key))
        bracket = key.startswith("[") and key.endswith("]") and bool(owner.name)
        name = owner.name + key if bracket else frame.prefix + key
        path = (*owner.path, Segment(key, at, span[1]))
        if len(name) > MAX_NAME or len(path) > MAX_DEPTH or len(self.out) > MAX_ASSIGNMENTS:
            frame.last = -1
            return Slot("", (), start, end, dead=True)
        frame.last = len(self.out)
        self.out.append(None)
        return Slot(name, path, start, end, own, frame.last)

    def item(self, frame: Frame, start: int, end: int, own: bool) -> Slot:
        """Begin an item of a sequence."""
        owner = frame.owner
        index = f"[{frame.count}]"
        frame.count += 1
        if frame.dead or len(owner.name) + len(index) > MAX_NAME:
            return Slot("", (), start, end, dead=True)
        if owner.merge is not None:
            return Slot(owner.name, owner.path, start, end, own, merge=owner.merge)
        if owner.path:
            last = owner.path[-1]
            path = (*owner.path[:-1], Segment(last.text + index, last.start, last.end))
        else:
            path = (Segment(index, start, end),)
        return Slot(owner.name + index, path, start, end, own, sequence=frame)

    def scalar(self, slot: Slot, value: Value | None, end: int) -> None:
        """Fill a slot by a scalar that ends at ``end``."""
        if slot.anchor:
            self._anchors[slot.anchor] = value
        if slot.dead:
            return
        frame = slot.sequence
        if frame is not None:
            frame.end = end
            if frame.items is not None:
                frame.items.append(value)
                frame.ranges.append((slot.start, end, self.entry_end(slot, end)))
            elif len(self.out) <= MAX_ASSIGNMENTS:
                end = self.entry_end(slot, end)
                self.out.append(self._assignment(slot, Kind.SCALAR, value, end))
        elif slot.index >= 0:
            end = self.entry_end(slot, end)
            self.out[slot.index] = self._assignment(slot, Kind.SCALAR, value, end)

    def section(self, slot: Slot, end: int) -> None:
        """Say that a slot holds a collection."""
        if slot.index >= 0 and slot.sequence is None:
            end = self.entry_end(slot, end)
            self.out[slot.index] = self._assignment(slot, Kind.SECTION, None, end)

    def label(self, name: str, value: Value | None) -> None:
        """Remember an anchored scalar that fills no slot: a key."""
        self._anchors[name] = value

    def labelled(self, name: str) -> str:
        """Return the text of an anchored scalar, its alias if there is none."""
        value = self._anchors.get(name)
        return value.text if isinstance(value, Value) else f"*{name}"

    def alias(self, slot: Slot, label: str, start: int, end: int) -> None:
        """Fill a slot by what an anchor holds; a label that is none is just text."""
        anchored = self._anchors.get(label, ())
        if slot.merge is not None:
            if isinstance(anchored, Copied) and not anchored.sequence:
                slot.merge.merges.append(anchored)
        elif label not in self._anchors:
            self.scalar(slot, Value(self.text[start:end], start, end), end)
        elif isinstance(anchored, Value):
            self.scalar(slot, Value(anchored.text, start, end), end)
        elif anchored is None:
            self.scalar(slot, None, end)
        elif not slot.dead:
            if slot.sequence is not None:
                self._flush(slot.sequence)
            if not isinstance(anchored, Copied):
                if slot.sequence is not None and len(self.out) <= MAX_ASSIGNMENTS:
                    slot.index = len(self.out)
                    self.out.append(None)
                if slot.index >= 0:
                    whole = self.entry_end(slot, end)
                    self.out[slot.index] = self._assignment(slot, Kind.LIST, None, whole, anchored)
                return
            self.section(slot, end)
            for one in self._copied(anchored):
                self._copy(one, anchored, slot)

    def entry_end(self, slot: Slot, end: int) -> int:
        """Return where the entry ends whose value ends at ``end``: with its line if it began one."""
        return LINE_END.match(self.text, end).end() if slot.own else end  # type: ignore[union-attr]

    def key_end(self, end: int) -> int:
        """Return where a key ends with its quote and colon."""
        found = _AFTER_KEY.match(self.text, end)
        return found.end() if found else end

    def _assignment(
        self,
        slot: Slot,
        kind: Kind,
        value: Value | None,
        end: int,
        items: tuple[Value, ...] = (),
    ) -> Assignment:
        return Assignment(
            slot.name,
            slot.path,
            kind,
            value,
            items,
            slot.start,
            end,
            self.document,
            self.condition,
        )

    def _flush(self, frame: Frame) -> None:
        """Tell a sequence's scalars one by one: it holds something else as well."""
        items, frame.items = frame.items, None
        if not items or frame.dead or frame.owner.merge is not None:
            return
        counted, frame.count = frame.count, 0
        for value, (start, _, end) in zip(items, frame.ranges, strict=True):
            slot = self.item(frame, start, min(start + 1, end), True)
            if not slot.dead and len(self.out) <= MAX_ASSIGNMENTS:
                self.out.append(self._assignment(slot, Kind.SCALAR, value, end))
        frame.count = counted

    def _copied(self, anchored: Copied) -> list[Assignment]:
        """The assignments of an anchored collection, as many as may still be looked at."""
        last = min(anchored.last, anchored.first + self._budget)
        self._budget -= max(0, last - anchored.first)
        return [one for one in self.out[anchored.first : last] if one is not None]

    def _copy(self, one: Assignment, anchored: Copied, slot: Slot) -> None:
        """Tell an assignment once more, below another slot."""
        depth = len(anchored.path)
        rest = one.name[len(anchored.name) :]
        name = slot.name + rest if slot.name or not rest.startswith(".") else rest[1:]
        if slot.name and not anchored.name and not rest.startswith("["):
            name = f"{slot.name}.{rest}"
        path = slot.path
        if depth and path:
            before = one.path[depth - 1].text
            index = before[len(anchored.path[-1].text) :]
            if index:
                path = (*path[:-1], attrs.evolve(path[-1], text=path[-1].text + index))
        path = (*path, *one.path[depth:])
        if not path or len(path) > MAX_DEPTH or len(name) > MAX_NAME:
            return
        if len(self.out) > MAX_ASSIGNMENTS:
            return
        self.out.append(
            attrs.evolve(one, name=name, path=path, merged=True, condition=self.condition)
        )

    def _merge(self, frame: Frame) -> None:
        depth = len(frame.owner.path)
        own = {
            _key(one.path[depth])
            for one in self.out[frame.first :]
            if one is not None and len(one.path) > depth
        }
        for source in frame.merges:
            below = len(source.path)
            brought = set()
            for one in self._copied(source):
                if len(one.path) > below:
                    key = _key(one.path[below])
                    if key not in own:
                        brought.add(key)
                        self._copy(one, source, frame.owner)
            own |= brought


_AFTER_KEY = re.compile(r"[\"']?+[ \t]*+:?+")


def indices_at(key: str) -> int:
    """Return where the indices at the end of a key begin: ``servers[0][1]`` has two."""
    end = len(key)
    while key.endswith("]", 0, end):
        start = key.rfind("[", 0, end)
        if start < 0 or not key[start + 1 : end - 1].isdecimal():
            break
        end = start
    return end


def _key(segment: Segment) -> str:
    return segment.text[: indices_at(segment.text)]
