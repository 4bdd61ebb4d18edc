"""Numeric options with a limit or an adjustment: the count, the draw, and what real projects come to."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from corpus import limits
from corpus.fetch import fetch, projects
from corpus.scan import analyse

JAVA = """class Pool {
    int snaps() { int n = Integer.getInteger("pool.snaps", 9); if (n < 2) n = 2; return n; }
    int pages() { return Integer.getInteger("pool.pages", 9) * 2; }
    byte[] all() { return new byte[snaps() + pages()]; }
}
"""
LEAST = {"zookeeper": (107, 41), "h2": (51, 8), "kafka": (68, 46)}
"""Numeric options, and how many of them have a limit or an adjustment at least."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "Pool.java").write_text(JAVA)
    return tmp_path


def test_options_with_a_limit_are_counted(folder: Path) -> None:
    analysis = analyse(folder)
    assert limits.counted(analysis) == limits.Counted(2, 0, 1)
    assert list(limits.statements(analysis, "own")) == [
        ("pool.snaps (system-property)", "Values below 2 count as 2.", "Pool.java:2", "own")
    ]


def test_a_draw_is_a_table(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["limits", str(folder), "--draw", "5", "1"])
    assert limits.main() == 0
    told = capsys.readouterr()
    assert [row["option"] for row in csv.DictReader(io.StringIO(told.out))] == [
        "pool.snaps (system-property)"
    ]
    assert told.err.split()[1:] == ["2", "0", "1"]


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize("project", LEAST)
def test_real_projects_have_as_many_as_before(project: str) -> None:
    found = limits.counted(analyse(fetch(projects()[project])))
    numeric, least = LEAST[project]
    assert found.numeric >= numeric - 3 and found.adjusted >= least
