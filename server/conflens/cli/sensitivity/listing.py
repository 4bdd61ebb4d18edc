"""The options of a project as a list, those most likely performance-sensitive first.

Terms: a *row* is an option, or a name that was asked for and that no read has: that is ``unknown`` for
the reason ``NO_READ``.  A name that is an instance of a dynamic one (``fs.s3.impl`` of ``fs.*.impl``)
is a row by itself, with the verdict on the dynamic one, which is its ``read_as``.
Invariant: rows are in the order of ``Verdict.order``, then name, then domain.

Absent: how a verdict is found (``conflens.sensitivity``) and how rows look (``sensitivity``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import attrs

from conflens.cli.report.chosen_options import in_domain, is_instance
from conflens.cli.report.report import Report, ReportedOption, Where, report, where
from conflens.render.ranking import by_verdict
from conflens.sensitivity.results import Label, Reason, Verdict
from conflens.session.analysis import Analysis

NO_READ = "no read was found"
_NOT_FOUND = Verdict(Label.UNKNOWN, None, (Reason(NO_READ, toward=False),))


@attrs.frozen
class Row:
    """One option or name; ``option`` is ``None`` for a name that no read has, ``domain`` then what was
    asked for.

    ``operations`` counts what the option surely reaches, ``where`` is where to look at it first.
    """

    name: str
    domain: str | None
    verdict: Verdict
    operations: int = 0
    where: Where | None = None
    option: ReportedOption | None = None

    @property
    def read_as(self) -> str | None:
        """The dynamic name that the program reads it by, if its own does not occur."""
        option = self.option
        return option.name if option is not None and option.name != self.name else None


@attrs.frozen
class Listing:
    """Rows, and the report of the whole project that they come from."""

    rows: tuple[Row, ...]
    report: Report = attrs.field(repr=False)

    def count(self, label: Label) -> int:
        """Return how many rows have ``label``."""
        return sum(row.verdict.label is label for row in self.rows)


def listing(
    analysis: Analysis,
    domain: str | None = None,
    names: Sequence[str] | None = None,
    only: Label | None = None,
) -> Listing:
    """Return the options of ``domain`` that ``names`` name and that are judged ``only`` so, or all.

    Raises :class:`BadInputError` for a domain that no option has.
    """
    whole = report(analysis)
    rows = tuple(_rows(analysis, whole.options))
    if domain is not None:
        domain = in_domain(whole.options, domain)[0].domain
        rows = tuple(row for row in rows if row.domain == domain)
    if names is not None:
        rows = tuple(sorted(_named(rows, names, domain), key=_order))
    if only is not None:
        rows = tuple(row for row in rows if row.verdict.label is only)
    return Listing(rows, whole)


def _rows(analysis: Analysis, options: Iterable[ReportedOption]) -> Iterator[Row]:
    for option in sorted(options, key=lambda option: by_verdict(option.view)):
        view = option.view
        place = where(analysis, view.place) if view.place is not None else None
        yield Row(view.name, view.domain, view.verdict, view.operations, place, option)


def _named(rows: Iterable[Row], names: Iterable[str], domain: str | None) -> Iterator[Row]:
    by_name: dict[str, list[Row]] = {}
    for row in rows:
        by_name.setdefault(row.name, []).append(row)
    dynamic = [name for name in by_name if "*" in name and name.strip("*.-_")]
    for name in names:
        matches = by_name.get(name, [])
        if not matches:
            patterns = [pattern for pattern in dynamic if is_instance(name, pattern)]
            matches = [
                attrs.evolve(row, name=name) for pattern in patterns for row in by_name[pattern]
            ]
        yield from matches or [Row(name, domain, _NOT_FOUND)]


def _order(row: Row) -> tuple[tuple[int, int, float], str, str, str]:
    return row.verdict.order, row.name, row.domain or "", row.read_as or ""
