"""What a cursor in YAML is about to write: a key below which sections, or the value of which key.

The lines above are read as ``yaml_scan`` reads them, from the last key at the first column on (nothing that begins there
depends on what stands above); the cursor's own line is taken apart here, because it is half-typed.  On an empty line the
sections are those that the cursor's column is below.  Parents have the index of a list's element (``servers[0]``).
A first item of a list is taken as a value, the next ones as what the items before are.
"""

from __future__ import annotations

import re

from conflens.documents.configfiles.model import Context, ContextKind, Kind, Segment
from conflens.documents.configfiles.neighbours import line_end, line_start
from conflens.documents.configfiles.yaml.builder import Emitter, Slot
from conflens.documents.configfiles.yaml.flow_style import read_flow
from conflens.documents.configfiles.yaml.lines import ENTRY
from conflens.documents.configfiles.yaml.scalars import PLAIN, breaks_off, quoted_end, unquoted
from conflens.documents.configfiles.yaml.scan import Scanner

_NEITHER = Context(ContextKind.NEITHER)
_MARKER = re.compile(r"(?<![^\r\n])(---|\.\.\.)(?=[ \t\r\n]|\Z)")
_TOP = re.compile(r"[\r\n](?=[A-Za-z_][\w.\-]*+:[ \t\r\n])")
_CONTENT = re.compile(r"(?<![^\r\n])[ \t]*+(?![%#])[^\s]")
_WORD_BEFORE = re.compile(r"[^\s,\[\]{}:\"'#]*\Z")
_WORD_AFTER = re.compile(r"[^\s,\[\]{}:\"'#]*+")
_BLANKS = re.compile(r"[ \t]*+")
_COMMENT = re.compile(r"(?<![^ \t])#")
_COLON = re.compile(r"[\"']?+[ \t]*+:")
_MARKS = re.compile(r"(?:[&!][^\s,\[\]{}]*+[ \t]++)*+")
_LONGEST_WORD = 1_000


def context(text: str, offset: int) -> Context:
    """Return what the cursor at an offset is about to write."""
    offset = max(0, min(offset, len(text)))
    start = line_start(text, offset)
    base, document = _base(text, start)
    scanner = Scanner(text[base:start])
    scanner.skim()
    found = _tailed(text, offset, start, base, scanner) or _in_line(text, offset, start, scanner)
    if found.kind is ContextKind.NEITHER:
        return _NEITHER
    indent = _BLANKS.match(text, start).end() - start  # type: ignore[union-attr]
    return Context(found.kind, found.prefix, found.start, found.end, found.parents, found.name, document,
                   found.follows, indent)  # fmt: skip


def names_of(path: tuple[Segment, ...]) -> tuple[str, ...]:
    """Return the names of sections on a path; a key in brackets belongs to the one before."""
    names: list[str] = []
    for segment in path:
        if names and segment.text.startswith("["):
            names[-1] += segment.text
        else:
            names.append(segment.text)
    return tuple(names)


def _base(text: str, start: int) -> tuple[int, int]:
    """Where reading has to begin for a line that begins at ``start``, and the number of its document."""
    document, begun, at = -1, False, 0
    marked = text.find("---", 0, start) >= 0 or text.find("...", 0, start) >= 0
    for marker in _MARKER.finditer(text, 0, start) if marked else ():
        if not begun and _CONTENT.search(text, at, marker.start()):
            document += 1
        begun = marker[1] == "---"
        document += begun
        at = marker.start() if begun else marker.end()
    last = at
    for top in _TOP.finditer(text, at, start):
        last = top.end()
    return last, document + (not begun)


