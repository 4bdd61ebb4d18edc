"""``conflens sensitivity``: order, choice, formats and bad input, on verdicts made by hand."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest

from cli.flowing import PATH, Finder, flowing, option
from cli.flowing import SOURCE as FLOWING
from cli.judged import judged, with_verdicts
from conflens.cli.errors import BAD_INPUT, OK
from conflens.cli.main import main
from conflens.cli.sensitivity import listing_text, sensitivity
from conflens.cli.sensitivity.listing import NO_READ, listing
from conflens.options.model import Default, OptionTable
from conflens.sensitivity.results import EMPTY, Label, SensitivityTable, Verdict
from conflens.session.analysis import Analysis

Run = Callable[..., int]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the command on an analysis that is already there."""

    def go(*arguments: str, analysis: Analysis | None = None) -> int:
        made = judged() if analysis is None else analysis
        monkeypatch.setattr(sensitivity, "analyse", lambda _: made)
        return main(["sensitivity", ".", *arguments])

    return go


def written(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_bytes())
    return found


def names(found: dict[str, Any]) -> list[str]:
    return [row["name"] for row in found["options"]]


def two_domains() -> Analysis:
    """``pool.size`` in two domains, with one verdict each, and an option with defaults."""
    finder = Finder(FLOWING)
    at = finder.place("4)")
    twice = [
        attrs.evolve(option(finder, "pool.size"), defaults=(Default("4", at), Default("8", at))),
        option(finder, "pool.size", "yaml"),
    ]
    analysis = attrs.evolve(flowing(), options=OptionTable.of(twice, []))
    return with_verdicts(analysis, {("yaml", "pool.size"): Verdict(Label.SENSITIVE, 0.8)})


