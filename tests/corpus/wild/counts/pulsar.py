"""Pulsar: the fields of ``ServiceConfiguration`` with ``@FieldContext``, and their literal defaults."""

from __future__ import annotations

import re

from corpus.wild.counts.counting import Count, Reported, defaults, found
from corpus.wild.counts.java import Sources, literal, pieces

_CONTEXT = re.compile(r"@FieldContext\s*\(")
_FIELD = re.compile(
    r"(?:private|protected|public)\s+(?!static)(?:final\s+)?[\w<>,.\[\]? ]+?\s+(\w+)\s*(?:=([^;]*))?;"
)
_PLAIN = re.compile(r"(-?[\d_]+(?:\.\d+)?)[LlDdFf]?|(true|false)")


def fields(text: str) -> dict[str, str]:
    """Return the annotated fields and what they are initialised with, empty if with nothing."""
    known = {}
    for annotation in _CONTEXT.finditer(text):
        field = _FIELD.search(text, pieces(text, annotation.end())[1])
        if field:
            known[field[1]] = (field[2] or "").strip()
    return known


def value(expression: str) -> str | None:
    """Return the value of a literal as text; ``None`` if it is none."""
    plain = _PLAIN.fullmatch(expression)
    if plain:
        return plain[2] or plain[1].replace("_", "")
    return literal(expression)


def count(sources: Sources, reported: Reported) -> list[Count]:
    """Count the fields that are read and the defaults of these."""
    known = fields(sources.text_of("ServiceConfiguration"))
    read = {name: reported.read(name) for name in known}
    values = {name: value(expression) for name, expression in known.items()}
    return [
        found(
            "fields of ServiceConfiguration with a read",
            ((bool(read[name]), f"{name} ({reported.lack(name)})") for name in known),
        ),
        defaults(
            "their literal defaults",
            (
                (name, wanted, read[name])
                for name, wanted in values.items()
                if wanted is not None and read[name]
            ),
        ),
    ]