def _tailed(text: str, offset: int, start: int, base: int, scanner: Scanner) -> Context | None:
    """The context within a value that began above the line."""
    tail = scanner.tail
    if tail is None:
        return None
    at = base + tail.start
    if tail.kind in "|>":
        here = _BLANKS.match(text, start).end()  # type: ignore[union-attr]
        if here < len(text) and text[here] not in "\r\n":
            return _NEITHER if here - start >= tail.indent else None
        below = re.compile(r"[ \t\r\n]*+").match(text, here)
        follows = below.end() - line_start(text, below.end()) if below else 0
        inside = follows if below and below.end() < len(text) else offset - start
        return _NEITHER if inside >= tail.indent and tail.indent else None
    if breaks_off(text, start, tail.indent):
        return None
    if tail.kind == "[":
        return _in_flow(text, offset, at, tail.slot, tail.indent)
    close = quoted_end(text, at, tail.indent)
    if close is None or close < start:
        return None
    return _quoted(text, offset, at, close, tail.slot.name)


def _quoted(text: str, offset: int, at: int, close: int, name: str) -> Context:
    if not at < offset <= close:
        return _NEITHER
    prefix = unquoted(text[at + 1 : offset], text[at])
    return Context(ContextKind.VALUE, prefix, at + 1, close, name=name)


def _in_line(text: str, offset: int, start: int, scanner: Scanner) -> Context:
    end = line_end(text, offset)
    at = _BLANKS.match(text, start).end()  # type: ignore[union-attr]
    if at >= end:
        column = len(text[start:offset].expandtabs(8))
        parents = _parents(scanner, column)
        if parents is None:
            return _NEITHER
        return Context(ContextKind.KEY, "", offset, offset, parents)
    column = len(text[start:at].expandtabs(8))
    if offset < at or text[at] == "#" or (not column and _MARKER.match(text, at)):
        return _NEITHER
    item: Slot | None = None
    name = ""
    mapping = False
    while text[at] == "-" and (at + 1 >= end or text[at + 1] in " \t"):
        if offset <= at + 1:
            return _NEITHER
        frame = scanner.begin_item(column)
        if frame is None:
            return _NEITHER
        item = scanner.emitter.item(frame, at, at + 1, True)
        mapping = frame.items is None
        name, frame.pending = frame.owner.name, item
        below = _BLANKS.match(text, at + 1).end()  # type: ignore[union-attr]
        if below >= end or text[below] == "#" or offset < below:
            if below < end and not (text[below] == "#" and offset < below):
                return _NEITHER
            return _item(item, name, mapping, "", offset, offset)
        column += below - at
        at = below
    return _in_content(text, offset, (at, end, column), scanner, (item, name, mapping))


def _item(item: Slot, name: str, mapping: bool, prefix: str, start: int, end: int) -> Context:
    if item.dead:
        return _NEITHER
    if mapping:
        return Context(ContextKind.KEY, prefix, start, end, names_of(item.path))
    return Context(ContextKind.VALUE, prefix, start, end, name=name)


def _in_content(
    text: str,
    offset: int,
    line: tuple[int, int, int],
    scanner: Scanner,
    of: tuple[Slot | None, str, bool],
) -> Context:
    """The context in what stands behind indentation and dashes."""
    at, end, column = line
    item, name, mapping = of
    key = ENTRY.match(text, at)
    if key is not None and offset < key.end():
        parents = _parents(scanner, column)
        begin = key.end("marks")
        last = key.end("quoted") if key["quoted"] is not None else key.end() - 1
        last = begin + len(text[begin:last].rstrip())
        if parents is None or offset < begin or key["alias"] is not None or offset > last:
            return _NEITHER
        return Context(ContextKind.KEY, _prefix(text, begin, offset), begin, last, parents, follows=True)  # fmt: skip
    if key is not None:
        frame = scanner.begin_key(column)
        if frame is None:
            return _NEITHER
        slot = scanner.begin_entry(frame, key)
        return _in_value(text, offset, (key.end(), end), slot, frame.indent)
    char = text[at]
    slot = item or Slot("", (), at, at)
    if char in "[{" and not text.startswith("{{", at):
        if item is None:
            top = scanner.begin_value(column)
            if top is None:
                return _NEITHER
            slot = top
        return _in_flow(text, offset, at, slot, column - 1)
    if char in "*&!|>?":
        return _NEITHER
    if _COMMENT.search(text, at, offset):
        return _NEITHER
    word = PLAIN.match(text, at) if char not in "\"'" else None
    last = at + len(word[0].rstrip(" \t")) if word else len(text[:end].rstrip())
    last = max(last, offset)
    if item is not None and not mapping:
        if char in "\"'":
            close = quoted_end(text, at, column - 1)
            return _quoted(text, offset, at, end if close is None else close, name)
        return _item(item, name, mapping, text[at:offset], at, last)
    parents = _parents(scanner, column)
    if parents is None:
        return _NEITHER
    return Context(ContextKind.KEY, _prefix(text, at, offset), at, last, parents)


