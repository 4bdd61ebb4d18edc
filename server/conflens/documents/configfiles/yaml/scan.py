"""Block style of YAML, line by line: which key or item a line holds, and below which one by its indentation.

Nearly all lines of configuration are ``key: value``, ``key:`` or comments and are matched whole by one expression; the others
are taken apart in ``_line``.  What is wrong costs its own line: a word without a colon is skipped, an open quote ends with its
line, keys below a key that has a value are told below it, a tab counts as up to eight columns.

Invariants: every line is looked at a bounded number of times; no recursion.
Absent: complex keys (what stands below ``? [a]`` is not told), and types of scalars but for ``null``.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import attrs

from conflens.documents.configfiles.insertion import MAX_NAME
from conflens.documents.configfiles.model import (
    MAX_ASSIGNMENTS,
    Assignment,
    Fault,
    Kind,
    Segment,
    Value,
)
from conflens.documents.configfiles.yaml.builder import (
    LINE_END,
    PROFILE,
    Emitter,
    Frame,
    Slot,
    Tail,
)
from conflens.documents.configfiles.yaml.flow_style import read_flow
from conflens.documents.configfiles.yaml.lines import (
    ALIAS,
    BLANKS,
    DASH,
    DIRECTIVE,
    EMPTY,
    ENTRY,
    FAST,
    INDENTED,
    LINE,
    MARK,
    MARKER,
    NOTHING,
    SKIP,
    STRETCH,
    TEMPLATE,
)
from conflens.documents.configfiles.yaml.scalars import (
    NULLS,
    PLAIN,
    block,
    folded,
    plain_end,
    plain_value,
    quoted_end,
    unquoted,
)

_TAB = "YAML cannot be indented by a tab."
_QUOTE = "This quote is never closed."
_BRACKET = "This bracket is never closed."


class _Followed(NamedTuple):
    """Lines from ``start`` on below ``parent`` that are indented like one value, up to one at ``key`` that holds a key."""

    start: int
    key: int
    parent: int


class _Leaps:
    """Passes over keys that matter for nothing below them.

    Of a stretch of simple lines only the last that is indented less than all lines behind it says what they are below,
    and the first what the stretch is below."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._end = 0
        self._kept: list[int] = []

    def next(self, pos: int) -> int:
        """Return where to read on, at a line's start at or behind ``pos``."""
        if pos >= self._end:
            self._end = STRETCH.match(self._text, pos).end()  # type: ignore[union-attr]
            lines = INDENTED.finditer(self._text, pos, self._end)
            starts = [(found.start(), found.end(1) - found.start()) for found in lines]
            self._kept = []
            least = MAX_NAME
            for start, indent in reversed(starts):
                if indent < least or start == starts[0][0]:
                    least = indent
                    self._kept.append(start)
            if self._end == pos:
                return pos
        while self._kept and self._kept[-1] < pos:
            self._kept.pop()
        return self._kept[-1] if self._kept else self._end


