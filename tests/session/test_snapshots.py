"""A project's snapshots: which role they get, what takes whose place, watched folders, the end."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import pytest

from conflens.base.cancel import Cancelled
from conflens.profiling.model import ImportFailure
from conflens.session.snapshots.config_files import read_config_files
from conflens.session.snapshots.snapshots import Snapshots, Unwanted
from conflens.session.snapshots.store import Role
from conflens.session.snapshots.watching import MAX_FIRST, Watch
from patience import until
from session.snapshot_support import added, gone, hanging, profile, quiet
from steps import steps


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project without files, with a cache of its own."""
    monkeypatch.setenv("CONFLENS_CACHE_DIR", str(tmp_path / "cache"))
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def roles(snapshots: Snapshots) -> dict[str, str | None]:
    return {row.name: row.role.value if row.role else None for row in snapshots.rows}


def aged(file: Path, seconds: int) -> None:
    """Give a file another time."""
    os.utime(file, (seconds, seconds))


def test_a_requested_role_is_taken_from_the_snapshot_that_had_it(root: Path) -> None:
    snapshots = Snapshots(str(root))
    added(snapshots, profile(root / "a.collapsed"))
    added(snapshots, profile(root / "b.collapsed"), None)
    assert roles(snapshots) == {"a.collapsed": "violation", "b.collapsed": None}
    added(snapshots, profile(root / "c.collapsed"), None)
    added(snapshots, profile(root / "d.collapsed"), Role.BASELINE)
    added(snapshots, profile(root / "e.collapsed"), Role.VIOLATION)
    assert roles(snapshots) == {
        "a.collapsed": None,
        "b.collapsed": None,
        "c.collapsed": None,
        "d.collapsed": "baseline",
        "e.collapsed": "violation",
    }


def test_a_restart_lists_and_reads_them_again(root: Path) -> None:
    before = Snapshots(str(root))
    added(before, profile(root / "good.collapsed", 5), Role.BASELINE)
    added(before, profile(root / "bad.collapsed", 9))
    after = Snapshots(str(root))
    assert after.rows == ()
    after.load()
    assert after.rows == before.rows
    choice = after.chosen()
    assert choice is not None
    assert [one.name for one in choice.baseline] == ["good.collapsed"]
    assert [one.series[0].total for one in (*choice.baseline, *choice.violation)] == [6, 10]
    assert after.chosen() == choice  # the snapshots are not read twice
    another = Snapshots(str(root.parent))
    another.load()
    assert another.rows == ()


def test_importing_the_same_file_again_keeps_its_row_and_role(root: Path) -> None:
    snapshots = Snapshots(str(root))
    file = profile(root / "a.collapsed")
    first = added(snapshots, file, Role.BASELINE)
    again = added(snapshots, file)
    assert (again.id, again.role) == (first.id, Role.BASELINE)
    assert len(snapshots.rows) == 1


def test_a_changed_file_replaces_its_earlier_import_except_a_baseline(
    root: Path,
) -> None:
    snapshots = Snapshots(str(root))
    file = root / "run.collapsed"
    first = added(snapshots, profile(file, 5))
    aged(file, 1_000)
    second = added(snapshots, str(file))
    assert second.id != first.id
    assert [(row.id, row.role) for row in snapshots.rows] == [(second.id, Role.VIOLATION)]
    snapshots.choose([second.id], [])
    aged(file, 2_000)
    third = added(snapshots, str(file))
    assert [(row.id, row.role) for row in snapshots.rows] == [
        (third.id, Role.VIOLATION),
        (second.id, Role.BASELINE),
    ]


def test_sides_are_chosen_from_the_available_snapshots(root: Path) -> None:
    snapshots = Snapshots(str(root))
    a, b, c = (added(snapshots, profile(root / f"{name}.collapsed")).id for name in "abc")
    snapshots.choose([a, b], [c])
    assert sorted(row.name for row in snapshots.of(Role.BASELINE)) == [
        "a.collapsed",
        "b.collapsed",
    ]
    snapshots.choose([], [a])
    assert roles(snapshots) == {
        "a.collapsed": "violation",
        "b.collapsed": None,
        "c.collapsed": None,
    }
    for baseline, violation in (([a, "unknown"], []), ([], ["unknown"]), ([a], [a])):
        with pytest.raises(Unwanted):
            snapshots.choose(baseline, violation)
    assert roles(snapshots)["a.collapsed"] == "violation"
    snapshots.choose([a], [])
    assert snapshots.chosen() is None
    snapshots.drop(a)
    with pytest.raises(Unwanted):
        snapshots.drop(a)
    assert set(roles(snapshots)) == {"b.collapsed", "c.collapsed"}


