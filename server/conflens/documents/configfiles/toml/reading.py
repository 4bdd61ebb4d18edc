"""Reads TOML line by line, so that a half-typed line costs itself only.

Terms
    section     what a header (``[a.b]``, ``[[a]]``) opens; the tables of an array of tables count from ``[0]``.
    own         the segments of a key's path that stand in its own line, not in the header's or around it.
    opaque      a comment.

Invariants: total and linear; values nest at most ``MAX_DEPTH`` deep, what is deeper is passed over by counting
brackets.  A string that is not closed ends with its line, an array where the next line is a header or a key with ``=``,
an inline table with its line unless its last line begins with ``}``.  Keys whose name is longer than ``MAX_NAME`` are
passed over.
Absent: what a valid file must not repeat or redefine: both keys are given.
"""

from __future__ import annotations

import re

import attrs

from conflens.documents.configfiles.insertion import MAX_NAME, whole_lines
from conflens.documents.configfiles.model import (
    MAX_ASSIGNMENTS,
    MAX_DEPTH,
    Assignment,
    Fault,
    Kind,
    Segment,
    Value,
)

_PAIR = re.compile(
    r"[ \t]*+(?P<key>[A-Za-z0-9_\-]++(?:\.[A-Za-z0-9_\-]++)*+)[ \t]*+=[ \t]*+"
    r"(?:\"(?P<basic>[^\"\\\r\n]*+)\"|'(?P<literal>[^'\r\n]*+)'|(?P<bare>[^\s\"'\[\]{},#]++))"
    r"[ \t]*+(?P<comment>#[^\r\n]*+)?(?:\r\n?|\n|\Z)"
)
"""The usual line: a bare key and a scalar of one word or in simple quotes."""

PART = re.compile(
    r"(?P<bare>[A-Za-z0-9_\-]++)|\"(?P<basic>(?:[^\"\\\r\n]|\\[^\r\n])*+)\"|'(?P<literal>[^'\r\n]*+)'"
)
_DOT = re.compile(r"[ \t]*+\.[ \t]*+")
_EQUALS = re.compile(r"[ \t]*+=[ \t]*+")
_BLANK = re.compile(r"[ \t]*+")
_LINE = re.compile(r"[^\r\n]*+")
_END = re.compile(r"\r\n?|\n|\Z")
_BASIC = re.compile(r"\"(?:[^\"\\\r\n]++|\\[^\r\n])*+")
_LITERAL = re.compile(r"'[^'\r\n]*+")
_LONG = {
    '"': re.compile(r"\"\"\"(?:[^\"\\]++|\\.|\"{1,2}(?!\"))*+\"{3,5}", re.DOTALL),
    "'": re.compile(r"'''(?:[^']++|'{1,2}(?!'))*+'{3,5}"),
}
_BARE = re.compile(r"[^\r\n#]*+")
_BARE_NESTED = re.compile(r"[^\r\n#,\[\]{}\"']++")
_RESUME = re.compile(
    r"[ \t]*+(?:[A-Za-z0-9_\-][A-Za-z0-9_\-. ]*+=|\[{1,2}[ \t]*+(?!true\b|false\b|inf\b|nan\b)[A-Za-z_][\w.\-]*+[ \t]*+\]{1,2}[ \t]*+(?:#|[\r\n]|\Z))"
)
_CLOSING_LINE = re.compile(r"[ \t]*+(?P<mark>[\[}])?[^\r\n]*+(?:\r\n?|\n)?+")
_SKIPPED = re.compile(r"[^\[\]{}\"'#\r\n]++")
_ESCAPE = re.compile(
    r"\\(?:u(?P<u>[0-9A-Fa-f]{4})|U(?P<long>[0-9A-Fa-f]{8})|x(?P<x>[0-9A-Fa-f]{2})|(?P<one>[btnfre\"\\])"
    r"|(?P<fold>[ \t]*+\n[ \t\n]*+))"
)
_ONE = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", "e": "\x1b", '"': '"', "\\": "\\"}
_MULTI_LINES = 100

Path = tuple[Segment, ...]


@attrs.frozen
class Section:
    """The part of a text from a header on; ``path`` is ``None`` where keys cannot be named.  ``at`` is the header's
    start, ``body`` the offset behind its line."""

    at: int
    body: int
    path: Path | None
    prefix: str


@attrs.frozen
class Bracket:
    """An inline table or array between its brackets; a missing one counts as standing where the value ends."""

    start: int
    end: int
    path: Path
    table: bool


