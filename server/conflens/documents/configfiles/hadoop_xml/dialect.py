"""Configuration XML: ``<configuration><property><name>…</name><value>…</value></property></configuration>``.

Names and values are what Hadoop's accessors work with: blank text around them is no part of them.  The style of a value
is ``<![CDATA[`` in such a section, the quote if it is an attribute.  ``hadoop_reading`` reads; here is what is written.
A new property looks like its neighbours: their indentation, one line or several, elements or attributes, and the prefix
of their namespace; a comment on it becomes its ``<description>``.
Absent: writing into a file with another root element.
"""

from __future__ import annotations

import re
from bisect import bisect_right

import attrs

from conflens.documents.configfiles.hadoop_xml.reading import (
    CDATA,
    Document,
    Property,
    local_name,
    read,
    unescaped,
)
from conflens.documents.configfiles.insertion import (
    applied,
    indent_start,
    inserted_lines,
    whole_lines,
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
from conflens.documents.configfiles.neighbours import neighbour, newline_of
from conflens.documents.markup import Tag, tag_at, tags

_SPACE = re.compile(r"\s")
_WORD_START = re.compile(r"[^\s<>]*+\Z")
_WORD = re.compile(r"[^\s<>]*+")
_VALUE_END = re.compile(r"[^<\r\n]*+")
_TAG_NAME = re.compile(r"<([\w:.\-]*+)")
_OPEN_ATTRIBUTE = re.compile(r"([\w:.\-]++)\s*+=\s*+([\"'])([^\"'<]*+)\Z")
_CLOSED_ATTRIBUTE = re.compile(r"\bname\s*+=\s*+(?:\"([^\"<]*+)\"|'([^'<]*+)')")
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def parse(text: str) -> Parsed:
    """Return a text's properties as assignments, none if it has another root than ``<configuration>`` or Java's ``<properties>``."""
    if "<entry" in text and (entries := _entries(text)):
        return Parsed(entries)
    document = read(text)
    found = tuple(
        assignment
        for prop in document.properties
        if (assignment := _assignment(text, prop)) is not None
    )
    return Parsed(found, document.faults)


def _entries(text: str) -> tuple[Assignment, ...]:
    """The entries of ``java.util.Properties`` in XML: ``<properties><entry key="a.b">text</entry>``."""
    found: list[Assignment] = []
    entry: tuple[Tag, Segment] | None = None
    root = False
    for tag in tags(text, skip_comments=True):
        if not root:
            if tag.name != "!" and (tag.name != "properties" or tag.closing):
                return ()
            root = tag.name == "properties"
            continue
        if entry is not None and tag.name != "!":
            opened, key = entry
            value = None
            if tag.name == "entry" and tag.closing:
                said = _plain(text, opened.end, tag.start)
                value, end = said, tag.end
            else:
                end = opened.end
            found.append(_entry(text, opened.start, end, key, value))
            entry = None
        if tag.name == "entry" and not tag.closing:
            said_key = tag.attribute("key")
            if said_key is None or not said_key[0] or _SPACE.search(said_key[0]):
                continue
            at = said_key[1]
            key = Segment(unescaped(said_key[0]), at, at + len(said_key[0]))
            if tag.attributes.endswith("/"):
                found.append(_entry(text, tag.start, tag.end, key, None))
            else:
                entry = tag, key
    return tuple(found)


def _plain(text: str, start: int, end: int) -> Value | None:
    raw = text[start:end]
    if "<" in raw:
        return None
    bare = raw.strip()
    start += len(raw) - len(raw.lstrip()) if bare else 0
    return Value(unescaped(bare), start, start + len(bare)) if bare else None


def _entry(text: str, start: int, end: int, key: Segment, value: Value | None) -> Assignment:
    start, end = whole_lines(text, start, end) or (start, end)
    return Assignment(key.text, (key,), Kind.SCALAR, value, (), start, end)


def _assignment(text: str, prop: Property) -> Assignment | None:
    name = prop.name
    if name is None or not name.text or _SPACE.search(name.text):
        return None
    start, end = whole_lines(text, prop.start, prop.end) or (prop.start, prop.end)
    segment = Segment(name.text, name.start, name.end)
    return Assignment(
        name.text, (segment,), Kind.SCALAR, prop.value, (), start, end, final=prop.final
    )


def context(text: str, offset: int) -> Context:
    """Return what the cursor is about to write: the text of a name or value, or on an otherwise empty line directly
    below ``<configuration>`` a whole property."""
    document = read(text)
    if document.root is None or document.root.end > offset:
        return Context(ContextKind.NEITHER)
    at, outside = _markup_before(text, offset, document)
    if not outside:
        return Context(ContextKind.NEITHER)
    tag = tag_at(text, at)
    if tag is None or tag.end > offset:
        return _in_tag(text, at, offset)
    field = local_name(tag)
    if not tag.closing and field in ("name", "value") and not tag.attributes.endswith("/"):
        if field == "name":
            return _written(ContextKind.KEY, text, offset, tag.end)
        return _written(ContextKind.VALUE, text, offset, tag.end, _name_at(document, offset))
    within = _property_at(document, offset)
    closed = tag.closing or tag.attributes.endswith("/")
    if field != "configuration" and not (closed and field in ("property", "include")):
        return Context(ContextKind.NEITHER)
    if within is not None and not (tag.closing and field == "property"):
        return Context(ContextKind.NEITHER)
    if (field == "configuration" and tag.closing) or 0 <= document.root_end < offset:
        return Context(ContextKind.NEITHER)
    return _on_empty_line(text, offset)


def _markup_before(text: str, offset: int, document: Document) -> tuple[int, bool]:
    """The tag that the text at an offset follows, comments passed over; false if the offset is in a comment."""
    at = offset
    starts = [start for start, _ in document.opaque]
    while (at := text.rfind("<", 0, at)) >= 0:
        index = bisect_right(starts, at) - 1
        if index < 0 or document.opaque[index][1] <= at:
            return at, True
        start, end = document.opaque[index]
        raw = text.startswith(CDATA, start)
        if not raw and (offset < end or not text.endswith((">", "?"), start, end)):
            return at, False
        at = start
    return 0, False


def _in_tag(text: str, at: int, offset: int) -> Context:
    """The cursor in a tag, perhaps half-typed: in its attribute ``name`` or ``value``."""
    named = _TAG_NAME.match(text, at)
    before = text[at:offset]
    found = _OPEN_ATTRIBUTE.search(before) if len(before) <= 2_000 else None
    if named is None or found is None or named[1].rpartition(":")[2] != "property":
        return Context(ContextKind.NEITHER)
    kind = {"name": ContextKind.KEY, "value": ContextKind.VALUE}.get(found[1])
    if kind is None:
        return Context(ContextKind.NEITHER)
    start = at + found.start(3)
    end = offset
    while end < len(text) and text[end] not in "\"'<>\r\n":
        end += 1
    other = _CLOSED_ATTRIBUTE.search(text, at, end) if kind is ContextKind.VALUE else None
    name = unescaped((other[1] or other[2] or "").strip()) if other else ""
    return Context(kind, unescaped(text[start:offset]), start, end, name=name)


def _written(kind: ContextKind, text: str, offset: int, at: int, name: str = "") -> Context:
    """The cursor in an element's text that begins at ``at``: the range is up to the next tag, or in an element that is
    not closed up to the end of the line or word."""
    if text.startswith(CDATA, at) and offset >= at + len(CDATA):
        at += len(CDATA)
    while at < offset and text[at].isspace():
        at += 1
    if kind is ContextKind.KEY:
        start = max(at, offset - len(_found(_WORD_START, text[max(at, offset - 1000) : offset])))
        end = offset + len(_found(_WORD, text, offset))
    else:
        start = at
        end = offset + len(_found(_VALUE_END, text, offset))
    if (marker := text.find("]]>", offset, end)) >= 0:
        end = marker
    while end > offset and text[end - 1].isspace():
        end -= 1
    return Context(kind, unescaped(text[start:offset]), start, end, name=name)


def _found(pattern: re.Pattern[str], text: str, at: int = 0) -> str:
    match = pattern.search(text, at) if at == 0 else pattern.match(text, at)
    return match[0] if match else ""


def _on_empty_line(text: str, offset: int) -> Context:
    before = _found(_WORD_START, text[max(0, offset - 1000) : offset])
    start = offset - len(before)
    end = offset + len(_found(_WORD, text, offset))
    begin = indent_start(text, start)
    if begin is None or whole_lines(text, start, end) is None:
        return Context(ContextKind.NEITHER)
    return Context(ContextKind.KEY, before, start, end, indent=start - begin)


def _property_at(document: Document, offset: int) -> Property | None:
    """The property that an offset is in; one that is not closed reaches up to the next."""
    index = bisect_right([one.start for one in document.properties], offset) - 1
    if index < 0:
        return None
    found = document.properties[index]
    return found if offset < found.end or not found.closed else None


def _name_at(document: Document, offset: int) -> str:
    found = _property_at(document, offset)
    return found.name.text if found is not None and found.name is not None else ""


def key_text(text: str, context: Context, name: str) -> str | None:
    """Return a name as it is written at a context: alone within ``<name>``, else with the whole property around it."""
    if not _writable(name):
        return None
    begin = indent_start(text, context.start)
    before = text[: context.start].rstrip()
    tag_start = before.rfind("<")
    tag = tag_at(text, tag_start) if before.endswith(">") and tag_start >= 0 else None
    if before.endswith(CDATA):
        return name
    if before[-1:] in ("'", '"') or (
        tag is not None and local_name(tag) == "name" and not tag.closing
    ):
        return _escaped(name, quoted=before[-1:] in ("'", '"'))
    if begin is None:
        return None
    layout = _layout(text, _nearest(text, read(text), name))
    there = text[begin : context.start]
    if not layout.outer.startswith(there):
        layout = attrs.evolve(layout, outer=there)
    lines = _element(layout, name, "", "")
    return newline_of(text).join(lines)[len(there) :]


def value_text(value: str, style: str = "") -> str:
    """Return a value as it is written: raw in a CDATA section, else with its markup escaped."""
    if style == CDATA:
        return value.replace("]]>", "]]]]><![CDATA[>")
    return _escaped(value, quoted=style in ("'", '"'))


def _escaped(text: str, quoted: bool = False) -> str:
    text = (
        text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;")
    )
    if quoted:
        text = text.replace('"', "&quot;").replace("'", "&apos;")
        text = text.replace("\n", "&#10;").replace("\t", "&#9;")
    return text


def _writable(name: str) -> bool:
    return bool(name) and not _SPACE.search(name) and not _UNPRINTABLE.search(name)


def renamed(text: str, assignment: Assignment, name: str) -> tuple[Change, ...] | None:
    """Return the change of the text of ``<name>``; everything else of the property stays."""
    if not _writable(name):
        return None
    start, end = assignment.key.start, assignment.key.end
    before = text[:start].rstrip()
    if before.endswith(CDATA) and not text.startswith(CDATA, start):
        return None if "]]>" in name else (Change(start, end, name),)
    return (Change(start, end, _escaped(name, quoted=before[-1:] in ("'", '"'))),)


def added(text: str, name: str, value: str, comment: str = "") -> Change | None:
    """Return the change that adds a property behind its nearest relative, else behind the last; ``None`` for XML of
    another kind.  ``comment`` becomes its description."""
    if not _writable(name):
        return None
    if not text.strip():
        layout = _Layout()
        lines = ["<configuration>", *_element(layout, name, value, comment), "</configuration>"]
        return inserted_lines(text, len(text), lines)
    document = read(text)
    if document.root is None:
        return None
    change = _addition(text, document, name, value, comment)
    before = [one.name for one in parse(text).assignments]
    after = [one.name for one in parse(applied(text, change)).assignments]
    return change if sorted(after) == sorted((*before, name)) else None


def _addition(text: str, document: Document, name: str, value: str, comment: str) -> Change:
    beside = _nearest(text, document, name)
    layout = _layout(text, beside)
    lines = _element(layout, name, value, comment)
    if beside is not None:
        whole = whole_lines(text, beside.start, beside.end)
        if whole is not None:
            return inserted_lines(text, whole[1], lines)
        written = newline_of(text).join(lines)[len(layout.outer) :]
        return Change(beside.end, beside.end, written)
    root, end = document.root, document.root_end
    if root is not None and root.attributes.endswith("/"):
        opening = text[root.start : root.end - 1].rstrip("/ \t\r\n") + ">"
        return Change(
            root.start, root.end, newline_of(text).join((opening, *lines, f"</{root.name}>"))
        )
    if end < 0:
        return inserted_lines(text, len(text), lines)
    begin = indent_start(text, end)
    return inserted_lines(text, end if begin is None else begin, lines)


def _nearest(text: str, document: Document, name: str) -> Property | None:
    """The closed property that a new one belongs behind."""
    closed: dict[int, Property] = {}
    among: list[Assignment] = []
    for prop in document.properties:
        if prop.closed and (one := _assignment(text, prop)) is not None:
            closed[one.key.start] = prop
            among.append(one)
    found = neighbour(among, name) or (among[-1] if among else None)
    return closed[found.key.start] if found else None


@attrs.frozen
class _Layout:
    """How properties of a file look: the indentation of ``<property>`` and of its fields, which are on the same line
    if ``inner`` is ``None``; the namespace's prefix; whether fields are attributes."""

    outer: str = "  "
    inner: str | None = "    "
    prefix: str = ""
    attributes: bool = False


def _layout(text: str, like: Property | None) -> _Layout:
    if like is None:
        return _Layout()
    begin = indent_start(text, like.start)
    outer = "" if begin is None else text[begin : like.start]
    if like.name_at < 0:
        return _Layout(outer, None, like.prefix, attributes=True)
    inner = indent_start(text, like.name_at)
    return _Layout(outer, None if inner is None else text[inner : like.name_at], like.prefix)


def _element(layout: _Layout, name: str, value: str, comment: str) -> list[str]:
    """The lines of a new property."""
    prefix, outer = layout.prefix, layout.outer
    if layout.attributes:
        written = (
            f'<{prefix}property name="{_escaped(name, True)}" value="{_escaped(value, True)}"/>'
        )
        said = comment.replace("--", "- -").strip()
        return [f"{outer}<!-- {said} -->"] * bool(said) + [outer + written]
    fields = [
        f"<{prefix}name>{_escaped(name)}</{prefix}name>",
        f"<{prefix}value>{_escaped(value)}</{prefix}value>",
    ]
    if comment.strip():
        fields.append(f"<{prefix}description>{_escaped(comment.strip())}</{prefix}description>")
    if layout.inner is None:
        return [f"{outer}<{prefix}property>{''.join(fields)}</{prefix}property>"]
    inside = [layout.inner + field for field in fields]
    return [f"{outer}<{prefix}property>", *inside, f"{outer}</{prefix}property>"]
