"""The tables of verdicts on documentation, and how they are scored."""

from __future__ import annotations

import json

import pytest

from corpus.documentation.score import COLUMNS, TableError, given, read, score, tables

HEAD = ",".join(COLUMNS)


@pytest.mark.parametrize("project", ["cassandra", "hdfs", "jmeter", "zookeeper"])
def test_each_table_is_well_formed(project: str) -> None:
    rows = read(tables()[project].read_text(encoding="utf-8").splitlines())
    assert sum(row.verdict == "right" for row in rows) >= 5


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("unused-option,a.b,a.md,right,", "line 2 has not 5 filled cells"),
        ("unused-option,a.b,a.md,right", "line 2 has not 5 filled cells"),
        ("unused-option,a.b,a.md,perhaps,so", "line 2 has an unknown code or verdict"),
        ("no-code,a.b,a.md,right,so", "line 2 has an unknown code or verdict"),
    ],
)
def test_an_invalid_row_is_named(line: str, message: str) -> None:
    with pytest.raises(TableError, match=message):
        read([HEAD, line])


def test_an_invalid_header_and_a_repeated_row_are_named() -> None:
    with pytest.raises(TableError, match="first line"):
        read(["a,b"])
    row = "undocumented-option,a.b,A.java,right,so"
    with pytest.raises(TableError, match="line 3 judges what an earlier line does"):
        read([HEAD, row, row.replace("undocumented-option", "sensitive-undocumented")])


def test_current_descriptions_are_scored() -> None:
    rows = read(
        [
            HEAD,
            "undocumented-option,a,A.java,right,so",
            "undocumented-option,b,A.java,wrong,so",
            "undocumented-option,c,A.java,unsure,so",
            "undocumented-option,gone,A.java,right,so",
            "undocumented-option,mended,A.java,wrong,so",
        ]
    )
    findings = [
        {"code": code, "name": name, "path": "A.java"}
        for code, name in [
            ("sensitive-undocumented", "a"),
            ("undocumented-option", "b"),
            ("undocumented-option", "c"),
            ("undocumented-option", "d"),
            ("duplicate-key", "e"),
        ]
    ]
    scores = score(rows, given(json.dumps({"findings": findings})))
    assert list(scores) == ["undocumented-option"]
    found = scores["undocumented-option"]
    assert (found.right, found.wrong, found.unsure, found.precision) == (1, 1, 1, 0.5)
    assert found.new == (("undocumented-option", "d", "A.java"),)
    assert found.vanished == (("undocumented-option", "gone", "A.java"),)
