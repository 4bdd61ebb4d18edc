"""What a diagnosis comes down to: a headline, and remarks below everything else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conflens.diagnosis.evidence import Row, amounts, part_text, rows
from conflens.diagnosis.report import (
    KIND_WORDS,
    changed,
    cost_against,
    growth,
    is_compared,
    legible,
    main_total,
    percent,
    value_text,
    weight_text,
)
from conflens.diagnosis.results import Diagnosis, Total, Verdict
from conflens.profiling.model import EventKind

_NAMED = 3
"""Options that a headline names."""
_REPEATS = 3
"""Runs of a side from which on they tell how much they vary."""
_LEAST = 0.01
"""The least part of a whole that is worth a remark."""


def headline(diagnosis: Diagnosis) -> str:
    """Return the verdict in one or two sentences."""
    total = main_total(diagnosis)
    if total is None:
        return "The snapshots hold no events."
    compared = is_compared(diagnosis)
    found = [row for row in rows(diagnosis) if _is_named(row, compared)]
    if not compared:
        now = weight_text(diagnosis, total.kind, total.after)
        cost = f"The run costs {now} of {KIND_WORDS[total.kind]}."
        if not found:
            return f"{cost} Hardly any of it runs under an option."
        return f"{cost} Contributing options: {_names(diagnosis, found)}."
    cost = cost_against(diagnosis, total)
    if not diagnosis.violated:
        told = f"No cost differs by more than noise: the second run {cost}."
        if not found:
            return f"{told}{_possible(diagnosis)}"
        return f"{told} The only recorded difference: {_names(diagnosis, found)}."
    run = "The second run" if _is_cheaper(diagnosis, total) else "The slow run"
    if not found:
        return f"{run} {cost}. No option was found that explains it.{_possible(diagnosis)}"
    causes = "Likely cause" if len(found) == 1 else "Likely causes"
    return f"{run} {cost}. {causes}: {_names(diagnosis, found)}."


def _possible(diagnosis: Diagnosis) -> str:
    """Return the first options that are possible, as a sentence after a space; empty if there is none."""
    told = (Verdict.POSSIBLE, Verdict.DIFFERS)
    found = [row for row in rows(diagnosis) if row.suspect and row.suspect.verdict in told]
    return f" Possible: {_names(diagnosis, found)}." if found else ""


def _is_named(row: Row, compared: bool) -> bool:
    if row.suspect is None:
        return not compared
    return row.suspect.verdict in (Verdict.LIKELY, Verdict.BEHIND)


def _is_cheaper(diagnosis: Diagnosis, total: Total) -> bool:
    if diagnosis.seconds is not None:
        return diagnosis.seconds[1] < diagnosis.seconds[0]
    return (growth(total) or 0.0) < 0


def _names(diagnosis: Diagnosis, found: Sequence[Row]) -> str:
    """Return options with their parts, the kind once where it is the same: ``a (97 % of the added CPU time, 10.1 of
    10.4 s), b (3 %, 312 ms of 10.4 s) and 2 more``."""
    texts = []
    said: tuple[EventKind, bool] | None = None
    for row in found[:_NAMED]:
        text = ""
        if row.part is not None:
            text = part_text(diagnosis, row.part)
            if said == (row.part.kind, row.part.added):
                share, _, cost = text.partition(" of ")
                text = f"{share}, {cost.partition(', ')[2]}"
            said = row.part.kind, row.part.added
        elif row.suspect is not None and row.suspect.values is not None:
            text = value_text(row.suspect.values)
        texts.append(f"{legible(row.option[1])} ({text})" if text else legible(row.option[1]))
    more = len(found) - len(texts)
    return ", ".join(texts) + (f" and {more} more" if more > 0 else "")


def remarks(diagnosis: Diagnosis) -> Iterator[str]:
    """Yield what else there is to say, one line each."""
    yield from _uncovered(diagnosis)
    yield from _idle(diagnosis)
    yield from _costs(diagnosis)
    if diagnosis.scale:
        yield diagnosis.scale
    yield from diagnosis.notes


def _costs(diagnosis: Diagnosis) -> Iterator[str]:
    """Yield each kind of cost with its change and noise, and what few runs cannot tell."""
    texts = []
    for cost in diagnosis.costs:
        words = "length of the run" if cost.kind is None else KIND_WORDS[cost.kind]
        text = f"{words} {changed(cost.change) or '0 %'} (noise {percent(cost.noise)})"
        texts.append(text if cost.significant else f"{text}, within the noise")
    if not texts:
        return
    before, after = map(max, zip(*(cost.runs for cost in diagnosis.costs), strict=True))
    yield f"Judged by {before} + {after} runs: {'; '.join(texts)}."
    if min(before, after) < _REPEATS:
        yield (
            "So few runs show only large differences. Record three of each side:"
            " conflens diagnose PATH --baseline good-*.jfr --violation bad-*.jfr"
        )


def _uncovered(diagnosis: Diagnosis) -> Iterator[str]:
    """Yield how much of the main kind ran under no option that a headline could name."""
    total = main_total(diagnosis)
    row = diagnosis.covered.get(total.kind) if total is not None else None
    if total is None or row is None:
        return
    words, after = KIND_WORDS[total.kind], row.share * total.after
    if total.before is None:
        left, whole, by = total.after - after, total.after, "no option"
    else:
        whole = total.after - total.before
        left = whole - (after - (row.before or 0.0) * total.before)
        words, by = f"the added {words}", "no likely cause"
    if whole > 0 and left >= _LEAST * whole:
        left = min(left, whole)
        part = amounts(diagnosis, total.kind, left, whole)
        yield f"{percent(left / whole)} of {words} ({part}) ran under {by}."


def _idle(diagnosis: Diagnosis) -> Iterator[str]:
    """Yield how long idle threads waited, which no list shows."""
    waited: dict[EventKind, float] = {}
    for hotspot in diagnosis.hotspots:
        if hotspot.idle:
            waited[hotspot.kind] = waited.get(hotspot.kind, 0.0) + hotspot.after
    if waited:
        parts = [
            f"{weight_text(diagnosis, kind, weight)} of {KIND_WORDS[kind]}"
            for kind, weight in waited.items()
        ]
        yield f"Left out: idle threads, {' and '.join(parts)}."
