"""Reads XML whose elements and attributes are keys, however broken, in one pass.

Terms
    node  an element or attribute.
    base  how many segments of a path come before the names that a program asks for: the root is left out anyway, and of a
          root that only lists elements of one name (``<servers>`` of ``<server>``) these as well.

Attributes are ``[@name]``, as Commons Configuration writes them.  A document that says what language it is of (a document
type, a namespace of its own, a schema) holds nothing, nor does one with more than ``_MOST`` nodes, which holds data.
Invariants: total, linear in the text; no entity but the five of XML and characters by number is replaced; elements nested
deeper than ``MAX_DEPTH`` are passed over.
"""

from __future__ import annotations

import re

import attrs

from conflens.documents.configfiles.hadoop_xml.reading import CDATA, unescaped
from conflens.documents.configfiles.model import MAX_DEPTH, Fault, Segment, Value
from conflens.documents.markup import Tag, tag_at

_MARK = re.compile(r"<(?:(?P<comment>!--)|(?P<cdata>!\[CDATA\[)|(?P<other>[?!])|(?=/?[A-Za-z]))")
_ENDS = {"comment": "-->", "cdata": "]]>", "other": ">"}
_ATTRIBUTE = re.compile(
    r"(?<![\w:.\-])(?P<key>[A-Za-z][\w:.\-]*+)\s*+=\s*+(?:\"(?P<double>[^\"]*+)\"|'(?P<single>[^']*+)')"
)
_LANGUAGE = re.compile(r"(?<![\w:.\-])(?:xmlns\s*=|[\w.]{1,20}:(?:noNamespaceS|s)chemaLocation\b)")
_TYPED = re.compile(r"<!DOCTYPE\b")
_NAME = re.compile(r"[\w.\-]{1,100}")
_MOST = 20_000


@attrs.define
class Node:
    """See the module text.  ``closing`` is where the name in the end tag stands (-1: there is none); ``item`` counts the
    elements below the root."""

    path: tuple[Segment, ...]
    start: int
    end: int
    value: Value | None = None
    closing: int = -1
    is_attribute: bool = False
    holds: bool = False
    marked_up: bool = False
    item: int = 0


@attrs.frozen
class Tree:
    """What a text holds: nodes in the order of the text without the root."""

    nodes: tuple[Node, ...] = ()
    faults: tuple[Fault, ...] = ()
    base: int = 0


@attrs.define
class _Reader:
    text: str
    nodes: list[Node] = attrs.field(factory=list)
    faults: list[Fault] = attrs.field(factory=list)
    stack: list[tuple[Tag, Node]] = attrs.field(factory=list)
    below: int = 0
    """Open elements that are nested too deep."""
    items: int = 0
    root: str = ""
    ended: bool = False


def read(text: str) -> Tree:
    """Return what a text holds."""
    reader = _Reader(text)
    at = 0
    while not reader.ended and (mark := _MARK.search(text, at)) is not None:
        kind = mark.lastgroup
        if kind is not None:
            if not reader.root and _TYPED.match(text, mark.start()):
                return Tree()
            found = text.find(_ENDS[kind], mark.end())
            at = len(text) if found < 0 else found + len(_ENDS[kind])
            if reader.stack and kind != "cdata":
                reader.stack[-1][1].marked_up = True
        elif (tag := tag_at(text, mark.start())) is None:
            at = mark.end()
        else:
            at = tag.end
            if not reader.root and (tag.closing or _LANGUAGE.search(tag.attributes)):
                return Tree()
            _tag(reader, tag)
        if len(reader.nodes) > _MOST:
            return Tree()
    for tag, _ in reader.stack:
        reader.faults.append(Fault(tag.start, tag.end, "This element is never closed."))
    return Tree(tuple(reader.nodes), tuple(reader.faults), _base(reader))


def _tag(reader: _Reader, tag: Tag) -> None:
    if tag.closing:
        _close(reader, tag)
    elif reader.below or len(reader.stack) >= MAX_DEPTH:
        reader.below += not tag.attributes.endswith("/")
    else:
        _open(reader, tag)


def _open(reader: _Reader, tag: Tag) -> None:
    depth = len(reader.stack)
    if not depth:
        reader.root = tag.name
        node = Node((), tag.start, tag.end)
    else:
        parent = reader.stack[-1][1]
        parent.holds = True
        reader.items += depth == 1
        start = tag.start + 1
        segment = Segment(tag.name, start, start + len(tag.name))
        node = Node((*parent.path, segment), tag.start, tag.end, item=reader.items)
        reader.nodes.append(node)
    if "=" in tag.attributes:
        _attributes(reader, tag, node)
    if not tag.attributes.endswith("/"):
        reader.stack.append((tag, node))
    elif not depth:
        reader.ended = True


def _attributes(reader: _Reader, tag: Tag, node: Node) -> None:
    base = tag.end - 1 - len(tag.attributes)
    for match in _ATTRIBUTE.finditer(tag.attributes):
        key = match["key"]
        if ":" in key or not _NAME.fullmatch(key):
            continue
        group = "double" if match["double"] is not None else "single"
        start, end = base + match.start(group), base + match.end(group)
        value = Value(unescaped(match[group]), start, end, reader.text[start - 1])
        at = base + match.start("key")
        path = (*node.path, Segment(f"[@{key}]", at, at + len(key)))
        node.holds = True
        reader.nodes.append(
            Node(path, at, base + match.end(), value, is_attribute=True, item=node.item)
        )


def _close(reader: _Reader, tag: Tag) -> None:
    if reader.below:
        reader.below -= 1
        return
    names = [opened.name for opened, _ in reader.stack]
    if tag.name not in names:
        return
    at = len(names) - 1 - names[::-1].index(tag.name)
    for opened, _ in reader.stack[at + 1 :]:
        reader.faults.append(Fault(opened.start, opened.end, "This element is never closed."))
    opened, node = reader.stack[at]
    node.marked_up |= at + 1 < len(reader.stack)
    del reader.stack[at:]
    node.end = tag.end
    node.closing = tag.start + len("</")
    if not node.marked_up and reader.text.find("<", opened.end, tag.start) < 0:
        node.value = _value(reader.text, opened.end, tag.start)
    elif not node.marked_up and reader.text.startswith(CDATA, opened.end):
        node.value = _raw(reader.text, opened.end, tag.start)
    reader.ended = not reader.stack


def _value(text: str, start: int, end: int) -> Value | None:
    raw = text[start:end]
    bare = raw.strip()
    if not bare:
        return None
    start += len(raw) - len(raw.lstrip())
    return Value(unescaped(bare), start, start + len(bare))


def _raw(text: str, start: int, end: int) -> Value | None:
    """The text of an element that is one CDATA section."""
    inner = text[start + len(CDATA) : end]
    if not inner.endswith("]]>") or "]]>" in inner[:-3] or not inner[:-3].strip():
        return None
    return Value(inner[:-3], start + len(CDATA), end - len("]]>"), CDATA)


def _base(reader: _Reader) -> int:
    """Return 1 for a root that only lists elements of one name, each of which holds others; else 0."""
    top = [node for node in reader.nodes if len(node.path) == 1]
    names = {node.path[0].text for node in top}
    if len(names) != 1 or not all(node.holds and not node.is_attribute for node in top):
        return 0
    (name,) = names
    return int(len(top) > 1 or reader.root.lower() in (f"{name.lower()}s", f"{name.lower()}list"))
