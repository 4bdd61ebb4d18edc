"""Fetching: the list, and archives that try to leave their folder."""

import zipfile
from pathlib import Path

import pytest

from corpus import fetch as module
from corpus.fetch import FetchError, Project, fetch, projects, unpack


def archive(path: Path, *names: str) -> Path:
    with zipfile.ZipFile(path, "w") as made:
        for name in names:
            made.writestr(name, "class A {}")
    return path


def test_the_list_names_the_asserted_projects() -> None:
    listed = projects()
    needed = {"h2", "zookeeper", "kafka", "hdfs", "jmeter", "cassandra"}
    assert needed <= {name for name, project in listed.items() if not project.optional}
    assert all(len(a.split(":")) == 3 for p in listed.values() for a in p.artifacts)


def test_unpack(tmp_path: Path) -> None:
    unpack(archive(tmp_path / "a.jar", "org/A.java", "org/x/B.java"), tmp_path / "out")
    found = sorted(
        p.relative_to(tmp_path / "out").as_posix() for p in (tmp_path / "out").rglob("*.java")
    )
    assert found == ["org/A.java", "org/x/B.java"]


@pytest.mark.parametrize("name", ["../A.java", "/A.java", "a/../../A.java", "..\\A.java"])
def test_an_archive_entry_cannot_leave_its_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(FetchError, match="outside its folder"):
        unpack(archive(tmp_path / "a.jar", name), tmp_path / "in" / "out")
    assert not list(tmp_path.rglob("A.java"))


def test_fetching_tries_similar_versions_and_leaves_a_stamp(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def copy(coordinates: str, jars: Path) -> str:
        asked.append(coordinates)
        if coordinates.endswith(":2"):
            archive(jars / "a-2-sources.jar", "A.java")
            return ""
        return "no such version"

    monkeypatch.setattr(module, "CORPUS", tmp_path)
    monkeypatch.setattr(module, "_copy", copy)
    project = Project("p", ("g:a:1",), ("2",), optional=False)
    folder = fetch(project)
    assert asked == ["g:a:1", "g:a:2"]
    assert [path.name for path in folder.iterdir()] == ["A.java"]
    assert fetch(project) == folder
    assert asked == ["g:a:1", "g:a:2"]


def test_an_unavailable_project_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CORPUS", tmp_path)
    monkeypatch.setattr(module, "_copy", lambda *_: "no route to host")
    with pytest.raises(FetchError, match=r"g:a:1.*offline.*no route to host"):
        fetch(Project("p", ("g:a:1",), (), optional=False))
    assert not (tmp_path / "p").exists()
