"""Druid: ``@Config``, and ``@JsonProperty`` of the classes that ``JsonConfigProvider`` binds to a prefix."""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from corpus.wild.counts.counting import Count, Reported, found
from corpus.wild.counts.jackson import Property, properties
from corpus.wild.counts.java import Sources, literal

_CONFIG = re.compile(r"^\s*@Config\(\s*(?:value\s*=\s*)?\{?\s*\"([^\"]+)\"", re.M)
_BIND = re.compile(
    r"JsonConfigProvider\.(?:bind|bindWithDefault)\(\s*\w+\s*,\s*([^,]+?)\s*,\s*([\w.]+)\.class"
)
_SUBTYPE = re.compile(r"@JsonSubTypes\.Type\([^)]*?\b(\w+)\.class")


@attrs.frozen
class Binding:
    """A class that is bound to a prefix."""

    prefix: str
    bound: str


def bindings(sources: Sources) -> tuple[list[Binding], list[str]]:
    """Return the bindings, each once, and the prefixes that are not understood."""
    known: dict[Binding, None] = {}
    unknown = []
    for path, text in sources.texts():
        for match in _BIND.finditer(text):
            prefixes = list(_prefixes(match[1], path.stem, sources))
            known.update((Binding(prefix, match[2]), None) for prefix in prefixes)
            if not prefixes:
                unknown.append(f"{match[1]} of {match[2]} in {path.name}")
    return list(known), unknown


def _prefixes(expression: str, own: str, sources: Sources) -> Iterator[str]:
    """Yield the prefixes that an expression stands for: several if the module is made with one."""
    prefix = literal(expression) or sources.constant(expression, own)
    if prefix:
        yield prefix
    elif expression.isidentifier():
        made = re.compile(rf"\bnew {own}\(\s*\"([^\"]+)\"")
        for _, text in sources.texts():
            yield from made.findall(text)


def members(
    name: str, sources: Sources, seen: frozenset[str] = frozenset()
) -> dict[str, Property]:
    """Return the properties of a class that can be set, those it inherits included."""
    text = sources.text_of(name)
    if not text or name in seen:
        return {}
    known: dict[str, Property] = {}
    for one in properties(text, sources, name):
        if not one.is_getter:
            known.setdefault(one.name, one)
    parent = re.search(rf"\bclass\s+{name}\b[^{{]*?\bextends\s+(\w+)", text)
    inherited = members(parent[1], sources, seen | {name}) if parent else {}
    return inherited | known


def _is_interface(name: str, sources: Sources) -> bool:
    return bool(re.search(rf"\binterface\s+{name}\b", sources.text_of(name)))


def _below(known: list[Binding], reported: Reported, sources: Sources) -> list[tuple[bool, str]]:
    """Tell of each property of the bound classes whether it is read."""
    names = [
        (f"{one.prefix}.{name}", one.bound)
        for one in known
        for name in members(one.bound, sources)
    ]
    return [
        (reported.read_below(name), f"{name} of {bound} ({reported.lack(name)})")
        for name, bound in names
    ]


def count(sources: Sources, reported: Reported) -> list[Count]:
    """Count the options of each kind that are read."""
    texts = [text for _, text in sources.texts()]
    named = [name for text in texts for name in _CONFIG.findall(text)]
    known, unknown = bindings(sources)
    classes = [one for one in known if not _is_interface(one.bound, sources)]
    subtypes = [
        Binding(one.prefix, subtype)
        for one in known
        if one not in classes
        for subtype in _SUBTYPE.findall(sources.text_of(one.bound))
    ]
    bound = sum(bool(members(one.bound, sources)) for one in classes)
    return [
        found(
            "@Config with a read",
            ((bool(reported.read(name)), f"{name} ({reported.lack(name)})") for name in named),
        ),
        found(
            "@JsonProperty of bound classes with a read",
            _below(classes, reported, sources),
            f"{bound} bindings",
        ),
        found(
            "@JsonProperty of subtypes of bound interfaces with a read",
            _below(subtypes, reported, sources),
        ),
        Count("prefixes of bindings that are not understood", str(len(unknown)), unknown),
    ]
