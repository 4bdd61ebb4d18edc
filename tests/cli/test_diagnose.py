"""``conflens diagnose``: arguments, snapshots, exit codes, on a small project and collapsed stacks."""

import json
from pathlib import Path

import attrs
import pytest

from cli.diagnosed import SOURCE
from conflens.base.cancel import CancelToken
from conflens.cli.diagnose import diagnose
from conflens.cli.diagnose import import_snapshots as diagnosis_import
from conflens.cli.diagnose.import_snapshots import Imports, Wanted, distinct
from conflens.cli.errors import BadInputError
from conflens.cli.main import main
from conflens.profiling.model import EventKind, Origin, RunValue, Snapshot, Unit
from forests import planted

GOOD = """\
java/lang/Thread.run;p/Service.serve 50
java/lang/Thread.run;p/Service.serve;p/Service.pack 100
java/lang/Thread.run;p/Service.serve;p/Service.pack;java/util/zip/Deflater.deflate 200
"""
BAD = """\
java/lang/Thread.run;p/Service.serve 50
java/lang/Thread.run;p/Service.serve;p/Service.pack 900
java/lang/Thread.run;p/Service.serve;p/Service.pack;java/util/zip/Deflater.deflate 1800
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with two snapshots, and a cache of its own; the folder is the present one."""
    monkeypatch.setenv("CONFLENS_CACHE_DIR", str(planted(tmp_path / "cache")))
    folder = tmp_path / "work"
    (folder / "app" / "src").mkdir(parents=True)
    (folder / "app" / "src" / "Service.java").write_text(SOURCE)
    (folder / "good.txt").write_text(GOOD)
    (folder / "bad.txt").write_text(BAD)
    monkeypatch.chdir(folder)
    return folder


def diagnosed(*arguments: str) -> int:
    return main(["diagnose", *arguments, "--workers", "0"])


BOTH = ("app", "--baseline", "good.txt", "--violation", "bad.txt")
CONFIGS = ("--baseline-config", "good.properties", "--violation-config", "bad.properties")


