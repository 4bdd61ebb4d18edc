"""Reads configuration XML as Hadoop and its relatives write it, however broken, in one pass.

Terms
    property    one ``<property>``, with its fields as elements or attributes.
    field       ``name``, ``value`` or ``final``; ``description`` is passed over.
    opaque      a comment, CDATA section, processing instruction or document type: no markup is looked for in it.

Invariants: total and linear; no entity but the five of XML and characters by number is ever replaced, so that what a
document type declares costs nothing.  A property ends at its end tag or where the next one begins, a field at the next
tag, so that a half-typed element costs only itself.  A file with another root than ``<configuration>`` holds nothing,
nor does one that holds more other elements than properties (Logback's).
Absent: ``<xi:include>`` and its fallback, which decide at run time what else is read.
"""

from __future__ import annotations

import re

import attrs

from conflens.documents.configfiles.model import Fault, Value
from conflens.documents.markup import Tag, tag_at

CDATA = "<![CDATA["
FIELDS = frozenset(("name", "value", "final", "description"))

_MARK = re.compile(
    r"<(?:(?P<field>name|value|final|description)>(?P<body>[^<]*+)</(?P=field)>"
    r"|(?P<comment>!--)|(?P<cdata>!\[CDATA\[)|(?P<instruction>\?)|(?P<type>!DOCTYPE)|(?=/?[A-Za-z]))"
)
_TYPE = re.compile(r"[^<>\[]*+(?:>|\[(?:[^\]]|\](?!\s*+>))*+\]\s*+>)")
_INCLUDE_END = re.compile(r"</(?:[\w.\-]++:)?include\s*+>")
_REFERENCE = re.compile(
    r"&(?:(?P<name>lt|gt|amp|quot|apos)|#(?P<number>[0-9]{1,7})|#x(?P<hex>[0-9A-Fa-f]{1,6}));"
)
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}
_ENDS = {"comment": "-->", "cdata": "]]>", "instruction": "?>"}


@attrs.define
class Property:
    """A property between ``start`` and ``end``; ``closed`` says that its end was found.  ``prefix`` is that of its
    namespace with the colon.  ``name_at`` is where its ``<name>`` begins; -1 if the name is an attribute or missing."""

    start: int
    end: int
    prefix: str = ""
    name: Value | None = None
    value: Value | None = None
    final: bool = False
    closed: bool = False
    name_at: int = -1


@attrs.frozen
class Document:
    """What a text holds.  ``root`` is the start tag of its root element, ``root_end`` where its end tag begins, or -1.
    ``opaque`` are the ranges of what is not looked into, in order; for CDATA the markers included."""

    properties: tuple[Property, ...] = ()
    faults: tuple[Fault, ...] = ()
    root: Tag | None = None
    root_end: int = -1
    opaque: tuple[tuple[int, int], ...] = ()


@attrs.define
class _Reader:
    text: str
    properties: list[Property] = attrs.field(factory=list)
    faults: list[Fault] = attrs.field(factory=list)
    opaque: list[tuple[int, int]] = attrs.field(factory=list)
    root: Tag | None = None
    root_end: int = -1
    depth: int = 0
    others: int = 0
    property: Property | None = None
    opened: Tag | None = None
    pieces: list[tuple[int, int, bool]] = attrs.field(factory=list)
    since: int = 0
    marked_up: bool = False
    includes: bool = True
    typed: bool = False


def read(text: str) -> Document:
    """Return what a text holds; without properties if it is no configuration."""
    reader = _Reader(text)
    at = 0
    while reader.root_end < 0 and (mark := _MARK.search(text, at)) is not None:
        kind = mark.lastgroup
        if mark["body"] is not None:
            if reader.root is None:
                return Document(opaque=tuple(reader.opaque))
            _simple(reader, mark)
            at = mark.end()
        elif kind is not None:
            at = _opaque(reader, kind, mark)
        elif (tag := tag_at(text, mark.start())) is None:
            at = mark.end()
        else:
            at = tag.end
            if reader.root is None and (tag.closing or _local(tag) != "configuration"):
                return Document(opaque=tuple(reader.opaque))
            at = _tag(reader, tag)
    _end_field(reader, len(text))
    _end_property(reader, None)
    if reader.root is None or reader.others > len(reader.properties):
        return Document(opaque=tuple(reader.opaque))
    found = tuple(one for one in reader.properties if one.name_at >= 0 or not reader.others)
    return Document(
        found, tuple(reader.faults), reader.root, reader.root_end, tuple(reader.opaque)
    )