@attrs.define
class _Rest:
    """What ends a line, the same for all that opens between ``start`` and ``note``, where its comment or line end begins.
    ``last`` is the last place before it that is not blank, ``line`` where the line ends; ``closed`` says, once somebody
    has asked, whether a later line closes a table."""

    start: int
    note: int
    last: int
    line: int
    closed: bool | None = None


@attrs.define
class Reading:
    """What is found in one text."""

    text: str
    assignments: list[Assignment] = attrs.field(factory=list)
    faults: list[Fault] = attrs.field(factory=list)
    sections: list[Section] = attrs.field(factory=lambda: [Section(0, 0, (), "")])
    brackets: list[Bracket] = attrs.field(factory=list)
    comments: list[tuple[int, int]] = attrs.field(factory=list)
    arrays: dict[tuple[str, ...], int] = attrs.field(factory=dict)
    unclosed: set[str] = attrs.field(factory=set)
    rest: _Rest | None = None


@attrs.frozen
class _Found:
    kind: Kind
    value: Value | None
    items: tuple[Value, ...]
    end: int


def read(text: str) -> Reading:
    """Return what a text holds."""
    reading = Reading(text)
    at, length = 0, len(text)
    while at < length and len(reading.assignments) <= MAX_ASSIGNMENTS:
        pair = _PAIR.match(text, at)
        if pair is not None:
            _pair(reading, pair)
            at = pair.end()
            continue
        begin = _after(_BLANK, text, at)
        first = text[begin : begin + 1]
        if first == "#":
            end = _after(_LINE, text, begin)
            reading.comments.append((begin, end))
        elif first == "[":
            end = _header(reading, begin)
        elif first in ("", "\r", "\n"):
            end = begin
        else:
            end = _statement(reading, begin)
        at = max(_after(_END, text, end), at + 1)
    return reading


def unescaped(text: str) -> str:
    """Return what a basic string stands for; what is no escape stays."""
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(match: re.Match[str]) -> str:
    if match["one"]:
        return _ONE[match["one"]]
    if match["fold"]:
        return ""
    number = int(match["u"] or match["long"] or match["x"], 16)
    return match[0] if number > 0x10FFFF or 0xD800 <= number < 0xE000 else chr(number)


