"""TOML: tables, dotted keys, arrays of tables, inline tables; ``toml_reading`` reads, here is what is written.

A name that its header does not begin cannot be written below it, so there is no renaming out of a table, and none of a
table itself, since that would rename what it holds.  A new key goes into the table with the longest name that begins
its own; if there is none it is dotted at the top of a file without tables, else it gets a table at the end.
Absent: writing into inline tables and arrays.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from conflens.documents.configfiles.insertion import (
    applied,
    inserted_lines,
)
from conflens.documents.configfiles.model import (
    Assignment,
    Change,
    Context,
    ContextKind,
    Kind,
    Parsed,
    Segment,
    Value,
)
from conflens.documents.configfiles.neighbours import line_end, line_start, neighbour, newline_of
from conflens.documents.configfiles.toml.reading import Bracket, Reading, key_at, read, unescaped

_BARE_KEY = re.compile(r"[A-Za-z0-9_\-]+")
_BARE_VALUE = re.compile(
    r"true|false|[+-]?(?:inf|nan)|0x[0-9A-Fa-f_]+|0o[0-7_]+|0b[01_]+"
    r"|[+-]?(?:0|[1-9](?:_?[0-9])*)(?:\.[0-9](?:_?[0-9])*)?(?:[eE][+-]?[0-9](?:_?[0-9])*)?"
    r"|[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})?)?"
    r"|[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?"
)
_TYPED_KEY = re.compile(r"[\w.\-\"']*+")
_KEY_END = re.compile(r"[\w.\-\"']*+")
_FOLLOWS = re.compile(r"[ \t]*+=")
_ESCAPED = {
    "\\": "\\\\",
    '"': '\\"',
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\f": "\\f",
    "\r": "\\r",
}
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f\"\\]")
_LONG_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\\]|\"(?=\"\"|\Z)")


def parse(text: str) -> Parsed:
    """Return a text's assignments; tables are sections."""
    reading = read(text)
    return Parsed(tuple(reading.assignments), tuple(reading.faults))


def context(text: str, offset: int) -> Context:
    """Return what the cursor is about to write."""
    reading = read(text)
    if _in_comment(reading, offset):
        return Context(ContextKind.NEITHER)
    for one in reading.assignments:
        for value in (*one.items, one.value) if one.value is not None else one.items:
            if value.start <= offset <= value.end:
                return _in_value(text, offset, one.name, value)
    inner = _innermost(reading, offset)
    if inner is not None:
        return _in_brackets(text, offset, inner)
    begin = line_start(text, offset)
    indent = begin
    while indent < offset and text[indent] in " \t":
        indent += 1
    parents = _parents(reading, offset)
    keys, end = key_at(text, indent)
    equals = _FOLLOWS.match(text, end) if keys else None
    if parents is None or text.startswith("[", indent):
        return Context(ContextKind.NEITHER)
    if keys and equals is not None and offset >= equals.end():
        if text[equals.end() : line_end(text, offset)].strip():
            return Context(ContextKind.NEITHER)
        name = ".".join((*parents, *(key.text for key in keys)))
        return Context(ContextKind.VALUE, "", offset, offset, parents, name)
    return _in_key(text, offset, indent, parents, indent - begin)


def _in_comment(reading: Reading, offset: int) -> bool:
    index = bisect_right(reading.comments, (offset, -1)) - 1
    return index >= 0 and reading.comments[index][0] < offset <= reading.comments[index][1]


def _in_value(text: str, offset: int, name: str, value: Value) -> Context:
    prefix = text[value.start : offset]
    prefix = unescaped(prefix) if value.style.startswith('"') else prefix
    return Context(ContextKind.VALUE, prefix, value.start, value.end, name=name)


def _innermost(reading: Reading, offset: int) -> Bracket | None:
    """The inline table or array around an offset; the brackets do not belong to it."""
    around = [
        one
        for one in reading.brackets
        if one.start <= offset
        and (offset < one.end or (offset == one.end and reading.text[offset - 1] not in "]}"))
    ]
    return max(around, key=lambda one: one.start, default=None)


def _in_brackets(text: str, offset: int, bracket: Bracket) -> Context:
    names = tuple(part.text for part in bracket.path)
    if not bracket.table:
        return Context(ContextKind.VALUE, "", offset, offset, names[:-1], ".".join(names))
    start = max(text.rfind(mark, bracket.start, offset) + 1 for mark in ",{\n")
    start = max(start, bracket.start)
    while start < offset and text[start] in " \t":
        start += 1
    keys, end = key_at(text, start)
    equals = _FOLLOWS.match(text, end) if keys else None
    if equals is not None and offset >= equals.end():
        whole = ".".join((*names, *(key.text for key in keys)))
        return Context(ContextKind.VALUE, "", offset, offset, names, whole)
    return _in_key(text, offset, start, names, 0)


def _in_key(text: str, offset: int, start: int, parents: tuple[str, ...], indent: int) -> Context:
    typed = text[start:offset]
    keys, end = key_at(text, start)
    if text.startswith(".", end):
        end += 1
    if keys and offset <= end:
        prefix = ".".join(
            key.text if key.end <= offset else unescaped(text[key.start : offset])
            for key in keys
            if key.start <= offset
        )
        prefix += "." if typed.endswith(".") and not prefix.endswith(".") else ""
    elif _TYPED_KEY.fullmatch(typed):
        found = _KEY_END.match(text, offset)
        end, prefix = found.end() if found else offset, typed.lstrip("\"'")
    else:
        return Context(ContextKind.NEITHER)
    follows = _FOLLOWS.match(text, end) is not None
    return Context(ContextKind.KEY, prefix, start, end, parents, follows=follows, indent=indent)


