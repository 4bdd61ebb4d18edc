"""Reads HOCON (and with it JSON), tolerantly and without following includes or substitutions.

Terms
    frame   an object or array that is open; ``NOWHERE`` is one whose keys cannot be named.
    odd     a statement that is no HOCON: a word and a value without ``=``, a key of several words, an unquoted value
            with ``=`` or ``:``, a line that ends with ``;``.

Many files named ``.conf`` are something else (``name value`` lines, INI).  A file with an INI header, or with about as
many odd statements as others, holds nothing; one odd statement costs only itself, because a person may be typing it.
Invariants: total and linear, without recursion; what is nested deeper than ``MAX_DEPTH`` or named longer than
``MAX_NAME`` is passed over.
"""

from __future__ import annotations

import re

import attrs

from conflens.documents.configfiles.insertion import MAX_NAME, indent_start, whole_lines
from conflens.documents.configfiles.model import (
    MAX_ASSIGNMENTS,
    MAX_DEPTH,
    Assignment,
    Fault,
    Kind,
    Segment,
    Value,
)

_COMMENT = r"(?:#|//)[^\r\n]*+"
_LINE_END = rf"[ \t]*+(?:,[ \t]*+)?+(?:{_COMMENT})?+(?:\r\n?|\n|\Z)"
_PAIR = re.compile(
    r"[ \t]*+(?P<key>[\w\-]++(?:\.[\w\-]++)*+)[ \t]*+[=:][ \t]*+"
    rf"(?:\"(?P<quoted>[^\"\\\r\n]++)\"|(?P<bare>(?:[\w\-.%]|/(?!/))++)){_LINE_END}"
)
"""The usual line: a bare key and a scalar of one word or in simple quotes."""

_BETWEEN = re.compile(rf"(?:[ \t\r\n\f,\xa0\ufeff]++|{_COMMENT})*+")
_BLANK = re.compile(rf"(?:[ \t\f\xa0]++|{_COMMENT})*+")
_INCLUDE = re.compile(r"include[ \t]++(?:\"|(?:required|file|url|classpath|package)\()[^\r\n]*+")
_PART = re.compile(
    r"\"(?P<quoted>(?:[^\"\\\r\n]|\\[^\r\n])*+)\"|(?P<bare>(?:[^\s.\"${}\[\]:=,+#`^?!@*&\\/]|/(?!/))++)"
)
_SEPARATOR = re.compile(r"[ \t]*+(?P<mark>\+=|=|:|(?=\{))[ \t]*+")
_VALUE_BELOW = re.compile(rf"(?:[ \t\r\n]++|{_COMMENT})*+(?=[\[{{])")
_PIECE = re.compile(
    r"(?P<blank>[ \t\f\xa0]++)|(?P<triple>\"\"\"(?:[^\"]++|\"{1,2}(?!\"))*+\"{3,})"
    r"|\"(?P<quoted>(?:[^\"\\\r\n]|\\[^\r\n])*+)\"|(?P<substitution>\$\{[^{}\r\n]*+\}?+)"
    r"|(?P<bare>(?:[^\s\"${}\[\]:=,#/]|/(?!/))++)|(?P<stray>[:=\"$])"
)
_ODD_LINE = re.compile(r"(?:[^\r\n{}\"]++|\"(?:[^\"\\\r\n]|\\[^\r\n])*+\"?+)*+")
_TAIL = re.compile(rf"[ \t]*+(?:,[ \t]*+)?+(?:{_COMMENT})?+")
_INI = re.compile(r"\[[ \t]*+[A-Za-z][^\[\]{}\",\r\n]*+\][ \t]*+(?:[#;][^\r\n]*+)?+(?:[\r\n]|\Z)")
_ESCAPE = re.compile(r"\\(?:u(?P<code>[0-9A-Fa-f]{4})|(?P<one>[\"\\/bfnrt]))")
_ONE = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\", "/": "/"}

Path = tuple[Segment, ...]


@attrs.define
class _Frame:
    """An open object or array.  ``slot`` is the place of its assignment in the result, ``at`` and ``opened`` where that
    entry and its value begin, ``end`` where the value ends so far."""

    array: bool
    path: Path = ()
    prefix: str = ""
    named: bool = True
    slot: int = -1
    at: int = 0
    opened: int = 0
    end: int = 0
    number: int = 0
    items: list[tuple[int, Value]] = attrs.field(factory=list)
    nested: bool = False


