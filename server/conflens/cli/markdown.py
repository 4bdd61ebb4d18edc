"""Markdown: the report as a page that can be kept beside the code."""

from __future__ import annotations

from collections.abc import Iterator

from conflens.cli.report import Report
from conflens.cli.tables import by_domain, cells, headline, remarks
from conflens.ide.words import code, plain


def lines(report: Report, limit: int | None) -> Iterator[str]:
    """Yield the lines of the page."""
    yield "# Configuration options"
    yield ""
    yield f"{headline(report)}."
    for domain, total, options in by_domain(report.options, limit):
        yield ""
        yield f"## {domain} ({total:,})"
        yield ""
        yield "| option | type | default | reads | reaches | documented | where |"
        yield "| --- | --- | --- | ---: | --- | --- | --- |"
        for option in options:
            name, kind, default, reads, reaches, documented, where = cells(option)
            default = cell(default) if default else ""
            yield (
                f"| {cell(name)} | {kind} | {default} | {reads} | {reaches}"
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
