"""The training table: labelled options with their features, as CSV.

Terms
    system   the program an option belongs to; options of one system are never split in an evaluation.
    how      what the label rests on: ``measured`` (runs with different values), ``judged`` (read from documents
             and source by somebody who knows the system), ``person`` (a user's verdict).
    found    whether the program has a read of the option; a row without has no features to learn from.

Columns: ``system``, ``option``, ``sensitive`` (0 or 1), ``how``, ``found`` (0 or 1), ``source`` (one line:
where the label comes from), ``held_out`` (the score that a forest without the option's system gave it, for
calibration), then one column for each feature, by name.

Invariant: ``loads(dumps(table)) == table`` up to the digits that are written (6 significant).
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterable, Iterator
from functools import lru_cache

import attrs

from conflens.models.resources import grammar_file

FILE = "sensitivity/table.csv"
LABELS = "sensitivity/labels.csv"
HOW = ("measured", "judged", "person")
MAX_ROWS = 100_000
LARGEST = 3e38
"""Trees compare numbers in single precision, which ends here."""

_FIXED = ("system", "option", "sensitive", "how", "found", "source", "held_out")


class TableError(ValueError):
    """A table or a file of labels cannot be used; the text names file, line and what is wrong."""


@attrs.frozen
class Label:
    """A labelled option.  ``domain`` (empty: any) and ``aliases`` help to find it in the program."""

    system: str
    option: str
    sensitive: bool
    how: str
    source: str = ""
    domain: str = ""
    aliases: tuple[str, ...] = ()


@attrs.frozen
class Row:
    """A labelled option with its features, in the order of the table's names."""

    label: Label
    found: bool
    values: tuple[float, ...] = attrs.field(repr=False)
    held_out: float = 0.0


@attrs.frozen
class Table:
    """See the module text."""

    names: tuple[str, ...] = attrs.field(repr=False)
    rows: tuple[Row, ...] = attrs.field(repr=False)

    def without(self, system: str) -> Table:
        """Return the table without the rows of a system."""
        return attrs.evolve(
            self, rows=tuple(row for row in self.rows if row.label.system != system)
        )

    @property
    def learnable(self) -> tuple[Row, ...]:
        """The rows with features."""
        return tuple(row for row in self.rows if row.found)

    @property
    def digest(self) -> str:
        """Changes whenever what a classifier learns from does."""
        return hashlib.sha256(dumps(self).encode()).hexdigest()


@lru_cache(maxsize=1)
def packaged() -> Table:
    """Return the packaged table."""
    return loads(grammar_file(FILE).decode(), FILE)


def dumps(table: Table) -> str:
    """Return the table as CSV, sorted by system and option."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*_FIXED, *table.names])
    for row in sorted(table.rows, key=lambda row: (row.label.system, row.label.option)):
        label = row.label
        writer.writerow(
            [
                label.system,
                label.option,
                int(label.sensitive),
                label.how,
                int(row.found),
                label.source,
                f"{row.held_out:.4f}",
                *(f"{value:.6g}" for value in row.values),
            ]
        )
    return out.getvalue()


def loads(text: str, file: str) -> Table:
    """Return the table in a CSV text; ``file`` names it in errors.  Raises ``TableError``."""
    rows = _records(text, file)
    header = next(rows, (1, []))[1]
    names = tuple(header[len(_FIXED) :])
    if tuple(header[: len(_FIXED)]) != _FIXED:
        raise TableError(f"{file}:1: not a training table: it begins with {','.join(_FIXED)}")
    found: list[Row] = []
    for line, record in rows:
        if len(record) != len(header):
            raise TableError(f"{file}:{line}: {len(record)} columns instead of {len(header)}")
        system, option, sensitive, how, read, source, _ = record[: len(_FIXED)]
        try:
            held_out, *values = map(float, record[len(_FIXED) - 1 :])
        except ValueError:
            raise TableError(f"{file}:{line}: a feature is not a number") from None
        if not all(abs(value) <= LARGEST for value in (held_out, *values)):
            raise TableError(f"{file}:{line}: a feature is not a number that can be learned from")
        label = Label(system, option, _flag(sensitive, file, line), _how(how, file, line), source)
        found.append(Row(label, _flag(read, file, line), tuple(values), held_out))
    return Table(names, tuple(found))


def labels(text: str, file: str, system: str = "") -> tuple[Label, ...]:
    """Return the labels in a CSV text with the columns ``option`` and ``sensitive`` and, where wanted,
    ``system``, ``how``, ``source``, ``domain`` and ``aliases`` (separated by ``|``).

    ``system`` stands where the text gives none; lines that begin with ``#`` are comments.  Raises
    ``TableError``.
    """
    rows = _records(text, file)
    header = [name.strip() for name in next(rows, (1, []))[1]]
    if not {"option", "sensitive"} <= set(header):
        raise TableError(f"{file}:1: labels need the columns option and sensitive")
    found = []
    for line, record in rows:
        cells = dict(zip(header, record, strict=False))
        option = cells.get("option", "").strip()
        if not option:
            raise TableError(f"{file}:{line}: no option is named")
        found.append(
            Label(
                cells.get("system", "") or system,
                option,
                _flag(cells.get("sensitive", ""), file, line),
                _how(cells.get("how", "") or "measured", file, line),
                cells.get("source", ""),
                cells.get("domain", ""),
                tuple(name for name in cells.get("aliases", "").split("|") if name),
            )
        )
    return tuple(found)


def merged(base: Table, rows: Iterable[Row]) -> Table:
    """Return ``base`` with ``rows``, which replace all rows of their systems."""
    new = tuple(rows)
    systems = {row.label.system for row in new}
    kept = tuple(row for row in base.rows if row.label.system not in systems)
    return attrs.evolve(base, rows=kept + new)


def _records(text: str, file: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""))
    try:
        for record in reader:
            if record and not record[0].startswith("#"):
                yield reader.line_num, record
            if reader.line_num > MAX_ROWS:
                raise TableError(f"{file}: more than {MAX_ROWS} lines")
    except csv.Error as error:
        raise TableError(f"{file}:{reader.line_num}: not CSV: {error}") from None


def _flag(text: str, file: str, line: int) -> bool:
    known = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
    found = known.get(text.strip().lower())
    if found is None:
        raise TableError(f"{file}:{line}: {text!r} is neither 1 nor 0")
    return found


def _how(text: str, file: str, line: int) -> str:
    if text not in HOW:
        raise TableError(f"{file}:{line}: {text!r} is not one of {', '.join(HOW)}")
    return text
