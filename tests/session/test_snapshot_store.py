"""What is kept of snapshots: over restarts, damage, full and unwritable disks."""

from __future__ import annotations

import logging
import stat
from pathlib import Path

import pytest

from conflens.session.snapshots import store as snapshot_store
from conflens.session.snapshots.messages import Summary
from conflens.session.snapshots.store import (
    Entry,
    Origin,
    Role,
    SnapshotStore,
    identity,
    redaction_salt,
)

SUMMARY = Summary("JFR", 100.0, 30.0, (("cpu", "nanoseconds", 1 << 40),), ("A note.",), 3)


def entry(number: int, role: Role | None = None, path: bytes = b"/tmp/\xff.jfr") -> Entry:
    origin = Origin(path, number, number)
    return Entry(identity(origin), f"run {number}", origin, float(number), SUMMARY, role)


def store(folder: Path, meaning: str = "1") -> SnapshotStore:
    return SnapshotStore(folder / "project.snapshots", meaning)


def names(found: SnapshotStore) -> list[str]:
    return [one.name for one in found.entries()]


def test_a_restart_loads_everything(tmp_path: Path) -> None:
    first, second = entry(1, Role.BASELINE), entry(2)
    before = store(tmp_path)
    before.put(first, b"one")
    before.put(second, b"two")
    before.change({second.id: Role.VIOLATION, "unknown": Role.BASELINE})
    after = store(tmp_path)
    assert after.entries() == before.entries()
    assert [(one.name, one.role) for one in after.entries()] == [
        ("run 2", Role.VIOLATION),
        ("run 1", Role.BASELINE),
    ]
    assert after.data(first.id) == b"one" and after.data(second.id) == b"two"
    assert after.entries()[0].summary == SUMMARY
    assert after.data("unknown") is None


def test_only_the_user_can_read_it(tmp_path: Path) -> None:
    store(tmp_path).put(entry(1), b"secret=1")
    folder = tmp_path / "project.snapshots"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o600}
    assert len(list(folder.iterdir())) == 2


def test_a_snapshot_with_the_same_id_is_replaced(tmp_path: Path) -> None:
    found = store(tmp_path)
    found.put(entry(1), b"one")
    found.put(entry(1, Role.BASELINE), b"another")
    for one in (found, store(tmp_path)):
        assert [item.role for item in one.entries()] == [Role.BASELINE]
        assert one.data(entry(1).id) == b"another"


def test_dropped_snapshots_stay_dropped(tmp_path: Path) -> None:
    found = store(tmp_path)
    found.put(entry(1), b"one")
    assert not found.dropped(entry(1).id)
    assert found.drop(entry(1).id)
    assert not found.drop(entry(1).id)
    for one in (found, store(tmp_path)):
        assert one.entries() == ()
        assert one.dropped(entry(1).id)
    found.put(entry(1), b"one")
    assert not found.dropped(entry(1).id)


@pytest.mark.parametrize("suffix", [".entry", ".data"])
@pytest.mark.parametrize("damage", ["flipped", "cut", "gone"])
def test_damage_affects_one_snapshot_and_gives_one_line(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, suffix: str, damage: str
) -> None:
    found = store(tmp_path)
    found.put(entry(1), b"one" * 100)
    found.put(entry(2), b"two" * 100)
    file = tmp_path / "project.snapshots" / f"{entry(1).id}{suffix}"
    data = bytearray(file.read_bytes())
    if damage == "flipped":
        data[-1] ^= 1
        file.write_bytes(data)
    elif damage == "cut":
        file.write_bytes(data[:40])
    else:
        file.unlink()
    with caplog.at_level(logging.WARNING):
        after = store(tmp_path)
        assert after.data(entry(1).id) is None
    assert names(after) == ["run 2"]
    assert after.data(entry(2).id) == b"two" * 100
    lines = [record.message for record in caplog.records if "dropped" in record.message]
    assert len(lines) == (0 if (suffix, damage) == (".entry", "gone") else 1)
    left = {path.name for path in (tmp_path / "project.snapshots").iterdir()}
    assert left == {f"{entry(2).id}.data", f"{entry(2).id}.entry"}


def test_another_format_version_is_dropped(tmp_path: Path) -> None:
    store(tmp_path, "1").put(entry(1), b"one")
    assert store(tmp_path, "2").entries() == ()
    assert store(tmp_path, "1").entries() == ()


def test_the_oldest_snapshots_without_a_role_are_removed_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshot_store, "MAX_COUNT", 3)
    found = store(tmp_path)
    found.put(entry(1, Role.BASELINE), b"")
    for number in (2, 3):
        assert found.put(entry(number), b"") == ()
    assert found.put(entry(4), b"") == (entry(2).id,)
    assert names(found) == names(store(tmp_path)) == ["run 4", "run 3", "run 1"]
    monkeypatch.setattr(snapshot_store, "MAX_BYTES", 10)
    assert found.put(entry(5), b"x" * 9) == (entry(3).id,)
    assert found.put(entry(6), b"x" * 9) == (entry(4).id, entry(5).id)
    assert names(found) == names(store(tmp_path)) == ["run 6", "run 1"]


def test_what_cannot_be_written_is_kept_in_memory(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "project.snapshots").write_text("a file where the folder should be")
    found = store(tmp_path)
    with caplog.at_level(logging.WARNING):
        found.put(entry(1), b"one")
    assert found.data(entry(1).id) == b"one"
    assert names(found) == ["run 1"]
    assert "kept until the server ends only" in caplog.text
    assert found.drop(entry(1).id)
    assert names(found) == []


def test_other_files_in_the_folder_are_not_snapshots(tmp_path: Path) -> None:
    folder = tmp_path / "project.snapshots"
    folder.mkdir()
    (folder / "x.entry").write_bytes(b"nonsense")
    (folder / "dropped").write_bytes(b"nonsense")
    (folder / "y.data").write_bytes(b"an import that was cut off")
    assert store(tmp_path).entries() == ()


def test_the_salt_is_created_once_per_user_and_is_private(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    salt = redaction_salt(folder)
    assert len(salt) == 32
    assert redaction_salt(folder) == salt
    assert redaction_salt(tmp_path / "other") != salt
    (file,) = folder.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.write_bytes(b"cut")
    assert redaction_salt(folder) not in (salt, b"cut")
    assert redaction_salt(folder) == redaction_salt(folder)


def test_a_salt_that_cannot_be_stored_is_new_each_time(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    assert redaction_salt(tmp_path / "cache") != redaction_salt(tmp_path / "cache")
