"""Members that are annotated with Jackson's ``@JsonProperty``."""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from corpus.wild.counts.java import Sources

_PROPERTY = re.compile(
    r"""@JsonProperty
    (?: \( \s* (?: value \s* = \s* )? (?: "(?P<text>[^"]*)" | (?P<constant>[\w.]+) ) [^)]* \) )?
    (?: \s* @\w+ (?: \.\w+ )* (?: \( [^)]* \) )? )*                    # other annotations
    \s+ (?: (?: public | private | protected | final | volatile ) \s+ )*
    (?P<type> [\w.]+ (?: < [^=;()]*? > )? (?: \[\] )? )
    \s+ (?P<member> \w+ ) \s* (?P<next> [;=,)(] )""",
    re.X,
)
_ACCESSOR = re.compile(r"(?:get|is|set)([A-Z]\w*)")


@attrs.frozen
class Property:
    """One annotated field, parameter or method."""

    name: str
    type: str
    member: str
    is_method: bool

    @property
    def is_setter(self) -> bool:
        """Tell whether it is a method that sets the property."""
        return self.is_method and self.type == "void" and self.member.startswith("set")

    @property
    def is_getter(self) -> bool:
        """Tell whether it is a method that only returns the property."""
        return self.is_method and not self.member.startswith("set")


def properties(text: str, sources: Sources, own: str) -> Iterator[Property]:
    """Yield those of a text, which is part of the class ``own``."""
    for match in _PROPERTY.finditer(text):
        member, is_method = match["member"], match["next"] == "("
        name = match["text"]
        if match["constant"]:
            name = sources.constant(match["constant"], own)
        if not name:
            accessor = _ACCESSOR.fullmatch(member) if is_method else None
            name = accessor[1][0].lower() + accessor[1][1:] if accessor else member
        yield Property(name, match["type"], member, is_method)