def _parents(reading: Reading, offset: int) -> tuple[str, ...] | None:
    index = bisect_right([one.body for one in reading.sections[1:]], offset)
    path = reading.sections[index].path
    return None if path is None else tuple(part.text for part in path)


def key_text(text: str, context: Context, name: str) -> str | None:
    """Return the part of a name below the context's table, quoted where it must be."""
    prefix = "".join(f"{parent}." for parent in context.parents)
    written = _dotted(name.removeprefix(prefix)) if name.startswith(prefix) else None
    if written is None:
        return None
    return written if context.follows else f"{written} = "


def _dotted(name: str) -> str | None:
    """A name as a dotted key; ``None`` if it has empty parts or elements of lists."""
    parts = name.split(".")
    if not all(parts) or "[" in name:
        return None
    return ".".join(one if _BARE_KEY.fullmatch(one) else f'"{_basic(one)}"' for one in parts)


def value_text(value: str, style: str = "") -> str:
    """Return a value as it is written: within quotes already there if ``style`` tells them, else bare if it can be, or
    in quotes.  What a literal string cannot hold is written as it is."""
    if style == '"""':
        return _LONG_CONTROL.sub(_escape, value)
    if style == '"':
        return _basic(value)
    if style:
        return value
    return value if _BARE_VALUE.fullmatch(value) else f'"{_basic(value)}"'


def _basic(text: str) -> str:
    return _UNPRINTABLE.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    return _ESCAPED.get(match[0]) or f"\\u{ord(match[0]):04x}"


def renamed(text: str, assignment: Assignment, name: str) -> tuple[Change, ...] | None:
    """Return the change of the part of the name that stands in the key's own line."""
    own = [part for part in assignment.path if assignment.start <= part.start < assignment.end]
    around = assignment.path[: len(assignment.path) - len(own)]
    prefix = "".join(f"{part.text}." for part in around)
    if assignment.kind is Kind.SECTION or not own or not name.startswith(prefix):
        return None
    written = _dotted(name[len(prefix) :])
    if written is None:
        return None
    start, end = _quoted(text, own[0])[0], _quoted(text, own[-1])[1]
    return (Change(start, end, written),)


def _quoted(text: str, part: Segment) -> tuple[int, int]:
    """A segment's range with its quotes."""
    quote = text[part.end : part.end + 1]
    if quote in ("'", '"') and text[part.start - 1 : part.start] == quote:
        return part.start - 1, part.end + 1
    return part.start, part.end


def added(text: str, name: str, value: str, comment: str = "") -> Change | None:
    """Return the change that adds a key to the table with the longest name that begins its own; ``None`` where the
    file says that the name is a table, or that a start of it is a value."""
    reading = read(text)
    if _dotted(name.replace("[", "").replace("]", "")) is None or _taken(reading, name):
        return None
    change = _addition(text, reading, name, value, comment)
    if change is None:
        return None
    before = [one.name for one in reading.assignments if one.kind is not Kind.SECTION]
    after = [
        one.name
        for one in parse(applied(text, change)).assignments
        if one.kind is not Kind.SECTION
    ]
    return change if sorted(after) == sorted((*before, name)) else None


def _taken(reading: Reading, name: str) -> bool:
    """Whether a part of a name is closed: a value, an inline table or an array."""
    headers = {section.prefix for section in reading.sections}
    for one in reading.assignments:
        if one.name == name or one.name.startswith(f"{name}."):
            return True
        within = name.startswith((f"{one.name}.", f"{one.name}["))
        if within and (one.kind is not Kind.SECTION or f"{one.name}." not in headers):
            return True
        if "[" in one.name and name.startswith(f"{one.name.partition('[')[0]}."):
            return True
    return False


def _addition(text: str, reading: Reading, name: str, value: str, comment: str) -> Change | None:
    said = comment.strip().splitlines()
    fitting = [
        one for one in reading.sections if one.path is not None and name.startswith(one.prefix)
    ]
    section = max(fitting, key=lambda one: len(one.prefix))
    index = reading.sections.index(section)
    stop = reading.sections[index + 1].at if index + 1 < len(reading.sections) else len(text)
    inside = [
        one
        for one in reading.assignments
        if section.body <= one.start < stop and one.kind is not Kind.SECTION and _alone(text, one)
    ]
    if not section.prefix and not inside and len(reading.sections) > 1:
        return _new_table(text, name, value, said)
    written = _dotted(name[len(section.prefix) :])
    if written is None:
        return None
    beside = neighbour(inside, name) or (inside[-1] if inside else None)
    if beside is None:
        at, indent = section.body, ""
    else:
        at = beside.end
        indent = text[beside.start : _quoted(text, beside.path[len(section.path or ())])[0]]
    lines = [f"{indent}# {line}".rstrip() for line in said]
    return inserted_lines(text, at, [*lines, f"{indent}{written} = {value_text(value)}"])


def _alone(text: str, one: Assignment) -> bool:
    """Whether an entry has whole lines, so that lines can follow it."""
    starts = one.start == 0 or text[one.start - 1] in "\r\n"
    return starts and (one.end == len(text) or text[one.end - 1] in "\r\n")


def _new_table(text: str, name: str, value: str, said: list[str]) -> Change | None:
    table, _, last = name.rpartition(".")
    header, key = _dotted(table) if table else None, _dotted(last)
    if header is None or key is None:
        return None
    gap = [] if text.endswith((newline_of(text) * 2, "\n\n")) or not text else [""]
    comments = [f"# {line}".rstrip() for line in said]
    lines = [*gap, f"[{header}]", *comments, f"{key} = {value_text(value)}"]
    return inserted_lines(text, len(text), lines)
