"""The XML of a logger (Logback, Log4j), of which only the values that ask for names count: ``<file>${LOG_DIR:-logs}/a.log</file>``.

Such a file sets no option of the program.  Its own properties are *local*: they are assignments called ``<NAME>``, so that what asks
for one of them asks for nothing outside.  A ``<springProperty>`` gives a local property the value of one of Spring's, as if it asked for
``${spring:source:-default}``.  In Log4j 2 only a name with a look-up comes from outside.  Read only.
Invariants: total, linear in the text.
"""

from __future__ import annotations

import re

from conflens.documents.configfiles.beans import PART, attributes_of, context, key_text
from conflens.documents.configfiles.beans import added as added
from conflens.documents.configfiles.beans import renamed as renamed
from conflens.documents.configfiles.beans import value_text as value_text
from conflens.documents.configfiles.hadoop_xml.reading import unescaped
from conflens.documents.configfiles.model import Assignment, Kind, Parsed, Segment, Value

__all__ = ["added", "context", "key_text", "local", "parse", "renamed", "value_text"]


_LOGBACK = "ch.qos.logback"
_SPRING = "springproperty"
_LOCAL = frozenset(
    {"property", "variable", "define", "timestamp", _SPRING, "substitutionproperty"}
)
_CALLED = ("name", "key")
_PLAIN = re.compile(r"\$\{(?!(?:env|sys|spring):)")


def local(name: str) -> str:
    """Return what a property of the file itself is called."""
    return f"<{name}>"


def parse(text: str) -> Parsed:
    """Return the local properties of a text, and its values that have ``${`` in them."""
    outside = _LOGBACK in text or "<Configuration" not in text
    found: list[Assignment] = []
    for part in PART.finditer(text):
        tag = part["tag"]
        if tag is None:
            continue
        attributes = attributes_of(text, part)
        own = Segment(f"<{tag}>", part.start("tag"), part.end("tag"))
        called = next((attributes[key] for key in _CALLED if key in attributes), None)
        if tag.lower() in _LOCAL and called is not None:
            name = local(text[called[0] : called[1]])
            found.append(_assignment(name, own, Value("", *called)))
        if tag.lower() == _SPRING and "source" in attributes:
            start, end = attributes["source"]
            given = attributes.get("defaultValue")
            default = f":-{text[given[0] : given[1]]}" if given is not None else ""
            asked = f"${{spring:{text[start:end]}{default}}}"
            found.append(_assignment(own.text, own, Value(unescaped(asked), start, end)))
            continue
        inside = part["text"]
        if (
            tag.lower() == "key" and inside.strip()
        ):  # what a sifting appender tells its inner appenders apart by
            span = part.start("text"), part.end("text")
            found.append(_assignment(local(inside.strip()), own, Value("", *span)))
        begin = part.start("text") + len(inside) - len(inside.lstrip())
        places = [*attributes.values(), (begin, part.start("text") + len(inside.rstrip()))]
        for start, end in places:
            written = text[start:end]
            if "${" in written and (outside or _PLAIN.sub("", written).find("${") >= 0):
                value = Value(unescaped(written), start, end)
                found.append(_assignment(own.text, own, value))
    return Parsed(tuple(found), ())


def _assignment(name: str, own: Segment, value: Value) -> Assignment:
    return Assignment(name, (own,), Kind.SCALAR, value, (), value.start, value.end)
