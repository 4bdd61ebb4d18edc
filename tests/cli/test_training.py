"""``conflens train`` and ``conflens evaluate`` from arguments to files."""

import json
from functools import partial
from pathlib import Path

import pytest

from conflens.cli.errors import BAD_INPUT, OK
from conflens.cli.main import main
from conflens.sensitivity import evaluation, fitting
from conflens.sensitivity import table as tables
from conflens.sensitivity.table import Row
from sensitivity.tables import NAMES, systems, table

JAVA = """import java.util.Properties;
class Pool {
    byte[] buffer = new byte[Integer.getInteger("pool.buffer", 4096)];
    String title = System.getProperty("pool.title");
    Thread[] threads() {
        Thread[] made = new Thread[Integer.getInteger("pool.threads", 4)];
        for (int i = 0; i < made.length; i++) { made[i] = new Thread(); made[i].start(); }
        return made;
    }
}
"""
VERDICTS = """[verdict."pool.title"]
sensitive = false
reason = "only shown"

[verdict."pool.threads"]
sensitive = false
"""
LABELS = """option,sensitive,how,system,source
pool.threads,1,measured,pool,half the threads take twice the time
pool.gone,1,measured,,
other,1,measured,elsewhere,
"""


@pytest.fixture(autouse=True)
def small_forests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few trees, as no figure is asserted."""
    monkeypatch.setattr(evaluation, "evaluate", partial(evaluation.evaluate, trees=5))
    monkeypatch.setattr(fitting, "Fit", partial(fitting.Fit, trees=20))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "pool"
    folder.mkdir()
    (folder / "Pool.java").write_text(JAVA, encoding="utf-8")
    (folder / ".conflens.toml").write_text(VERDICTS, encoding="utf-8")
    (tmp_path / "labels.csv").write_text(LABELS, encoding="utf-8")
    base = tables.dumps(table(*systems("one", "two")))
    (tmp_path / "base.csv").write_text(base, encoding="utf-8")
    return folder


def train(project: Path, *arguments: str) -> int:
    return main(["train", str(project), "--workers", "0", "--no-cache", *arguments])


def of_pool(file: Path) -> dict[str, Row]:
    rows = tables.loads(file.read_text(encoding="utf-8"), str(file)).rows
    return {row.label.option: row for row in rows if row.label.system == "pool"}


def test_labels_and_verdicts_become_rows(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels, base = tmp_path / "labels.csv", tmp_path / "base.csv"
    assert train(project, "--labels", str(labels), "--base", str(base)) == OK
    file = project / "conflens-training.csv"
    found = of_pool(file)
    assert {name: (row.label.sensitive, row.label.how) for name, row in found.items()} == {
        "pool.gone": (True, "measured"),
        "pool.threads": (True, "measured"),  # the file's label stands, not the verdict
        "pool.title": (False, "person"),
    }
    assert found["pool.title"].label.source == ".conflens.toml:1 only shown"
    assert [name for name, row in found.items() if not row.found] == ["pool.gone"]
    threads = dict(zip(NAMES, found["pool.threads"].values, strict=True))
    assert threads["operations: thread"] > 0
    assert 0 < found["pool.threads"].held_out < 1
    said = capsys.readouterr().out.splitlines()
    assert said == [
        "pool: 3 labels, 2 sensitive; 2 read by the program",
        "not found in the program: pool.gone",
        "table: 15 options of 3 systems, 8 sensitive; 14 to learn from",
        f"written to {file}",
    ]


def test_training_a_project_again_replaces_its_rows(project: Path, tmp_path: Path) -> None:
    base, out = tmp_path / "base.csv", tmp_path / "out.csv"
    assert train(project, "--base", str(base), "--output", str(out)) == OK
    first = out.read_bytes()
    assert train(project, "--base", str(out), "--output", str(out)) == OK
    assert out.read_bytes() == first
    assert len(of_pool(out)) == 2


def test_the_packaged_table_is_the_base_and_a_name_can_be_given(
    project: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.csv"
    assert train(project, "--name", "my pool", "--output", str(out)) == OK
    rows = tables.loads(out.read_text(encoding="utf-8"), "out.csv").rows
    packaged = tables.packaged().rows
    assert len(rows) == len(packaged) + 2
    assert {row.label.option for row in rows if row.label.system == "my pool"} == {
        "pool.title",
        "pool.threads",
    }


@pytest.mark.parametrize(
    ("arguments", "labels", "reason"),
    [
        (("--base", "none"), "option,sensitive\npool.buffer,1\n", "options of two systems"),
        ((), "option,sensitive\npool.buffer,2\n", "labels.csv:2: '2' is neither 1 nor 0"),
        ((), "option\npool.buffer\n", "labels.csv:1: labels need the columns"),
        ((), "option,sensitive\na,1\na,0\n", "labels a more than once"),
        (("--base", "nowhere.csv"), "option,sensitive\n", "nowhere.csv: No such file"),
        (("--base", __file__), "option,sensitive\n", "not a training table"),
        (("--output", "nowhere/out.csv"), "option,sensitive\n", "there is no folder nowhere"),
        (("--name", "other"), "option,sensitive,system\na,1,pool\n", ""),
        (("--name", "#a"), "option,sensitive\na,1\n", "a name with # is a comment"),
    ],
)
def test_bad_input_gives_one_line(
    project: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    labels: str,
    reason: str,
) -> None:
    file = project.parent / "labels.csv"
    file.write_text(labels, encoding="utf-8")
    if not reason:
        (project / ".conflens.toml").unlink()
        reason = "other has no labels"
    assert train(project, "--labels", str(file), *arguments) == BAD_INPUT
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert reason in said.err
    assert not (project / "conflens-training.csv").exists()


def test_an_evaluation_in_all_formats(
    tmp_path: Path, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base, out = str(tmp_path / "base.csv"), tmp_path / "out"
    common = ("evaluate", "--table", base, "--seeds", "1", "--output", str(out))
    assert main([*common, "--format", "json"]) == OK
    found = json.loads(out.read_bytes())
    assert found["schema"] == "conflens-evaluation/1"
    assert {result["split"] for result in found["results"]} == {"leave-one-out"}
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines()[-1].startswith("step ")
    first = out.read_bytes()
    assert main([*common, "--format", "json"]) == OK
    assert out.read_bytes() == first
    assert main(list(common)) == OK
    assert "Leave one measured system out: pooled" in out.read_text(encoding="utf-8")
    assert main([*common, "--format", "markdown"]) == OK
    page = out.read_text(encoding="utf-8").splitlines()
    assert "| method | precision | recall | F1 | AUC |" in page
    assert "| --- | ---: | ---: | ---: | ---: |" in page


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--table", "nowhere.csv"), "nowhere.csv: No such file"),
        (("--table", __file__), "not a training table"),
        (("--table", "none"), "measured options of two systems"),
        (("--seeds", "0"), "must be at least 1"),
        (("--output", "nowhere/out.txt"), "there is no folder nowhere"),
    ],
)
def test_an_evaluation_of_nothing_is_bad_input(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], reason: str
) -> None:
    assert main(["evaluate", *arguments]) == BAD_INPUT
    said = capsys.readouterr()
    assert reason in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""
