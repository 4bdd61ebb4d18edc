"""``conflens evaluate``: figures of the sensitivity model on systems that it has not seen.

Formats: tables for a terminal, Markdown for a page that is kept, JSON (schema ``conflens-evaluation/1``).
Invariant: equal tables and seeds give equal bytes; progress goes to standard error.
"""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from conflens.cli.errors import OK, BadInputError
from conflens.cli.output import check_writable, emit, emit_lines
from conflens.cli.report.contract import encode_any
from conflens.cli.report.tables import plain_table, show_parts
from conflens.cli.sensitivity.train import base_table
from conflens.render.phrases import plain
from conflens.sensitivity import evaluation, evaluation_ablation, evaluation_methods
from conflens.sensitivity import evaluation_report as reports
from conflens.sensitivity.evaluation_report import Section
from conflens.sensitivity.table import TableError

SEEDS = 20
ABLATION_SEEDS = 5


def run(arguments: argparse.Namespace) -> int:
    """Evaluate, print in the chosen format."""
    gc.enable()
    if arguments.output is not None:
        check_writable(arguments.output)
    seeds = arguments.seeds or (ABLATION_SEEDS if arguments.ablation else SEEDS)
    try:
        table = base_table(arguments.table)
        if arguments.ablation:
            worths = evaluation_ablation.ablation(table, seeds, tell)
            found, values = (
                reports.ablation_sections(worths, seeds),
                reports.plain_ablation(worths, seeds),
            )
        else:
            result = evaluation.evaluate(table, seeds, evaluation_methods.recorded(), tell)
            found, values = reports.sections(result), reports.plain(result)
    except TableError as error:
        raise BadInputError(str(error)) from error
    show(list(found), values, arguments.format, arguments.output)
    return OK


def tell(done: int, total: int) -> None:
    """Write how far it is to standard error: one line on a terminal, else one at each tenth."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\rstep {done} of {total}" + ("\n" if done == total else ""))
        sys.stderr.flush()
    elif done * 10 // total != (done - 1) * 10 // total:
        sys.stderr.write(f"step {done} of {total}\n")


def show(sections: Iterable[Section], values: Any, form: str, file: str | None = None) -> None:
    """Print an evaluation, to ``file`` if one is given."""
    if form == "json":
        emit(encode_any(values), file)
    elif form == "markdown":
        emit_lines(markdown(sections), file)
    else:
        show_parts(_parts(sections), file)


def markdown(sections: Iterable[Section]) -> Iterator[str]:
    """Yield the lines of a page."""
    for number, section in enumerate(sections):
        if number:
            yield ""
        yield f"### {plain(section.title, 200)}"
        yield ""
        yield f"| {' | '.join(plain(cell, 200) for cell in section.header)} |"
        yield f"| --- |{' ---: |' * (len(section.header) - 1)}"
        for row in section.rows:
            yield f"| {' | '.join(plain(cell, 200) for cell in row)} |"
        if section.note:
            yield ""
            yield section.note


def _parts(sections: Iterable[Section]) -> Iterator[RenderableType]:
    for number, section in enumerate(sections):
        if number:
            yield ""
        table = plain_table(section.title)
        for index, column in enumerate(section.header):
            table.add_column(column, justify="right" if index else "left", overflow="fold")
        for row in section.rows:
            table.add_row(*map(Text, row))
        yield table
        if section.note:
            yield Text(section.note, style="dim")
