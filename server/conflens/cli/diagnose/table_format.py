"""The terminal's form of a diagnosis: the verdict in a sentence, then what it rests on, at most a screenful.

Tables: what each kind of event cost, options in rank order, hotspots.  Of these the first ``TOP`` are shown unless
more are asked for, and what is left out is counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from conflens.base.words import count, shorten
from conflens.cli.report.steps import Steps
from conflens.cli.report.tables import plain_table, show_parts
from conflens.diagnosis.evidence import Row, rows, short_part_text, values_of, verdict_words
from conflens.diagnosis.report import (
    SHORT_WORDS,
    behind,
    changed,
    difference_text,
    differences_lead,
    growth,
    is_compared,
    legible,
    listed_hotspots,
    ordered_differences,
    percent,
    weight_text,
)
from conflens.diagnosis.results import Diagnosis, Verdict
from conflens.diagnosis.summary import headline, remarks

TOP = 10
_MAX_VALUE = 60
_MAX_NOTE = 1000
_DIFFERENCES = 8
_OPTIONS = 3


def show_diagnosis(
    diagnosis: Diagnosis, steps: Steps, top: int | None = None, file: str | None = None
) -> None:
    """Print a diagnosis, to ``file`` if one is given."""
    show_parts(_parts(diagnosis, steps, top or TOP), file)


def _parts(diagnosis: Diagnosis, steps: Steps, top: int) -> Iterator[RenderableType]:
    yield Text(legible(headline(diagnosis)), style="bold")
    if diagnosis.totals:
        yield ""
        yield from _totals(diagnosis)
    lead = differences_lead(diagnosis)
    if lead:
        yield from _differences(diagnosis)
    listed = rows(diagnosis)
    if listed:
        yield ""
        yield from _options(diagnosis, listed, steps, top)
    if any(not hotspot.idle for hotspot in diagnosis.hotspots):
        yield ""
        yield from _hotspots(diagnosis, top)
    if not lead:
        yield from _differences(diagnosis)
    lines = list(remarks(diagnosis))
    if lines:
        yield ""
        for line in lines:
            yield Text(shorten(legible(line), _MAX_NOTE))


def _differences(diagnosis: Diagnosis) -> Iterator[RenderableType]:
    others = ordered_differences(diagnosis)
    if others:
        yield ""
        yield Text("values that differ between the runs", style="bold")
        for difference in others[:_DIFFERENCES]:
            words = f"{difference.name}: {difference_text(difference)} ({difference.origin})"
            yield Text(shorten(legible(words), 3 * _MAX_VALUE))
        if len(others) > _DIFFERENCES:
            yield Text(f"and {count(len(others) - _DIFFERENCES, 'more value')}", style="dim")


def _totals(diagnosis: Diagnosis) -> Iterator[RenderableType]:
    compared = is_compared(diagnosis)
    table = plain_table("cost")
    table.add_column("kind", no_wrap=True)
    for column in ("before", "now", "change") if compared else ("cost",):
        table.add_column(column, justify="right", no_wrap=True)
    for total in diagnosis.totals:
        cells = [SHORT_WORDS[total.kind], weight_text(diagnosis, total.kind, total.after)]
        if compared:
            before = (
                weight_text(diagnosis, total.kind, total.before)
                if total.before is not None
                else ""
            )
            cells = [cells[0], before, cells[1], changed(growth(total))]
        table.add_row(*map(Text, cells))
    yield table


def _options(
    diagnosis: Diagnosis, listed: Sequence[Row], steps: Steps, top: int
) -> Iterator[RenderableType]:
    compared = is_compared(diagnosis)
    table = plain_table("options")
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("option", overflow="fold", min_width=20)
    if compared:
        table.add_column("verdict", no_wrap=True)
    table.add_column("of the added cost" if compared else "of the cost", overflow="fold")
    values = any(values_of(row, compared) for row in listed[:top])
    if values:
        table.add_column("value", overflow="fold")
    table.add_column("decision point", overflow="fold")
    for number, row in enumerate(listed[:top], 1):
        verdict = row.suspect.verdict if row.suspect is not None else None
        cells = [str(number), legible(row.option[1])]
        if compared:
            cells.append(verdict_words(row.suspect) if row.suspect is not None else "")
        cells.append(_part(diagnosis, row, compared))
        if values:
            cells.append(shorten(legible(values_of(row, compared)), _MAX_VALUE))
        cells.append(_place(row, steps))
        style = "bold" if verdict is Verdict.LIKELY else ""
        table.add_row(
            *(Text(cell, style=style if at == 1 else "") for at, cell in enumerate(cells))
        )
    yield table
    yield from _rest(len(listed) - top, "option")


def _part(diagnosis: Diagnosis, row: Row, compared: bool) -> str:
    if row.part is None:
        return ""
    text = short_part_text(diagnosis, row.part)
    return text if row.part.added is compared else f"{text} in all"


def _place(row: Row, steps: Steps) -> str:
    if row.suspect is None or not row.suspect.causes:
        return ""
    hold = row.suspect.causes[0].hold
    spot = steps.spot(hold.ref, hold.index)
    return legible(f"{spot.path}:{spot.line}")


def _hotspots(diagnosis: Diagnosis, top: int) -> Iterator[RenderableType]:
    compared = is_compared(diagnosis)
    table = plain_table("hotspots")
    table.add_column("method", overflow="fold", min_width=20)
    table.add_column("kind", no_wrap=True)
    for column in ("share", "before", "now") if compared else ("share", "cost"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("options", overflow="fold")
    listed = listed_hotspots(diagnosis)
    for name, hotspot in listed[:top]:
        cells = [
            legible(name),
            SHORT_WORDS[hotspot.kind],
            percent(hotspot.share),
        ]
        if compared:
            before = hotspot.before
            cells.append(weight_text(diagnosis, hotspot.kind, before) if before else "new")
        sure = "" if hotspot.significant else " ?"
        cells.append(f"{weight_text(diagnosis, hotspot.kind, hotspot.after)}{sure}")
        names = [legible(name) for _, name in behind(diagnosis, hotspot)]
        more = len(names) - _OPTIONS
        cells.append(", ".join(names[:_OPTIONS]) + (f" and {more} more" if more > 0 else ""))
        table.add_row(*map(Text, cells))
    yield table
    yield from _rest(len(listed) - top, "hotspot")
    if any(not hotspot.significant for _, hotspot in listed[:top]):
        yield Text("?: perhaps by chance", style="dim")


def _rest(left_out: int, noun: str) -> Iterator[RenderableType]:
    if left_out > 0:
        yield Text(f"and {count(left_out, f'more {noun}')} (--top shows more)", style="dim")
