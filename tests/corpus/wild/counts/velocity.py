"""Velocity: the names that ``VelocityConfiguration`` reads by night-config."""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from corpus.wild.counts.counting import Count, Reported, found
from corpus.wild.counts.java import Sources, class_body

_CALL = re.compile(r"\b(?:config|toml)\s*\.\s*(?:get\w*|contains)\(\s*\"([^\"]+)\"")
_SECTION = re.compile(r"\bCommentedConfig\s+(\w+)\s*=\s*$")
_MADE = r"\bnew\s+(\w+)\(\s*{}\s*\)"


@attrs.frozen
class Name:
    """A name as it is written in the file, and the line of the call."""

    name: str
    line: int
    is_section: bool


def names(text: str) -> Iterator[Name]:
    """Yield the names of a configuration class; those in the class of a section below the section."""
    sections: dict[str, tuple[int, int]] = {}
    calls = list(_CALL.finditer(text))
    assigned = {call: _SECTION.search(text, 0, call.start()) for call in calls}
    for call, variable in assigned.items():
        if variable and (made := re.search(_MADE.format(variable[1]), text)):
            sections[call[1]] = class_body(text, made[1])
    for call, variable in assigned.items():
        within = (
            section for section, (start, end) in sections.items() if start <= call.start() < end
        )
        name = ".".join([*within, call[1]])
        yield Name(name, text.count("\n", 0, call.start()) + 1, variable is not None)


def count(sources: Sources, reported: Reported) -> list[Count]:
    """Count the calls and the distinct names that are read; a section is if a name below it is."""
    listed = list(names(sources.text_of("VelocityConfiguration")))
    calls = [
        (
            reported.read_below(one.name) if one.is_section else bool(reported.read(one.name)),
            f"{one.name} (line {one.line}, {'section' if one.is_section else reported.lack(one.name)})",
        )
        for one in listed
    ]
    plain = dict.fromkeys(one.name for one in listed if not one.is_section)
    return [
        found("night-config calls with a read", calls),
        found(
            "night-config names, without sections, with a read",
            ((bool(reported.read(name)), f"{name} ({reported.lack(name)})") for name in plain),
        ),
    ]
