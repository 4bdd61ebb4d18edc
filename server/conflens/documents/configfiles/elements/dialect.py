"""Configuration XML of elements and attributes: ``<pool size="3"><idle>5</idle></pool>`` sets ``pool.[@size]`` and ``pool.idle``.

Wrong values are replaced, and elements and attributes renamed; nothing is added, since where an element may stand is not known.
"""

from __future__ import annotations

import re

from conflens.documents.configfiles.elements.reading import Node, read
from conflens.documents.configfiles.hadoop_xml import dialect as properties
from conflens.documents.configfiles.insertion import whole_lines
from conflens.documents.configfiles.model import (
    Assignment,
    Change,
    Context,
    ContextKind,
    Kind,
    Parsed,
    Segment,
)

_NAME = re.compile(r"[A-Za-z_][\w.\-]*")
_ATTRIBUTE = re.compile(r"\[@([A-Za-z_][\w.\-]*)\]")
_LONGEST = 500


def parse(text: str) -> Parsed:
    """Return a text's elements and attributes as assignments; those of each one of a list are a document of their own."""
    tree = read(text)
    found: list[Assignment] = []
    for node in tree.nodes:
        path = node.path[tree.base :]
        name = ".".join(segment.text for segment in path)
        if path and len(name) <= _LONGEST:
            found.append(_assignment(text, node, path, name, node.item if tree.base else 0))
    return Parsed(tuple(found), tree.faults)


def _assignment(
    text: str, node: Node, path: tuple[Segment, ...], name: str, document: int
) -> Assignment:
    own = (node.start, node.end)
    start, end = own if node.is_attribute else whole_lines(text, *own) or own
    kind = Kind.SECTION if node.holds and node.value is None else Kind.SCALAR
    return Assignment(name, path, kind, node.value, (), start, end, document)


def context(text: str, offset: int) -> Context:
    """Return that nothing is completed in such a file."""
    return Context(ContextKind.NEITHER)


def key_text(text: str, context: Context, name: str) -> str | None:
    """Return that nothing is completed in such a file."""
    return None


def value_text(value: str, style: str = "") -> str:
    """Return a value as it is written: raw in a CDATA section, else with its markup escaped."""
    return properties.value_text(value, style)


def renamed(text: str, assignment: Assignment, name: str) -> tuple[Change, ...] | None:
    """Return the changes that give one element, in both its tags, or one attribute another name."""
    written = name.split(".")
    if len(written) != len(assignment.path):
        return None
    pairs = zip(assignment.path, written, strict=True)
    wrong = [(segment, other) for segment, other in pairs if segment.text != other]
    if len(wrong) != 1:
        return None
    ((segment, right),) = wrong
    if segment.text.startswith("[@"):
        attribute = _ATTRIBUTE.fullmatch(right)
        return None if attribute is None else (Change(segment.start, segment.end, attribute[1]),)
    if not _NAME.fullmatch(right):
        return None
    node = next((one for one in read(text).nodes if one.path[-1:] == (segment,)), None)
    if node is None:
        return None
    changes = [Change(segment.start, segment.end, right)]
    if node.closing >= 0:
        changes.append(Change(node.closing, node.closing + segment.end - segment.start, right))
    return tuple(changes)


def added(text: str, name: str, value: str, comment: str = "") -> Change | None:
    """Return that nothing is added to such a file."""
    return None
