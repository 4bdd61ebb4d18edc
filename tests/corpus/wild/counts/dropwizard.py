"""Dropwizard: the setters with ``@JsonProperty``."""

from __future__ import annotations

import re

from corpus.wild.counts.counting import Count, Reported, found
from corpus.wild.counts.jackson import properties
from corpus.wild.counts.java import Sources
from corpus.wild.score import spelled

_LAST = re.compile(r"([^.\[]*)(?:\[[^.]*)?$")


def _last(name: str) -> str:
    """Return the last part of a name without an index, in the spelling that is compared."""
    part = _LAST.search(name)
    return spelled(part[1]) if part else ""


def count(sources: Sources, reported: Reported) -> list[Count]:
    """Count the setters for which an option whose name ends like theirs is read in their file."""
    read_at = {
        (read["path"], _last(name))
        for name in reported.named
        for option in reported.read(name)
        for read in option["reads"]
    }
    rows = []
    for path, text in sources.texts():
        own = sources.relative(path)
        for one in properties(text, sources, path.stem):
            if one.is_setter:
                either = (spelled(one.name), spelled(one.member.removeprefix("set")))
                is_read = any((own, name) in read_at for name in either)
                rows.append((is_read, f"{one.name} of {path.stem} ({own})"))
    return [found("@JsonProperty setters that are read in their file", rows)]
