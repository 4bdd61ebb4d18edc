"""Names in Spring's configuration metadata (`spring-configuration-metadata.json` and
`additional-spring-configuration-metadata.json`; Spring Boot reference, appendix "Configuration
Metadata"): every element of `properties` is an entry with its description and default value, and with the
values that `hints` list for it.

A file that is not valid JSON (half-typed, cut) still gives its names, without descriptions.  One in which values
nest deeper than ``MAX_DEPTH`` is left out.
"""

import json
import re
from collections.abc import Iterator

from conflens.documents.mention import TooDeepError
from conflens.documents.names import canonical, is_name_like
from conflens.documents.prose import plain
from conflens.documents.source import Collector, Source
from conflens.documents.stated import Stated, stated

MAX_DEPTH = 32
"""Nesting of lists in one value; the lists that Spring reads are flat."""

_NAME = re.compile(r'"name"\s*+:\s*+"(?P<name>[^"\\\n]{1,300}+)"')
_GROUPS = re.compile(r'"(groups|hints|properties)"\s*+:\s*+\[')


def harvest_metadata(source: Source, collector: Collector) -> None:
    """Adds an entry for every property of the metadata."""
    places = _places(source.text)
    try:
        data = json.loads(source.text)
    except RecursionError:
        raise TooDeepError from None
    except ValueError:
        for name, at in places.items():
            if is_name_like(name):
                collector.entry(canonical(name), at)
        return
    hints = _hints(data)
    for item in _properties(data):
        key = item.get("name")
        if isinstance(key, str) and key in places:
            described = item.get("description")
            description = plain(described) if isinstance(described, str) else None
            default = _value(item.get("defaultValue"))
            said = Stated(values=hints.get(key, ())).over(stated(description))
            collector.entry(canonical(key), places[key], description, default, said=said)


def _properties(data: object) -> Iterator[dict[str, object]]:
    properties: object = data.get("properties") if isinstance(data, dict) else None
    for item in properties if isinstance(properties, list) else ():
        if isinstance(item, dict):
            yield item


def _hints(data: object) -> dict[str, tuple[str, ...]]:
    """The values that hints list for a property, unless a provider says that others are allowed."""
    hints: object = data.get("hints") if isinstance(data, dict) else None
    found: dict[str, tuple[str, ...]] = {}
    for hint in hints if isinstance(hints, list) else ():
        if not isinstance(hint, dict) or hint.get("providers"):
            continue
        name, listed = hint.get("name"), hint.get("values")
        values = [
            _value(one.get("value")) if isinstance(one, dict) else None
            for one in (listed if isinstance(listed, list) else ())
        ]
        if isinstance(name, str) and values and all(values):
            found[name] = tuple(value for value in values if value)
    return found


def _places(text: str) -> dict[str, int]:
    """The first offset of each name within `properties`, so that a group or hint of the same
    name does not take its place."""
    sections = [(m.start(), m[1]) for m in _GROUPS.finditer(text)]
    places: dict[str, int] = {}
    current = 0
    for match in _NAME.finditer(text):
        while current + 1 < len(sections) and sections[current + 1][0] < match.start():
            current += 1
        if sections and sections[current][1] != "properties":
            continue
        places.setdefault(match["name"], match.start("name"))
    return places


def _value(value: object, depth: int = 0) -> str | None:
    if depth > MAX_DEPTH:
        raise TooDeepError
    match value:
        case None:
            return None
        case bool():
            return str(value).lower()
        case list():
            return ",".join(_value(item, depth + 1) or "" for item in value)
        case dict():
            return None
        case _:
            return str(value)
