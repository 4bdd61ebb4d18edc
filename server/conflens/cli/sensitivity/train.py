"""``conflens train``: add a project's labelled options to a training table.

Labels come from a file (``sensitivity.table.labels``) and from the verdicts that a person has given in the
workspace file (``how`` = ``person``); of an option that both name the file's label stands, as the workspace file
cannot say that something was measured.  Rows of the project that the base table has are replaced.

Absent: fitting (``sensitivity.fitting``), which forests a table is judged by (``conflens evaluate``).
"""

from __future__ import annotations

import argparse
import gc
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from conflens.base.words import count
from conflens.cli.engine import analyse
from conflens.cli.errors import OK, BadInputError
from conflens.cli.output import check_writable, emit, emit_lines
from conflens.cli.texts import text_of
from conflens.models.workspace import parse_workspace
from conflens.sensitivity import table as tables
from conflens.sensitivity import training
from conflens.sensitivity.features import CHOSEN, features
from conflens.sensitivity.table import Label, Row, Table, TableError
from conflens.sensitivity.vocabulary import packaged
from conflens.session.analysis import Analysis
from conflens.session.inputs.inputs import WORKSPACE_FILE
from conflens.session.sources.files import RealSystem
from conflens.session.subjects import subjects_of

OUTPUT = "conflens-training.csv"
NONE = "none"
MAX_BYTES = 100_000_000
"""Larger files are not read."""

_MOST_NAMES = 20


def run(arguments: argparse.Namespace) -> int:
    """Analyse, label, write the table, say in a few lines what it holds."""
    gc.enable()
    path = arguments.path
    name = arguments.name or os.path.basename(os.path.abspath(path))
    if name.startswith("#"):
        raise BadInputError(
            f"{name}: a name with # is a comment in a table; give another by --name"
        )
    output = arguments.output or os.path.join(path, OUTPUT)
    try:
        labels = _labels(arguments.labels, path, name)
        base = base_table(arguments.base)
        if os.path.isdir(path):
            check_writable(output)
        analysis = analyse(arguments, sensitivity=False)
        if not labels:
            raise BadInputError(
                f"{name} has no labels: give --labels FILE, or verdicts in {WORKSPACE_FILE}"
            )
        new = rows_of(analysis, labels)
        table = held_out(tables.merged(base, new))
    except TableError as error:
        raise BadInputError(str(error)) from error
    emit(tables.dumps(table).encode(), output)
    emit_lines(summary(name, new, table, output))
    return OK


def rows_of(analysis: Analysis, labels: Iterable[Label]) -> list[Row]:
    """Return a row for each label, in their order."""
    return training.rows(subjects_of(analysis), analysis.program, packaged(), labels)


def held_out(table: Table) -> Table:
    """Return the table with the scores that calibrate a forest; raise ``TableError`` if it has too few rows."""
    from conflens.sensitivity import fitting  # noqa: PLC0415 - brings scikit-learn

    if len({row.label.system for row in table.learnable}) < 2:
        raise TableError(
            "a training table needs options of two systems: each is scored by a forest without it"
        )
    return fitting.held_out(table, fitting.Fit(features(packaged()), CHOSEN))


def empty() -> Table:
    """Return a table without rows."""
    return Table(tuple(feature.name for feature in features(packaged())), ())


def base_table(file: str | None) -> Table:
    """Return the table that ``file`` names (``none``: an empty one; nothing: the packaged one).

    Raise ``TableError`` for one that is broken or that another version made.
    """
    if file == NONE:
        return empty()
    base = tables.packaged() if file is None else tables.loads(text_of(file, MAX_BYTES), file)
    if base.names != empty().names:
        raise TableError(
            f"{file or tables.FILE}:1: made by another version: its features are others"
        )
    return base


def summary(name: str, rows: Sequence[Row], table: Table, output: str) -> Iterator[str]:
    """Yield what was taken, what was not found, and what the table holds now."""
    lost = [row.label.option for row in rows if not row.found]
    yield f"{name}: {count(len(rows), 'label')}, {_balance(rows)}; {len(rows) - len(lost):,} read by the program"
    if lost:
        more = f" and {len(lost) - _MOST_NAMES:,} more" if len(lost) > _MOST_NAMES else ""
        yield f"not found in the program: {', '.join(lost[:_MOST_NAMES])}{more}"
    systems = {row.label.system for row in table.rows}
    yield (
        f"table: {count(len(table.rows), 'option')} of {count(len(systems), 'system')},"
        f" {_balance(table.rows)}; {len(table.learnable):,} to learn from"
    )
    yield f"written to {output}"


def _balance(rows: Sequence[Row]) -> str:
    return f"{sum(row.label.sensitive for row in rows):,} sensitive"


def _labels(file: str | None, path: str, name: str) -> list[Label]:
    given = tables.labels(text_of(file, MAX_BYTES), file, name) if file is not None else ()
    labels = [label for label in given if label.system == name]
    named = Counter((label.option, label.domain) for label in labels)
    twice = sorted(option for (option, _), number in named.items() if number > 1)
    if twice:
        raise TableError(f"{file}: labels {twice[0]} more than once")
    known = {label.option for label in labels}
    return [*labels, *(label for label in _verdicts(path, name) if label.option not in known)]


def _verdicts(path: str, name: str) -> Iterator[Label]:
    """A faulty workspace file gives what is right in it, as everywhere."""
    file = os.path.join(path, WORKSPACE_FILE)
    if not os.path.isfile(file) or RealSystem(path).leaves(WORKSPACE_FILE):
        return
    said, _ = parse_workspace(WORKSPACE_FILE, text_of(file, MAX_BYTES))
    for verdict in said.verdicts:
        source = f"{WORKSPACE_FILE}:{verdict.line} {verdict.reason}".rstrip()
        yield Label(name, verdict.option, verdict.sensitive, "person", " ".join(source.split()))
