"""The cache is never needed to be right: whatever happens to it costs time and one log line."""

from __future__ import annotations

import logging
import os
import sqlite3
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

import conflens
from conflens.base.digest import content_hash
from conflens.base.system import FileStat
from conflens.models import jdk
from conflens.models.load import load_models
from conflens.session.options import SessionOptions
from conflens.session.session import Session
from conflens.session.sources.files import RealSystem
from conflens.session.store.cache import Cache, Entry
from conflens.session.store.places import cache_file, cache_folder
from patience import PATIENCE

OLD = time.time_ns() - 3_600_000_000_000
HASH = content_hash(b"text")
ENTRY = Entry(FileStat(4, OLD), HASH)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "cache.sqlite"


@pytest.fixture(autouse=True)
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.INFO, "conflens.session.store.cache")
    return caplog


def filled(file: Path, meaning: str = "1") -> None:
    cache = Cache(file, meaning)
    cache.store([("a/A.java", ENTRY)], [(HASH, b"facts" * 20_000)])
    cache.close()


def works(cache: Cache) -> bool:
    """Whether something stored now is found again."""
    cache.store([("b/B.java", ENTRY)], [(HASH, b"other")])
    return cache.entries().get("b/B.java") == ENTRY and cache.blobs([HASH]) == {HASH: b"other"}


def test_stored_entries_are_read_back(file: Path, log: pytest.LogCaptureFixture) -> None:
    filled(file)
    cache = Cache(file, "1")
    assert cache.entries() == {"a/A.java": ENTRY}
    assert cache.blobs([HASH, b"unknown"]) == {HASH: b"facts" * 20_000}
    cache.close()
    assert log.messages == []


def test_a_path_that_is_not_unicode(file: Path) -> None:
    path = os.fsdecode(b"caf\xe9.java")
    cache = Cache(file, "1")
    cache.store([(path, ENTRY)], [])
    assert cache.entries() == {path: ENTRY}
    cache.close()


def test_a_file_changed_just_now_is_not_trusted_by_its_time(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("conflens.session.store.cache._RACY_NS", 3_600_000_000_000)
    fresh = Entry(FileStat(4, time.time_ns()), HASH)
    cache = Cache(file, "1")
    cache.store([("A.java", fresh)], [])
    stored = cache.entries()["A.java"]
    cache.close()
    assert (stored.hash, stored.stat == fresh.stat) == (HASH, False)


@pytest.mark.parametrize("other", ["0", "2"])
def test_another_format_version_is_rebuilt_with_a_one_line_message(
    file: Path, log: pytest.LogCaptureFixture, other: str
) -> None:
    filled(file, other)
    cache = Cache(file, "1")
    assert cache.entries() == {}
    assert cache.blobs([HASH]) == {}
    assert works(cache)
    cache.close()
    assert len(log.messages) == 1
    assert "is rebuilt" in log.messages[0]


def overwrite(file: Path) -> None:
    file.write_bytes(b"this is no database" * 1000)


def truncate(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def drop_tables(file: Path) -> None:
    connection = sqlite3.connect(file)
    connection.execute("DROP TABLE blob")
    connection.commit()
    connection.close()


@pytest.mark.parametrize("damage", [overwrite, truncate, drop_tables])
def test_a_damaged_file_is_rebuilt_with_a_one_line_message(
    file: Path, log: pytest.LogCaptureFixture, damage: object
) -> None:
    filled(file)
    assert callable(damage)
    damage(file)
    cache = Cache(file, "1")
    cache.entries()
    assert cache.blobs([HASH]) == {}
    assert works(cache)
    cache.close()
    assert len(log.messages) == 1
    assert "is rebuilt" in log.messages[0]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE file SET path = 5",
        "UPDATE blob SET data = 5",
        "UPDATE blob SET crc = x'b4'",
        "UPDATE latest SET data = 5",
        "UPDATE used SET day = x'b4'",
        "INSERT INTO meta SELECT 1",
    ],
)
def test_values_of_other_types_never_raise(file: Path, statement: str) -> None:
    filled(file)
    cache = Cache(file, "1")
    cache.store_latest("walks", HASH, b"answer")
    cache.close()
    connection = sqlite3.connect(file)
    connection.execute(statement)
    connection.commit()
    connection.close()
    for _ in range(2):
        cache = Cache(file, "1")
        cache.entries()
        cache.blobs([HASH])
        cache.latest("walks", HASH)
        cache.prune([], [HASH])
        assert works(cache)
        cache.close()