def unescaped(text: str) -> str:
    """Return a text of XML as a program gets it; references to what a document declares stay."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _REFERENCE.sub(_character, text) if "&" in text else text


def _character(match: re.Match[str]) -> str:
    if match["name"]:
        return _NAMED[match["name"]]
    number = int(match["number"]) if match["number"] else int(match["hex"], 16)
    if number > 0x10FFFF or 0xD800 <= number < 0xE000 or not number:
        return match[0]
    return chr(number)


def local_name(tag: Tag) -> str:
    """Return a tag's name without the prefix of a namespace."""
    return _local(tag)


def _local(tag: Tag) -> str:
    return tag.name.rpartition(":")[2]


def _simple(reader: _Reader, mark: re.Match[str]) -> None:
    """Takes a field that holds nothing but text."""
    start, end = mark.span("body")
    _end_field(reader, mark.start())
    prop = reader.property
    field = mark["field"]
    if prop is None or field == "description":
        return
    if field == "name" and prop.name is not None:
        prop = _next_property(reader, mark.start())
    _fill(prop, field, _trimmed(reader.text, start, end), mark.start())
    prop.end = mark.end()


def _opaque(reader: _Reader, kind: str, mark: re.Match[str]) -> int:
    """Passes over what holds no markup; returns where it ends."""
    text, start = reader.text, mark.start()
    if kind == "type":
        found = None if reader.typed else _TYPE.match(text, mark.end())
        reader.typed = True
        end = found.end() if found else mark.end()
        inner = end
    else:
        closing = _ENDS[kind]
        inner = text.find(closing, mark.end())
        if inner < 0:
            what = {"comment": "comment", "cdata": "CDATA section"}.get(kind, "instruction")
            reader.faults.append(Fault(start, mark.end(), f"This {what} is never closed."))
            inner = end = len(text)
        else:
            end = inner + len(closing)
    reader.opaque.append((start, end))
    if reader.opened is not None:
        _piece(reader, start)
        if kind == "cdata":
            reader.pieces.append((mark.end(), inner, True))
        reader.since = end
    return end


def _tag(reader: _Reader, tag: Tag) -> int:
    """Takes a tag within the root; returns where to go on."""
    name = _local(tag)
    empty = tag.attributes.endswith("/")
    if name == "property":
        _end_field(reader, tag.start)
        _end_property(reader, tag)
        if not tag.closing:
            _open_property(reader, tag, empty)
    elif name == "configuration":
        _end_field(reader, tag.start)
        if reader.root is not None and not (empty and not tag.closing):
            _end_property(reader, None)
        _root_tag(reader, tag, empty)
    elif name in FIELDS:
        if reader.opened is not None:
            _close_field(reader, tag)
        if not tag.closing and reader.property is not None:
            if name == "name" and reader.property.name is not None:
                _next_property(reader, tag.start)
            reader.property.end = tag.end
            if not empty:
                reader.opened, reader.since = tag, tag.end
                reader.pieces, reader.marked_up = [], False
    elif name == "include" and not tag.closing and not empty and reader.includes:
        found = _INCLUDE_END.search(reader.text, tag.end)
        reader.includes = found is not None
        return tag.end if found is None else found.end()
    elif reader.opened is not None:
        _piece(reader, tag.start)
        reader.since, reader.marked_up = tag.end, True
    elif reader.property is None and not tag.closing and name not in ("include", "fallback"):
        reader.others += 1
    return tag.end


def _root_tag(reader: _Reader, tag: Tag, empty: bool) -> None:
    if reader.root is None:
        reader.root = tag
        if empty:
            reader.root_end = tag.end
    elif tag.closing and not reader.depth:
        reader.root_end = tag.start
    elif not empty:
        reader.depth += -1 if tag.closing else 1


