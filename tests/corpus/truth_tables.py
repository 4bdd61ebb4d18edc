"""The hand-checked truth of ``truth/``, loaded: see ``truth/README.md`` and the protocol beside it.

A *site* is one place of the source (path, line, column) with all its rows: one helper call that reads two
options is one site with two rows.  ``Scope`` says what may be counted as a false report, as the protocols do.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

import attrs

TRUTH = Path(__file__).resolve().parent / "truth"
NOT_AN_OPTION = frozenset({"not", "platform"})
DECLARING = frozenset({"definition", "field"})
_UNNAMED_NOTE = "(not in the jar)"


@attrs.frozen
class Row:
    """One line of a truth table; ``names`` are the alternatives of its name."""

    path: str
    line: int
    column: int
    kind: str
    names: tuple[str, ...]
    domain: str
    api: str
    default: str
    note: str

    @property
    def named(self) -> bool:
        """Whether the name can be known from the project's own source."""
        return _UNNAMED_NOTE not in self.note


@attrs.frozen
class Site:
    """One place with its rows."""

    path: str
    line: int
    column: int
    rows: tuple[Row, ...]

    @property
    def option(self) -> bool:
        """Whether a report here may be right."""
        return any(row.kind not in NOT_AN_OPTION for row in self.rows)

    @property
    def names(self) -> frozenset[str]:
        """Every name that is right here."""
        return frozenset(name for row in self.rows for name in row.names)


@attrs.frozen
class Truth:
    """The table of one project; ``by_line`` holds the sites of each (path, line), by column."""

    project: str
    rows: tuple[Row, ...]
    by_line: Mapping[tuple[str, int], tuple[Site, ...]]

    @property
    def paths(self) -> frozenset[str]:
        """The files that have a row."""
        return frozenset(row.path for row in self.rows)


@attrs.frozen
class Scope:
    """What the protocol lets one score: see "What may be scored" there.

    ``listed_files``: only files that have a row.  ``domains``: only reports of these domains, and
    bound fields only in ``field_file`` and only below ``fields``.  ``every_alternative``: a row
    ``a|b`` needs all its names, where the protocol says that all of them are read there.
    """

    listed_files: bool = False
    domains: frozenset[str] | None = None
    field_file: str = ""
    fields: frozenset[str] = frozenset()
    every_alternative: bool = False


def truth(project: str) -> Truth:
    """Load ``truth/<project>.csv``."""
    with (TRUTH / f"{project}.csv").open(encoding="utf-8", newline="") as file:
        rows = tuple(
            Row(
                line["path"],
                int(line["line"]),
                int(line["column"]),
                line["kind"],
                tuple(name.strip() for name in line["name"].split("|")),
                line["domain"],
                line["api"],
                line["default"],
                line["note"] or "",
            )
            for line in csv.DictReader(file)
        )
    places: dict[tuple[str, int, int], list[Row]] = {}
    for row in rows:
        places.setdefault((row.path, row.line, row.column), []).append(row)
    by_line: dict[tuple[str, int], list[Site]] = {}
    for (path, line, column), found in sorted(places.items(), key=lambda pair: pair[0]):
        by_line.setdefault((path, line), []).append(Site(path, line, column, tuple(found)))
    return Truth(project, rows, {place: tuple(sites) for place, sites in by_line.items()})


@attrs.frozen
class TypeRow:
    """One line of ``types_<project>.csv``."""

    name: str
    type: str
    values: tuple[str, ...]
    unit: str
    why: str


def type_rows(project: str) -> tuple[TypeRow, ...]:
    """Load the type sample of a project; empty when it has none."""
    path = TRUTH / f"types_{project}.csv"
    if not path.is_file():
        return ()
    with path.open(encoding="utf-8", newline="") as file:
        return tuple(
            TypeRow(
                line["name"],
                line["type"],
                tuple(filter(None, line["values"].split("|"))),
                line["unit"],
                line["why"],
            )
            for line in csv.DictReader(file)
        )


def _sampled_fields() -> frozenset[str]:
    """Return the 40 fields that the protocol lists for Cassandra."""
    text = (TRUTH / "PROTOCOL-kafka-hdfs-cassandra-jmeter.md").read_text(encoding="utf-8")
    listing = text.split("Cassandra fields: population", 1)[1].split("\nTypes: population", 1)[0]
    return frozenset(
        line[3:-1] for line in listing.splitlines() if line.startswith("- `") and line[-1] == "`"
    )


def scope(project: str) -> Scope:
    """Return what may be scored of ``project``."""
    if project == "hdfs":
        return Scope(listed_files=True)
    if project == "cassandra":
        return Scope(
            domains=frozenset({"system-property", "environment"}),
            field_file="org/apache/cassandra/config/DatabaseDescriptor.java",
            fields=_sampled_fields(),
        )
    return Scope(every_alternative=project == "zookeeper")
