"""What ``conflens check`` tells once, and what it tells of config files that no parser would read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.checking import run
from conflens.base.system import MemorySystem
from conflens.checking.results import Code
from conflens.cli.check.collecting import checked, paths
from conflens.models.jdk import packaged
from conflens.models.load import load_models
from conflens.session.analysis import Analysis
from conflens.session.options import SessionOptions
from conflens.session.session import Session

READ = 'class Pool {\n int size = Integer.getInteger("pool.size", 10);\n}\n'
TABLE = "| Option | Default |\n| --- | --- |\n| pool.size | 20 |\n"


def scanned(files: dict[str, str]) -> Analysis:
    system = MemorySystem({path: text.encode() for path, text in files.items()})
    made = Session(system, load_models(), packaged(), SessionOptions(cache=False, workers=0))
    return made.scan()


def mismatches(analysis: Analysis, *files: str) -> list[str]:
    found = checked(analysis, files or paths(analysis)).findings
    return [one.place.path for one in found if one.code is Code.DEFAULT_MISMATCH]


def test_a_default_that_code_and_a_document_state_differently_is_told_once() -> None:
    analysis = scanned({"Pool.java": READ, "README.md": TABLE})
    assert mismatches(analysis) == ["Pool.java"]
    assert mismatches(analysis, "README.md") == ["README.md"]


def test_what_is_suppressed_in_code_is_not_told_of_the_document() -> None:
    code = READ.replace("int size", "// conflens: ignore\n int size", 1)
    analysis = scanned({"Pool.java": code, "README.md": TABLE})
    assert mismatches(analysis) == []


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("application.yml", "a:\n  c: [1\n", "2:6: This bracket is never closed."),
        ("conf/pool.toml", '"pool.size" = 3\nb = [1', "2:5: This array is never closed."),
        ("core-site.xml", "<configuration><property>", "1:16: This element is never closed."),
        ("deploy/other.yml", "a: [1\n", ""),
        ("application.yml", "a:\n  c: [1]\n", ""),
    ],
)
def test_a_config_file_that_is_not_well_formed_is_a_problem(
    file: str, text: str, told: str
) -> None:
    named = '[configuration]\npaths = ["conf/*.toml"]\n'
    analysis = scanned({"Pool.java": READ, ".conflens.toml": named, file: text})
    problems = checked(analysis, paths(analysis)).problems
    assert [f"{one.line}:{one.column}: {one.message}" for one in problems] == [told] * bool(told)
    assert all(one.path == file for one in problems)


def test_a_problem_of_form_can_fail_a_build(tmp_path: Path) -> None:
    (tmp_path / "Pool.java").write_text(READ)
    (tmp_path / "application.yml").write_text("a: [1\n")
    status, text = run("check", tmp_path, "--format", "json", "--fail-on", "problem")
    assert status != 0
    problem = json.loads(text)["problems"][0]
    assert problem["code"] == "malformed-file"
    assert (problem["path"], problem["line"]) == ("application.yml", 1)