def _open_property(reader: _Reader, tag: Tag, empty: bool) -> None:
    prop = Property(tag.start, tag.end, tag.name[: -len("property")])
    if "=" in tag.attributes:
        for field in ("name", "value", "final"):
            found = tag.attribute(field)
            if found is not None and (quote := reader.text[found[1] - 1]) in "\"'":
                start = found[1]
                value = _trimmed(reader.text, start, start + len(found[0]), quote)
                _fill(prop, field, value, -1)
    prop.closed = empty
    reader.property = prop
    if empty:
        _keep(reader)


def _next_property(reader: _Reader, at: int) -> Property:
    """Begins a property where a second name stands: the tags between were not typed yet."""
    prefix = reader.property.prefix if reader.property else ""
    end = reader.text.find(">", at) + 1
    reader.faults.append(Fault(at, end, "This property has a name already."))
    _keep(reader)
    reader.property = Property(at, at, prefix)
    return reader.property


def _end_property(reader: _Reader, tag: Tag | None) -> None:
    prop = reader.property
    if prop is None:
        return
    if tag is not None and tag.closing:
        prop.end, prop.closed = tag.end, True
    else:
        end = reader.text.find(">", prop.start) + 1
        reader.faults.append(Fault(prop.start, end, "This element is never closed."))
    _keep(reader)


def _keep(reader: _Reader) -> None:
    if reader.property is not None:
        reader.properties.append(reader.property)
    reader.property = None


def _close_field(reader: _Reader, tag: Tag) -> None:
    """Ends the open field at a tag of a field: its own end, or one that shows that it has none."""
    opened = reader.opened
    if opened is None or (tag.closing and tag.name == opened.name):
        _piece(reader, tag.start)
        _take_field(reader, tag.end)
    else:
        _end_field(reader, tag.start)


def _end_field(reader: _Reader, at: int) -> None:
    """Ends a field that was never closed."""
    if (opened := reader.opened) is not None:
        message = f"<{opened.name}> is never closed."
        reader.faults.append(Fault(opened.start, opened.end, message))
        _piece(reader, at)
        _take_field(reader, at)


def _take_field(reader: _Reader, end: int) -> None:
    opened, reader.opened = reader.opened, None
    prop = reader.property
    if opened is None or prop is None:
        return
    value = None if reader.marked_up else _joined(reader.text, reader.pieces, opened.end)
    if value is not None:
        _fill(prop, _local(opened), value, opened.start)
    prop.end = max(end, value.end) if value is not None else end


def _fill(prop: Property, field: str, value: Value, at: int) -> None:
    if field == "name":
        prop.name, prop.name_at = value, at
    elif field == "value":
        prop.value = value
    elif field == "final":
        prop.final = value.text == "true"


def _piece(reader: _Reader, end: int) -> None:
    if reader.since < end:
        reader.pieces.append((reader.since, end, False))


def _joined(text: str, pieces: list[tuple[int, int, bool]], at: int) -> Value:
    """What the pieces of a field say together, blank text around it left out."""
    said = [piece for piece in pieces if piece[2] or text[piece[0] : piece[1]].strip()]
    if not said:
        return Value("", at, at)
    first, last = said[0], said[-1]
    if len(said) == 1:
        return _trimmed(text, first[0], first[1], CDATA if first[2] else "")
    between = pieces[pieces.index(first) : pieces.index(last) + 1]
    whole = "".join(text[a:b] if raw else unescaped(text[a:b]) for a, b, raw in between)
    start = first[0] - len(CDATA) if first[2] else _trimmed(text, first[0], first[1]).start
    end = last[1] + len("]]>") if last[2] else _trimmed(text, last[0], last[1]).end
    return Value(whole.strip(), start, min(end, len(text)))


def _trimmed(text: str, start: int, end: int, style: str = "") -> Value:
    raw = text[start:end]
    bare = raw.strip()
    if len(bare) < len(raw):
        start += len(raw) - len(raw.lstrip())
        end = start + len(bare)
    if not bare:
        start = end = min(start, end)
    return Value(bare if style == CDATA else unescaped(bare), start, end, style)