def test_json_is_complete_and_sorted_by_sensitivity(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    assert run("--format", "json", "--output", str(file)) == OK
    found = written(file)
    assert found["schema"] == "conflens/1"
    assert found["stats"] == {
        "files": 1,
        "lines": 22,
        "options": 3,
        "sensitive": 1,
        "insensitive": 1,
        "unknown": 1,
    }
    assert names(found) == ["pool.size", "fs.*.impl", "pool.wait"]
    assert found["options"][0] == {
        "name": "pool.size",
        "domain": "system-property",
        "label": "sensitive",
        "evidence": "strong",
        "score": 0.9123,
        "reasons": [
            {"text": "controls how often I/O runs", "toward": True, "path": PATH, "line": 11},
            {"text": "is the name of a file", "toward": False, "path": None, "line": None},
            {"text": "sizes a buffer", "toward": True, "path": PATH, "line": 5},
        ],
        "type": "integer",
        "default": None,
        "operations": 3,
        "reads": [{"path": PATH, "line": 3}],
    }
    unknown, person = found["options"][1:]
    assert (unknown["label"], unknown["score"], unknown["reasons"]) == ("unknown", None, [])
    assert "by" not in unknown
    assert (person["by"], person["note"]) == ("person", "measured, no | effect")
    assert (person["label"], person["score"]) == ("insensitive", 0.75)


def test_equal_projects_give_equal_bytes(run: Run, tmp_path: Path) -> None:
    files = [tmp_path / "a.json", tmp_path / "b.json"]
    for number, file in enumerate(files):
        made = judged()
        slower = attrs.evolve(made.stats, seconds=made.stats.seconds + number, cached_files=number)
        again = attrs.evolve(made, stats=slower)
        assert run("--format", "json", "--output", str(file), analysis=again) == OK
    assert files[0].read_bytes() == files[1].read_bytes()


def test_the_first_default_is_given() -> None:
    found = json.loads(sensitivity.encode(listing(two_domains(), "system-property")))
    assert [row["default"] for row in found["options"]] == ["4"]


@pytest.mark.parametrize(
    ("only", "expected"),
    [
        ("sensitive", ["pool.size"]),
        ("insensitive", ["pool.wait"]),
        ("unknown", ["fs.*.impl"]),
    ],
)
def test_only_one_label(run: Run, tmp_path: Path, only: str, expected: list[str]) -> None:
    file = tmp_path / "out.json"
    assert run("--only", only, "--format", "json", "--output", str(file)) == OK
    assert names(written(file)) == expected
    assert written(file)["stats"]["options"] == 1


def test_equal_names_in_two_domains_stay_separate() -> None:
    both = listing(two_domains())
    assert [(row.name, row.domain, row.verdict.label) for row in both.rows] == [
        ("pool.size", "yaml", Label.SENSITIVE),
        ("pool.size", "system-property", Label.UNKNOWN),
    ]
    for domain, label in (("yaml", Label.SENSITIVE), ("system property", Label.UNKNOWN)):
        rows = listing(two_domains(), domain, ["pool.size"]).rows
        assert [row.verdict.label for row in rows] == [label]


def test_selected_names_without_a_read_are_unknown(run: Run, tmp_path: Path) -> None:
    wanted, file = tmp_path / "names.yaml", tmp_path / "out.json"
    wanted.write_text("pool.wait: 1\n# pool.size: 4\n# pool.shape: round\nfs.s3.impl: x\n")
    arguments = ("--names", str(wanted), "--format", "json", "--output", str(file))
    assert run(*arguments) == OK
    rows = written(file)["options"]
    assert [(row["name"], row["label"]) for row in rows] == [
        ("pool.size", "sensitive"),
        ("fs.s3.impl", "unknown"),
        ("pool.shape", "unknown"),
        ("pool.wait", "insensitive"),
    ]
    assert rows[1]["read_as"] == "fs.*.impl"
    assert rows[1]["reads"]
    assert rows[2] == {
        "name": "pool.shape",
        "domain": None,
        "label": "unknown",
        "evidence": "none",
        "score": None,
        "reasons": [{"text": NO_READ, "toward": False, "path": None, "line": None}],
        "type": "unknown",
        "default": None,
        "operations": 0,
        "reads": [],
    }
    assert run(*arguments, "--domain", "system-property", "--only", "unknown") == OK
    rows = written(file)["options"]
    assert [(row["name"], row["domain"]) for row in rows] == [
        ("fs.s3.impl", "system-property"),
        ("pool.shape", "system-property"),
    ]
    assert {row["reasons"][0]["text"] for row in rows} == {NO_READ}


def test_a_name_of_placeholders_only_does_not_affect_others() -> None:
    finder = Finder(FLOWING)
    table = OptionTable.of([option(finder, "*"), option(finder, "*.*")], [])
    analysis = with_verdicts(attrs.evolve(flowing(), options=table), {})
    (row,) = listing(analysis, names=["pool.size"]).rows
    assert (row.option, row.read_as) == (None, None)
    assert row.verdict.reasons[0].text == NO_READ


def test_the_table(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == OK
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == "3 options: 1 sensitive, 1 insensitive, 1 unknown"
    text = " ".join(" ".join(lines).split())
    assert "pool.size system property sensitive 91 % 3 controls how often I/O runs;" in text
    assert "; but is the name of a file" in " ".join(text.replace("Pool%.java:3", "").split())
    assert "decided by a person: measured, no | effect; but" in text
    assert lines.index(next(line for line in lines if line.startswith("pool.size"))) < (
        lines.index(next(line for line in lines if line.startswith("pool.wait")))
    )
    assert ".conflens.toml:3: unknown key {nmae} [workspace-file]" in lines


def test_the_page() -> None:
    lines = list(listing_text.page(listing(judged())))
    assert lines[:3] == [
        "# Performance-sensitive options",
        "",
        "3 options: 1 sensitive, 1 insensitive, 1 unknown.",
    ]
    row = next(line for line in lines if line.startswith("| `pool.size`"))
    assert row == (
        "| `pool.size` | system property | sensitive | 91 % | 3 | controls how often I/O runs;"
        " sizes a buffer; but is the name of a file"
        " | [Pool%.java:3](src/gr%C3%B6%C3%9Fe%20%231/Pool%25.java#L3) |"
    )
    person = next(line for line in lines if line.startswith("| `pool.wait`"))
    assert "| insensitive | 75 % |" in person
    assert "decided by a person: measured, no \\| effect; but waits |" in person


@pytest.mark.parametrize("form", ["table", "markdown"])
def test_a_file_gets_what_standard_output_would(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    file = tmp_path / "out.md"
    assert run("--format", form) == OK
    said = capsys.readouterr().out
    assert run("--format", form, "--output", str(file)) == OK
    assert capsys.readouterr().out == ""
    assert file.read_text("utf-8") == said


def test_errors_in_a_workspace_file_are_reported_alongside_json(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--format", "json") == OK
    done = capsys.readouterr()
    assert len(json.loads(done.out)["options"]) == 3
    assert done.err == "conflens: .conflens.toml:3: unknown key {nmae}\n"


def test_an_empty_selection_is_an_empty_list(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    unknown = with_verdicts(flowing(), {})
    for form in ("table", "markdown", "json"):
        assert run("--only", "sensitive", "--format", form, analysis=unknown) == OK
        said = capsys.readouterr().out
        assert '"options": []' in said if form == "json" else "0 options: 0 sensitive" in said


@pytest.mark.parametrize("table", [EMPTY, SensitivityTable({}, ready=False)])
def test_before_the_classifier_has_run_the_list_is_empty(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str], table: SensitivityTable
) -> None:
    file = tmp_path / "out.json"
    unready = attrs.evolve(judged(), sensitivity=table)
    assert run("--format", "json", "--output", str(file), analysis=unready) == BAD_INPUT
    done = capsys.readouterr()
    assert done.out == ""
    assert done.err == (
        "conflens: nothing is said of sensitivity: the classifier has not looked at the options\n"
    )
    assert not file.exists()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--domain", "system-propery"), "did you mean 'system-property'?"),
        (("--only", "perhaps"), "invalid choice"),
        (("--names", "nowhere.txt"), "nowhere.txt: No such file"),
        (("--output", "."), ". is a folder"),
        (("--output", "nowhere/out.json"), "there is no folder nowhere"),
        (("--format", "sarif"), "invalid choice"),
    ],
)
def test_bad_input_gives_one_line(
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    reason: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(*arguments) == BAD_INPUT
    done = capsys.readouterr()
    assert done.out == ""
    assert done.err.startswith("conflens: ")
    assert done.err.count("\n") == 1
    assert reason in done.err


def test_a_failed_output_keeps_the_old_file(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    file.write_text("kept")
    assert run("--domain", "nowhere", "--output", str(file)) == BAD_INPUT
    assert file.read_text() == "kept"
