"""Markdown: the report as a page that can be kept beside the code."""

from __future__ import annotations

from collections.abc import Iterator

from conflens.cli.report.report import Report
from conflens.cli.report.tables import by_domain, headline, marked, missing, remarks
from conflens.render.phrases import code, plain


def lines(report: Report, limit: int | None) -> Iterator[str]:
    """Yield the lines of the page."""
    yield "# Configuration options"
    yield ""
    yield f"{headline(report)}."
    for line in missing(report):
        yield ""
        yield plain(line, 1_000)
    for domain, total, options in by_domain(report.options, limit):
        yield ""
        yield f"## {domain} ({total:,})"
        yield ""
        more = (" sensitive |", " --- |") if report.judged else ("", "")
        yield f"| option | type | default | reads | reaches |{more[0]} documented | where |"
        yield f"| --- | --- | --- | ---: | --- |{more[1]} --- | --- |"
        for option in options:
            name, kind, default, *plainly, documented, where = marked(report, option)
            default = cell(default) if default else ""
            yield (
                f"| {cell(name)} | {kind} | {default} | {' | '.join(plainly)}"
                f" | {plain(documented, 200)} | {plain(where, 200)} |"
            )
        if total > len(options):
            yield ""
            yield f"and {total - len(options):,} more"
    yield ""
    for line in remarks(report):
        yield f"- {plain(line, 1000)}"


def cell(text: str) -> str:
    """Return a code span that stays inside its table cell."""
    return code(text).replace("|", "\\|")
