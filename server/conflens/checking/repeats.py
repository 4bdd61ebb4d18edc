"""Keys that are set more than once: which one wins, and where it stands.

    duplicate   the same key twice in one part of a file.
    overridden  another spelling of the same option in the same part, another file of the same name beside it whose
                format goes first (``models/domains.toml``), the same property twice on one command line, or an earlier
                entry that is final.

What may be meant is left alone: variables that the next entry takes over, files of which each sets most of what the other does, keys of other documents and profiles, what an alias brought, lists written as repeated keys,
HOCON, whose values add up, and branches of scripts.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from conflens.base.span import Place
from conflens.base.text import Encoding
from conflens.checking.recognition import Match
from conflens.checking.results import Code, Edit, Finding, Fix, Key
from conflens.checking.subject import Subject
from conflens.documents.configfiles.model import Assignment, ConfigFile, Format, Kind
from conflens.options.model import NUMERIC, Option, OptionType
from conflens.options.names.naming import loose

_ALIKE = 6
"""Keys that two files must share to be the same settings."""
_SINGLE = frozenset(
    {
        OptionType.BOOLEAN,
        OptionType.MODE,
        OptionType.CLASS,
        OptionType.URI,
        OptionType.ADDRESS,
    }
)
_SILENT = frozenset({Format.HOCON, Format.BEANS, Format.BLUEPRINT, Format.LOGGING})
_BREAK = re.compile(rb"(?<!\\)\n|\r")
_ITEMS = 3
"""Nobody sets one key so many times in a row but to list things."""


class _Layout:
    """Offsets of sections and lines in a file; each table is built on first use."""

    def __init__(self, file: ConfigFile) -> None:
        self.file = file

    @cached_property
    def starts(self) -> list[int]:
        """Where the assignments start."""
        return [one.start for one in self.file.assignments]

    @cached_property
    def breaks(self) -> list[int]:
        """The line ends that end a command."""
        return [match.start() for match in _BREAK.finditer(self.file.text)]

    @cached_property
    def _ends(self) -> dict[tuple[int, int], int]:
        ends: dict[tuple[int, int], int] = {}
        for one in self.file.assignments:
            for depth, part in enumerate(one.path[:-1], 1):
                within = (depth, part.start)
                ends[within] = max(ends.get(within, 0), one.end)
        return ends

    def end_of(self, section: Assignment) -> int:
        """Return where what stands below a section ends."""
        return max(section.end, self._ends.get((len(section.path), section.key.start), 0))


class _Covered:
    """Places that ranges cover; those that touch are kept as one."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []

    def __contains__(self, at: int) -> bool:
        before = bisect_right(self._starts, at)
        return before > 0 and at < self._ends[before - 1]

    def add(self, start: int, end: int) -> None:
        """Cover the places from ``start`` up to ``end``."""
        first, after = bisect_left(self._ends, start), bisect_right(self._starts, end)
        if first < after:
            start, end = min(start, self._starts[first]), max(end, self._ends[after - 1])
        self._starts[first:after] = [start]
        self._ends[first:after] = [end]


def findings(subject: Subject, path: str) -> Iterator[Finding]:
    """Yield what is set twice in a config file of the project."""
    file = subject.config_files[path]
    match = subject.recognised.match(path)
    if match is None or file.format in _SILENT:
        return
    yield from _duplicates(subject, file, match)
    yield from _respelt(subject, file, match)
    yield from _beside(subject, file, match)


def _duplicates(subject: Subject, file: ConfigFile, match: Match) -> Iterator[Finding]:
    rows = subject.recognised.by_domain
    layout = _Layout(file)
    repeated = _Covered()
    for name, all_of in file.by_name.items():
        if len(all_of) < 2:
            continue
        domains = {option.domain for option in match.options.get(name, ())} or match.domains
        if any(domain in rows and rows[domain].repeats for domain in domains):
            if _has_one_value(match.options.get(name, ())):
                yield from _beside_the_first(file, name, all_of)
            continue
        for found in _parts(all_of, file.format is Format.ELEMENTS):
            if file.format is Format.ARGUMENTS:
                yield from _on_a_line(layout, name, found)
                continue
            if len(found) < 2 or any(one.merged for one in found):
                continue
            if any(one.start in repeated for one in found):
                continue
            if _is_list(layout, found):
                continue
            if all(one.kind is Kind.SECTION for one in found):
                if file.format is not Format.YAML or len({one.key.start for one in found}) < 2:
                    continue
                for one in found:
                    repeated.add(one.start, layout.end_of(one))
            elif any(one.kind is Kind.SECTION for one in found):
                continue
            winner = next((one for one in found if one.final), found[-1])
            for one, following in zip(found, [*found[1:], None], strict=True):
                if one is winner or one.key.start == winner.key.start:
                    continue
                if following is None or not _is_taken_over(file, name, following):
                    yield _lost(file, name, one, winner)


