"""The terminal's form of a diagnosis: the verdict in a sentence, then what it rests on, at most a screenful.

Tables: what each kind of event cost, options in rank order, hotspots.  Of these the first ``TOP`` are shown unless
more are asked for, and what is left out is counted.
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from conflens.base.words import count, shorten
from conflens.cli.report.steps import Steps
from conflens.cli.report.tables import plain_table, show_parts
from conflens.diagnosis.report import (
    SHORT_WORDS,
    behind,
    changed,
    difference_text,
    growth,
    headline,
    hotspot_names,
    is_compared,
    legible,
    ordered_differences,
    parts_text,
    percent,
    remarks,
    shares_of,
    signed,
    under_text,
    value_text,
    weight_text,
)
from conflens.diagnosis.results import Diagnosis, Suspect, Verdict

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
    if diagnosis.suspects:
        yield ""
        yield from _options(diagnosis, steps, top)
    elif diagnosis.under:
        yield ""
        yield from _shares(diagnosis, top)
    if diagnosis.hotspots:
        yield ""
        yield from _hotspots(diagnosis, top)
    others = ordered_differences(diagnosis)
    if others:
        yield ""
        yield Text("values that differ between the runs", style="bold")
        for difference in others[:_DIFFERENCES]:
            words = f"{difference.name}: {difference_text(difference)} ({difference.origin})"
            yield Text(shorten(legible(words), 3 * _MAX_VALUE))
        if len(others) > _DIFFERENCES:
            yield Text(f"and {count(len(others) - _DIFFERENCES, 'more value')}", style="dim")
    lines = list(remarks(diagnosis))
    if lines:
        yield ""
        for line in lines:
            yield Text(shorten(legible(line), _MAX_NOTE))


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


def _options(diagnosis: Diagnosis, steps: Steps, top: int) -> Iterator[RenderableType]:
    compared = is_compared(diagnosis)
    table = plain_table("options")
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("option", overflow="fold", min_width=20)
    table.add_column("verdict", no_wrap=True)
    table.add_column("explains" if compared else "of the cost", justify="right", no_wrap=True)
    table.add_column("by", overflow="fold")
    values = any(suspect.values is not None for suspect in diagnosis.suspects[:top])
    if values:
        table.add_column("value", overflow="fold")
    table.add_column("takes hold at", overflow="fold")
    for number, suspect in enumerate(diagnosis.suspects[:top], 1):
        cells = [
            str(number),
            legible(suspect.option[1]),
            suspect.verdict.value,
            percent(suspect.explained),
            parts_text(suspect.parts),
        ]
        if values:
            cells.append(shorten(legible(value_text(suspect.values, compared)), _MAX_VALUE))
        cells.append(_place(suspect, steps))
        style = "bold" if suspect.verdict is Verdict.ACCUSED else ""
        table.add_row(
            *(Text(cell, style=style if at == 1 else "") for at, cell in enumerate(cells))
        )
    yield table
    yield from _rest(len(diagnosis.suspects) - top, "option")


def _shares(diagnosis: Diagnosis, top: int) -> Iterator[RenderableType]:
    table = plain_table("options that run most")
    table.add_column("option", overflow="fold", min_width=20)
    table.add_column("runs under it", overflow="fold")
    shares = [(key, share) for key, share in shares_of(diagnosis) if share > 0]
    for key, _ in shares[:top]:
        table.add_row(Text(legible(key[1])), Text(under_text(diagnosis.under[key])))
    yield table
    yield from _rest(len(shares) - top, "option")


def _place(suspect: Suspect, steps: Steps) -> str:
    if not suspect.causes:
        return ""
    hold = suspect.causes[0].hold
    spot = steps.spot(hold.ref, hold.index)
    return legible(f"{spot.path}:{spot.line}")


def _hotspots(diagnosis: Diagnosis, top: int) -> Iterator[RenderableType]:
    compared = is_compared(diagnosis)
    table = plain_table("hotspots")
    table.add_column("method", overflow="fold", min_width=20)
    table.add_column("kind", no_wrap=True)
    for column in ("share", "before", "now", "adds", "change") if compared else ("share", "cost"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("options", overflow="fold")
    for name, hotspot in zip(hotspot_names(diagnosis), diagnosis.hotspots[:top], strict=False):
        cells = [
            legible(name),
            SHORT_WORDS[hotspot.kind],
            percent(hotspot.share),
        ]
        if compared:
            cells.append(
                ""
                if hotspot.before is None
                else weight_text(diagnosis, hotspot.kind, hotspot.before)
            )
        cells.append(weight_text(diagnosis, hotspot.kind, hotspot.after))
        if compared:
            sure = "" if hotspot.significant else " ?"
            cells += [signed(hotspot.variation), f"{changed(hotspot.change)}{sure}"]
        names = [legible(name) for _, name in behind(diagnosis, hotspot)]
        more = len(names) - _OPTIONS
        cells.append(", ".join(names[:_OPTIONS]) + (f" and {more} more" if more > 0 else ""))
        table.add_row(*map(Text, cells))
    yield table
    yield from _rest(len(diagnosis.hotspots) - top, "hotspot")
    if any(not hotspot.significant for hotspot in diagnosis.hotspots[:top]):
        yield Text("?: the runs do not show for sure that it changed", style="dim")


def _rest(left_out: int, noun: str) -> Iterator[RenderableType]:
    if left_out > 0:
        yield Text(f"and {count(left_out, f'more {noun}')} (--top shows more)", style="dim")
