"""``conflens check``: findings as the editor shows them, formats, baselines, exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import attrs
import pytest

from cli.checking import JAVA, project, run
from cli.projects import DOCUMENTS, PATH, SOURCE, analysis, place
from cli.test_main import conflens
from conflens.base.span import Place
from conflens.base.system import MemorySystem
from conflens.checking.results import Code, Edit, Finding, Fix, Reason, Severity
from conflens.cli.check import json_format as check_json
from conflens.cli.check import sarif_format as check_sarif
from conflens.cli.check import table_format as check_table
from conflens.cli.check.collecting import Checked, checked, paths, within
from conflens.cli.check.rules import WORDS
from conflens.cli.main import main
from conflens.ide.diagnostics.diagnostics import diagnostics
from conflens.ide.settings.settings import FIELDS, Settings
from conflens.models.jdk import packaged
from conflens.models.load import load_models
from conflens.session.options import SessionOptions
from conflens.session.session import Session
from forests import planted

FILE = "src/a/Größe.java"


@pytest.fixture(autouse=True)
def _cache(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A cache that the tests of this module share, in which there is a classifier."""
    cache = tmp_path_factory.getbasetemp() / "cache"
    planted(cache / "conflens")
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    monkeypatch.setenv("LOCALAPPDATA", str(cache))


def found(folder: Path, *arguments: str) -> list[dict[str, Any]]:
    status, text = run("check", folder, "--format", "json", *arguments)
    assert status == 0
    findings: list[dict[str, Any]] = json.loads(text)["findings"]
    return findings


def codes(folder: Path, *arguments: str) -> set[tuple[str, str]]:
    return {(one["code"], one["name"]) for one in found(folder, *arguments)}


def scanned(files: dict[str, str]) -> Session:
    system = MemorySystem({path: text.encode() for path, text in files.items()})
    made = Session(system, load_models(), packaged(), SessionOptions(cache=False, workers=0))
    made.scan()
    return made


# -- what is found -------------------------------------------------------------------------------


def test_editor_and_command_line_agree() -> None:
    files = {
        FILE: JAVA,
        "docs/guide.md": "`pool.wait` is described, `pool.sise` as well.\n\n| `pool.wait` | 5 |\n",
        "conf/a.properties": "pool.size=4\npool.wait=x\npool.wiat=5\npool.size=5\n",
        ".conflens.toml": '[check]\nseverity.conflicting-default = "error"\nignore = ["*: pool.wait"]\n',
    }
    made = scanned(files).analysis
    assert made is not None
    shown = checked(made, paths(made))
    of_editor = [one for path in files for one in diagnostics(made, path, Settings())]
    assert sorted(of_editor, key=repr) == sorted(shown.findings, key=repr)
    assert {one.code for one in shown.findings} >= {Code.CONFLICTING_DEFAULT}
    assert {one.severity for one in shown.findings if one.code is Code.CONFLICTING_DEFAULT} == {
        Severity.ERROR
    }
    assert all("pool.wait" not in one.name for one in shown.findings)


def test_every_code_has_a_severity_and_a_description() -> None:
    assert set(WORDS) == set(FIELDS) == set(Code)
    assert {field.name for field in attrs.fields(Settings)} >= set(FIELDS.values())


def test_findings_of_a_project(tmp_path: Path) -> None:
    folder = project(tmp_path / "p")
    assert ("conflicting-default", "pool.size") in codes(folder)
    assert codes(folder, "--code", "conflicting-default") == {("conflicting-default", "pool.size")}
    [first, *_] = found(folder, "--code", "conflicting-default")
    assert first["path"] == FILE
    assert (first["line"], first["column"], first["end_line"], first["end_column"]) == (
        7,
        38,
        7,
        39,
    )
    assert first["severity"] == "warning"
    assert first["options"] == [{"domain": "system-property", "name": "pool.size"}]
    assert first["related"][0]["line"] == 8