def test_two_snapshots_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert diagnosed(*BOTH, "--format", "json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == "conflens/1"
    assert (found["baseline"], found["violation"]) == (["good.txt"], ["bad.txt"])
    assert found["violated"] is True
    (total,) = found["totals"]
    assert (total["kind"], total["before"], total["after"]) == ("cpu", 350, 2750)
    assert {(item["class"], item["method"]) for item in found["hotspots"]} == {
        ("p.Service", "pack"),
        ("java.util.zip.Deflater", "deflate"),
    }
    assert found["options"][0]["name"] == "pool.jobs"
    hold = found["options"][0]["chains"][0]["hold"]
    assert (hold["path"], hold["line"]) == ("src/Service.java", 5)


def test_config_files_of_both_sides_are_compared(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "good.properties").write_text("pool.jobs=2\nname=a\n")
    (project / "bad.properties").write_text("pool.jobs=64\nname=b\n")
    assert diagnosed(*BOTH, *CONFIGS, "--format", "json") == 0
    found = json.loads(capsys.readouterr().out)
    assert [(one["name"], one["origin"]) for one in found["differences"]] == [
        ("pool.jobs", "config file"),
        ("name", "config file"),
    ]
    first = found["options"][0]
    assert (first["name"], first["before"], first["after"]) == ("pool.jobs", "2", "64")
    assert diagnosed(*BOTH, *CONFIGS, "--format", "markdown") == 0
    page = capsys.readouterr().out
    assert page.index("## Values that differ") < page.index("## Options")


def test_a_single_snapshot_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert diagnosed("app", "--snapshot", "bad.txt", "--format", "json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["baseline"] == []
    assert {item["before"] for item in found["hotspots"]} == {None}
    assert found["hotspots"][0]["method"] == "deflate"


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        ((*BOTH, "--fail-on", "violation"), 1),
        ((*BOTH, "--fail-on", "accused"), 1),
        ((*BOTH, "--fail-on", "violation,likely", "--threshold", "900"), 0),
        (("app", "--baseline", "bad.txt", "--violation", "bad.txt", "--fail-on", "violation"), 0),
        (("app", "--baseline", "bad.txt", "--violation", "bad.txt", "--fail-on", "likely"), 0),
    ],
)
def test_fail_on_decides_the_exit_code(
    arguments: tuple[str, ...], status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert diagnosed(*arguments) == status
    assert capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("app",), "--violation"),
        (("--violation", "bad.txt"), "required: PATH"),
        (("--violation", "good.txt", "bad.txt"), "required: PATH"),
        (("nowhere", "--violation", "bad.txt"), "nowhere does not exist"),
        (("app", "--violation", "nowhere.jfr"), "nowhere.jfr does not exist"),
        (("app", "--violation", "app"), "app is a folder, not a snapshot"),
        (("app", "--violation", "app/src/Service.java"), "Service.java: is not a profile"),
        ((*BOTH, "--fail-on", "everything"), "everything is not one of likely, violation"),
        (("app", "--violation", "bad.txt", "--fail-on", "violation"), "needs a --baseline"),
        ((*BOTH, "--kind", "cpus"), "cpus is not one of cpu, wall"),
        ((*BOTH, "--threshold", "0"), "'0' is not a percentage above 0"),
        ((*BOTH, "--threshold", "nan"), "'nan' is not a percentage above 0"),
        ((*BOTH, "--scale", "size"), "invalid choice"),
        ((*BOTH, "--format", "xml"), "invalid choice"),
        ((*BOTH, "--top", "0"), "must be at least 1"),
        ((*BOTH, "--output", "nowhere/x.html"), "there is no folder nowhere"),
        ((*BOTH, "--spec", "nowhere.toml"), "nowhere.toml: No such file"),
        ((*BOTH, "--baseline-config", "good.txt"), "need each other"),
        (
            ("app", "--violation", "bad.txt", *CONFIGS),
            "--baseline-config needs a --baseline to compare with",
        ),
        (
            (*BOTH, "--baseline-config", "nowhere.yml", "--violation-config", "good.txt"),
            "nowhere.yml: No such file",
        ),
    ],
)
def test_bad_input_gives_one_line(
    arguments: tuple[str, ...], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert diagnosed(*arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("conflens: ")
    assert reason in captured.err
    assert captured.err.count("\n") == 1


def test_the_project_may_be_the_last_argument(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(
        ["diagnose", "--no-cache", "--baseline", "good.txt", "--violation", "bad.txt", "app"]
    )
    assert status == 0
    assert "pool.jobs" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("output", "start"),
    [
        ("x.json", "{\n"),
        ("x.MD", "# Diagnosis"),
        ("x.html", "<!doctype html>"),
        ("x.sarif", '{"$schema"'),
        ("x.speedscope.json", '{"$schema"'),
        ("x.txt", "The slow run costs"),
    ],
)
def test_the_output_name_decides_the_format(
    output: str, start: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert diagnosed(*BOTH, "--output", output) == 0
    text = (project / output).read_text()
    assert text.startswith(start)
    assert "pool.jobs" in text
    assert capsys.readouterr().out == ""
    assert str(project) not in text


def test_an_explicit_format_takes_precedence(project: Path) -> None:
    assert diagnosed(*BOTH, "--output", "x.json", "--format", "markdown") == 0
    assert (project / "x.json").read_text().startswith("# Diagnosis")


def test_kind_and_unit_are_used_for_a_file_that_does_not_state_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert diagnosed(*BOTH, "--format", "json", "--kind", "wall", "--unit", "nanoseconds") == 0
    (total,) = json.loads(capsys.readouterr().out)["totals"]
    assert (total["kind"], total["unit"]) == ("wall", "nanoseconds")


def test_repetitions_are_averaged(capsys: pytest.CaptureFixture[str], project: Path) -> None:
    (project / "again").mkdir()
    (project / "again" / "bad.txt").write_text(BAD.replace("900", "1100"))
    arguments = ("app", "--baseline", "good.txt", "--violation", "bad.txt", "again/bad.txt")
    assert diagnosed(*arguments, "--format", "json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["violation"] == ["work/bad.txt", "again/bad.txt"]
    assert found["totals"][0]["after"] == 2850


def test_errors_in_a_workspace_file_are_reported(
    capsys: pytest.CaptureFixture[str], project: Path
) -> None:
    (project / "app" / ".conflens.toml").write_text("[[reed]]\n")
    assert diagnosed(*BOTH) == 0
    captured = capsys.readouterr()
    assert "conflens: .conflens.toml:1:" in captured.err
    assert "reed" not in captured.out


def test_links_in_markdown_are_relative_to_the_project() -> None:
    assert diagnose._link("src/a b/Größe#1.java", 7) == "src/a%20b/Gr%C3%B6%C3%9Fe%231.java#L7"


@pytest.mark.parametrize(
    ("files", "names"),
    [
        (["a/x.jfr", "b/y.jfr"], ["x.jfr", "y.jfr"]),
        (["a/x.jfr", "b/x.jfr"], ["a/x.jfr", "b/x.jfr"]),
        (["a/c/x.jfr", "b/c/x.jfr", "z.jfr"], ["a/c/x.jfr", "b/c/x.jfr", "z.jfr"]),
        (["x.jfr", "./x.jfr"], ["x.jfr", "x.jfr"]),
        (["x.jfr", "x.jfr"], ["x.jfr", "x.jfr"]),
        ([], []),
    ],
)
def test_snapshots_are_named_by_what_distinguishes_them(
    files: list[str], names: list[str]
) -> None:
    assert distinct(files) == names


def imported(wanted: Wanted, *files: str) -> tuple[Snapshot, ...]:
    with Imports(files, wanted, CancelToken()) as imports:
        return imports.result()


def test_values_can_be_ignored_and_kinds_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    decode = diagnosis_import.codec.decode

    def recorded(data: bytes) -> Snapshot:
        return attrs.evolve(
            decode(data), values=(RunValue(Origin.SYSTEM_PROPERTY, "pool.jobs", "4"),)
        )

    monkeypatch.setattr(diagnosis_import.codec, "decode", recorded)
    (kept,) = imported(Wanted(), "good.txt")
    assert [value.name for value in kept.values] == ["pool.jobs"]
    (dropped,) = imported(Wanted(values=False), "good.txt")
    assert dropped.values == ()
    (lock,) = imported(Wanted((EventKind.LOCK, EventKind.CPU), Unit.SAMPLES), "good.txt")
    assert [series.kind for series in lock.series] == [EventKind.LOCK]


def test_a_kind_missing_from_all_snapshots_is_reported(project: Path) -> None:
    profile = {
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "shared": {"frames": [{"name": "p.Service.pack"}]},
        "profiles": [
            {
                "type": "sampled",
                "name": "cpu",
                "unit": "nanoseconds",
                "startValue": 0,
                "endValue": 5,
                "samples": [[0]],
                "weights": [5],
            }
        ],
    }
    (project / "x.json").write_text(json.dumps(profile))
    with pytest.raises(BadInputError, match=r"^x\.json: holds no events of kind io \(only cpu\)$"):
        imported(Wanted((EventKind.IO,)), "x.json")
    (known,) = imported(Wanted((EventKind.IO, EventKind.CPU)), "x.json")
    assert [series.total for series in known.series] == [5]


def test_a_failed_import_ends_the_concurrent_scan(project: Path) -> None:
    (project / "broken.txt").write_text("nothing that a profiler writes\n" * 3)
    token = CancelToken()
    with Imports(["broken.txt"], Wanted(), token) as imports:
        with pytest.raises(BadInputError, match=r"^broken\.txt: is not a profile"):
            imports.result()
        assert token.cancelled