_MANY = 100
_DEEP = 20_000
_NO_OBJECT = _Frame(array=False, named=False)
_NO_ARRAY = _Frame(array=True, named=False)


@attrs.define
class _Reader:
    text: str
    frames: list[_Frame] = attrs.field(factory=lambda: [_Frame(array=False)])
    found: list[Assignment | None] = attrs.field(factory=list)
    faults: list[Fault] = attrs.field(factory=list)
    odd: int = 0
    even: int = 0
    closed: _Frame | None = None
    """The frame that the same line has just closed: what follows continues its value."""
    torn: bool = False


def read(text: str) -> tuple[tuple[Assignment, ...], tuple[Fault, ...]]:
    """Return a text's assignments and faults, both empty if it is no HOCON."""
    reader = _Reader(text)
    at = _after(_BETWEEN, text, 0)
    if text.startswith("[", at):
        return (), ()
    if text.startswith("{", at):
        at += 1
        reader.frames.append(_Frame(array=False, opened=at - 1))
    length = len(text)
    while at < length and len(reader.found) <= MAX_ASSIGNMENTS:
        frame = reader.frames[-1]
        if not frame.array:
            pair = _PAIR.match(text, at)
            if pair is not None:
                _pair(reader, frame, pair)
                at = pair.end()
                continue
        at = max(_step(reader, frame, at), at + 1)
        if (reader.odd > _MANY and reader.odd > reader.even) or len(reader.frames) > _DEEP:
            return (), ()
    many = reader.odd > 2 and reader.odd * 5 > reader.even
    if reader.torn or many or (reader.odd and reader.odd >= reader.even):
        return (), ()
    while len(reader.frames) > 1:
        opened = reader.frames[-1].opened
        if reader.frames[-1].named:
            reader.faults.append(Fault(opened, opened + 1, "This bracket is never closed."))
        _pop(reader, length)
    _settle(reader)
    return tuple(one for one in reader.found if one is not None), tuple(reader.faults[:100])