def test_damaged_bytes_that_a_message_of_sqlite_quotes_do_not_raise(
    file: Path, log: pytest.LogCaptureFixture
) -> None:
    filled(file)
    content = file.read_bytes()
    schema = b"tablefilefile"
    assert schema in content and b"CREATE TABLE file" in content
    content = content.replace(schema, b"table\xb4ilefile")
    file.write_bytes(content.replace(b"CREATE TABLE file", b"CREATE TABLE (ile"))
    cache = Cache(file, "1")
    assert works(cache)
    cache.close()
    assert len(log.messages) == 1
    assert "is rebuilt" in log.messages[0]


def test_a_flipped_bit_in_a_result_is_detected(file: Path, log: pytest.LogCaptureFixture) -> None:
    filled(file)
    content = bytearray(file.read_bytes())
    content[content.rindex(b"factsfacts") + 2] ^= 1
    file.write_bytes(content)
    cache = Cache(file, "1")
    assert cache.blobs([HASH]) == {}
    assert works(cache)
    cache.close()
    assert len(log.messages) == 1


def test_without_a_writable_folder_there_is_no_cache(
    tmp_path: Path, log: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    cache = Cache(tmp_path / "file" / "folder" / "cache.sqlite", "1")
    assert not cache.enabled
    assert not works(cache)
    assert len(log.messages) == 1
    assert "no cache" in log.messages[0]


def test_on_a_full_disk_there_is_no_cache(file: Path, log: pytest.LogCaptureFixture) -> None:
    cache = Cache(file, "1")
    connection = cache._connection
    assert connection is not None
    connection.execute("PRAGMA max_page_count = 1")
    cache.store([("A.java", ENTRY)], [(HASH, b"x" * 1_000_000)])
    assert not cache.enabled
    assert not works(cache)
    assert len(log.messages) == 1
    assert "no cache" in log.messages[0]


WRITER = """
import sys
from pathlib import Path
from conflens.base.digest import content_hash
from conflens.base.system import FileStat
from conflens.session.store.cache import Cache, Entry
name = sys.argv[2]
cache = Cache(Path(sys.argv[1]), "1")
for number in range(40):
    text = f"{name}{number}".encode()
    entry = Entry(FileStat(number, 1), content_hash(text))
    cache.store([(f"{name}/{number}", entry)], [(entry.hash, text * 1000)])
    cache.entries()
cache.close()
"""


def test_two_processes_write_one_cache_without_losses(file: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(conflens.__file__).parent.parent)}
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(file), name],
            env=environment,
            stderr=subprocess.PIPE,
        )
        for name in ("one", "two")
    ]
    assert [
        (writer.communicate(timeout=PATIENCE)[1], writer.returncode) for writer in writers
    ] == [
        (b"", 0),
        (b"", 0),
    ]
    cache = Cache(file, "1")
    entries = cache.entries()
    blobs = cache.blobs({entry.hash for entry in entries.values()})
    cache.close()
    assert len(entries) == 80
    assert blobs[content_hash(b"two39")] == b"two39" * 1000
    assert len(blobs) == 80


def test_entries_unused_for_a_month_are_removed(file: Path) -> None:
    cache = Cache(file, "1")
    hashes = {name: content_hash(name.encode()) for name in ("used", "kept", "old")}
    cache.store([], [(digest, name.encode()) for name, digest in hashes.items()])
    today = int(time.time()) // 86_400
    assert cache._connection is not None
    for name, age in (("used", 50), ("kept", 20), ("old", 50)):
        cache._connection.execute(
            "UPDATE used SET day = ? WHERE hash = ?", (today - age, hashes[name])
        )
    cache.prune([], [hashes["used"]])
    assert set(cache.blobs(hashes.values()).values()) == {b"used", b"kept"}
    cache.prune([], [])
    assert set(cache.blobs(hashes.values()).values()) == {b"used", b"kept"}
    cache.close()


def test_removed_paths_are_dropped(file: Path) -> None:
    filled(file)
    cache = Cache(file, "1")
    cache.prune(["a/A.java"], [HASH])
    assert cache.entries() == {}
    assert cache.blobs([HASH])
    cache.close()