def _prefix(text: str, start: int, offset: int) -> str:
    """What is typed of a key, resolved."""
    typed = text[start:offset]
    if typed[:1] in ("'", '"'):
        inner = typed[1:]
        return unquoted(inner[:-1] if inner.endswith(typed[0]) else inner, typed[0])
    return typed


def _in_value(text: str, offset: int, span: tuple[int, int], slot: Slot, parent: int) -> Context:
    colon, end = span
    if slot.dead or (offset == colon):
        return _NEITHER
    at = _MARKS.match(text, _BLANKS.match(text, colon).end()).end()  # type: ignore[union-attr]
    if offset < at or at >= end or (text[at] == "#" and offset <= at):
        blank = not text[colon:at].strip(" \t")
        if blank or offset >= at:
            return Context(ContextKind.VALUE, "", offset, offset, name=slot.name)
        return _NEITHER
    char = text[at]
    if char in "\"'":
        close = quoted_end(text, at, parent)
        return _quoted(text, offset, at, end if close is None else close, slot.name)
    if char in "[{" and not text.startswith("{{", at):
        return _in_flow(text, offset, at, slot, parent)
    if char in "|>#*" or _COMMENT.search(text, at, offset):
        return _NEITHER
    hash_at = _COMMENT.search(text, at, end)
    last = at + len(text[at : hash_at.start() if hash_at else end].rstrip())
    return Context(ContextKind.VALUE, text[at:offset], at, max(last, offset), name=slot.name)


def _in_flow(text: str, offset: int, at: int, slot: Slot, parent: int) -> Context:
    start = line_start(text, offset)
    if offset <= at or _COMMENT.search(text, max(start, at), offset):
        return _NEITHER
    word = _WORD_BEFORE.search(text, max(at, offset - _LONGEST_WORD), offset)
    begin = word.start() if word else offset
    emitter = Emitter(text[:begin])
    emitter.begin()
    owner = Slot(slot.name, slot.path, slot.start, slot.end, False, dead=slot.dead)
    flow = read_flow(emitter, at, owner, parent)
    if not flow.open:
        return _NEITHER
    level = flow.open[-1]
    end = _WORD_AFTER.match(text, offset).end()  # type: ignore[union-attr]
    quote = text[begin - 1] if begin > at and text[begin - 1] in "\"'" else ""
    prefix = text[begin:offset]
    frame = level.frame
    if frame.dead:
        return _NEITHER
    if frame.sequence:
        if level.filled:
            return _NEITHER
        return Context(ContextKind.VALUE, prefix, begin, end, name=frame.owner.name)
    if level.slot is None:
        follows = _COLON.match(text, end) is not None
        if quote:
            begin -= 1
            end += text[end : end + 1] == quote
        return Context(ContextKind.KEY, prefix, begin, end, names_of(frame.owner.path), follows=follows)  # fmt: skip
    if level.filled or level.slot.dead:
        return _NEITHER
    return Context(ContextKind.VALUE, prefix, begin, end, name=level.slot.name)


def _parents(scanner: Scanner, column: int) -> tuple[str, ...] | None:
    """The sections around a key with this indentation; ``None`` if none can stand there."""
    top = scanner.innermost(column)
    if top.dead:
        return None
    if top.indent == column:
        return names_of(top.owner.path)
    if top.pending is not None:
        return None if top.pending.dead else names_of(top.pending.path)
    if top.indent < 0:
        return ()
    last = scanner.emitter.out[top.last] if top.last >= 0 else None
    if top.sequence or last is None or last.kind is not Kind.SECTION:
        return None
    return names_of(last.path)
