"""A listing of options by sensitivity as a table in a terminal and as a Markdown page.

A chance is always that of ``sensitive``, whatever the verdict.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

from rich.console import RenderableType
from rich.text import Text

from conflens.base.words import count
from conflens.cli.report.markdown import cell
from conflens.cli.report.report import settings_problems
from conflens.cli.report.steps import visible
from conflens.cli.report.tables import plain_table, show_parts
from conflens.cli.sensitivity.listing import Listing, Row
from conflens.render.phrases import plain
from conflens.sensitivity.phrases import percent
from conflens.sensitivity.results import Label, Source, Verdict

_LIMIT = 400


def show_table(found: Listing, file: str | None = None) -> None:
    """Print a listing as a table, to ``file`` if one is given."""
    show_parts(_parts(found), file)


def page(found: Listing) -> Iterator[str]:
    """Yield the lines of a Markdown page."""
    yield "# Performance-sensitive options"
    yield ""
    yield f"{headline(found)}."
    if found.rows:
        yield ""
        yield "| option | domain | verdict | chance | operations | the option … | where |"
        yield "| --- | --- | --- | ---: | ---: | --- | --- |"
    for row in found.rows:
        place = ""
        if row.where is not None:
            target = quote(row.where.path.encode("utf-8", "surrogateescape"))
            name = row.where.path.rsplit("/", 1)[-1]
            place = f"[{plain(f'{name}:{row.where.line}', _LIMIT)}]({target}#L{row.where.line})"
        domain, verdict, chance, operations = _cells(row)
        yield (
            f"| {cell(row.name)} | {plain(domain, 100)} | {verdict} | {plain(chance, 10)}"
            f" | {operations} | {plain(reasons(row.verdict), _LIMIT)} | {place} |"
        )
    for line in settings_problems(found.report):
        yield f"- {plain(line, 1000)}" if line else ""


def headline(found: Listing) -> str:
    """Return ``412 options: 96 sensitive, 210 insensitive, 106 unknown``."""
    labels = ", ".join(f"{found.count(label):,} {label.value}" for label in Label)
    return f"{count(len(found.rows), 'option')}: {labels}"


def reasons(verdict: Verdict) -> str:
    """Return why, in words: ``sizes a buffer; runs I/O in a loop; but is the name of a file``.

    What speaks against the verdict comes last; of a person's verdict the person's reason comes first.
    """
    wanted = verdict.label is not Label.INSENSITIVE
    unsure = verdict.label is Label.UNKNOWN
    said = [reason.text for reason in verdict.reasons if unsure or reason.toward is wanted]
    said += [
        f"but {reason.text}"
        for reason in verdict.reasons
        if not unsure and reason.toward is not wanted
    ]
    if verdict.source is Source.PERSON:
        said.insert(
            0, f"decided by a person: {verdict.note}" if verdict.note else "decided by a person"
        )
    return "; ".join(said)


def _cells(row: Row) -> tuple[str, str, str, str]:
    """Return domain, verdict, chance and operations as short texts."""
    score = row.verdict.probability
    return (
        (row.domain or "").replace("-", " "),
        row.verdict.label.value,
        "" if score is None else percent(score),
        f"{row.operations:,}" if row.operations else "",
    )


def _parts(found: Listing) -> Iterator[RenderableType]:
    yield Text(headline(found), style="bold")
    if found.rows:
        yield ""
        table = plain_table("options by sensitivity")
        table.add_column("option", overflow="fold", min_width=20)
        table.add_column("domain", overflow="fold")
        table.add_column("verdict", no_wrap=True)
        table.add_column("chance", justify="right", no_wrap=True)
        table.add_column("operations", justify="right", no_wrap=True)
        table.add_column("the option …", overflow="fold", ratio=1)
        table.add_column("where", overflow="fold")
        for row in found.rows:
            place = row.where
            shown = f"{place.path.rsplit('/', 1)[-1]}:{place.line}" if place is not None else ""
            texts = visible(row.name), *_cells(row), reasons(row.verdict), shown
            table.add_row(*(Text(visible(text)) for text in texts))
        yield table
    for line in settings_problems(found.report):
        yield Text(line)
