"""Scores discovered option reads against hand-checked truth: recall, names, precision.

Matching.  Every reported place is assigned to one truth site.  For a call it stands inside the place at the name of the
method that is reported to be called, since arguments may hold other reads; for a field, inside the place.  What need not
hold its token (a case label, an annotation) may also match a site on its line, one with an equal name first.  Of several
sites the one nearest to the option's name is taken.

- *recall*: the ``read`` rows whose site got a report, whatever its name; a read listed as unresolved is one.
- *names*: of those, the rows whose name was reported at the site while nothing was reported there that is in none of
  its rows.  ``Scope.every_alternative`` says whether ``a|b`` needs both.  A pattern is right where it is spelled as in
  the truth or covers the name and nothing shorter than the names' common part (``*`` alone never does).
- *precision*: the reported places, unresolved ones too, within scope whose site is no ``not`` or ``platform`` row; a place without a site is
  *unlisted* and counts as false too.
- *declared*: the ``definition`` and ``field`` rows that a declaration or a read of that name stands at.

``python -m corpus.scores`` scans, scores and prints.
"""

from __future__ import annotations

import fnmatch
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

import attrs

from conflens.base.text import Encoding, LineIndex
from conflens.options.model import OptionTable, Read, ReadKind, Unresolved
from corpus.truth_tables import DECLARING, Row, Scope, Site, Truth

_IDENTIFIER = re.compile(rb"[\w$]+")

Source = Callable[[str], bytes]
"""Returns the text of a file by its path."""


@attrs.frozen
class Report:
    """One reported place with every (domain, name) that it is said to read."""

    read: Read
    line: int
    column: int
    options: tuple[tuple[str, str], ...]

    @property
    def names(self) -> frozenset[str]:
        """The reported names."""
        return frozenset(name for _, name in self.options)


@attrs.frozen
class Score:
    """The outcome for one project; every list is in source order."""

    project: str
    hits: tuple[tuple[Row, frozenset[str]], ...]
    misses: tuple[Row, ...]
    wrong_names: tuple[tuple[Row, frozenset[str]], ...]
    nameable: int
    reported: int
    rejected: tuple[tuple[Report, Site], ...]
    unlisted: tuple[Report, ...]
    declared: int
    undeclared: tuple[Row, ...]

    @property
    def recall(self) -> float:
        """Share of ``read`` rows whose site is reported."""
        return _share(len(self.hits), len(self.hits) + len(self.misses))

    @property
    def names(self) -> float:
        """Share of the reported rows whose name is right."""
        return _share(self.nameable - len(self.wrong_names), self.nameable)

    @property
    def precision(self) -> float:
        """Share of reported places that read an option."""
        return _share(self.reported - len(self.rejected) - len(self.unlisted), self.reported)

    @property
    def declarations(self) -> float:
        """Share of the declaring rows that are found."""
        return _share(self.declared, self.declared + len(self.undeclared))

    def by_domain(self) -> dict[str, tuple[int, int]]:
        """Return (found, all) ``read`` rows for each domain of the truth."""
        found = Counter(row.domain for row, _ in self.hits)
        missed = Counter(row.domain for row in self.misses)
        return {
            domain: (found[domain], found[domain] + missed[domain])
            for domain in sorted({*found, *missed})
        }


def score(table: OptionTable, truth: Truth, scope: Scope, source: Source) -> Score:
    """Compare ``table`` with ``truth``; ``source`` gives the text behind the table's paths."""
    lines = _Lines(source)
    assigned: dict[tuple[str, int, int], set[str]] = {}
    rejected: list[tuple[Report, Site]] = []
    unlisted: list[Report] = []
    reported = 0
    unnamed: dict[str, list[Report]] = {}
    for item in table.unresolved:
        unnamed.setdefault(item.place.path, []).append(_unnamed(item, lines))
    for path in sorted({*table.reads_in, *unnamed}):
        for report in (*_reports(table, path, lines), *unnamed.get(path, ())):
            site = _site(report, truth, lines)
            if site is not None:
                key = (site.path, site.line, site.column)
                assigned.setdefault(key, set()).update(report.names)
            if not _counts(report, site, truth, scope):
                continue
            reported += 1
            if site is None:
                unlisted.append(report)
            elif not site.option:
                rejected.append((report, site))
    hits, misses, wrong, nameable = _rows(truth, assigned, scope)
    declared, undeclared = _declared(table, truth, lines)
    return Score(
        truth.project,
        tuple(hits),
        tuple(misses),
        tuple(wrong),
        nameable,
        reported,
        tuple(rejected),
        tuple(unlisted),
        declared,
        tuple(undeclared),
    )


def covers(reported: str, expected: str) -> bool:
    """Tell whether a reported name is ``expected`` or a pattern that says no less than needed."""
    if reported == expected:
        return True
    if "*" not in reported or not reported.replace("*", "").strip("."):
        return False
    squeezed = reported.replace("**", "*")
    return squeezed == expected or (
        "*" not in expected and fnmatch.fnmatchcase(expected, squeezed.replace("[", "[[]"))
    )


