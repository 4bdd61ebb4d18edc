"""The tables of unfamiliar projects, and how they are scored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from corpus.wild.draw import FINDINGS, HERE, OPTIONS, UNDOCUMENTED, write
from corpus.wild.score import READS, rows, score

PROJECTS = [row["project"] for row in rows(HERE / "projects.csv")]


@pytest.mark.parametrize("project", PROJECTS)
def test_each_table_is_well_formed(project: str) -> None:
    reads, options, findings = (
        rows(HERE / project / f"{table}.csv") for table in ("reads", "options", "findings")
    )
    assert len(reads) >= 5 and len(
        {(row["path"], row["line"], row["name"]) for row in reads}
    ) == len(reads)
    assert all(
        tuple(row) == READS and row["name"] and row["path"] and row["line"].isdigit()
        for row in reads
    )
    assert {row["judgement"] for row in options} <= {"yes", "no", "unsure"}
    assert {row["judgement"] for row in findings} <= {"true", "false", "unsure"}


@pytest.mark.parametrize(
    "table",
    sorted((HERE / "draws").glob("*/*/reads.csv")),
    ids=lambda path: f"{path.parts[-3]} {path.parts[-2]}",
)
def test_each_later_draw_is_well_formed(table: Path) -> None:
    reads = rows(table)
    assert table.parent.name in PROJECTS
    assert len({(row["path"], row["line"], row["name"]) for row in reads}) == len(reads)
    assert len(reads) == (40 if table.parts[-3] == "20261611" else 20)
    assert all(tuple(row) == READS and row["name"] and row["line"].isdigit() for row in reads)


def option(name: str, kind: str = "integer", defaults: tuple[str, ...] = ()) -> dict[str, Any]:
    reads = [{"path": "A.java", "line": 1}]
    return {"domain": "d", "name": name, "type": kind, "defaults": list(defaults), "reads": reads}


def finding(code: str, name: str) -> dict[str, Any]:
    return {"code": code, "name": name, "path": "A.java"}


def read(name: str, default: str = "", kind: str = "") -> dict[str, object]:
    return {"path": "A.java", "line": 1, "name": name, "default": default, "type": kind}


def test_tables_are_scored(tmp_path: Path) -> None:
    wanted = [
        read("pool.max-size", "8", "integer"),
        read("pool.idle", "2", "integer"),
        read("pool.name", "unknown", "string"),
        read("pool.wait", "?", "time"),
        read("missing"),
    ]
    write(tmp_path / "reads.csv", READS, wanted)
    judged = [("pool.idle", "yes"), ("pool.name", "no"), ("gone", "no")]
    write(
        tmp_path / "options.csv",
        OPTIONS,
        [{"domain": "d", "name": name, "judgement": judgement} for name, judgement in judged],
    )
    undocumented = sorted(UNDOCUMENTED)[0]
    given = [("unknown-option", "true"), ("type-mismatch", "false"), (undocumented, "true")]
    write(
        tmp_path / "findings.csv",
        FINDINGS,
        [{"code": c, "name": "x", "path": "A.java", "judgement": j} for c, j in given],
    )
    scanned = [
        option("pool.maxSize", defaults=("8",)),
        option("pool.idle", defaults=("3",)),
        option("pool.name", "string", ("unknown",)),
        option("pool.wait", "unknown"),
    ]
    found = score(
        tmp_path,
        {"options": scanned},
        {"findings": [finding(code, "x") for code, _ in given if code != "type-mismatch"]},
    )
    assert str(found) == (
        "reads 4 of 5; defaults 2 right, 0 missing, 1 wrong; types 3 right, 1 missing, 0 wrong; "
        "options 1 of 2; findings 1 of 1; undocumented 1 of 1"
    )
    assert "  missed missing (A.java:1)" in found.lines