def test_an_unreadable_snapshot_is_dropped(root: Path, tmp_path: Path) -> None:
    snapshots = Snapshots(str(root))
    good = added(snapshots, profile(root / "good.collapsed"), Role.BASELINE)
    added(snapshots, profile(root / "bad.collapsed"))
    (file,) = (tmp_path / "cache").glob(f"*/{good.id}.data")
    file.write_bytes(file.read_bytes()[:-1] + b"\xff")
    choice = snapshots.chosen()
    assert choice is not None and choice.baseline == ()
    assert roles(snapshots) == {"bad.collapsed": "violation"}


def test_every_change_is_reported(root: Path) -> None:
    told: list[int] = []
    snapshots = Snapshots(str(root), changed=lambda: told.append(len(snapshots.rows)))
    snapshots.load()
    one = added(snapshots, profile(root / "a.collapsed"))
    snapshots.choose([one.id], [])
    snapshots.choose([one.id], [])
    snapshots.drop(one.id)
    assert told == [1, 1, 0]


def test_a_failed_import_changes_nothing(root: Path) -> None:
    snapshots = Snapshots(str(root))
    added(snapshots, profile(root / "a.collapsed"))
    (root / "b.txt").write_text("nothing of the kind\n")
    with pytest.raises(ImportFailure):
        added(snapshots, str(root / "b.txt"), Role.VIOLATION)
    assert roles(snapshots) == {"a.collapsed": "violation"}


