"""Keys that lack a part of the name of an option: one in the wrong section, one whose middle was left out.

Only where the file sets other options in the section of the one that is meant, but not that one, and few could be meant.
Absent: typos (``options.names``), what else is said of keys (``keys``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from conflens.checking.namespaces import parent_of
from conflens.options.model import Option
from conflens.options.names.naming import Names, loose

MOST = 3
"""Options that may be meant; where there are more, nobody knows."""


class Sections:
    """The options in the sections that a file has, by the last parts of their names."""

    def __init__(self, names: Names, domains: Collection[str], options: Iterable[str]) -> None:
        """``options`` are the names of the options that the file sets."""
        self._relaxed = not names.relaxed.isdisjoint(domains)
        sections: set[str] = set()
        for name in options:
            section = parent_of(name)[:-1]
            while section and section not in sections:
                sections.add(section)
                section = parent_of(section)[:-1]
        found: dict[str, list[Option]] = {}
        for option in names.table.options:
            section, _, last = option.name.rpartition(".")
            is_one = option.reads and not option.pattern and option.domain in domains
            if is_one and section in sections:
                found.setdefault(self._plain(last), []).append(option)
        self._by_last: Mapping[str, list[Option]] = found

    def meant(self, name: str) -> tuple[Option, ...]:
        """Return the options of whose names a key has all parts but some in the middle, or but the first ones."""
        parts = [self._plain(part) for part in name.split(".")]
        return tuple(
            option
            for option in self._by_last.get(parts[-1], ())
            if _lacks_some(parts, [self._plain(part) for part in option.name.split(".")])
        )

    def _plain(self, part: str) -> str:
        return loose(part) if self._relaxed else part


def _lacks_some(parts: list[str], whole: list[str]) -> bool:
    if len(parts) >= len(whole):
        return False
    same = 0
    while same < len(parts) - 1 and parts[same] == whole[same]:
        same += 1
    rest = len(parts) - same
    return parts[same:] == whole[len(whole) - rest :]