def test_comments_and_rules_apply(tmp_path: Path) -> None:
    java = JAVA.replace(
        "(SIZE, 4);", "(SIZE, 4); // conflens: ignore conflicting-default -- so be it"
    )
    folder = project(tmp_path / "p", **{FILE: java})
    assert len(found(folder, "--code", "conflicting-default")) == 1
    (folder / ".conflens.toml").write_text('[check]\nignore = ["conflicting-default: pool.*"]\n')
    status, text = run("check", folder)
    assert (status, "conflicting-default" in text) == (0, False)
    assert "2 suppressed (1 by comment, 1 by rule)." in text


def test_a_project_sets_severities(tmp_path: Path) -> None:
    folder = project(
        tmp_path / "p", **{".conflens.toml": '[check.severity]\nconflicting-default = "off"\n'}
    )
    assert found(folder, "--code", "conflicting-default") == []


def test_only_the_given_files(tmp_path: Path) -> None:
    folder = project(tmp_path / "p")
    assert found(folder, str(folder / "docs")) == []
    assert found(folder, str(folder / "docs"), str(folder / FILE)) == found(folder)
    assert found(folder, str(folder)) == found(folder)
    assert found(folder, str(folder / "src"), "--code", "conflicting-default") != []


def test_a_folder_includes_its_content() -> None:
    known = ("a/b.java", "a/b/c.java", "ab/c.java")
    assert within(known, ["a"]) == ("a/b.java", "a/b/c.java")
    assert within(known, ["a/b"]) == ("a/b/c.java",)
    assert within(known, [""]) == known
    assert within(known, []) == ()


# -- exit codes and bad input --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fail_on", "status"),
    [
        ("error", 0),
        ("warning", 1),
        ("hint", 1),
        ("conflicting-default", 1),
        ("dead-option,conflicting-default", 1),
        ("unknown-option", 0),
        ("problem", 0),
    ],
)
def test_fail_on(tmp_path: Path, fail_on: str, status: int) -> None:
    folder = project(tmp_path / "p")
    assert (
        run("check", folder, "--fail-on", fail_on, "--code", "conflicting-default,dead-option")[0]
        == status
    )


