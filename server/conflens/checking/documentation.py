"""Whether "documented nowhere" is worth saying of an option, and how surely.

It is said surely only where all of this holds, since a false report costs more than a missing one:
  - all files have been seen, so "nowhere" is known;
  - no library reads it below a name that code tells: the library describes it;
  - no document mentions the option, in any case and with or without `-` and `_`, and its declaration does not state a
    description (an argument, an annotation).  It counts as mentioned where a document writes more or less of its name
    than code does: a filter strips the prefix of its parameters, a service's name follows
    (``dfs.ha.namenodes.EXAMPLE``), a file leaves out the prefix of system properties, a table has the last parts of the
    names in one namespace (``described``);
  - documents describe more than a few of the project's options;
  - code that is more than an example reads it;
  - no comment describes it either, unless documents have entries for others in its class or namespace: pages are not
    generated from comments, and these entries show where users look;
  - some document describes another option of its *kind* and first part as an entry of its own: where nobody writes system
    properties down, or nothing that begins with ``jvm``, one that is missing is no news.  Options are of a kind that
    share domain and, where that is a shape (a map, a ``Properties``), the API that reads them;
  - it is meant for people who run the program: not deprecated, not named as internal or for tests and not said to be, not
    the platform's own, and code does not set it for itself to read; something asks for it, and not as an older name
    (``asked``);
  - its name is fixed (no pattern), and not a flag of one dash, which running text mentions unseen.

It is *likely* where other options in its class or namespace are documented (``neighbours``), whatever reads them: then kind
and first part do not count, nor whether something asks for it, nor that code may set it through a method that is there for
this.  It is likely, too, where it has a name of several parts in a place of its own, such as the system properties, and some more options begin
like it, but no name in any document; and where documents have its name with
another meaning only (``other_meanings``).

A description that the declaration states counts unless all pages that are generated from it leave the option out (``left_out``).

Absent: how loudly that is reported (``undocumented``).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from enum import Enum
from functools import cached_property

from conflens.base.span import Place
from conflens.checking.asked import Asked
from conflens.checking.described import Described
from conflens.checking.neighbours import Coverage, Near, Neighbours, own_beginning
from conflens.checking.other_meanings import is_something_else
from conflens.checking.set_by_code import SetBy, Setters
from conflens.checking.subject import Subject
from conflens.documents import MentionKind
from conflens.documents.names import is_name_like
from conflens.options.model import Option

SHAPES = frozenset({"settings", "properties"})
"""Domains that say what object holds the option, not where its name lives."""

_CONTAINERS = frozenset({"Map", "Properties", "Dictionary"})
_PLATFORM = frozenset({"system-property", "environment"})
"""Domains that programs share with the platform below them."""
_NOT_FOR_PEOPLE = frozenset(
    {
        "fault",
        "inject",
        "injected",
        "internal",
        "test",
        "testing",
        "testingonly",
        "tests",
        "unittest",
        "unsafesystem",
    }
)
_WORD = re.compile(r"[A-Z]++(?![a-z])|[A-Za-z][a-z]*+")
_SHORT_FLAG = re.compile(r"-\w+")
_NOT_MEANT = re.compile(
    r"\b(?:internal(?:ly)?[- ](?:use|used|only)|for internal|(?:unit[- ])?test(?:s|ing)?[- ](?:only|purposes?)"
    r"|only (?:used )?(?:for|in|by) (?:unit[- ])?test(?:s|ing)?)\b",
    re.IGNORECASE,
)
_EXAMPLES = re.compile(
    r"(?:[\w.-]{0,60}[-_.])?(?:examples?|samples?|demos?|tutorials?)", re.IGNORECASE
)
_LOOKED_AT = 200
_SEVERAL = 3
"""Parts of a name that nothing but an option has."""
_FAMILY = 3
"""Options with one beginning that make it a namespace which people know of."""


class Lack(Enum):
    """How surely an option is documented nowhere."""

    SURE = "sure"
    LIKELY = "likely"


def reported_at(option: Option) -> Place | None:
    """Return the one place to report an option at: where it is declared, or else its first read.

    ``None`` where only tests read it.
    """
    reads = [read.name_place for read in option.program_reads]
    if not reads:
        return None
    places = [declaration.place for declaration in option.declarations] or reads
    # Places compare field by field; as plain tuples they do so in a tenth of the time.
    return min(places, key=lambda place: (place.path, place.start, place.end))


class Documentation:
    """Applies the rule to options of one subject, and keeps what it finds out about all of them."""

    def __init__(self, subject: Subject) -> None:
        """Nothing is looked at yet."""
        self._subject = subject
        self._neighbours = Neighbours(subject)
        self._described = Described(subject)
        self._asked = Asked(subject)
        self._setters = Setters(subject.program)
        self._written_down: dict[tuple[str, str], bool] = {}
        """By kind and first part, whether some document describes an option of these."""
        self._places: dict[tuple[str, str], Place | None] = {}

    def reported_at(self, option: Option) -> Place | None:
        """Return the one place to report an option at, found once however many files read it."""
        key = option.key
        if key not in self._places:
            self._places[key] = reported_at(option)
        return self._places[key]

    def lacks(self, option: Option) -> bool:
        """Tell whether "documented nowhere" is surely worth saying of an option."""
        return self.lack(option) is Lack.SURE

    def lack(self, option: Option) -> Lack | None:
        """Return how surely an option is documented nowhere, ``None`` where that is not worth saying."""
        subject = self._subject
        if not subject.complete or option.pattern or option.deprecated or option.told:
            return None
        if option.stated and not self._neighbours.left_out.holds(option):
            return None
        found = subject.documented(option)
        apart = bool(found) and is_something_else(subject, option, found)
        if (found and not apart) or not _is_for_people(subject, option):
            return None
        names = [option.name, *(name for _, name in option.aliases)]
        if not apart and (
            any(map(subject.documents.mentions_loosely, names))
            or _is_nearly_documented(subject, option.name)
        ):
            return None
        if option.is_substituted and any(
            subject.documents.find(read.method) for read in option.reads
        ):
            return None  # Who looks up the key finds the name in its value.
        written = self._is_written_down(_kind(option), _first_part(option.name))
        if not written and self.near(option) is None:
            return None
        setters = self._setters.of(option)
        if setters is SetBy.ITSELF or self._described.by_last_part(option):
            return None
        if not self._described.anything():
            return None
        sure = (
            written
            and not (apart or option.stated)
            and setters is SetBy.NOBODY
            and not (option.commented and not self._neighbours.has_entries(option))
            and not self._asked.is_out_of_use(option)
        )
        if sure:
            return Lack.SURE
        if subject.recognised.reserved.holds(option.name, (option.domain,)):
            return None
        return Lack.LIKELY if self.near(option) is not None else None

    def near(self, option: Option) -> Near | None:
        """Return the documented options most similar to one, or the namespace of one that documents know nothing of."""
        return self._neighbours.near(option) or self._nowhere(option)

    def _nowhere(self, option: Option) -> Near | None:
        """Return the beginning that a name of several parts shares with other options, if no document has a name with it.

        An option of whose domain only the shape is known may be no name in itself; one that a comment describes is described.
        """
        if option.domain in SHAPES or option.commented or option.is_substituted:
            return None
        if option.name.count(".") + 1 < _SEVERAL or self._asked.is_out_of_use(option):
            return None
        if self._subject.recognised.reserved.holds(option.name, (option.domain,)):
            return None
        start = own_beginning(option.name)
        if self._families[start] < _FAMILY:
            return None
        names = self._subject.documents.names
        at = bisect_left(names, start)
        if at < len(names) and names[at].startswith(start):
            return None
        return Near((start.removesuffix("."),), "nowhere", Coverage.NONE)

    @cached_property
    def _families(self) -> Counter[str]:
        """How many options of several parts have a beginning."""
        return Counter(
            own_beginning(option.name)
            for option in self._subject.options.options
            if not option.pattern and option.name.count(".") + 1 >= _SEVERAL
        )

    def look_at_all(self) -> None:
        """Find out in one pass what would be found out for each kind and first part in one of its own."""
        found = self._written_down
        for option in self._subject.options.options:
            key = _kind(option), _first_part(option.name)
            if not found.get(key):
                found[key] = not option.pattern and self._is_entry(option)

    def _is_written_down(self, kind: str, part: str) -> bool:
        found = self._written_down.get((kind, part))
        if found is None:
            found = self._written_down[kind, part] = bool(
                self._subject.documents.harvests
            ) and any(
                self._is_entry(option)
                for option in self._subject.options.options
                if _first_part(option.name) == part
                and not option.pattern
                and _kind(option) == kind
            )
        return found

    def _is_entry(self, option: Option) -> bool:
        """Tell whether some document describes an option as an entry of its own."""
        if option.is_substituted:
            return False  # What files read says nothing of what code reads.
        best = self._subject.documented(option)[:1]
        return any(ref.kind is MentionKind.ENTRY for ref in best)


def _is_for_people(subject: Subject, option: Option) -> bool:
    """Tell whether neither an option's name nor its comment says anything against its being one that people set."""
    name = option.name
    if _SHORT_FLAG.fullmatch(name) and option.domain.startswith("command"):
        return False
    if option.domain in _PLATFORM and subject.recognised.reserved.holds(name, (option.domain,)):
        return False
    if all(_is_in_example(subject, read.place.path) for read in option.reads):
        return False
    if option.commented and _NOT_MEANT.search(option.description):
        return False
    names = [name, *(one.symbol.rpartition(".")[2] for one in option.declarations)]
    return _NOT_FOR_PEOPLE.isdisjoint(word.lower() for one in names for word in _WORD.findall(one))


