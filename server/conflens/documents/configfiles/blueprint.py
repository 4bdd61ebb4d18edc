"""OSGi's XML of blueprints, of which only the values that ask for names count: ``<property name="size" value="${size}"/>``.

Such a file wires objects and sets no option.  What a value asks for is written as its *placeholders* say: each has a beginning and an
end of its own (``placeholder-prefix="${store."``), a configuration in which names live, or else the properties of the system, and
perhaps defaults.  Values are given as if they were written the usual way, with the default: ``${size:-16}``; names of the system
as ``${sys:size:-16}``.  Read only.

Terms
    placeholder  an element ``property-placeholder``.  Without one, nothing is replaced.

Invariants: total, linear in the text for each placeholder, of which ``_MOST`` count.
Absent: what other namespaces put into such a file (``camelContext``), whose values are not the blueprint's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from types import MappingProxyType

import attrs

from conflens.documents.configfiles.beans import PART, attributes_of, context, key_text
from conflens.documents.configfiles.beans import added as added
from conflens.documents.configfiles.beans import renamed as renamed
from conflens.documents.configfiles.beans import value_text as value_text
from conflens.documents.configfiles.hadoop_xml.reading import unescaped
from conflens.documents.configfiles.model import Assignment, Kind, Parsed, Segment, Value

__all__ = ["added", "context", "key_text", "parse", "renamed", "value_text"]

ROOT = re.compile(r"<(?:\w{1,20}:)?blueprint\b[^>]{0,5000}osgi\.org/xmlns/blueprint")
"""How such a file begins."""
_PLACEHOLDER = re.compile(
    r"(?:</(?:[\w.\-]{1,20}:)?|<(?:[\w.\-]{1,20}:)?)property-placeholder(?=[\s/>])"
)
_VALUES = frozenset({"bean", "property", "argument", "entry", "value", "key", "prop"})
_CALLED = ("name", "key", "id")
_LOOKUP = re.compile(r"(?:env|sys):")
_MOST = 20
_WRITTEN = "\0"
"""What stands for ``${`` where a reference has been written the usual way already, so that it is no other placeholder's."""
_INNER = r"((?:(?!{start}|{end})[^<>]){{1,500}}+)"


@attrs.frozen
class _Placeholder:
    """``defaults`` are those of names; ``system``: names are properties of the system."""

    start: str
    end: str
    defaults: Mapping[str, str]
    system: bool


def parse(text: str) -> Parsed:
    """Return the values of a text that ask for names."""
    placeholders, spans = _placeholders(text)
    root = re.search(r"<(?:([\w.\-]{1,20}):)?blueprint\b", text)
    own_prefix = root[1] or "" if root is not None else ""
    found: list[Assignment] = []
    for part in PART.finditer(text) if placeholders else ():
        tag = part["tag"]
        prefix, _, local = (tag or "").rpartition(":")
        if local not in _VALUES or prefix != own_prefix:
            continue
        if any(start <= part.start() < end for start, end in spans):
            continue
        attributes = attributes_of(text, part)
        called = next((attributes[key] for key in _CALLED if key in attributes), None)
        named = f"<{tag}>" if called is None else f"<{tag} {unescaped(text[slice(*called)])}>"
        inside = part["text"]
        begin = part.start("text") + len(inside) - len(inside.lstrip())
        own = Segment(named, part.start("tag"), part.end("tag"))
        places = [*attributes.values(), (begin, part.start("text") + len(inside.rstrip()))]
        for start, end in places:
            written = text[start:end]
            asked = _usual(written, placeholders)
            if asked != written or _asks(written, placeholders):
                value = Value(unescaped(asked), start, end)
                found.append(Assignment(named, (own,), Kind.SCALAR, value, (), start, end))
    return Parsed(tuple(found), ())


def _placeholders(text: str) -> tuple[list[_Placeholder], list[tuple[int, int]]]:
    """Return the placeholders of a text, those of the longest beginning first, and where they stand."""
    found: list[_Placeholder] = []
    spans: list[tuple[int, int]] = []
    marks = list(_PLACEHOLDER.finditer(text))
    for number, mark in enumerate(marks):
        part = PART.match(text, mark.start()) if text[mark.start() + 1] != "/" else None
        if part is None or len(found) == _MOST:
            continue
        attributes = {key: text[slice(*place)] for key, place in attributes_of(text, part).items()}
        end = part.start("text")
        if not part["rest"].endswith("/") and number + 1 < len(marks):
            end = marks[number + 1].start()
        spans.append((part.start(), end))
        system = "persistent-id" not in attributes
        found.append(
            _Placeholder(
                attributes.get("placeholder-prefix", "${"),
                attributes.get("placeholder-suffix", "}"),
                MappingProxyType(dict(_defaults(text, part.start("text"), end))),
                system and "location>" not in text[part.start("text") : end],
            )
        )
    found = [one for one in found if one.start and one.end]
    return sorted(found, key=lambda one: -len(one.start)), spans


def _defaults(text: str, start: int, end: int) -> Iterator[tuple[str, str]]:
    """Yield the names that have defaults, with these."""
    for part in PART.finditer(text, start, end):
        attributes = attributes_of(text, part) if part["tag"] is not None else {}
        if "name" in attributes and "value" in attributes:
            value = text[slice(*attributes["value"])]
            yield text[slice(*attributes["name"])], value.replace("${", "${sys:")


def _asks(text: str, placeholders: list[_Placeholder]) -> bool:
    return any(one.start in text for one in placeholders)


def _usual(text: str, placeholders: list[_Placeholder]) -> str:
    """Return a value with what it asks for written the usual way."""
    for one in placeholders:
        if one.start in text:
            start, end = re.escape(one.start), re.escape(one.end)
            inner = _INNER.format(start=start, end=end)
            text = re.sub(f"{start}{inner}{end}", partial(_reference, one), text)
    return text.replace(_WRITTEN, "${")


def _reference(one: _Placeholder, match: re.Match[str]) -> str:
    inner = match[1]
    default = one.defaults.get(inner)
    looked = "sys:" if one.system and not _LOOKUP.match(inner) else ""
    return f"{_WRITTEN}{looked}{inner}{f':-{default}' if default is not None else ''}}}"
