"""Files that turn into something else, names without end, and what lies in the cache instead of a file of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from conflens.base.globs import PathGlob
from conflens.documents import DocumentIndex, harvest
from conflens.models.workspace import parse_workspace
from conflens.session.inputs.inputs import WHOLE_PROJECT
from conflens.session.sources.files import RealSystem
from conflens.session.store.places import open_regular
from session.support import java, session

needs_links = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no such files")


@needs_links
@pytest.mark.parametrize("folder", [False, True], ids=["the file", "the folder"])
def test_a_known_file_that_becomes_a_link_out_of_the_project_is_not_read(
    tmp_path: Path, folder: bool
) -> None:
    project, outside = tmp_path / "project", tmp_path / "outside"
    for place, name in ((project / "p", "One"), (outside, "Secret")):
        place.mkdir(parents=True)
        (place / "One.java").write_text(java(name))
    (project / "Two.java").write_text(java("Two"))
    system = RealSystem(str(project))
    living = session(system)
    assert {option.name for option in living.scan().options.options} == {"p.One", "p.Two"}
    (project / "p/One.java").unlink()
    if folder:
        (project / "p").rmdir()
        (project / "p").symlink_to(outside)
    else:
        (project / "p/One.java").symlink_to(outside / "One.java")
    living.files_changed(["p/One.java"])
    assert {option.name for option in living.rebuild().options.options} == {"p.Two"}


def test_a_project_that_is_a_file_for_a_while_comes_back(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "One.java").write_text(java("One"))
    living = session(RealSystem(str(project)))
    assert {option.name for option in living.scan().options.options} == {"p.One"}
    (project / "One.java").unlink()
    project.rmdir()
    project.write_text("no folder")
    living.files_changed([WHOLE_PROJECT])
    assert not living.rebuild().options.options
    project.unlink()
    project.mkdir()
    (project / "Two.java").write_text(java("Two"))
    living.files_changed([WHOLE_PROJECT])
    assert {option.name for option in living.rebuild().options.options} == {"p.Two"}


@pytest.mark.parametrize("wrong", ["[]", "1", '"error"'])
def test_severities_that_are_no_table_are_a_problem(wrong: str) -> None:
    model, problems = parse_workspace(".conflens.toml", f"[check]\nseverity = {wrong}\n")
    assert not model.checks.severities
    assert [(one.line, "expected a table" in one.message) for one in problems] == [(1, True)]


def test_many_folders_in_a_row_are_one() -> None:
    glob = PathGlob("**/" * 1000 + "x")
    assert len(glob.start()) == 2
    assert glob.matches(["x"])
    assert glob.matches(["a", "b", "x"])
    assert not glob.matches(["a", "y"])
    for pattern in ("**/**", "a/**/**", "**/**/a/**/**/b"):
        for path in (["a"], ["a", "b"], ["c", "a", "d", "b"], ["b"], []):
            single = pattern.replace("**/**", "**")
            assert PathGlob(pattern).matches(path) == PathGlob(single).matches(path)


def test_the_ends_of_a_name_without_end_are_not_kept() -> None:
    endless = harvest("a.properties", ".".join(["a"] * 5_000) + "=1\nb.c.d=2\n")
    index = DocumentIndex.build({"a.properties": endless})
    assert index.tails == {"c.d", "d"}


@needs_links
def test_what_is_no_file_in_the_cache_is_not_opened(tmp_path: Path) -> None:
    pipe, link, file = tmp_path / "pipe", tmp_path / "link", tmp_path / "file"
    os.mkfifo(pipe)
    link.symlink_to("/dev/zero")
    for one in (pipe, link):
        with pytest.raises(OSError):
            open_regular(str(one), os.O_RDWR | os.O_CREAT)
    os.close(open_regular(str(file), os.O_RDWR | os.O_CREAT))
    assert file.exists()