def _is_taken_over(file: ConfigFile, name: str, following: Assignment) -> bool:
    """Whether the entry behind one holds what that says: ``OPTS="$OPTS -x"``."""
    if file.format is not Format.ENVIRONMENT or following.value is None:
        return False
    start = following.value.start
    if file.text[max(0, start - 1) : start] == b"'":  # no variable is looked up in it
        return False
    text = file.text[start : following.value.end]
    return re.search(rb"\$(?:\{%b\b|%b\b)" % ((re.escape(name.encode()),) * 2), text) is not None


def _has_one_value(options: Sequence[Option]) -> bool:
    """Whether a key surely takes one value only, so that it is no list even where repeating a key makes one."""
    return bool(options) and all(
        not one.pattern and (one.type in NUMERIC or one.type in _SINGLE) for one in options
    )


def _beside_the_first(
    file: ConfigFile, name: str, all_of: Sequence[Assignment]
) -> Iterator[Finding]:
    """Report what is set again where the first of several values is taken."""
    for found in _parts(all_of, file.format is Format.ELEMENTS):
        for one in found[1:]:
            if one.key.start != found[0].key.start and not one.merged:
                line = _line(file, found[0])
                yield Finding(
                    Code.DUPLICATE_KEY,
                    file.place(one.key),
                    f"'{name}' is set in line {line} already, which takes precedence.",
                    name,
                    related=((file.place(found[0].key), "This one counts."),),
                )


def _parts(found: Sequence[Assignment], elements: bool = False) -> Iterator[list[Assignment]]:
    """The assignments of one key, apart by what they hold for."""
    parts: dict[tuple[int, str, str, int], list[Assignment]] = {}
    for one in found:
        # An attribute or element stands for itself in each element around it.
        within = one.path[-2].start if elements and len(one.path) > 1 else 0
        parts.setdefault((one.document, one.condition, one.domain, within), []).append(one)
    yield from parts.values()


def _is_list(layout: _Layout, found: Sequence[Assignment]) -> bool:
    """Whether repeated keys of properties are surely the items of a list: several, one below the other, each another."""
    values = {one.value.text for one in found if one.value is not None}
    if layout.file.format is not Format.PROPERTIES or not _ITEMS <= len(values) == len(found):
        return False
    starts = layout.starts
    among = bisect_right(starts, found[-1].start) - bisect_left(starts, found[0].start)
    return among == len(found)


def _lost(file: ConfigFile, name: str, one: Assignment, winner: Assignment) -> Finding:
    line = _line(file, winner)
    if winner.final and winner.start < one.start:
        code, why = (
            Code.OVERRIDDEN_KEY,
            f"'{name}' is final in line {line}, so this has no effect.",
        )
    else:
        code, why = (
            Code.DUPLICATE_KEY,
            f"'{name}' is set again in line {line}, which takes precedence.",
        )
    same = (
        one.value is not None and winner.value is not None and one.value.text == winner.value.text
    )
    fixes = (_removal(file, one),) if same and one.kind is not Kind.SECTION else ()
    return Finding(
        code,
        file.place(one.key),
        why,
        name,
        related=((file.place(winner.key), "This one counts."),),
        fixes=tuple(fix for fix in fixes if fix is not None),
    )


def _removal(file: ConfigFile, one: Assignment) -> Fix | None:
    """Takes out an entry that stands on lines of its own."""
    if one.start and file.text[one.start - 1] not in b"\n\r":
        return None
    if not file.text[one.start : one.end].endswith((b"\n", b"\r")):
        return None
    return Fix("Remove this line", (Edit(Place(file.path, one.start, one.end), ""),))