def _after(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at


def _pair(reading: Reading, pair: re.Match[str]) -> None:
    section = reading.sections[-1]
    if pair["comment"] is not None:
        reading.comments.append(pair.span("comment"))
    if section.path is None:
        return
    key, start = pair["key"], pair.start("key")
    if len(section.prefix) + len(key) > MAX_NAME:
        return
    path = section.path
    if "." in key:
        for part in key.split("."):
            path = (*path, Segment(part, start, start + len(part)))
            start += len(part) + 1
        if len(path) > MAX_DEPTH:
            return
    else:
        path = (*path, Segment(key, start, start + len(key)))
    if (bare := pair["bare"]) is not None:
        value = Value(bare, *pair.span("bare"))
    elif (basic := pair["basic"]) is not None:
        value = Value(basic, *pair.span("basic"), '"')
    else:
        value = Value(pair["literal"], *pair.span("literal"), "'")
    start, end = pair.span()
    found = Assignment(section.prefix + key, path, Kind.SCALAR, value, (), start, end)
    reading.assignments.append(found)


def key_at(text: str, at: int) -> tuple[Path, int]:
    """Return the segments of a dotted key and where the last of them ends with its quote."""
    parts: list[Segment] = []
    end = at
    while match := PART.match(text, at):
        group = match.lastgroup or "bare"
        said = unescaped(match[group]) if group == "basic" else match[group]
        parts.append(Segment(said, *match.span(group)))
        end = match.end()
        dot = _DOT.match(text, end)
        if dot is None:
            break
        at = dot.end()
    return tuple(parts), end


def _header(reading: Reading, at: int) -> int:
    text = reading.text
    array = text.startswith("[[", at)
    keys, end = key_at(text, _after(_BLANK, text, at + 1 + array))
    end = _after(_BLANK, text, end)
    line = _after(_LINE, text, at)
    if not text.startswith("]]" if array else "]", end):
        reading.faults.append(Fault(at, line, "This header is never closed."))
        end = line
    if (comment := text.find("#", end, line)) >= 0:
        reading.comments.append((comment, line))
    if not keys:
        return line
    path: Path = ()
    for number, key in enumerate(keys[:MAX_DEPTH]):
        name = (*(part.text for part in path), key.text)
        last = number + 1 == len(keys)
        if last and array:
            reading.arrays[name] = reading.arrays.get(name, -1) + 1
        index = reading.arrays.get(name)
        shown = key.text if index is None or (last and not array) else f"{key.text}[{index}]"
        path = (*path, Segment(shown, key.start, key.end))
    prefix = ".".join(part.text for part in path)
    body = _after(_END, text, line)
    if len(keys) > MAX_DEPTH or len(prefix) > MAX_NAME:
        reading.sections.append(Section(at, body, None, ""))
        return line
    reading.sections.append(Section(at, body, path, prefix + "."))
    start, stop = whole_lines(text, at, line) or (at, line)
    reading.assignments.append(Assignment(prefix, path, Kind.SECTION, None, (), start, stop))
    return line


def _statement(reading: Reading, at: int) -> int:
    """Takes a key with a value of any kind; returns where the last line of it ends."""
    text = reading.text
    keys, end = key_at(text, at)
    equals = _EQUALS.match(text, end)
    if not keys or equals is None:
        line = _after(_LINE, text, at)
        reading.faults.append(Fault(at, line, "This line has no key with a value."))
        return line
    section = reading.sections[-1]
    path = () if section.path is None else (*section.path, *keys)
    end = _assign(reading, path, at, equals.end(), nested=False, depth=0)
    line = _after(_LINE, text, end)
    if (comment := text.find("#", end, line)) >= 0:
        reading.comments.append((comment, line))
    return line


def _assign(reading: Reading, path: Path, at: int, value_at: int, nested: bool, depth: int) -> int:
    """Adds the assignment of a path, with what its value holds; returns where the value ends."""
    text = reading.text
    name = ".".join(part.text for part in path)
    named = bool(path) and len(path) <= MAX_DEPTH and len(name) <= MAX_NAME
    if not named or len(reading.assignments) > MAX_ASSIGNMENTS:
        return _skip(text, value_at, nested)
    index = len(reading.assignments)
    found = _value(reading, path, value_at, nested, depth)
    lines = None
    if not nested:
        end = _after(_BLANK, text, found.end)
        if text.startswith("#", end):
            end = _after(_LINE, text, end)
        lines = whole_lines(text, at, end)
    start, end = lines or (at, found.end)
    made = Assignment(name, path, found.kind, found.value, found.items, start, end)
    reading.assignments.insert(index, made)
    return found.end


def _value(reading: Reading, path: Path, at: int, nested: bool, depth: int) -> _Found:
    text = reading.text
    first = text[at : at + 1]
    if first in ("[", "{"):
        if depth >= MAX_DEPTH:
            return _Found(Kind.SECTION, None, (), _skip(text, at, nested=True))
        if first == "{":
            return _table(reading, path, at, depth + 1)
        return _array(reading, path, at, depth + 1)
    value, end = _scalar(reading, at, nested)
    return _Found(Kind.SCALAR, value, (), end)


def _scalar(reading: Reading, at: int, nested: bool) -> tuple[Value | None, int]:
    """A string or bare word; ``None`` where nothing stands."""
    text = reading.text
    quote = text[at : at + 1]
    if quote in _LONG:
        if text.startswith(quote * 3, at) and quote not in reading.unclosed:
            closed = _LONG[quote].match(text, at)
            if closed is not None:
                start, end = at + 3, closed.end() - 3
                raw = text[start:end].replace("\r\n", "\n").removeprefix("\n")
                said = unescaped(raw) if quote == '"' else raw
                return Value(said, start, end, quote * 3), closed.end()
            reading.unclosed.add(quote)
        long = text.startswith(quote * 3, at)
        start = at + 3 if long else at + 1
        end = _after(_BASIC if quote == '"' else _LITERAL, text, start - 1)
        raw = text[start:end]
        said = unescaped(raw) if quote == '"' else raw
        closed_here = not long and text.startswith(quote, end)
        if not closed_here:
            reading.faults.append(Fault(at, end, "This string is never closed."))
        return Value(said, start, end, text[at:start]), end + closed_here
    raw = text[at : _after(_BARE_NESTED if nested else _BARE, text, at)].rstrip()
    return (Value(raw, at, at + len(raw)) if raw else None), at + len(raw)


def _array(reading: Reading, path: Path, at: int, depth: int) -> _Found:
    """An array: a list if it holds scalars only, else its elements one by one."""
    text, begin = reading.text, at
    first = len(reading.assignments)
    scalars: list[tuple[int, Value]] = []
    number, complex_, at = 0, False, at + 1
    while True:
        at = _between(reading, at)
        char = text[at : at + 1]
        if char == "]":
            at += 1
            break
        if char in ("", "\r", "\n", "}"):
            reading.faults.append(Fault(begin, begin + 1, "This array is never closed."))
            break
        if char == ",":
            at += 1
            continue
        if char in "[{":
            complex_ = True
            at = _assign(reading, _element(path, number), at, at, True, depth)
        else:
            value, end = _scalar(reading, at, nested=True)
            if value is not None and len(scalars) < MAX_ASSIGNMENTS:
                scalars.append((number, value))
            at = max(end, at + 1)
        number += 1
    reading.brackets.append(Bracket(begin + 1, at, path, table=False))
    if not complex_:
        return _Found(Kind.LIST, None, tuple(value for _, value in scalars), at)
    for index, value in scalars[: MAX_ASSIGNMENTS - len(reading.assignments)]:
        where = _element(path, index)
        name = ".".join(part.text for part in where)
        single = Assignment(name, where, Kind.SCALAR, value, (), value.start, value.end)
        reading.assignments.append(single)
    if scalars:
        inside = sorted(reading.assignments[first:], key=lambda one: one.start)
        reading.assignments[first:] = inside
    return _Found(Kind.SECTION, None, (), at)


def _element(path: Path, number: int) -> Path:
    last = path[-1]
    return (*path[:-1], Segment(f"{last.text}[{number}]", last.start, last.end))


def _between(reading: Reading, at: int) -> int:
    """Passes over blanks, line ends and comments within an array; stops before a line that cannot belong to it."""
    text = reading.text
    while True:
        at = _after(_BLANK, text, at)
        char = text[at : at + 1]
        if char == "#":
            end = _after(_LINE, text, at)
            reading.comments.append((at, end))
            at = end
        elif char in ("\r", "\n") and char:
            after = _after(_END, text, at)
            if _RESUME.match(text, after):
                return at
            at = after
        else:
            return at


def _table(reading: Reading, path: Path, at: int, depth: int) -> _Found:
    """An inline table: a section, its keys added."""
    text, begin = reading.text, at
    lines = _has_closing_line(reading, at)
    at += 1
    while True:
        at = _after(_BLANK, text, at)
        char = text[at : at + 1]
        if lines and char in ("\r", "\n", "#") and char:
            at = (
                _after(_END, text, _after(_LINE, text, at))
                if char == "#"
                else _after(_END, text, at)
            )
            continue
        if char == "}":
            at += 1
            break
        if char in ("", "\r", "\n", "#", "]"):
            reading.faults.append(Fault(begin, begin + 1, "This table is never closed."))
            break
        keys, end = key_at(text, at)
        equals = _EQUALS.match(text, end)
        if keys and equals is not None:
            at = max(_assign(reading, path + keys, at, equals.end(), True, depth), at + 1)
        else:
            at = max(end, at + 1)
    reading.brackets.append(Bracket(begin + 1, at, path, table=True))
    return _Found(Kind.SECTION, None, (), at)


def _has_closing_line(reading: Reading, at: int) -> bool:
    """Whether a table that opens at the end of a line is closed by a line of its own."""
    text, rest = reading.text, reading.rest
    if rest is None or not rest.start <= at < rest.note:
        same = rest is not None and rest.start <= at < rest.line
        line = rest.line if rest is not None and same else _after(_LINE, text, at)
        note = text.find("#", at + 1, line)
        note = line if note < 0 else note
        last = at + len(text[at + 1 : note].rstrip())
        closed = rest.closed if rest is not None and same else None
        rest = reading.rest = _Rest(at, note, last, line, closed)
    if rest.last > at and text[rest.last] != ",":
        return False
    if rest.closed is None:
        rest.closed = _is_closed_below(text, _after(_END, text, rest.line))
    return rest.closed


def _is_closed_below(text: str, at: int) -> bool:
    """Whether one of the lines from a place on closes a table."""
    for _ in range(_MULTI_LINES):
        match = _CLOSING_LINE.match(text, at)
        if match is None or match.end() == at:
            return False
        if match["mark"] == "}":
            return True
        if match["mark"] == "[" and _RESUME.match(text, at):
            return False
        at = match.end()
    return False


def _skip(text: str, at: int, nested: bool) -> int:
    """Passes over a value without looking into it."""
    depth = 0
    while at < len(text):
        char = text[at]
        if char in "\r\n":
            after = _after(_END, text, at)
            if not depth or _RESUME.match(text, after):
                return at
            at = after
        elif char == "#":
            if not depth:
                return at
            at = _after(_LINE, text, at)
        elif char in "[{":
            depth += 1
            at += 1
        elif char in "]}":
            if not depth:
                return at
            depth -= 1
            at += 1
            if not depth:
                return at
        elif char in "\"'":
            end = _after(_BASIC if char == '"' else _LITERAL, text, at)
            at = end + text.startswith(char, end)
        elif nested and not depth and char == ",":
            return at
        else:
            at = max(_after(_SKIPPED, text, at), at + 1)
    return at