class _Lines:
    """Line tables of the sources, made once for each file."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._made: dict[str, LineIndex] = {}

    def of(self, path: str) -> LineIndex:
        if path not in self._made:
            self._made[path] = LineIndex.of(self._source(path))
        return self._made[path]

    def position(self, path: str, offset: int) -> tuple[int, int]:
        line, column = self.of(path).position(offset, Encoding.UTF32)
        return line + 1, column + 1

    def word(self, path: str, offset: int) -> str:
        """Return the identifier that begins at a byte offset."""
        found = _IDENTIFIER.match(self.of(path).text, offset)
        return found.group().decode() if found else ""

    def offset(self, path: str, line: int, column: int) -> int:
        return self.of(path).offset(line - 1, column - 1, Encoding.UTF32)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def _reports(table: OptionTable, path: str, lines: _Lines) -> Iterable[Report]:
    places: dict[tuple[int, int, int], tuple[Read, list[tuple[str, str]]]] = {}
    for read, option in table.reads_in.get(path, ()):
        key = (read.place.start, read.place.end, read.name_place.start)
        places.setdefault(key, (read, []))[1].append(option.key)
    for read, options in places.values():
        line, column = lines.position(path, read.place.start)
        yield Report(read, line, column, tuple(sorted(options)))


def _unnamed(item: Unresolved, lines: _Lines) -> Report:
    """Return the report of a read whose name is not known."""
    line, column = lines.position(item.place.path, item.place.start)
    read = Read(
        item.place,
        item.place,
        item.place.end,
        ReadKind.CALL,
        item.method,
        item.api,
        None,
        False,
        False,
        False,
    )
    return Report(read, line, column, ())


def _site(report: Report, truth: Truth, lines: _Lines) -> Site | None:
    place, name_place = report.read.place, report.read.name_place
    path = place.path
    first = report.line
    last = lines.position(path, max(place.start, place.end - 1))[0]
    near = name_place.start if name_place.path == path else place.start
    sites = [
        (lines.offset(path, site.line, site.column), site)
        for line in range(first, last + 1)
        for site in truth.by_line.get((path, line), ())
    ]
    inside = [(at, site) for at, site in sites if place.start <= at < place.end]
    if report.read.kind is ReadKind.CALL:
        called = report.read.api.split(".")[-2:]
        inside = [(at, site) for at, site in inside if lines.word(path, at) in called]
    named = [(at, site) for at, site in inside if _agree(site, report)]
    if named or inside:
        return min(named or inside, key=lambda pair: (abs(pair[0] - near), pair[0]))[1]
    if report.read.kind in (ReadKind.CALL, ReadKind.FIELD):
        return None
    end = lines.position(path, near)[0] if place.start <= near <= place.end else first
    outside = [(at, site) for at, site in sites if site.line <= end]
    named = [(at, site) for at, site in outside if _agree(site, report)]
    if named or outside:
        return min(named or outside, key=lambda pair: (abs(pair[0] - near), pair[0]))[1]
    return None


def _agree(site: Site, report: Report) -> bool:
    return any(covers(name, expected) for name in report.names for expected in site.names)


def _counts(report: Report, site: Site | None, truth: Truth, scope: Scope) -> bool:
    path = report.read.place.path
    if scope.listed_files:
        return path in truth.paths
    if scope.domains is None:
        return True
    if report.read.kind is ReadKind.FIELD:
        tops = {name.split(".", 1)[0] for name in report.names}
        return path == scope.field_file and bool(tops & scope.fields)
    if site is not None and any(row.domain == "properties" for row in site.rows):
        return False
    return any(domain in scope.domains for domain, _ in report.options)


def _rows(
    truth: Truth, assigned: Mapping[tuple[str, int, int], set[str]], scope: Scope
) -> tuple[list[tuple[Row, frozenset[str]]], list[Row], list[tuple[Row, frozenset[str]]], int]:
    hits: list[tuple[Row, frozenset[str]]] = []
    misses: list[Row] = []
    wrong: list[tuple[Row, frozenset[str]]] = []
    nameable = 0
    for sites in truth.by_line.values():
        for site in sites:
            key = (site.path, site.line, site.column)
            names = frozenset(assigned.get(key, ()))
            for row in site.rows:
                if row.kind != "read":
                    continue
                if key not in assigned:
                    misses.append(row)
                    continue
                hits.append((row, names))
                if not row.named:
                    continue
                nameable += 1
                if not _resolved(row, site, names, scope):
                    wrong.append((row, names))
    return hits, misses, wrong, nameable


def _resolved(row: Row, site: Site, names: frozenset[str], scope: Scope) -> bool:
    if not names or any(
        not any(covers(name, expected) for expected in site.names) for name in names
    ):
        return False
    given = [any(covers(name, expected) for name in names) for expected in row.names]
    return all(given) if scope.every_alternative else any(given)


def _declared(table: OptionTable, truth: Truth, lines: _Lines) -> tuple[int, list[Row]]:
    found: dict[tuple[str, int], set[str]] = {}
    for path, pairs in table.declarations_in.items():
        for declaration, options in pairs:
            for offset in {declaration.place.start, declaration.scope.start}:
                line = lines.position(path, offset)[0]
                found.setdefault((path, line), set()).update(option.name for option in options)
    for reads in table.reads_in.values():
        for read, option in reads:
            for place in (read.place, read.name_place):
                line = lines.position(place.path, place.start)[0]
                found.setdefault((place.path, line), set()).add(option.name)
    count, undeclared = 0, []
    for row in truth.rows:
        if row.kind not in DECLARING:
            continue
        names = found.get((row.path, row.line), set())
        if any(covers(name, expected) for name in names for expected in row.names):
            count += 1
        else:
            undeclared.append(row)
    return count, undeclared
