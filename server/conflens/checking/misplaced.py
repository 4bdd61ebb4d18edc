"""Keys that lack a part of the name of an option: one in the wrong section, one whose middle was left out.

Only where the file has the section of the option that is meant, but does not set it there, and few could be meant:

    set in      the file sets other options in that section.
    at the top  a key of one word that lies in no section, in a file whose names are relaxed; there the section need only
                be there, since no library reads such a name.
    anywhere    likewise, but the file does not have the section of any that could be meant.
    one part    a name of three parts or more that lacks just one of an option's, in a namespace of the project.

Below a dynamic part (``provider.*.uri``) an option is meant once for each section that the file has there.
Absent: typos (``options.names``), what else is said of keys (``keys``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

import attrs

from conflens.checking.namespaces import parent_of
from conflens.checking.recognition import Recognised
from conflens.documents.configfiles.model import ConfigFile
from conflens.options.model import Option
from conflens.options.names.naming import Names, loose

MOST = 3
"""Options that may be meant; where there are more, nobody knows."""
_PARTS = 3
_OWN = 8
_MOST_SECTIONS = 200


@attrs.frozen
class Meant:
    """An option that may be meant, and its name in the file: an instance of a pattern."""

    option: Option
    name: str


class Sections:
    """The options in the sections that a file has, by the last parts of their names."""

    def __init__(
        self,
        names: Names,
        domains: Collection[str],
        options: Iterable[str],
        keys: Iterable[str] = (),
        *,
        at_top: bool = False,
    ) -> None:
        """``options`` are the names of the options that the file sets; ``at_top``: a word at the top is in no section, and
        ``keys`` are all names in the file."""
        self._at_top = at_top
        self._names = names
        self._domains = domains
        self._relaxed = not names.relaxed.isdisjoint(domains)
        self._sections = frozenset(_above(options))
        present: dict[str, str] = {}
        for name in _above(f"{key}." for key in keys):
            present.setdefault(self._plain(name), name)
        self._present = present if len(present) <= _MOST_SECTIONS else {}
        found: dict[str, list[Option]] = {}
        for option in names.table.options:
            last = option.name.rpartition(".")[2]
            if option.reads and option.domain in domains and "*" not in last:
                found.setdefault(self._plain(last), []).append(option)
        self._by_last: Mapping[str, list[Option]] = found

    def meant(self, name: str) -> tuple[Meant, ...]:
        """Return the options of whose names a key has all parts but some in the middle, or but the first ones; where a word
        at the top is in none of the file's sections, all whose last part it is."""
        parts = [self._plain(part) for part in name.split(".")]
        found: dict[str, Meant] = {}
        for option in self._by_last.get(parts[-1], ()):
            for whole in self._called(option):
                if _lacks_some(parts, self._split(whole)) and self._fits(parts, option, whole):
                    found.setdefault(whole, Meant(option, whole))
        if not found and self._at_top and len(parts) == 1:
            for option in self._by_last.get(parts[0], ()):
                if not option.pattern and "." in option.name:
                    found.setdefault(option.name, Meant(option, option.name))
        return tuple(found.values())

    def ends(self, word: str) -> bool:
        """Tell whether a word is the last part of options."""
        return self._plain(word) in self._by_last

    def _called(self, option: Option) -> Iterator[str]:
        """Yield the names that an option has, or would have, in the sections of the file."""
        if not option.pattern:
            yield option.name
            return
        section, _, last = option.name.rpartition(".")
        wanted = self._split(section)
        if wanted[0] == "*":
            return
        for plain, written in self._present.items():
            parts = plain.split(".")
            if len(parts) == len(wanted) and all(
                meant in ("*", part) for part, meant in zip(parts, wanted, strict=True)
            ):
                yield f"{written}.{last}"

    def _fits(self, parts: list[str], option: Option, whole: str) -> bool:
        section = whole.rpartition(".")[0]
        if option.pattern or len(parts) == 1:
            if len(parts) == 1 and self._plain(section) in self._present:
                return True
            return not option.pattern and section in self._sections
        if section in self._sections:
            return True
        return (
            len(parts) >= _PARTS
            and len(self._split(whole)) == len(parts) + 1
            and parts[0] == self._plain(whole.partition(".")[0])
            and len(self._names.below(f"{whole.partition('.')[0]}.", self._domains)) >= _OWN
        )

    def _split(self, name: str) -> list[str]:
        return [self._plain(part) for part in name.split(".")]

    def _plain(self, part: str) -> str:
        return loose(part) if self._relaxed else part


def at_home(recognised: Recognised, file: ConfigFile) -> frozenset[str]:
    """Return the domains that a file is of by its name, if one beside it that has such a name sets options of them."""
    typical = recognised.typical(file)
    folder = file.path.rpartition("/")[0]
    beside = (
        other
        for path, other in recognised.files.items()
        if typical and path != file.path and path.rpartition("/")[0] == folder
    )
    for other in beside:
        match = recognised.match(other.path)
        if match is not None and match.counts and recognised.typical(other) & match.domains:
            typical &= match.domains
            return typical
    return frozenset()


def _above(names: Iterable[str]) -> Iterator[str]:
    """Yield all sections that names lie in, each once."""
    seen: set[str] = set()
    for name in names:
        section = parent_of(name)[:-1]
        while section and section not in seen:
            seen.add(section)
            yield section
            section = parent_of(section)[:-1]


def _lacks_some(parts: list[str], whole: list[str]) -> bool:
    if len(parts) >= len(whole):
        return False
    same = 0
    while same < len(parts) - 1 and parts[same] == whole[same]:
        same += 1
    rest = len(parts) - same
    return parts[same:] == whole[len(whole) - rest :]