class Scanner:
    """Reads one text.  ``stack`` are the open collections, the first of them for the document."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.emitter = Emitter(text)
        self.stack: list[Frame] = []
        self.tail: Tail | None = None
        self._followed = _Followed(0, 0, -1)
        self.finish()

    def skim(self) -> None:
        """Read what decides where the next line belongs: as ``run``, but what is closed again may be passed over."""
        self.run(_Leaps(self.text))

    def run(self, leaps: _Leaps | None = None) -> None:
        """Read all lines; collections at the end stay open."""
        text, size, emitter, out = self.text, len(self.text), self.emitter, self.emitter.out
        fast, skip, pos = FAST.match, SKIP.match, 0
        scalar = Kind.SCALAR
        while pos < size and len(out) <= MAX_ASSIGNMENTS:
            if leaps is not None and (pos := leaps.next(pos)) >= size:
                break
            found = fast(text, pos)
            if found is None:
                after = skip(text, pos).end()  # type: ignore[union-attr]
                pos = after if after > pos else self._line(pos)
                continue
            start, end = found.span(2)
            top = self.stack[-1]
            if start - pos != top.indent or top.sequence or top.pending is not None:
                top = self._mapping(start - pos)
            group = found.lastindex
            line, pos = pos, found.end()
            if top.dead:
                continue
            key = found[2]
            if group is None or group == 2:
                top.pending = emitter.entry(top, key, (start, end), line, True)
                top.plain = -1
                continue
            name = top.prefix + key
            if not top.prefix and top.owner.tag != PROFILE:
                emitter.condition = ""
            if len(name) > MAX_NAME:
                top.last = -1
                continue
            top.last, top.plain = len(out), -1
            value: Value | None
            if group == 3:
                raw, at = found[3].rstrip(), found.start(3)
                top.plain = at
                value = None if raw in NULLS else Value(raw, at, at + len(raw))
            else:
                value = Value(found[group], *found.span(group), '"' if group == 4 else "'")
            path = (*top.owner.path, Segment(key, start, end))
            out.append(
                Assignment(name, path, scalar, value, (), line, pos, emitter.document, emitter.condition)
            )  # fmt: skip

    def innermost(self, indent: int) -> Frame:
        """Close what a key with this indentation would close; return what is then innermost."""
        return self._pop(indent, True)

    def begin_key(self, indent: int) -> Frame | None:
        """Return the mapping that takes a key with this indentation, ``None`` if none does."""
        frame = self._mapping(indent)
        return None if frame.dead else frame

    def begin_item(self, indent: int) -> Frame | None:
        """Return the sequence that takes an item with this indentation, ``None`` if none does."""
        frame = self._sequence(indent)
        return None if frame.dead else frame

    def begin_value(self, indent: int) -> Slot | None:
        """Return the slot that a value with this indentation fills, ``None`` if none waits for it."""
        top = self._pop(indent, False)
        return None if top.indent >= indent else top.pending

    def begin_entry(self, frame: Frame, key: re.Match[str]) -> Slot:
        """Return the slot behind a key, a match of ``ENTRY``."""
        return self._entry(frame, key, key.end("marks"), True)

    def finish(self) -> None:
        """Close what is open: a document ends."""
        while len(self.stack) > 1:
            self.emitter.close(self.stack.pop())
        if self.stack and self.stack[0].pending is None:
            self.emitter.finish()
        self.stack = [Frame(Slot("", (), 0, 0), -1, False, "", 0, False)]
        self._begun = False

    def _begin(self) -> None:
        if not self._begun:
            self._begun = True
            self.stack[0].pending = self.emitter.begin()

    def _pop(self, indent: int, sequences: bool) -> Frame:
        """Close what is indented more, with ``sequences`` also those as much; return what is then innermost."""
        self._begin()
        top = self.stack[-1]
        while top.indent > indent or (sequences and top.indent == indent and top.sequence):
            self.emitter.close(self.stack.pop())
            top = self.stack[-1]
        return top

    def _mapping(self, indent: int) -> Frame:
        """The mapping that a key with this indentation belongs to, ready for it."""
        top = self._pop(indent, True)
        if top.indent < indent:
            if top.dead:
                return top
            return self._open(self._under(top), False, indent)
        if top.pending is not None:
            self.emitter.scalar(top.pending, None, top.pending.end)
            top.pending = None
        return top

    def _sequence(self, indent: int) -> Frame:
        """The sequence that a dash with this indentation belongs to, ready for its item."""
        top = self._pop(indent, False)
        if top.sequence and top.indent == indent:
            if top.pending is not None:
                self.emitter.scalar(top.pending, None, top.pending.end)
                top.pending = None
            return top
        if top.dead:
            return top
        if top.pending is None and top.indent == indent:
            return self._open(Slot("", (), 0, 0, dead=True), True, indent)
        return self._open(self._under(top), True, indent)

    def _open(self, slot: Slot, sequence: bool, indent: int) -> Frame:
        frame = self.emitter.open(slot, sequence, indent)
        self.stack.append(frame)
        return frame

    def _under(self, top: Frame) -> Slot:
        """The slot that something indented more than ``top`` fills."""
        if top.pending is not None:
            slot, top.pending = top.pending, None
            return slot
        top.plain = -1
        if top.indent < 0:
            return Slot("", (), 0, 0)
        last = self.emitter.out[top.last] if top.last >= 0 else None
        if last is None or top.sequence:
            return Slot("", (), 0, 0, dead=True)
        return Slot(last.name, last.path, last.start, last.end)

    def _after(self, at: int) -> int:
        """Where the line behind that of ``at`` begins."""
        return LINE_END.match(self.text, at).end()  # type: ignore[union-attr]

    def _line(self, start: int) -> int:
        """Read a line that is no simple one; return where to go on."""
        text = self.text
        at = BLANKS.match(text, start).end()  # type: ignore[union-attr]
        blanks = text[start:at]
        column = len(blanks)
        top = self.stack[-1]
        if "\t" in blanks:
            column = len(blanks.expandtabs(8))
            tab = start + blanks.index("\t")
            if not top.dead:
                self.emitter.faults.append(Fault(tab, at, _TAB))
        if not column:
            marker = MARKER.match(text, at)
            if marker is not None:
                self.finish()
                if marker[1] == "...":
                    return self._after(at)
                self._begin()
                if EMPTY.match(text, marker.end()):
                    return self._after(at)
                at = BLANKS.match(text, marker.end()).end()  # type: ignore[union-attr]
                return self._content(at, at - start, start, False)
            if DIRECTIVE.match(text, at) and not self._begun:
                return self._after(at)
        if top.dead and column > top.indent:
            return self._after(at)
        return self._content(at, column, start, True)

    def _content(self, at: int, column: int, start: int, own: bool) -> int:
        """Read what stands at ``at``: dashes, a key, a value."""
        text = self.text
        while text[at] == "-" and text[at + 1 : at + 2] in ("", " ", "\t", "\r", "\n"):
            if own and (after := self._continued(column, start)):
                return after
            frame = self._sequence(column)
            if frame.dead:
                return self._after(at)
            slot = self.emitter.item(frame, start if own else at, at + 1, own)
            frame.pending = slot
            if slot.dead or EMPTY.match(text, at + 1):
                return self._after(at)
            below = BLANKS.match(text, at + 1).end()  # type: ignore[union-attr]
            column += below - at
            at, own = below, False
        char, blank = text[at], text[at + 1 : at + 2] in ("", " ", "\t", "\r", "\n")
        if char == "?" and blank:
            return self._explicit(at, column, start, own)
        if char == ":" and blank:
            top = self._pop(column, True)
            if top.indent == column and top.pending is not None:
                slot, top.pending = top.pending, None
                return self._value(at + 1, slot, top)
            return self._after(at)
        key = ENTRY.match(text, at)
        if key is None:
            return (own and self._continued(column, start)) or self._lone(at, column)
        frame = self._mapping(column)
        if frame.dead:
            return self._after(at)
        slot = self._entry(frame, key, start if own else at, own)
        return self._value(key.end(), slot, frame)

    def _entry(self, frame: Frame, key: re.Match[str], start: int, own: bool) -> Slot:
        if key["quoted"] is not None:
            first, last = key.span("quoted")
            span = (first + 1, last - 1)
            name = unquoted(key["quoted"][1:-1], key["quoted"][0])
            start = start if own else first
        elif key["alias"] is not None:
            span = key.span("alias")
            name = self.emitter.labelled(key["alias"])
        else:
            name = key["plain"].rstrip()
            span = (key.start("plain"), key.start("plain") + len(name))
        for kind, label in MARK.findall(key["marks"]):
            if kind == "&":
                self.emitter.label(label, Value(name, *span))
        frame.plain = -1
        return self.emitter.entry(frame, name, span, start, own)

    def _explicit(self, at: int, column: int, start: int, own: bool) -> int:
        """Read ``? key``, whose value comes with ``: value`` on a line below."""
        text = self.text
        frame = self._mapping(column)
        after = self._after(at)
        at = BLANKS.match(text, at + 1).end()  # type: ignore[union-attr]
        line = LINE.match(text, at)[0].rstrip()  # type: ignore[index]
        slot = Slot("", (), at, at, dead=True)
        if frame.dead:
            return after
        if line[:1] in ("'", '"') and line[:1]:
            end = quoted_end(text, at, column)
            if end is not None:
                name = unquoted(text[at + 1 : end], line[0])
                slot = self.emitter.entry(frame, name, (at + 1, end), start if own else at, own)
                after = self._after(end)
        elif line and line[0] not in "[{|>&*!#-?":
            found = PLAIN.match(text, at)
            if text[found.end() : found.end() + 1] != ":":  # type: ignore[union-attr]
                name = found[0].rstrip()  # type: ignore[index]
                slot = self.emitter.entry(
                    frame, name, (at, at + len(name)), start if own else at, own
                )
        frame.pending = slot
        return after

    def _goes_on(self, column: int) -> bool:
        top = self.stack[-1]
        return top.plain >= 0 and top.pending is None and column > top.indent

    def _continued(self, column: int, start: int) -> int:
        """Take a line as more of the plain value above; return where to go on, 0 if it is none."""
        if not self._goes_on(column):
            return 0
        top = self.stack[-1]
        _, end, _ = plain_end(self.text, top.plain, top.indent)
        at, top.plain = top.plain, -1
        entry = self.emitter.out[top.last]
        if end <= start or entry is None:
            return 0 if DASH.match(self.text, start) else self._after(start)
        value = Value(folded(self.text[at:end]), at, end)
        after = self._after(end)
        self.emitter.out[top.last] = attrs.evolve(entry, value=value, end=after)
        return after

    def _lone(self, at: int, column: int) -> int:
        """Read what is no key: a value on a line of its own or behind a dash, or a half-typed word."""
        top = self._pop(column, False)
        if top.pending is None or top.indent >= column:
            return self._after(at)
        if self.text[at] not in "|>\"'[{*&!" and self._before_key(at, top.indent):
            return self._after(at)
        slot, top.pending = top.pending, None
        return self._value(at, slot, top)

    def _before_key(self, at: int, parent: int) -> bool:
        """Whether a line is followed by one that is indented like a part of the same value and holds a key.

        What is found out once holds of all lines up to that key.
        """
        known = self._followed
        if known.start <= at < known.key and known.parent == parent:
            return True
        key = plain_end(self.text, at, parent)[2]
        if key >= 0:
            self._followed = _Followed(at, key, parent)
        return key >= 0

    def _value(self, at: int, slot: Slot, frame: Frame) -> int:
        """Fill a slot by what stands at ``at``; return where to go on."""
        text, emitter, parent = self.text, self.emitter, frame.indent
        frame.plain = -1
        at = BLANKS.match(text, at).end()  # type: ignore[union-attr]
        while mark := MARK.match(text, at):
            if mark[1] == "&":
                slot.anchor = mark[2]
            elif slot.tag != PROFILE:
                slot.tag = mark[1] + mark[2]
            at = mark.end()
        if EMPTY.match(text, at):
            frame.pending = slot
            return self._after(at)
        char = text[at]
        if char in "|>" and (scalar := block(text, at, parent)) is not None:
            resolved, first, last, after, indent = scalar
            end = max(last, after - 1) if after > last and text[after - 1] in "\r\n" else last
            emitter.scalar(slot, Value(resolved, first, last, char), end)
            if NOTHING.match(text, after):
                self.tail = Tail(char, at, slot, indent)
            return max(after, self._after(at))
        if char in "\"'":
            return self._quoted(at, slot, parent)
        if char in "[{" and not TEMPLATE.match(text, at):
            flow = read_flow(emitter, at, slot, parent)
            if flow.open:
                emitter.faults.append(Fault(at, at + 1, _BRACKET))
                if NOTHING.match(text, flow.end):
                    self.tail = Tail("[", at, slot, parent)
            return self._after(flow.end)
        if char == "*" and (alias := ALIAS.match(text, at)):
            emitter.alias(slot, alias[1], at, alias.end())
            return self._after(at)
        end = plain_end(text, at, parent)[1]
        stop = PLAIN.match(text, at).end()  # type: ignore[union-attr]
        if text[stop : stop + 1] == ":":
            end = at + len(re.split(r"[ \t]#", LINE.match(text, at)[0], maxsplit=1)[0].rstrip())  # type: ignore[index]
        emitter.scalar(slot, plain_value(text[at:end], at, end, slot.tag), end)
        return self._after(end)

    def _quoted(self, at: int, slot: Slot, parent: int) -> int:
        text = self.text
        end = quoted_end(text, at, parent)
        if end is not None:
            value = Value(unquoted(text[at + 1 : end], text[at]), at + 1, end, text[at])
            self.emitter.scalar(slot, value, end + 1)
            return self._after(end)
        raw = LINE.match(text, at + 1)[0].rstrip()  # type: ignore[index]
        end = at + 1 + len(raw)
        self.emitter.faults.append(Fault(at, end, _QUOTE))
        self.emitter.scalar(slot, Value(raw, at + 1, end, text[at]), end)
        self.tail = Tail(text[at], at, slot, parent)
        return self._after(end)
