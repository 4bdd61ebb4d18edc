"""Names in configuration XML: `<configuration><property><name>…` as Hadoop and its relatives
write it, and the `<entry key="…">` of XML properties files.

A property is an entry, also when commented out. In a `*-default.xml` its value is the default;
elsewhere a value is only set, and the default is what the description states.
"""

import html
import re

from attrs import define, field

from conflens.documents.markup import tags
from conflens.documents.names import canonical
from conflens.documents.prose import plain, stated_default
from conflens.documents.source import Collector, Source
from conflens.documents.stated import stated

_FIELDS = frozenset(("name", "value", "description"))
_ROOTS = ("<configuration", "<properties")
_NAME = re.compile(r"\S{1,300}")


def is_configuration(path: str, text: str) -> bool:
    """Whether an XML document holds configuration properties."""
    if path.lower().endswith(("-default.xml", "-site.xml")):
        return True
    return ("<property>" in text or "<entry " in text) and any(root in text for root in _ROOTS)


@define
class _Property:
    fields: dict[str, str] = field(factory=dict)
    at: int = 0


def harvest_configuration(source: Source, collector: Collector, defaults: bool) -> None:
    """Adds an entry for every property; `defaults` says that values are defaults."""
    text = source.text
    prop = _Property()
    open_field: str | None = None
    parts: list[str] = []
    last = 0
    for tag in tags(text, skip_comments=False):
        if open_field is not None:
            parts.append(text[last : tag.start])
        last = tag.end
        if tag.name in ("property", "configuration", "properties"):
            open_field = None
            _add(collector, prop, defaults)
            prop = _Property()
        elif tag.name == "entry" and not tag.closing:
            key = tag.attribute("key")
            if key is not None:
                prop = _Property({"name": key[0]}, key[1])
                open_field, parts = "value", []
        elif tag.name == "entry":
            if open_field:
                prop.fields[open_field] = "".join(parts)
                open_field = None
            _add(collector, prop, defaults)
            prop = _Property()
        elif tag.name in _FIELDS and not tag.closing:
            if tag.name == "name" and prop.fields.keys() >= {"name", "value"}:
                _add(collector, prop, defaults)
                prop = _Property()
            open_field, parts = tag.name, []
            if tag.name == "name" and "name" not in prop.fields:
                prop.at = tag.end
        elif tag.name in _FIELDS and open_field == tag.name:
            prop.fields.setdefault(open_field, "".join(parts))
            open_field = None
        elif open_field is not None:
            parts.append(" ")
    _add(collector, prop, defaults)


def _add(collector: Collector, prop: _Property, defaults: bool) -> None:
    raw = prop.fields.get("name", "")
    name = canonical(html.unescape(raw.strip()[:400]))
    if not _NAME.fullmatch(name):
        return
    described = prop.fields.get("description")
    cleaned = _clean(described) if described else None
    description = plain(cleaned) if cleaned else None
    value = _clean(prop.fields.get("value", "")).strip() or None
    default = stated_default(description)
    at = prop.at + len(raw) - len(raw.lstrip())
    default = (value or default) if defaults else default
    collector.entry(name, at, description, default, value, said=stated(cleaned))


def _clean(text: str) -> str:
    for mark in ("<!--", "-->", "<![CDATA[", "]]>"):
        text = text.replace(mark, " ")
    return html.unescape(text)
