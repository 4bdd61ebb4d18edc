"""Descriptions of options among the texts of a user interface: ``system_property.cache.size=How many entries are kept``.

A key describes an option where a part of it says so, with a last word like ``property`` or ``setting``, and text follows: the
option's name is what stands behind that part, without what says which text it is (``.description``).
Absent: all other texts, which name buttons and pages.
"""

import re

from conflens.documents.configfiles.properties import parse
from conflens.documents.names import is_name_like
from conflens.documents.source import Collector, Source

_OPTION = re.compile(
    r"(?:^|.*[._-])(?:property|properties|option|options|setting|settings|parameter|preference|preferences)\Z",
    re.IGNORECASE,
)
_WHICH = re.compile(r"[._-](?:description|desc|help|tooltip|title|label|name)\Z", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z_][\w.\-]{1,200}")
_DEEPEST = 4
_WORDS = re.compile(r"\S\s+\S")


def harvest_bundle(source: Source, collector: Collector) -> None:
    """Adds an entry for every option that a text describes."""
    for assignment in parse(source.text).assignments:
        name = _described(assignment.name)
        if name and assignment.value is not None and _WORDS.search(assignment.value.text):
            at = assignment.key.end - len(assignment.name) + assignment.name.index(name)
            collector.entry(name, at, assignment.value.text.strip())


def _described(key: str) -> str:
    """The option that a key is about; empty if it is about none."""
    parts = key.split(".", _DEEPEST)
    for number, part in enumerate(parts[:-1]):
        if _OPTION.fullmatch(part):
            rest = _WHICH.sub("", ".".join(parts[number + 1 :]))
            return rest if is_name_like(rest) and _NAME.fullmatch(rest) else ""
    return ""