def _line(file: ConfigFile, one: Assignment) -> int:
    return file.lines.position(one.key.start, Encoding.UTF8)[0] + 1


def _on_a_line(layout: _Layout, name: str, found: Sequence[Assignment]) -> Iterator[Finding]:
    """A property that one command line gives twice; the last one counts."""
    file, breaks = layout.file, layout.breaks
    if any(one.domain != "system-property" for one in found):
        return
    for first, second in pairwise(found):
        if bisect_left(breaks, first.key.start) == bisect_left(breaks, second.key.start):
            yield Finding(
                Code.OVERRIDDEN_KEY,
                file.place(first.key),
                f"'{name}' is given again on this command line; the last one takes precedence.",
                name,
                related=((file.place(second.key), "This one counts."),),
            )


def _respelt(subject: Subject, file: ConfigFile, match: Match) -> Iterator[Finding]:
    """One relaxed option under several spellings."""
    relaxed = subject.recognised.names.relaxed
    named: dict[Key, list[str]] = {}
    for name, options in match.options.items():
        if options[0].domain in relaxed:
            named.setdefault(options[0].key, []).append(name)
    spelt: dict[tuple[str, str, int, str], list[Assignment]] = {}
    for key, names in named.items():
        for name in names if len(names) > 1 else ():
            for one in file.by_name[name]:
                if not one.merged and loose(name) == loose(key[1]):
                    spelt.setdefault((*key, one.document, one.condition), []).append(one)
    for (_, name, _, _), found in spelt.items():
        if len({one.name for one in found}) < 2:
            continue
        winner = next((one for one in found if one.name == name), found[-1])
        for one in found:
            if one.name != winner.name:
                line = _line(file, winner)
                yield Finding(
                    Code.OVERRIDDEN_KEY,
                    file.place(one.key),
                    f"'{one.name}' and '{winner.name}' in line {line} are the same option.",
                    one.name,
                    related=((file.place(winner.key), f"'{winner.name}' is set here."),),
                )


def _beside(subject: Subject, file: ConfigFile, match: Match) -> Iterator[Finding]:
    """Keys that the file of the same name in another format, or the one with defaults, keeps from counting."""
    for path in _neighbours(subject, file.path, match):
        other = subject.config_files[path]
        final_only = file.format is Format.XML
        if not final_only and _is_same(file, other):
            continue
        for name in match.options:
            winner = next(
                (
                    one
                    for one in reversed(other.by_name.get(name, ()))
                    if (one.final if final_only else one.kind is not Kind.SECTION)
                ),
                None,
            )
            if winner is None:
                continue
            short = path.rpartition("/")[2]
            for one in file.by_name[name]:
                if one.condition == winner.condition and not one.merged:
                    at = _line(other, winner)
                    how = "is final" if final_only else "is set"
                    yield Finding(
                        Code.OVERRIDDEN_KEY,
                        file.place(one.key),
                        f"'{name}' {how} in {short}, line {at}, which takes precedence.",
                        name,
                        tuple(option.key for option in match.options[name]),
                        related=((other.place(winner.key), "This one counts."),),
                    )


def _is_same(file: ConfigFile, other: ConfigFile) -> bool:
    """Tell whether two files are the same settings in two formats, of which a user takes one."""
    shared = len(file.by_name.keys() & other.by_name.keys())
    return shared >= _ALIKE and shared * 2 > min(len(file.by_name), len(other.by_name))


def _neighbours(subject: Subject, path: str, match: Match) -> Iterator[str]:
    folder, _, name = path.rpartition("/")
    stem, _, ending = name.rpartition(".")
    files = subject.config_files
    at = f"{folder}/" if folder else ""
    if stem.endswith("-site") and ending == "xml":
        other = f"{at}{stem.removesuffix('-site')}-default.xml"
        if other in files:
            yield other
        return
    rows = subject.recognised.by_domain
    for domain in sorted(match.domains):
        order = rows[domain].precedence if domain in rows else ()
        own = files[path].format.value
        if own not in order:
            continue
        for ending in ("properties", "yml", "yaml"):
            other = f"{at}{stem}.{ending}"
            if other in files and other != path:
                format = files[other].format.value
                found = subject.recognised.match(other)
                if (
                    format in order
                    and order.index(format) < order.index(own)
                    and found is not None
                ):
                    yield other
        return
