"""The tables of verdicts on documentation, and how they are scored."""

from __future__ import annotations

import json

import pytest

from corpus.documentation import undocumented
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
        {
            "code": code,
            "name": name,
            "path": "A.java",
            "message": f"{name} is not mentioned in any document of this project.",
        }
        for code, name in [
            ("sensitive-undocumented", "a"),
            ("undocumented-option", "b"),
            ("undocumented-option", "c"),
            ("undocumented-option", "d"),
            ("duplicate-key", "e"),
        ]
    ]
    hint = findings[1] | {"name": "f", "message": "f is not mentioned, where g is."}
    scores = score(rows, given(json.dumps({"findings": [*findings, hint]})))
    assert list(scores) == ["undocumented-option"]
    found = scores["undocumented-option"]
    assert (found.right, found.wrong, found.unsure, found.precision) == (1, 1, 1, 0.5)
    assert found.new == (("undocumented-option", "d", "A.java"),)
    assert found.vanished == (("undocumented-option", "gone", "A.java"),)


def _option(name: str, path: str, domain: str = "settings") -> dict[str, object]:
    return {"domain": domain, "name": name, "reads": [{"path": path}]}


def _told(name: str, path: str, message: str) -> dict[str, object]:
    options = [{"domain": "settings", "name": name}]
    return {
        "code": "undocumented-option",
        "path": path,
        "message": message,
        "options": options,
    }


def test_levels_are_scored_by_a_truth_table() -> None:
    rows = undocumented.read(
        [
            ",".join(undocumented.COLUMNS),
            "sure,property,A.java,undocumented,",
            "likely-one,property,A.java,undocumented,",
            "known,property,A.java,undocumented,",
            "never.found,property,A.java,undocumented,",
            "inner,property,A.java,internal,set by code",
            "open,property,A.java,unsure,",
            "twice,property,A.java,undocumented,",
            "twice,property,B.java,documented,a.md",
            "cache.<kind>.,property-prefix,A.java,undocumented,",
            "store.<disk|heap|none>.size,property,A.java,undocumented,",
            "store.<disk|heap>.age,property,A.java,undocumented,",
        ]
    )
    where = "x is not mentioned in any document of this project"
    told = [
        _told("sure", "A.java", f"{where}."),
        _told("inner", "A.java", f"{where}."),
        _told("open", "A.java", f"{where}."),
        _told("twice", "A.java", f"{where}."),
        _told("likelyOne", "A.java", f"{where}, although y in the same class is."),
        _told("cache.*.*", "A.java", f"{where}, although y in the same class is."),
        _told("more", "A.java", f"{where}, although y in the same class is."),
        _told("store.disk.size", "A.java", f"{where}."),
        _told("store.heap.size", "A.java", f"{where}, although y in the same class is."),
        _told("store.disk.age", "A.java", f"{where}."),
    ]
    options = [_option(one["options"][0]["name"], "A.java") for one in told]  # type: ignore[index]
    options += [_option("known", "A.java"), _option("twice", "B.java", "other")]
    options += [_option("store.heap.age", "A.java")]
    found = undocumented.score(
        rows,
        undocumented.given(json.dumps({"findings": told}), json.dumps({"options": options})),
    )
    assert [row.name for row in found.told["upper"]] == ["sure", "inner", "open", "twice"]
    assert [row.name for row in found.told["lower"]] == [
        "likely-one",
        "cache.<kind>.",
        "store.<disk|heap|none>.size",
    ]
    assert [row.name for row in found.missed] == ["known", "store.<disk|heap>.age"]
    assert [row.name for row in found.unknown] == ["never.found"]
    assert found.new == ("more",)
    assert found.precision("upper") == pytest.approx(2 / 3)
    assert found.precision("lower") == 1
    assert found.recall == pytest.approx(5 / 8)


def test_nothing_told_has_no_precision() -> None:
    found = undocumented.score((), ())
    assert (found.recall, found.precision("upper"), found.precision("lower")) == (None, None, None)


@pytest.mark.parametrize("project", ["accumulo", "bookkeeper", "dolphinscheduler", "rocketmq"])
def test_each_truth_table_is_well_formed(project: str) -> None:
    path = undocumented.TABLES / f"{project}.csv"
    rows = undocumented.read(path.read_text(encoding="utf-8").splitlines())
    assert sum(row.verdict == "undocumented" for row in rows) >= 9


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a,property,A.java,perhaps,", "line 2 has an unknown verdict"),
        (",property,A.java,internal,", "line 2 has not 5 cells"),
        ("a,property,A.java", "line 2 has not 5 cells"),
    ],
)
def test_an_invalid_row_of_a_truth_table_is_named(line: str, message: str) -> None:
    with pytest.raises(TableError, match=message):
        undocumented.read([",".join(undocumented.COLUMNS), line])
    with pytest.raises(TableError, match="first line"):
        undocumented.read([line])