def test_the_folder_can_be_configured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CONFLENS_CACHE_DIR", str(tmp_path))
    assert cache_folder() == tmp_path
    assert cache_file("/one").parent == tmp_path
    assert cache_file("/one") != cache_file("/two")


def test_a_relative_folder_in_the_environment_is_ignored(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("CONFLENS_CACHE_DIR", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("HOME", str(tmp_path))
    standard = tmp_path / ".cache" / "conflens"
    for given in ("caches", "./x", "", "~/x"):
        monkeypatch.setenv("XDG_CACHE_HOME", given)
        assert cache_folder() == standard, given
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "own"))
    assert cache_folder() == tmp_path / "own" / "conflens"


def modes(folder: Path) -> set[str]:
    return {oct(stat.S_IMODE(file.stat().st_mode)) for file in folder.rglob("*") if file.is_file()}


def test_the_cache_is_readable_by_the_user_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CONFLENS_CACHE_DIR", raising=False)
    folder = tmp_path / "caches" / "conflens"
    folder.mkdir(parents=True, mode=0o755)
    old = folder / "cache.sqlite"
    before = os.umask(0o022)
    try:
        with sqlite3.connect(old) as connection:  # as an older version wrote it
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("CREATE TABLE meta (format TEXT NOT NULL)")
            assert modes(folder) == {"0o644"}
            cache = Cache(old, "1")
            assert works(cache)
            assert Path(f"{old}-wal").exists()
            assert modes(folder) == {"0o600"}
            cache.close()
        connection.close()
        cache = Cache(folder / "new.sqlite", "1")
        assert works(cache)
        cache.close()
        assert modes(folder) == {"0o600"}
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert stat.S_IMODE(folder.parent.stat().st_mode) == 0o755  # that is not ours
    finally:
        os.umask(before)


def test_a_folder_that_the_user_names_keeps_its_mode_and_its_files_are_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o755)
    monkeypatch.setenv("CONFLENS_CACHE_DIR", str(shared))
    cache = Cache(cache_file("/project"), "1")
    assert works(cache)
    cache.close()
    assert stat.S_IMODE(shared.stat().st_mode) == 0o755
    assert modes(shared) == {"0o600"}


def test_a_cache_is_not_written_through_a_link(
    tmp_path: Path, log: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "elsewhere").write_bytes(b"")
    (tmp_path / "cache.sqlite").symlink_to(tmp_path / "elsewhere")
    assert not Cache(tmp_path / "cache.sqlite", "1").enabled
    assert (tmp_path / "elsewhere").read_bytes() == b""


def test_secrets_in_documents_are_not_cached(tmp_path: Path) -> None:
    secret = "Tr0ub4dor"
    project = tmp_path / "project"
    (project / "docs").mkdir(parents=True)
    (project / "A.java").write_text('class A { int a = Integer.getInteger("app.size"); }')
    rows = f"| `app.size` | 17171 |\n| `app.password` | {secret} |\n"
    for name in ("options", "more"):
        table = f"| Option | Default |\n|---|---|\n{rows}"
        (project / "docs" / f"{name}.md").write_text(table)
        rows = rows.replace("app.password", "app.host").replace(secret, "localhost")
    script = f"run -Dapp.password={secret}Arg -Dapp.url=${{APP_PASS:-{secret}Or}} --api-token {secret}More\n"
    (project / "run.sh").write_text(script)
    (project / "docs" / "text.md").write_text(
        f"Connect to `http://me:{secret}In@host` by {script}"
    )
    (project / "other.sh").write_text("mkdir -p ${APP_FOLDER}; run --app.file-name /tmp/x\n")
    file = tmp_path / "cache" / "cache.sqlite"
    for _ in range(2):
        cache = Cache(file, "1")
        session = Session(
            RealSystem(str(project)), load_models(), jdk.packaged(), SessionOptions(), cache=cache
        )
        found = session.scan().documents.find("app.password", "")
        assert found[0].default == secret  # read again, and so known
        session.dispose()
        kept = b"".join(one.read_bytes() for one in file.parent.iterdir())
        assert secret.encode() not in kept
        assert b"17171" in kept or b"localhost" in kept
        assert b"app.file-name" in kept