def test_closing_ends_imports_and_allows_no_new_ones(root: Path, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    snapshots = Snapshots(str(root), hanging(pids))
    file = profile(root / "a.collapsed")
    ends: list[bool] = []

    def run() -> None:
        with pytest.raises(Cancelled):
            added(snapshots, file)
        ends.append(True)

    thread = threading.Thread(target=run)
    thread.start()
    until(pids.exists, "the process runs")
    snapshots.dispose()
    assert all(gone(int(pid)) for pid in pids.read_text().split()[:1])
    thread.join()
    assert ends == [True]
    with pytest.raises(Cancelled):
        snapshots.add(snapshots.importing(file), None, quiet)


# -- watched folders -------------------------------------------------------------------------------


def found(watch: Watch, *patterns: str) -> list[str]:
    return [os.path.basename(os.fsdecode(item.path)) for item in watch.look(patterns)]


def test_a_file_is_reported_once_it_has_stopped_changing(root: Path) -> None:
    watch = Watch(str(root))
    assert found(watch, "runs") == []
    (root / "runs").mkdir()
    file = root / "runs" / "a.jfr"
    file.write_bytes(b"F")
    assert found(watch, "runs") == []
    file.write_bytes(b"FL")
    assert found(watch, "runs") == []
    assert found(watch, "runs") == ["a.jfr"]
    assert found(watch, "runs") == []
    aged(file, 1_000)
    assert found(watch, "runs") == []
    assert found(watch, "runs") == ["a.jfr"]
    file.unlink()
    assert found(watch, "runs") == []


def test_folders_globs_and_the_standard_folder(root: Path, tmp_path: Path) -> None:
    for name in (
        ".conflens/profiles/standard.jfr",
        "runs/a.collapsed",
        "runs/README.md",
        "runs/.hidden.jfr",
        "runs/empty.jfr",
        "runs/deep/b.jfr",
        "out/1/c.data",
        "out/2/d.data",
        "single.xml",
    ):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(b"" if "empty" in name else b"x")
    (tmp_path / "elsewhere.jfr").write_bytes(b"x")
    patterns = ("runs", "out/*/*.data", "single.xml", "nowhere", "no\0name", str(tmp_path))
    watch = Watch(str(root))
    assert found(watch, *patterns) == []
    assert sorted(found(watch, *patterns)) == [
        "a.collapsed",
        "c.data",
        "d.data",
        "elsewhere.jfr",
        "single.xml",
        "standard.jfr",
    ]


def test_two_stars_match_folders_but_not_links(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"f{number}" for number in range(9)]
    for name in names:
        (root / "runs" / name / "deep").mkdir(parents=True)
        (root / "runs" / name / "deep" / f"{name}.data").write_bytes(b"x")
        for other in names:
            (root / "runs" / name / f"to-{other}").symlink_to(root / "runs" / other)
    (root / "runs" / "top.data").write_bytes(b"x")
    listed: list[object] = []
    scandir = os.scandir

    def counted(path: Any = ".") -> Any:
        listed.append(path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", counted)
    watch = Watch(str(root))
    found(watch, "runs/**/*.data")
    assert sorted(found(watch, "runs/**/*.data")) == [f"{name}.data" for name in names] + [
        "top.data"
    ]
    assert len(listed) < 200


@pytest.mark.parametrize(
    "linked", [".conflens/profiles/run.txt", ".conflens/profiles", ".conflens"]
)
def test_no_link_leads_out_of_the_project_unless_it_is_named(
    root: Path, tmp_path: Path, linked: str
) -> None:
    outside = tmp_path / "outside"
    kept = outside / ".conflens" / "profiles" / "run.txt"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(b"x")
    link = root / linked
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(outside / linked)
    watch = Watch(str(root))
    assert found(watch) == []
    assert found(watch) == []
    named = Watch(str(root))
    found(named, ".conflens/profiles/*.txt")
    assert found(named, ".conflens/profiles/*.txt") == ["run.txt"]


def test_links_within_the_project_are_followed(root: Path) -> None:
    (root / "runs").mkdir()
    (root / "runs" / "run.txt").write_bytes(b"x")
    (root / ".conflens").mkdir()
    (root / ".conflens" / "profiles").symlink_to(root / "runs")
    watch = Watch(str(root))
    assert found(watch) == []
    assert found(watch) == ["run.txt"]


def test_globs_stop_before_hidden_folders(root: Path) -> None:
    for name in ("a/.b/x.jfr", "a/c/.x.jfr", "a/c/y.jfr", "a/.d/e/z.jfr", "w.jfr"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(b"x")
    watch = Watch(str(root))
    patterns = ("**/*.jfr", "a/.d/**/z.jfr")
    assert found(watch, *patterns) == []
    assert sorted(found(watch, *patterns)) == ["w.jfr", "y.jfr", "z.jfr"]


def test_a_glob_visits_each_folder_once_however_many_links_lead_to_it(root: Path) -> None:
    folders = [root / f"f{number}" for number in range(9)]
    for folder in folders:
        folder.mkdir()
    for folder in folders:
        for other in folders:
            (folder / f"to-{other.name}").symlink_to(other)
    (folders[0] / "a.jfr").write_bytes(b"x")
    watch = Watch(str(root))
    pattern = "**/**/**/*.jfr"
    assert found(watch, pattern) == []
    work = steps(lambda: watch.look([pattern]))
    assert work < 200 * len(folders) ** 2


def test_of_many_old_files_only_the_newest_are_reported(root: Path) -> None:
    runs = root / "runs"
    runs.mkdir()
    for number in range(MAX_FIRST + 5):
        (runs / f"{number:02}.jfr").write_bytes(b"x")
        aged(runs / f"{number:02}.jfr", 1_000 + number)
    watch = Watch(str(root))
    assert found(watch, "runs") == []
    assert found(watch, "runs") == [f"{number:02}.jfr" for number in range(5, MAX_FIRST + 5)]


def test_the_newest_of_a_watched_folder_is_compared_with_the_baseline(root: Path) -> None:
    snapshots = Snapshots(str(root))
    added(snapshots, profile(root / "good.collapsed"), Role.BASELINE)
    added(snapshots, profile(root / "old.collapsed"))
    (root / "runs").mkdir()
    profile(root / "runs" / "one.collapsed")
    profile(root / "runs" / "two.collapsed")
    aged(root / "runs" / "two.collapsed", 1_000)
    assert snapshots.look(["runs"]) == []
    for origin in snapshots.look(["runs"]):
        snapshots.take(snapshots.importing(origin.path))
    assert roles(snapshots) == {
        "good.collapsed": "baseline",
        "old.collapsed": None,
        "two.collapsed": None,
        "one.collapsed": "violation",
    }


def test_known_and_dropped_files_are_not_imported_again(root: Path) -> None:
    (root / "runs").mkdir()
    file = root / "runs" / "a.collapsed"
    snapshots = Snapshots(str(root))
    one = added(snapshots, profile(file))
    assert snapshots.look(["runs"]) == snapshots.look(["runs"]) == []
    snapshots.drop(one.id)
    after = Snapshots(str(root))
    assert after.look(["runs"]) == after.look(["runs"]) == []
    aged(file, 1_000)
    assert after.look(["runs"]) == []
    assert [item.path for item in after.look(["runs"])] == [os.fsencode(file)]


def test_a_config_file_that_is_a_pipe_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.properties")
    with pytest.raises(ValueError, match="not a regular file"):
        read_config_files([str(tmp_path / "pipe.properties")])
