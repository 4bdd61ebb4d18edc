"""Shape of what is known or learned of a library's bound class whose source is not at hand.

Rows of files are in ``grammars/models/bound-classes.toml``, made by ``corpus.bound_classes``.
Absent: how other classes are learned (``options.learned.beans``); all other rows of files (``schema``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import attrs

OBJECTS = "object"
"""The type of a member that holds objects: its accessor reads no option."""
_INNER = re.compile(r"((?:[a-z_]\w*\.)*[A-Z]\w*)\..+")


@attrs.frozen(kw_only=True)
class BoundClassRow:
    """A library's class that is filled with what stands below ``prefix``.

    ``members``: names below the prefix, with spaces between, by the Java type of their values: empty if it tells nothing,
    ``object`` for members that hold objects.  ``.*`` ends the name of a map.  ``parts``: inner classes, by name, with the section below the prefix that they hold.
    """

    type: str
    prefix: str
    domain: str
    members: Mapping[str, str] = attrs.field(hash=False)
    parts: Mapping[str, str] = attrs.field(factory=dict, hash=False)
    provenance: str

    def names(self) -> Iterator[tuple[str, str]]:
        """Yield names below the prefix, each with its Java type."""
        for java, names in self.members.items():
            for name in names.split():
                yield name, java


@attrs.frozen(kw_only=True)
class BeanRow:
    """``type`` (qualified) is filled with what stands below ``prefix`` of a ``domain``; ``sections`` are the names, in the loose
    spelling and the prefix among them, below which config files or documents have further names.

    ``known`` are the names below the prefix, in that spelling, with their Java types, where a row tells them, and ``parts`` its inner classes."""

    type: str
    prefix: str
    domain: str
    sections: frozenset[str]
    known: Mapping[str, str] = attrs.field(factory=dict, hash=False)
    parts: Mapping[str, str] = attrs.field(factory=dict, hash=False)


def outermost(name: str) -> str:
    """Return the class around an inner class, by the way names of packages and classes are written."""
    match = _INNER.fullmatch(name)
    return match[1] if match is not None else name
