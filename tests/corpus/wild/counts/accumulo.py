"""Accumulo: the constants of the enumeration ``Property``, each with a key, a default and a type."""

from __future__ import annotations

import re
from collections.abc import Mapping

import attrs

from corpus.wild.counts.counting import Count, Reported, defaults, found
from corpus.wild.counts.java import Sources, class_body, literal, pieces

_CONSTANT = re.compile(r"\s*(?:@\w+(?:\([^)]*\))?\s*)*([A-Z][A-Z0-9_]*)\(")
_NEXT = re.compile(r"\s*,")
_KEY = re.compile(r"(\w+)(?:\.(?:getKey|toString)\(\))?")
_CLASS_NAME = re.compile(r"(?:\w+\.)*(\w+)\.class\.getName\(\)")
_ENUM_NAME = re.compile(r"[\w.]*?(\w+)\.name\(\)(\.toLowerCase\(\))?")
_LARGEST = {"Integer.toString(Integer.MAX_VALUE)": str(2**31 - 1)}


@attrs.frozen
class Property:
    """One constant; ``default`` is ``None`` for ``null``."""

    constant: str
    key: str
    default: str | None
    type: str

    @property
    def is_prefix(self) -> bool:
        """Tell whether names start with it and none is it."""
        return self.type.endswith("PREFIX")


def properties(text: str, sources: Sources) -> list[Property]:
    """Return the constants of the enumeration in a text; raise ``ValueError`` if one is not understood."""
    position = class_body(text, "Property")[0]
    listed: list[Property] = []
    keys: dict[str, str] = {}
    while head := _CONSTANT.match(text, position):
        (key, default, kind, *_), end = pieces(text, head.end())
        keys[head[1]] = _evaluated(key, keys, sources)
        wanted = None if default == "null" else _evaluated(default, keys, sources)
        listed.append(Property(head[1], keys[head[1]], wanted, kind))
        following = _NEXT.match(text, end)
        if not following:
            break
        position = following.end()
    return listed


def _evaluated(expression: str, keys: Mapping[str, str], sources: Sources) -> str:
    return "".join(_part(part, keys, sources) for part in pieces(expression, separator="+")[0])


def _part(part: str, keys: Mapping[str, str], sources: Sources) -> str:
    text = literal(part)
    if text is not None:
        return text
    if part in _LARGEST:
        return _LARGEST[part]
    if (key := _KEY.fullmatch(part)) and key[1] in keys:
        return keys[key[1]]
    if named := _CLASS_NAME.fullmatch(part):
        package = re.search(r"\bpackage ([\w.]+);", sources.text_of(named[1], "Property"))
        if package:
            return f"{package[1]}.{named[1]}"
    if enumerated := _ENUM_NAME.fullmatch(part):
        return enumerated[1].lower() if enumerated[2] else enumerated[1]
    constant = sources.constant(part, "Property")
    if constant is None:
        raise ValueError(f"{part} is not understood")
    return constant


def count(sources: Sources, reported: Reported) -> list[Count]:
    """Count the keys that are read and that are options, and the defaults of these."""
    listed = properties(sources.text_of("Property"), sources)
    options = [one for one in listed if not one.is_prefix]
    return [
        found(
            "constants of Property with a read",
            (
                (bool(reported.read(one.key)), f"{one.key} ({reported.lack(one.key)})")
                for one in options
            ),
            f"{len(listed)} constants, {len(listed) - len(options)} are prefixes",
        ),
        found(
            "constants of Property that are options",
            ((one.key in reported.named, one.key) for one in options),
        ),
        defaults(
            "their defaults",
            (
                (one.key, one.default, reported.named[one.key])
                for one in options
                if one.key in reported.named
            ),
        ),
    ]