def _after(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at


def _step(reader: _Reader, frame: _Frame, at: int) -> int:
    """Takes one statement, element or bracket; returns where to go on."""
    text = reader.text
    if reader.closed is not None:
        begin = _after(_BLANK, text, at)
        if (continued := _continued(reader, begin)) is not None:
            return continued
        _settle(reader)
    at = _after(_BETWEEN, text, at)
    char = text[at : at + 1]
    if char in ("}", "]"):
        return _bracket(reader, frame, char, at)
    if not char:
        return len(text)
    return _element(reader, frame, at) if frame.array else _statement(reader, frame, at)


def _continued(reader: _Reader, at: int) -> int | None:
    """What follows an object or array in the same value: another that is joined to it, or a substitution."""
    text, closed = reader.text, reader.closed
    if closed is None or at >= len(text):
        return None
    if text.startswith("${", at):
        match = _PIECE.match(text, at)
        return match.end() if match else None
    if text[at] == ("[" if closed.array else "{"):
        reader.frames.append(closed)
        reader.closed = None
        return at + 1
    return None


def _bracket(reader: _Reader, frame: _Frame, char: str, at: int) -> int:
    """Closes what is open; a bracket of the other kind closes arrays that were not."""
    if char == "}":
        while reader.frames[-1].array:
            _pop(reader, at)
        if len(reader.frames) == 1:
            reader.odd += 1
            return at + 1
        _pop(reader, at + 1)
    elif frame.array:
        _pop(reader, at + 1)
    else:
        reader.odd += 1
    return at + 1


def _pop(reader: _Reader, end: int) -> None:
    _settle(reader)
    frame = reader.frames.pop()
    if frame.named and frame.slot >= 0:
        frame.end = end
        reader.closed = frame


def _settle(reader: _Reader) -> None:
    """Adds the array that was closed last; only now is it sure that no other one is joined to it."""
    frame, reader.closed = reader.closed, None
    if frame is None or not frame.array:
        return
    end = frame.end
    name = ".".join(part.text for part in frame.path)
    lines = None
    if frame.path[-1].start >= frame.at:
        lines = whole_lines(reader.text, frame.at, _after(_TAIL, reader.text, end))
    start, stop = lines or (frame.at, end)
    if not frame.nested:
        items = tuple(value for _, value in frame.items)
        made = Assignment(name, frame.path, Kind.LIST, None, items, start, stop)
        reader.found[frame.slot] = made
        return
    start, stop = whole_lines(reader.text, frame.at, frame.opened + 1) or (
        frame.at,
        frame.opened + 1,
    )
    reader.found[frame.slot] = Assignment(name, frame.path, Kind.SECTION, None, (), start, stop)
    singles = [_single(frame.path, number, value) for number, value in frame.items]
    if singles:
        room = MAX_ASSIGNMENTS - len(reader.found)
        inside = [*reader.found[frame.slot + 1 :], *singles[: max(0, room)]]
        inside.sort(key=lambda one: one.start if one is not None else 0)
        reader.found[frame.slot + 1 :] = inside
    frame.items = []


def _single(path: Path, number: int, value: Value) -> Assignment:
    where = _numbered(path, number)
    name = ".".join(part.text for part in where)
    return Assignment(name, where, Kind.SCALAR, value, (), value.start, value.end)


def _numbered(path: Path, number: int) -> Path:
    last = path[-1]
    return (*path[:-1], Segment(f"{last.text}[{number}]", last.start, last.end))


def _pair(reader: _Reader, frame: _Frame, pair: re.Match[str]) -> None:
    reader.even += 1
    _settle(reader)
    key, start = pair["key"], pair.start("key")
    if not frame.named or len(frame.prefix) + len(key) > MAX_NAME:
        return
    path = frame.path
    for part in key.split("."):
        path = (*path, Segment(part, start, start + len(part)))
        start += len(part) + 1
        if len(path) > MAX_DEPTH:
            return
    quoted = pair["quoted"]
    if quoted is None:
        value = Value(pair["bare"], *pair.span("bare"))
    else:
        value = Value(quoted, *pair.span("quoted"), '"')
    line, end = indent_start(reader.text, pair.start("key")), pair.end()
    begin = pair.start("key") if line is None else line
    if line is None:
        end = value.end + (quoted is not None)
    name = frame.prefix + key
    reader.found.append(Assignment(name, path, Kind.SCALAR, value, (), begin, end))


def _statement(reader: _Reader, frame: _Frame, at: int) -> int:
    """Takes ``key = value``, ``key { … }`` or an include."""
    text = reader.text
    if (pair := _PAIR.match(text, at)) is not None:
        _pair(reader, frame, pair)
        return pair.end()
    if (include := _INCLUDE.match(text, at)) is not None:
        return include.end()
    if _INI.match(text, at):
        reader.torn = True
        return len(text)
    keys, end = _key(text, at)
    separator = _SEPARATOR.match(text, end)
    if not keys or separator is None:
        return _odd(reader, at)
    path = (*frame.path, *keys) if frame.named else ()
    begin = separator.end()
    below = _VALUE_BELOW.match(text, begin)
    if below is not None:
        begin = below.end()
    return _value(reader, path, at, begin, appends=separator["mark"] == "+=")


def _key(text: str, at: int) -> tuple[Path, int]:
    parts: list[Segment] = []
    end = at
    while match := _PART.match(text, at):
        group = match.lastgroup or "bare"
        said = unescaped(match[group]) if group == "quoted" else match[group]
        parts.append(Segment(said, *match.span(group)))
        end = match.end()
        if not text.startswith(".", end):
            break
        at = end + 1
    return tuple(parts), end


def _odd(reader: _Reader, at: int) -> int:
    """Passes over a line that is no statement; a brace in it opens an object of which nothing is known."""
    reader.odd += 1
    end = _after(_ODD_LINE, reader.text, at)
    if reader.text.startswith("{", end):
        reader.frames.append(_NO_OBJECT)
        end += 1
    return end


def _value(reader: _Reader, path: Path, at: int, begin: int, appends: bool) -> int:
    """Takes a value of a key; returns where it ends, or the place within the object or array that it opens."""
    text = reader.text
    value, end, opening, plain = _scalar(text, begin)
    char = text[opening : opening + 1]
    if char in ("{", "[") and char:
        reader.even += 1
        return _open(reader, path, at, opening)
    if not plain:
        return _odd(reader, at)
    reader.even += 1
    name = ".".join(part.text for part in path)
    if not path or len(path) > MAX_DEPTH or len(name) > MAX_NAME:
        return end
    start, stop = whole_lines(text, at, _after(_TAIL, text, end)) or (at, end)
    if appends:
        items = () if value is None else (value,)
        made = Assignment(name, path, Kind.LIST, None, items, start, stop)
    else:
        made = Assignment(name, path, Kind.SCALAR, value, (), start, stop)
    reader.found.append(made)
    return end


def _open(reader: _Reader, path: Path, at: int, opened: int) -> int:
    """Opens an object or array as the value of a path."""
    array = reader.text[opened] == "["
    name = ".".join(part.text for part in path)
    if not path or len(path) > MAX_DEPTH or len(name) > MAX_NAME:
        reader.frames.append(_NO_ARRAY if array else _NO_OBJECT)
        return opened + 1
    slot = len(reader.found)
    if array:
        reader.found.append(None)
    else:
        start, stop = whole_lines(reader.text, at, opened + 1) or (at, opened + 1)
        made = Assignment(name, path, Kind.SECTION, None, (), start, stop)
        reader.found.append(made)
    reader.frames.append(_Frame(array, path, f"{name}.", True, slot, at, opened))
    return opened + 1


def _element(reader: _Reader, frame: _Frame, at: int) -> int:
    """Takes an element of an array.  One that is a statement shows that the array was not closed."""
    text = reader.text
    value, end, opening, plain = _scalar(text, at)
    char = text[opening : opening + 1]
    if char in ("{", "[") and char:
        if value is not None and char == "{":
            return _torn_array(reader, at)
        if frame.named:
            frame.nested = True
            path = _numbered(frame.path, frame.number)
            frame.number += 1
        else:
            path = ()
        return _open(reader, path, at, opening)
    if not plain:
        return _torn_array(reader, at)
    if value is not None and frame.named and len(frame.items) < MAX_ASSIGNMENTS:
        frame.items.append((frame.number, value))
        frame.number += 1
    return end


def _torn_array(reader: _Reader, at: int) -> int:
    while reader.frames[-1].array:
        opened = reader.frames[-1].opened
        reader.faults.append(Fault(opened, opened + 1, "This bracket is never closed."))
        _pop(reader, at)
    _settle(reader)
    return _statement(reader, reader.frames[-1], at)


def _scalar(text: str, at: int) -> tuple[Value | None, int, int, bool]:
    """The text at a place up to what ends a value, all its pieces joined; where it ends, without and with the blanks
    behind; false if it cannot be a value of HOCON."""
    start, end, plain = at, at, True
    said: list[str] = []
    pieces: list[tuple[str, int, int]] = []
    while (piece := _PIECE.match(text, at)) is not None:
        group = piece.lastgroup or "bare"
        at = piece.end()
        if group == "stray":
            plain = plain and piece[0] == '"'
            if piece[0] == '"':
                at = _after(_REST, text, at)
                said.append(text[piece.end() : at].rstrip())
                pieces.append(("open", piece.end(), at))
                end = at
                break
        if group != "blank":
            end = at
            begin, stop = piece.span(group)
            pieces.append((group, begin, stop))
        raw = piece[group]
        if group == "triple":
            raw = raw[3:-3]
        said.append(unescaped(raw) if group == "quoted" else raw)
    if not pieces:
        return None, start, at, True
    if plain and pieces[-1][0] == "bare" and text[end - 1] == ";":
        plain = False
    if len(pieces) == 1:
        kind, begin, stop = pieces[0]
        if kind == "triple":
            return Value(said[0], begin + 3, stop - 3, '"""'), end, at, plain
        style = '"' if kind in ("quoted", "open") else ""
        return Value(said[0] if style else said[0].strip(), begin, stop, style), end, at, plain
    return Value("".join(said).strip(), start, end), end, at, plain


_REST = re.compile(r"[^\r\n]*+")


def unescaped(text: str) -> str:
    """Return what a quoted string stands for; what is no escape stays."""
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(match: re.Match[str]) -> str:
    if match["one"]:
        return _ONE[match["one"]]
    number = int(match["code"], 16)
    return match[0] if 0xD800 <= number < 0xE000 else chr(number)