def test_an_error_in_the_workspace_file_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = project(tmp_path / "p", **{".conflens.toml": '[check]\nignore = ["dead-opton"]\n'})
    assert run("check", folder, "--fail-on", "problem")[0] == 1
    said = capsys.readouterr().err
    assert said == (
        "conflens: .conflens.toml:2: [check] ignore: unknown code 'dead-opton'; did you mean 'dead-option'?\n"
    )


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--fail-on", "eror"), "did you mean 'error'?"),
        (("--fail-on", "zzz"), "zzz is not one of error, warning"),
        (("--code", "dead-opton"), "did you mean 'dead-option'?"),
        (("--baseline", "nowhere.json"), "nowhere.json: No such file"),
        (("--baseline", __file__), "is not a baseline"),
        (("--write-baseline", "nowhere/b.json"), "there is no folder nowhere"),
        (("--write-baseline", "b.json", "--code", "dead-option"), "goes without"),
        (("--only-new",), "--only-new needs a baseline"),
        (("nowhere.java",), "nowhere.java does not exist"),
        ((__file__,), "lies outside of"),
        (("--format", "html"), "invalid choice"),
        (("--unknown", "x"), "unrecognized arguments: --unknown x"),
    ],
)
def test_bad_input_gives_one_line(
    tmp_path: Path, arguments: tuple[str, ...], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("check", project(tmp_path / "p"), *arguments)[0] == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert reason in said


def test_check_as_a_process(tmp_path: Path) -> None:
    folder = project(tmp_path / "p")
    done = conflens(
        tmp_path,
        "check",
        str(folder),
        "--fail-on",
        "warning",
        str(folder / FILE),
        PYTHONIOENCODING="ascii",
    )
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"[conflicting-default]" in done.stdout
    done = conflens(tmp_path, "check", str(folder / "nowhere"))
    assert (done.returncode, done.stdout) == (2, b"")


# -- baselines -----------------------------------------------------------------------------------


def test_findings_in_the_baseline_are_not_reported_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, known = project(tmp_path / "p"), tmp_path / "known.json"
    assert main(["check", str(folder), "--workers", "0", "--write-baseline", str(known)]) == 0
    assert capsys.readouterr().out == f"{len(found(folder))} findings written to {known}.\n"
    assert found(folder, "--baseline", str(known)) == []
    assert run("check", folder, "--baseline", str(known), "--fail-on", "hint")[0] == 0

    (folder / FILE).write_text(
        "// new\n\n" + JAVA.replace('"pool.wait", 100', '"pool.size", 9'), encoding="utf-8"
    )
    later = found(folder, "--baseline", str(known), "--code", "conflicting-default")
    assert [one["line"] for one in later] == [9, 10, 11]  # all say another thing now
    (folder / FILE).write_text("// new\n\n" + JAVA, encoding="utf-8")
    assert found(folder, "--baseline", str(known)) == []


def test_the_workspace_file_names_a_baseline(tmp_path: Path) -> None:
    folder = project(tmp_path / "p")
    known = folder / "known.json"
    assert main(["check", str(folder), "--workers", "0", "--write-baseline", str(known)]) == 0
    (folder / ".conflens.toml").write_text('[check]\nbaseline = "known.json"\n')
    assert found(folder) == []
    assert found(folder, "--only-new") == []
    before = known.read_bytes()
    assert main(["check", str(folder), "--workers", "0", "--write-baseline", str(known)]) == 0
    assert known.read_bytes() == before  # what it knew is still there


def test_a_damaged_baseline_of_the_workspace_file_is_a_problem(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = project(tmp_path / "p", **{".conflens.toml": '[check]\nbaseline = "known.json"\n'})
    assert run("check", folder, "--fail-on", "problem")[0] == 1
    assert "the baseline 'known.json' does not exist" in capsys.readouterr().err
    (folder / "known.json").write_text("{")
    assert run("check", folder, "--fail-on", "problem")[0] == 1
    assert "the baseline 'known.json' is not a baseline" in capsys.readouterr().err


def test_a_session_uses_the_baseline(tmp_path: Path) -> None:
    made = scanned({FILE: JAVA, ".conflens.toml": '[check]\nbaseline = "known.json"\n'})
    assert made.analysis is not None
    assert made.analysis.policy.baseline is None
    [problem] = made.analysis.problems
    assert problem.line == 2
    system = made._system
    assert isinstance(system, MemorySystem)
    system.write("known.json", b'{"schema": "conflens-baseline/1", "findings": []}')
    made.files_changed(["known.json"])
    later = made.rebuild()
    assert later.problems == ()
    assert later.policy.baseline is not None
    assert made.rebuild() is later


# -- formats -------------------------------------------------------------------------------------


class _Texts:
    def text(self, path: str) -> bytes | None:
        return {PATH: SOURCE, **DOCUMENTS}[path].encode()


def by_hand() -> Checked:
    here, there = place("pool.wait"), Place("docs/options.md", 38, 47)
    fix = Fix("Write {it} [so](x)", (Edit(there, "pool.wait"), Edit(here, "😀|`")))
    one = Finding(
        Code.UNKNOWN_OPTION,
        here,
        "`pool.wait` is\nno {option}.",
        "pool.wait",
        (("system-property", "pool.wait"),),
        ((there, "stated here"),),
        (fix,),
        severity=Severity.ERROR,
    )
    hint = attrs.evolve(one, severity=Severity.HINT, place=there, fixes=(), related=())
    known = attrs.evolve(one, suppressed=Reason.BASELINE)
    noted = attrs.evolve(one, suppressed=Reason.COMMENT)
    ruled = attrs.evolve(one, suppressed=Reason.RULE)
    problem = attrs.evolve(analysis().problems[0], code="workspace-file")
    return Checked(
        attrs.evolve(analysis(), texts=_Texts()), (hint, one), (known, noted, ruled), 2, (problem,)
    )


def test_the_table() -> None:
    assert (
        "\n".join(check_table.lines(by_hand()))
        == """\
docs/options.md
  3:4  hint         `pool.wait` is no {option}.  [unknown-option]

src/Größe.java
  5:33  error        `pool.wait` is no {option}.  [unknown-option]

2 findings in 2 files: 1 error, 1 hint; 3 suppressed (1 in the baseline, 1 by comment, 1 by rule)."""
    )


def test_a_table_without_findings() -> None:
    nothing = attrs.evolve(by_hand(), findings=(), suppressed=())
    assert list(check_table.lines(nothing)) == ["No findings in 2 files."]


def test_json() -> None:
    said = json.loads(check_json.encode(by_hand()))
    assert said["schema"] == "conflens/1"
    assert said["stats"] == {
        "files": 2,
        "findings": {"error": 1, "warning": 0, "information": 0, "hint": 1},
        "suppressed": {"comment": 1, "rule": 1, "baseline": 1},
    }
    where = {"path": PATH, "line": 5, "column": 33, "end_line": 5, "end_column": 42}
    there = {"path": "docs/options.md", "line": 3, "column": 4, "end_line": 3, "end_column": 13}
    assert said["findings"][1] == {
        "code": "unknown-option",
        "severity": "error",
        **where,
        "name": "pool.wait",
        "options": [{"domain": "system-property", "name": "pool.wait"}],
        "message": "`pool.wait` is\nno {option}.",
        "related": [{**there, "message": "stated here"}],
        "fixes": [
            {
                "title": "Write {it} [so](x)",
                "edits": [{**there, "text": "pool.wait"}, {**where, "text": "😀|`"}],
            }
        ],
    }
    assert said["problems"][0]["line"] == 3


def results(**more: Any) -> list[dict[str, Any]]:
    [run_] = json.loads(check_sarif.encode_findings(by_hand(), **more))["runs"]
    found: list[dict[str, Any]] = run_["results"]
    return found


def test_sarif_has_no_fixes_that_are_not_sure() -> None:
    found = by_hand()
    fixes = tuple(attrs.evolve(fix, sure=False) for fix in found.findings[1].fixes)
    one = attrs.evolve(found.findings[1], fixes=fixes)
    log = json.loads(check_sarif.encode_findings(attrs.evolve(found, findings=(one,))))
    assert fixes and "fixes" not in log["runs"][0]["results"][0]


def test_sarif_has_findings_fixes_and_suppressions() -> None:
    log = json.loads(check_sarif.encode_findings(by_hand()))
    assert log["version"] == "2.1.0"
    [run_] = log["runs"]
    [rule] = run_["tool"]["driver"]["rules"]
    assert rule["id"] == "unknown-option"
    assert rule["help"]["text"]
    assert rule["defaultConfiguration"] == {"level": "warning"}
    assert run_["columnKind"] == "utf16CodeUnits"
    notes = run_["invocations"][0]["toolConfigurationNotifications"]
    assert [note["level"] for note in notes] == ["warning"]
    assert [one["level"] for one in run_["results"]] == [
        "note",
        "error",
        "error",
        "error",
        "error",
    ]
    assert [one.get("suppressions", [{"kind": ""}])[0]["kind"] for one in run_["results"]] == [
        "",
        "",
        "external",
        "inSource",
        "external",
    ]
    one = run_["results"][1]
    assert one["message"]["text"] == "`pool.wait` is\nno {{option}}."
    assert (
        one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        == "src/Gr%C3%B6%C3%9Fe.java"
    )
    assert one["relatedLocations"][0]["message"]["text"] == "stated here"
    [fix] = one["fixes"]
    assert fix["description"]["text"] == "Write {{it}} [so] (x)"
    assert [change["artifactLocation"]["uri"] for change in fix["artifactChanges"]] == [
        "docs/options.md",
        "src/Gr%C3%B6%C3%9Fe.java",
    ]
    assert fix["artifactChanges"][1]["replacements"] == [
        {
            "deletedRegion": {"startLine": 5, "startColumn": 33, "endLine": 5, "endColumn": 42},
            "insertedContent": {"text": "😀|`"},
        }
    ]


def test_sarif_distinguishes_equal_findings_and_omits_baseline_findings() -> None:
    prints = [one["partialFingerprints"][check_sarif.FINGERPRINT] for one in results()]
    assert len(set(prints)) == len(prints)
    assert [one.get("suppressions") is not None for one in results(only_new=True)] == [
        False,
        False,
        True,
        True,
    ]


def test_the_same_project_gives_the_same_bytes(tmp_path: Path) -> None:
    for form in ("json", "sarif", "table"):
        first = run("check", project(tmp_path / "p"), "--format", form)
        assert run("check", project(tmp_path / "q"), "--format", form) == first
