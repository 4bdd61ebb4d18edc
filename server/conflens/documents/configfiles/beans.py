"""Spring's XML of beans, of which only the values that ask for names count: ``<property name="url" value="${db.url:x}"/>``.

Such a file wires objects and sets no option, so its assignments have names that no option has: the element, and what it calls
itself.  Read only.  Invariants: total, linear in the text.
"""

from __future__ import annotations

import re

from conflens.documents.configfiles.hadoop_xml.reading import unescaped
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

ROOT = re.compile(
    r"<(?:\w{1,20}:)?beans\b[^>]{0,5000}springframework\.org/schema/beans"
    r"|<!DOCTYPE\s+beans\b[^>]{0,500}springframework"
)
"""How such a file begins."""
PART = re.compile(
    r"<!--(?:[^-]|-(?!->))*+(?:-->|\Z)"
    r"|<(?P<tag>[A-Za-z][\w:.\-]*+)(?P<rest>(?:[^<>\"']|\"[^\"<]*+\"|'[^'<]*+')*+)>(?P<text>[^<]*+)"
)
_ATTRIBUTE = re.compile(
    r"(?P<key>[A-Za-z][\w:.\-]*+)\s*+=\s*+(?:\"(?P<double>[^\"<]*+)\"|'(?P<single>[^'<]*+)')"
)
_CALLED = ("name", "key", "id")


def parse(text: str) -> Parsed:
    """Return the values of a text that have ``${`` in them."""
    found: list[Assignment] = []
    for part in PART.finditer(text):
        tag = part["tag"]
        if tag is None or "${" not in part[0]:
            continue
        attributes = list(_ATTRIBUTE.finditer(text, part.start("rest"), part.end("rest")))
        values = {one["key"]: one for one in attributes}
        called = next((values[key] for key in _CALLED if key in values), None)
        named = f"<{tag}>" if called is None else f"<{tag} {_text(called)}>"
        places = [(one.start(_group(one)), one.end(_group(one))) for one in attributes]
        inside = part["text"]
        begin = part.start("text") + len(inside) - len(inside.lstrip())
        places.append((begin, part.start("text") + len(inside.rstrip())))
        own = Segment(named, part.start("tag"), part.end("tag"))
        for start, end in places:
            if "${" in text[start:end]:
                value = Value(unescaped(text[start:end]), start, end)
                found.append(Assignment(named, (own,), Kind.SCALAR, value, (), start, end))
    return Parsed(tuple(found), ())


def attributes_of(text: str, part: re.Match[str]) -> dict[str, tuple[int, int]]:
    """Return where the values of an element's attributes stand."""
    found = _ATTRIBUTE.finditer(text, part.start("rest"), part.end("rest"))
    return {one["key"]: (one.start(_group(one)), one.end(_group(one))) for one in found}


def _group(attribute: re.Match[str]) -> str:
    return "double" if attribute["double"] is not None else "single"


def _text(attribute: re.Match[str]) -> str:
    return unescaped(attribute[_group(attribute)])


def context(text: str, offset: int) -> Context:
    """Return that nothing is completed in such a file."""
    return Context(ContextKind.NEITHER)


def key_text(text: str, context: Context, name: str) -> str | None:
    """Return that nothing is completed in such a file."""
    return None


def value_text(value: str, style: str = "") -> str:
    """Return a value as it is: nothing is written into such a file."""
    return value


def renamed(text: str, assignment: Assignment, name: str) -> tuple[Change, ...] | None:
    """Return that nothing is renamed in such a file."""
    return None


def added(text: str, name: str, value: str, comment: str = "") -> Change | None:
    """Return that nothing is added to such a file."""
    return None
