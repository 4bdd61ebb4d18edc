"""Zuul: the keys of Archaius' dynamic properties."""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from corpus.wild.counts.counting import Count, Reported, found
from corpus.wild.counts.java import Sources, literal, pieces

_CALL = re.compile(
    r"new\s+(?:Cached)?Dynamic\w*Property\s*(?:<[^>]*>)?\(|\.get(?:Boolean|Int|Long|String|Double|Float)Property\("
)
_OWN_CALL = re.compile(r"(\w+)\(\)")
_NAME = re.compile(r"[\w.]+")
_RETURNED = r"\bString\s+{}\(\)\s*\{{\s*return\s+([^;]*);"
_NEAR = 1
"""Lines between a call and the place that is reported for it, at most, if nothing is known of the name."""


@attrs.frozen
class Key:
    """The first argument of a call and its place; ``parts`` are the texts it is made of, ``None`` for what varies."""

    expression: str
    parts: tuple[str | None, ...]
    path: str
    line: int

    def __str__(self) -> str:
        return f"{' '.join(self.expression.split())} ({self.path}:{self.line})"

    @property
    def name(self) -> str | None:
        """The whole name if it is one literal."""
        return literal(self.expression)

    def can_be(self, name: str) -> bool:
        """Tell whether the key can stand for a name."""
        form = "".join(".+" if part is None else re.escape(part) for part in self.parts)
        return bool(re.fullmatch(form, name))

    def is_read(self, reported: Reported) -> bool:
        """Tell whether an option that the key can stand for is read: where the call is if any name can be it."""
        return any(
            any(self.parts)
            or (read["path"] == self.path and abs(read["line"] - self.line) <= _NEAR)
            for name in reported.named
            if self.can_be(name)
            for option in reported.read(name)
            for read in option["reads"]
        )


def keys(sources: Sources) -> Iterator[Key]:
    """Yield the keys of all calls with a default."""
    for path, text in sources.texts():
        for match in _CALL.finditer(text):
            (key, *others), _ = pieces(text, match.end())
            if others:
                line = text.count("\n", 0, match.start()) + 1
                parts = tuple(_parts(key, sources, path.stem))
                yield Key(key, parts, sources.relative(path), line)


def _parts(expression: str, sources: Sources, own: str) -> Iterator[str | None]:
    """Yield the parts of a concatenation; a call of a method of the class is what that returns."""
    if call := _OWN_CALL.fullmatch(expression):
        returned = re.search(_RETURNED.format(call[1]), sources.text_of(own))
        expression = returned[1] if returned else expression
    for part in pieces(expression, separator="+")[0]:
        text = literal(part)
        yield sources.constant(part, own) if text is None and _NAME.fullmatch(part) else text


def count(sources: Sources, reported: Reported) -> list[Count]:
    """Count the literal keys that are read, and the other keys for which an option is."""
    plain, other = [], []
    for key in keys(sources):
        if key.name is None:
            other.append((key.is_read(reported), str(key)))
        else:
            plain.append((bool(reported.read(key.name)), f"{key} ({reported.lack(key.name)})"))
    return [
        found("literal Archaius keys with a read", plain),
        found("other Archaius keys with a read", other),
    ]
