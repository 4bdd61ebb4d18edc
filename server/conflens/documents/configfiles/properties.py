"""Properties files as ``java.util.Properties`` reads them, with the parts and profiles of frameworks.

A *natural line* ends at LF, CR or CRLF; a *logical line* is natural lines joined by a backslash at their ends, without the
blanks that begin the next.  A key ends at the first ``=``, ``:`` or blank without a backslash before it.  ``#---`` or ``!---``
alone on a line begins another document unless the line above or below is a comment of the same kind (Spring); what
``spring.config.activate.on-profile`` or ``spring.profiles`` says in a document is the condition of all its keys.  ``%dev.`` before
a key is a condition of that key alone (Quarkus) and no part of its name.

Invariants: names and values are exactly what ``Properties.load`` gives, except that an escape ``\\u`` without four hexadecimal
digits, at which it fails, is a fault here and read as ``u``, that half of a surrogate pair becomes U+FFFD, and that
an entry without a name is left out.  A key without a separator has no value; behind one it may be empty.
Absent: quotes and inline comments, which the format does not have (``map."[a.b]"`` keeps them in the name).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import NamedTuple

import attrs

from conflens.documents.configfiles.model import (
    MAX_ASSIGNMENTS,
    Assignment,
    Change,
    Context,
    ContextKind,
    Fault,
    Kind,
    Parsed,
    Segment,
    Value,
)
from conflens.documents.configfiles.neighbours import neighbour, newline_of

_CONDITIONS = frozenset(
    ("spring.config.activate.on-profile", "spring.config.activate.onProfile", "spring.profiles")
)
_SIMPLE = re.compile(
    r"[ \t\f]*+(?:([#!])[^\r\n]*+"
    r"|([^\\=: \t\f\r\n#!][^\\=: \t\f\r\n]*+)([ \t\f]*+[=:]?+[ \t\f]*+)([^\\\r\n]*+))?+(?:\r\n?|\n|\Z)"
)
"""A natural line without a backslash: a comment, an entry or nothing."""
_NATURAL = re.compile(r"([^\r\n]*+)(?:\r\n?|\n|\Z)")
_SPLIT = re.compile(r"((?:[^\\=: \t\f]|\\.)*+)([ \t\f]*+[=:]?+[ \t\f]*+)", re.DOTALL)
_BLANKS = re.compile(r"[ \t\f]*+")
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.))", re.DOTALL)
_BROKEN = re.compile(r"(?<!\\)(?:\\\\)*+\\u(?![0-9A-Fa-f]{4})")
_MALFORMED = "After \\u four hexadecimal digits must follow."
_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}
_PROFILE = re.compile(r"%([\w-]++(?:,[\w-]++)*+)\.(?=.)", re.DOTALL)
_SEPARATOR = re.compile(r"[#!]---[ \t\f]*+")
_IN_KEY = re.compile(r"[\\=: \t\f\r\n]|^[#!]")
_IN_VALUE = re.compile(r"[\\\t\f\r\n]|^[ =:]")
_NAMED = {"\t": "\\t", "\n": "\\n", "\r": "\\r", "\f": "\\f"}
_SAMPLE = 50


def parse(text: str) -> Parsed:
    """Return the assignments of a text."""
    found: list[Assignment] = []
    faults: list[Fault] = []
    conditions: dict[int, str] = {}
    separators = frozenset(_separators(text))
    document = at = 0
    size = len(text)
    simple = _SIMPLE.match
    scalar = Kind.SCALAR
    while at < size and len(found) <= MAX_ASSIGNMENTS:
        match = simple(text, at)
        if match is None:
            entry = _entry(text, at)
            faults += [Fault(one, min(one + 2, entry.end), _MALFORMED) for one in entry.broken]
            if entry.name:
                found.append(_assignment(entry, at, document))
                if entry.name in _CONDITIONS:
                    conditions[document] = entry.value
            at = entry.end
            continue
        end = match.end()
        marker, name, separator, value = match.groups()
        if name is not None:
            start, stop = match.span(2)
            begin, finish = match.span(4)
            condition = ""
            if name[0] == "%" and (profile := _PROFILE.match(name)):
                condition, start, name = profile[1], start + profile.end(), name[profile.end() :]
            given = Value(value, begin, finish) if value or separator.strip() else None
            segment = Segment(name, start, stop)
            found.append(
                Assignment(name, (segment,), scalar, given, (), at, end, document, condition)
            )
            if name in _CONDITIONS:
                conditions[document] = value
        elif marker is not None and at in separators:
            document += 1
        at = end
    if conditions:
        found = [_conditioned(one, conditions.get(one.document, "")) for one in found]
    return Parsed(tuple(found), tuple(faults))


def context(text: str, offset: int) -> Context:
    """Return what the cursor at ``offset`` is about to write."""
    offset = max(0, min(offset, len(text)))
    lines = _lines(text)
    number = bisect_right(lines, (offset, len(text))) - 1
    if offset > lines[number][1]:
        offset = lines[number][1]
    indent = len(_BLANKS.match(text, lines[number][0])[0])  # type: ignore[index]
    document = bisect_left(_separators(text), lines[number][0])
    first = number
    while first and _odd(text, *lines[first - 1]):
        first -= 1
    at = lines[first][0]
    entry = _entry(text, at)
    while entry.end <= offset and entry.end < len(text) and entry.end > at:
        at = entry.end
        entry = _entry(text, at)
    if entry.comment:
        return Context(ContextKind.NEITHER, document=document, indent=indent)
    if not entry.key[1] and entry.follows and offset > entry.key[0]:
        return Context(ContextKind.NEITHER, document=document, indent=indent)
    if offset <= entry.key[0] or not entry.key[1]:
        if entry.prefix and offset < entry.key[0] and offset > entry.key[0] - entry.prefix:
            return Context(ContextKind.NEITHER, document=document, indent=indent)
        whole = offset == entry.key[0] and bool(entry.key[1])
        return Context(
            ContextKind.KEY,
            start=offset,
            end=entry.key[1] if whole else offset,
            document=document,
            follows=whole and entry.follows,
            indent=indent,
        )
    before = _entry(text[:offset], at)
    if offset <= entry.key[1]:
        return Context(
            ContextKind.KEY,
            before.name,
            *entry.key,
            document=document,
            follows=entry.follows,
            indent=indent,
        )
    if offset < entry.separator:
        return Context(ContextKind.NEITHER, document=document, indent=indent)
    return Context(
        ContextKind.VALUE,
        before.value,
        min(offset, entry.span[0]),
        max(offset, entry.span[1]),
        name=entry.name,
        document=document,
        indent=indent,
    )


def key_text(text: str, context: Context, name: str) -> str | None:
    """Return how the key ``name`` is written, with the separator that the file uses if none follows."""
    if not _writable(name):
        return None
    return _key(name) + ("" if context.follows else _separator_of(text))


def value_text(value: str, style: str = "") -> str:
    """Return a value with what must be escaped: backslashes, line ends, tabs, and what a reader would skip before it."""
    return _IN_VALUE.sub(lambda match: _NAMED.get(match[0], f"\\{match[0]}"), value)


def renamed(text: str, assignment: Assignment, name: str) -> tuple[Change, ...] | None:
    """Return the change of the key; a profile before it stays."""
    if not _writable(name):
        return None
    return (Change(assignment.key.start, assignment.key.end, _key(name)),)


def added(text: str, name: str, value: str, comment: str = "") -> Change | None:
    """Return the change that adds an assignment among those that hold without condition, where there are such."""
    if not _writable(name):
        return None
    assignments = parse(text).assignments
    plain = [one for one in assignments if not one.condition]
    beside = neighbour(plain, name)
    at = len(text)
    if beside is not None:
        at = beside.end
    elif plain and assignments[-1].document:
        at = plain[-1].end
    newline = newline_of(text)
    before = ""
    begun = at > 0 and text[at - 1] not in "\r\n"
    last = text[:at].removesuffix("\n").removesuffix("\r") if not begun else text[:at]
    start = max(last.rfind("\n"), last.rfind("\r")) + 1
    if begun:
        before = newline
    if _odd(last, start, len(last)) or (comment and _SEPARATOR.fullmatch(last, start)):
        before += newline
    notes = "".join(f"# {line}".rstrip() + newline for line in comment.splitlines())
    entry = f"{_key(name)}{_separator_of(text)}{value_text(value)}"
    return Change(at, at, f"{before}{notes}{entry}{newline}")


class _Entry(NamedTuple):
    """One logical line; ranges count from the start of the text.  ``prefix`` is the length of a profile before the key,
    ``separator`` where a value may stand, ``end`` where the next logical line begins."""

    name: str
    key: tuple[int, int]
    value: str
    span: tuple[int, int]
    end: int
    comment: bool = False
    condition: str = ""
    prefix: int = 0
    separator: int = 0
    follows: bool = False
    broken: tuple[int, ...] = ()


def _entry(text: str, at: int) -> _Entry:
    """Read the logical line at ``at``, which is not within another."""
    pieces: list[str] = []
    starts: list[int] = []
    lengths: list[int] = []
    total = 0
    end = at
    while True:
        match = _NATURAL.match(text, end)
        assert match is not None
        start, stop = match.span(1)
        start = min(_BLANKS.match(text, start).end(), stop)  # type: ignore[union-attr]
        if not total and text[start : start + 1] in ("#", "!") and start < stop:
            return _Entry("", (start, start), "", (start, start), match.end(), comment=True)
        continues = _odd(text, start, stop)
        stop -= continues
        pieces.append(text[start:stop])
        starts.append(start)
        lengths.append(total)
        total += stop - start
        end = match.end()
        if not continues or not total or end >= len(text):
            break
    joined = "".join(pieces)
    split = _SPLIT.match(joined)
    assert split is not None

    def place(offset: int, closing: bool) -> int:
        find = bisect_left if closing or offset >= total else bisect_right
        number = max(0, find(lengths, offset) - 1)
        return starts[number] + offset - lengths[number]

    raw = split[1]
    profile = _PROFILE.match(raw)
    skipped = profile.end() if profile else 0
    last = len(raw) + len(split[2].rstrip(" \t\f")) if split[2] else len(raw)
    value = joined[split.end() :]
    return _Entry(
        _resolved(raw[skipped:]),
        (place(skipped, False), place(len(raw), True)) if raw else (starts[0], 0),
        _resolved(value),
        (place(split.end(), False), place(total, True)),
        end,
        condition=profile[1] if profile else "",
        prefix=skipped,
        separator=place(last, True),
        follows=bool(split[2].strip() or value),
        broken=tuple(place(match.end() - 2, False) for match in _BROKEN.finditer(joined)),
    )


def _assignment(entry: _Entry, at: int, document: int) -> Assignment:
    given = Value(entry.value, *entry.span) if entry.follows else None
    path = (Segment(entry.name, *entry.key),)
    condition = entry.condition
    return Assignment(entry.name, path, Kind.SCALAR, given, (), at, entry.end, document, condition)


def _conditioned(one: Assignment, condition: str) -> Assignment:
    if not condition:
        return one
    return attrs.evolve(
        one, condition=f"{condition} & {one.condition}" if one.condition else condition
    )


def _separators(text: str) -> list[int]:
    """Where lines stand that begin another document, in order."""
    found: list[int] = []
    if "#---" not in text and "!---" not in text:
        return found
    above = ""
    waiting = -1
    for match in _NATURAL.finditer(text):
        line = match[1]
        marker = line.lstrip(" \t\f")[:1]
        marker = marker if marker in ("#", "!") else ""
        if waiting >= 0 and text[waiting] != marker:
            found.append(waiting)
        waiting = match.start() if above != marker and _SEPARATOR.fullmatch(line) else -1
        above = marker
    return found if waiting < 0 else [*found, waiting]


def _lines(text: str) -> list[tuple[int, int]]:
    """The contents of all natural lines; behind the last line end one more, which may be empty."""
    lines = [match.span(1) for match in _NATURAL.finditer(text)]
    if len(lines) > 1 and text[-1] not in "\r\n":
        lines.pop()
    return lines


def _odd(text: str, start: int, end: int) -> bool:
    """Whether a line ends with a backslash that has none before it to escape it."""
    if end <= start or text[end - 1] != "\\":
        return False
    line = text[start:end]
    return (len(line) - len(line.rstrip("\\"))) % 2 == 1


def _resolved(raw: str) -> str:
    if "\\" not in raw:
        return raw

    def character(match: re.Match[str]) -> str:
        if match[1]:
            return chr(int(match[1], 16))
        return _CONTROLS.get(match[2], match[2])

    text = _ESCAPE.sub(character, raw)
    if any("\ud800" <= char <= "\udfff" for char in text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _writable(name: str) -> bool:
    return bool(name) and _PROFILE.match(name) is None


def _key(name: str) -> str:
    return _IN_KEY.sub(lambda match: _NAMED.get(match[0], f"\\{match[0]}"), name)


def _separator_of(text: str) -> str:
    """What most of the first entries have between key and value, blanks alone left out."""
    counts: dict[str, int] = {}
    at = 0
    while at < len(text) and sum(counts.values()) < _SAMPLE:
        match = _SIMPLE.match(text, at)
        if match is None:
            at = _entry(text, at).end
            continue
        if match[3] and match[4] and len(match[3]) <= 3 and match[3].strip():
            counts[match[3]] = counts.get(match[3], 0) + 1
        at = match.end()
    return max(counts, key=lambda written: counts[written], default="=")
