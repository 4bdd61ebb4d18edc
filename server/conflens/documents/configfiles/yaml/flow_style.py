"""Flow style of YAML: ``[a, b]`` and ``{a: 1}`` over any number of lines, with JSON as a part of it.

One pass from the opening bracket to the one that closes it; a line that surely is not one of it ends what was left open.
Invariants: no recursion; collections that are too deep are only counted.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import attrs

from conflens.documents.configfiles.model import Value
from conflens.documents.configfiles.yaml.builder import Emitter, Frame, Slot
from conflens.documents.configfiles.yaml.scalars import (
    FLOW_PLAIN,
    breaks_off,
    plain_value,
    quoted_end,
    unquoted,
)

_BLANK = re.compile(r"(?:[ \t]++|#[^\r\n]*+)*+")
_LINE = re.compile(r"\r\n|\n|\r")
_REST = re.compile(r"[^\r\n]*+")
_PROPERTY = re.compile(r"([&!*])([^\s,\[\]{}]*+)")
_COLON = re.compile(r"[ \t]*+:")
_TO_TEXT = re.compile(r"[ \t]*+(?:\r\n|\n|\r)(?:[ \t]*+(?:\r\n|\n|\r))*+[ \t]*+(?=[^ \t\r\n#])")


@attrs.define(eq=False)
class Level:
    """An open collection: ``slot`` is what the next value fills, in a mapping ``None`` where a key comes, and ``filled``
    whether it has come.  ``single`` is a mapping of one pair within a sequence, without braces."""

    frame: Frame
    slot: Slot | None = None
    filled: bool = False
    single: bool = False


class Flow(NamedTuple):
    """What was read: up to where, and which collections were still open there."""

    end: int
    open: tuple[Level, ...]


def read_flow(emitter: Emitter, at: int, slot: Slot, parent: int) -> Flow:
    """Fill a slot by the collection whose bracket is at ``at``."""
    reader = _Reader(emitter, slot, parent)
    return reader.run(at)


class _Reader:
    def __init__(self, emitter: Emitter, slot: Slot, parent: int) -> None:
        self._emitter = emitter
        self._text = emitter.text
        self._parent = parent
        self._first: Slot | None = slot
        self._levels: list[Level] = []
        self._ignored = 0
        self._anchor = ""
        self._tag = ""

    def run(self, at: int) -> Flow:
        text, size, levels = self._text, len(self._text), self._levels
        while True:
            at = _BLANK.match(text, at).end()  # type: ignore[union-attr]
            if at >= size:
                return self._broken(at)
            char = text[at]
            if char in "\r\n":
                below = _LINE.match(text, at).end()  # type: ignore[union-attr]
                if breaks_off(text, below, self._parent):
                    return self._broken(at)
                at = below
            elif char in "[{":
                self._open(char == "[", at)
                at += 1
            elif char in "]}":
                at += 1
                self._close(at)
                if not levels:
                    return Flow(at, ())
            elif char == ",":
                if not self._ignored:
                    self._next(at)
                at += 1
            elif char in "&!*":
                at = self._property(at)
            elif char in "\"'":
                end = quoted_end(text, at, self._parent)
                if end is None:
                    return self._broken(_REST.match(text, at).end())  # type: ignore[union-attr]
                value = Value(unquoted(text[at + 1 : end], char), at + 1, end, char)
                at = self._scalar(value, at, end + 1, True)
            elif (char == ":" or char == "?") and text[at + 1 : at + 2] in " \t\r\n,[]{}":
                if char == ":" and levels[-1].slot is None and not self._ignored:
                    self._key("", at, at)
                at += 1
            else:
                at = self._plain(at)

    def _plain(self, at: int) -> int:
        text = self._text
        start, end = at, at
        while True:
            found = FLOW_PLAIN.match(text, at)
            stop = found.end()  # type: ignore[union-attr]
            end = at + len(found[0].rstrip(" \t"))  # type: ignore[index]
            line = _TO_TEXT.match(text, end)
            if line is None or text[line.end()] in ",[]{}:" or self._breaks(end, line.end()):
                break
            at = line.end()
        value = plain_value(text[start:end], start, end, self._tag)
        if end == start:
            return stop + 1
        return self._scalar(value, start, max(end, stop if stop < len(text) and text[stop] == ":" else end), False)  # fmt: skip

    def _breaks(self, end: int, to: int) -> bool:
        """Whether a line that begins between the two surely is no part of the collection."""
        return any(
            breaks_off(self._text, found.end(), self._parent)
            for found in _LINE.finditer(self._text, end, to)
        )

    def _scalar(self, value: Value | None, start: int, end: int, quoted: bool) -> int:
        """Take a scalar as a key or a value; return where to go on."""
        if self._ignored:
            return end
        text, level = self._text, self._levels[-1]
        colon = _COLON.match(text, end)
        follows = colon is not None and (
            quoted or text[colon.end() : colon.end() + 1] in (*" \t\r\n,[]{}", "")
        )
        if (follows or not level.frame.sequence) and (level.slot is None or level.frame.sequence):
            raw = text[start:end].rstrip() if value is None else value.text
            span = (value.start, value.end) if value is not None else (start, start + len(raw))
            self._key(raw, span[0], span[1])
            if colon is not None and follows:
                return colon.end()
            return end
        slot = self._target(start)
        self._emitter.scalar(slot, value, value.end + len(value.style) if value else end)
        return end

    def _key(self, key: str, start: int, end: int) -> None:
        level = self._levels[-1]
        if level.frame.sequence:
            frame = self._emitter.open(self._target(start), False, -1)
            level = Level(frame, single=True)
            self._levels.append(level)
        quote = start > 0 and self._text[start - 1] in "\"'"
        if self._anchor:
            self._emitter.label(self._anchor, Value(key, start, end))
            self._anchor = self._tag = ""
        level.slot = self._emitter.entry(level.frame, key, (start, end), start - quote, False)
        level.filled = False

    def _target(self, at: int) -> Slot:
        """The slot that the value at ``at`` fills."""
        if not self._levels:
            assert self._first is not None
            slot = self._first
        else:
            level = self._levels[-1]
            if level.frame.sequence:
                slot = self._emitter.item(level.frame, at, at, False)
                level.slot = slot
            elif level.slot is None or level.filled:
                return Slot("", (), at, at, False, dead=True)
            else:
                slot = level.slot
            level.filled = True
        slot.anchor, slot.tag = self._anchor or slot.anchor, self._tag or slot.tag
        self._anchor = self._tag = ""
        return slot

    def _open(self, sequence: bool, at: int) -> None:
        if self._ignored:
            self._ignored += 1
            return
        slot = self._target(at)
        if slot.dead and self._levels:
            self._ignored = 1
            return
        self._levels.append(Level(self._emitter.open(slot, sequence, -1)))

    def _close(self, end: int) -> None:
        if self._ignored:
            self._ignored -= 1
            return
        self._next(end - 1)
        self._pop(end)

    def _pop(self, end: int) -> None:
        level = self._levels.pop()
        level.frame.end = end
        if level.frame.owner.own or not level.single:
            level.frame.owner.end = max(level.frame.owner.end, end)
        self._emitter.section(level.frame.owner, end)
        self._emitter.close(level.frame)
        if level.frame.owner.sequence is not None:
            level.frame.owner.sequence.end = end

    def _next(self, at: int) -> None:
        """End the element before a comma or bracket."""
        level = self._levels[-1]
        if level.slot is not None and not level.filled:
            self._emitter.scalar(level.slot, None, level.slot.end)
        elif self._anchor and level.frame.sequence:
            self._emitter.scalar(self._target(at), None, at)
        level.slot, level.filled = None, False
        self._anchor = self._tag = ""
        if level.single:
            self._pop(at)
            self._levels[-1].slot = None

    def _property(self, at: int) -> int:
        found = _PROPERTY.match(self._text, at)
        assert found is not None
        kind, label = found.groups()
        end = found.end()
        if kind == "&":
            self._anchor = label
        elif kind == "!":
            self._tag = found[0]
        elif not self._ignored:
            level = self._levels[-1]
            if not level.frame.sequence and level.slot is None:
                return self._scalar(Value(self._emitter.labelled(label), at, end), at, end, False)
            self._emitter.alias(self._target(at), label, at, end)
        return end

    def _broken(self, at: int) -> Flow:
        """End everything that is still open."""
        levels = tuple(attrs.evolve(level) for level in self._levels)
        while self._levels:
            self._next(at)
            if self._levels:
                self._pop(at)
        return Flow(at, levels)