def _is_in_example(subject: Subject, path: str) -> bool:
    """Tell whether a source file lies in a folder of examples; the names of packages do not count."""
    facts = subject.program.files.get(path)
    package = facts.package if facts is not None else ""
    folders = path.split("/")[:-1]
    if package:
        folders = folders[: -1 - package.count(".")]
    return any(_EXAMPLES.fullmatch(folder) for folder in folders)


def _first_part(name: str) -> str:
    """Return what a name begins with, up to its first dot; empty if it has none."""
    return name.partition(".")[0] if "." in name else ""


def _is_nearly_documented(subject: Subject, name: str) -> bool:
    """Tell whether documents write a name with something before it, with one part behind it, or without its first part,
    or an attribute of XML alone."""
    documents = subject.documents
    at = bisect_left(documents.names, f"{name}.")
    for longer in documents.names[at : at + _LOOKED_AT]:
        if not longer.startswith(f"{name}."):
            break
        if "." not in longer[len(name) + 1 :]:
            return True
    if name in documents.tails:
        return True
    if name.endswith("]") and documents.find(name[name.rfind("[") + 1 :].strip("@]")):
        return True
    rest = name.partition(".")[2]
    return is_name_like(rest) and any(
        ref.kind is MentionKind.ENTRY for ref in documents.find(rest)[:1]
    )


def _kind(option: Option) -> str:
    if option.domain not in SHAPES or not option.reads:
        return option.domain
    read = option.reads[0]
    api = read.api.partition(".")[0]
    where = api if api not in _CONTAINERS else read.method.partition(".")[0]
    return f"{option.domain} {where}"
