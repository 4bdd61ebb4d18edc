"""The on-disk cache of per-file results: what a file's content once gave, by the content's hash.

One SQLite database per project root, in the user's cache folder.  Table ``file`` remembers for
each path the size and modification time under which its content hash was seen, so that an
unchanged file is not even read; table ``blob`` holds the result of each content; table ``latest``
holds results of the whole project, of each only the last.  Blobs outlive their files for 30 days:
switching branches back and forth stays warm.

Invariants: nothing here is needed to be right.  Whatever cannot be read (other format, damage, a
wrong checksum) is rebuilt and whatever cannot be written (read-only folder, full disk, a lock held
by another server for long) is not kept; each with one log line.  Transactions are short: a batch
of results, never a whole index.  A file that changed within two seconds of being looked at is not
trusted by its time stamp next time.
Blobs are not compressed: for H2 (8.8 MB) zlib at level 1 saves 4 MB and makes the warm load
55 ms, that is 80 %, slower.
Absent: what the blobs mean (``stored``).
"""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import attrs

from conflens.base.system import FileStat
from conflens.session.store.places import private_database, private_folder, remove_forgotten

_log = logging.getLogger("conflens.session.store.cache")

FORMAT = 2
"""Version of the tables; what the blobs mean has its own version, given by the user of the cache."""

_KEEP_DAYS = 30
_BUSY_SECONDS = 2.0
_RACY_NS = 2_000_000_000
_DAY = 86_400
_WAL_ATTEMPTS = 40
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_HOPELESS = frozenset(
    {
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_PERM,
    }
)

_TABLES = """
CREATE TABLE meta (format TEXT NOT NULL);
CREATE TABLE file (path BLOB PRIMARY KEY, size INTEGER, modified INTEGER, hash BLOB, reason TEXT);
CREATE TABLE blob (id INTEGER PRIMARY KEY, hash BLOB UNIQUE, crc INTEGER, data BLOB);
CREATE TABLE latest (name TEXT PRIMARY KEY, hash BLOB, crc INTEGER, data BLOB);
CREATE TABLE used (hash BLOB PRIMARY KEY, day INTEGER) WITHOUT ROWID;
"""

_T = TypeVar("_T")


@attrs.frozen
class Entry:
    """What was last seen of a path: ``reason`` is why its content is left out, empty if it is not."""

    stat: FileStat
    hash: bytes
    reason: str = ""


class Cache:
    """One project's cache; every method may be called from any thread and none raises."""

    def __init__(self, file: Path, meaning: str) -> None:
        """Open or create ``file``; a cache written for another ``meaning`` is emptied."""
        self._file = file
        self._format = f"{FORMAT}/{meaning}"
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._rebuilt = False
        with self._lock:
            self._guarded(self._open, None)

    @property
    def enabled(self) -> bool:
        """Whether anything is kept at all."""
        return self._connection is not None

    def close(self) -> None:
        """Let go of the database."""
        with self._lock:
            self._drop()

    def entries(self) -> dict[str, Entry]:
        """Return what is remembered of each path."""

        def work(connection: sqlite3.Connection) -> dict[str, Entry]:
            return {
                path.decode("utf-8", "surrogateescape"): Entry(
                    FileStat(size, modified), digest, reason
                )
                for path, size, modified, digest, reason in connection.execute(
                    "SELECT path, size, modified, hash, reason FROM file"
                )
            }

        return self._run(work, {})

    def blobs(self, hashes: Collection[bytes]) -> dict[bytes, bytes]:
        """Return the stored results of these contents, as far as there are any."""

        def work(connection: sqlite3.Connection) -> dict[bytes, bytes]:
            wanted = set(hashes)
            rows: Iterable[tuple[bytes, int, bytes]]
            if len(wanted) > 100:
                rows = connection.execute("SELECT hash, crc, data FROM blob")
            else:
                rows = _each(connection, wanted)
            found: dict[bytes, bytes] = {}
            damaged = 0
            for digest, crc, data in rows:
                if digest not in wanted:
                    continue
                if zlib.crc32(data) == crc:
                    found[digest] = data
                else:
                    damaged += 1
            if damaged:
                _log.warning("%d damaged entries in %s are made anew", damaged, self._file)
            return found

        return self._run(work, {})

    def store(
        self, entries: Collection[tuple[str, Entry]], blobs: Collection[tuple[bytes, bytes]]
    ) -> None:
        """Remember paths, and results by content hash, in one short transaction."""
        limit = time.time_ns() - _RACY_NS

        def work(connection: sqlite3.Connection) -> None:
            today = int(time.time()) // _DAY
            with _transaction(connection):
                connection.executemany(
                    "INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?)",
                    [
                        (
                            path.encode("utf-8", "surrogateescape"),
                            entry.stat.size,
                            entry.stat.modified if entry.stat.modified < limit else -1,
                            entry.hash,
                            entry.reason,
                        )
                        for path, entry in entries
                    ],
                )
                connection.executemany(
                    "INSERT OR REPLACE INTO blob (hash, crc, data) VALUES (?, ?, ?)",
                    [(digest, zlib.crc32(data), data) for digest, data in blobs],
                )
                connection.executemany(
                    "INSERT OR REPLACE INTO used VALUES (?, ?)",
                    [(digest, today) for digest, _ in blobs],
                )

        if entries or blobs:
            self._run(work, None)

    def latest(self, name: str, digest: bytes) -> bytes | None:
        """Return the project's last result called ``name`` if it was made from ``digest``."""

        def work(connection: sqlite3.Connection) -> bytes | None:
            row = connection.execute(
                "SELECT crc, data FROM latest WHERE name = ? AND hash = ?", (name, digest)
            ).fetchone()
            return row[1] if row and zlib.crc32(row[1]) == row[0] else None

        return self._run(work, None)

    def store_latest(self, name: str, digest: bytes, data: bytes) -> None:
        """Replace the project's last result called ``name``."""

        def work(connection: sqlite3.Connection) -> None:
            with _transaction(connection):
                connection.execute(
                    "INSERT OR REPLACE INTO latest VALUES (?, ?, ?, ?)",
                    (name, digest, zlib.crc32(data), data),
                )

        self._run(work, None)

    def prune(self, gone: Collection[str], hashes: Collection[bytes]) -> None:
        """Forget paths that are gone and results that no scan has used for 30 days.

        ``hashes`` are those in use now.  Does something at most once a day, but for ``gone``.
        """
        today = int(time.time()) // _DAY

        def work(connection: sqlite3.Connection) -> None:
            days = dict(connection.execute("SELECT hash, day FROM used"))
            stale = [digest for digest in hashes if days.get(digest, today) < today]
            fresh = set(stale)
            old = [
                digest
                for digest, day in days.items()
                if day < today - _KEEP_DAYS and digest not in fresh
            ]
            if not (gone or stale or old):
                return
            with _transaction(connection):
                connection.executemany(
                    "DELETE FROM file WHERE path = ?",
                    [(path.encode("utf-8", "surrogateescape"),) for path in gone],
                )
                connection.executemany(
                    "UPDATE used SET day = ? WHERE hash = ?", [(today, item) for item in stale]
                )
                for table in ("blob", "used"):
                    connection.executemany(
                        f"DELETE FROM {table} WHERE hash = ?", [(item,) for item in old]
                    )

        self._run(work, None)

    def _run(self, work: Callable[[sqlite3.Connection], _T], otherwise: _T) -> _T:
        with self._lock:
            if self._connection is None:
                return otherwise
            connection = self._connection
            return self._guarded(lambda: work(connection), otherwise)

    def _guarded(self, work: Callable[[], _T], otherwise: _T) -> _T:
        """Run ``work``; rebuild a damaged database once, give up on anything else."""
        try:
            return work()
        except sqlite3.DatabaseError as error:
            code = _code(error)
            if code in _BUSY and self._connection is not None:
                _log.warning("cache %s is busy; some results are not kept", self._file)
            elif code in _HOPELESS or code in _BUSY:
                self._give_up(error)
            else:
                self._rebuild(error)
        except OSError as error:
            self._give_up(error)
        except (ValueError, TypeError, AttributeError, OverflowError) as error:
            # Values of types that nobody wrote, or a message of SQLite that quotes damaged bytes.
            self._rebuild(error)
        return otherwise

    def _open(self) -> None:
        folder = self._file.parent
        private_folder(folder)
        if not self._file.exists():
            remove_forgotten(folder)
        self._connect()

    def _connect(self) -> None:
        private_database(self._file)
        connection = sqlite3.connect(
            self._file, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            self._prepare(connection)
        except Exception:
            connection.close()
            raise
        self._connection = connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        _enter_wal(connection)
        # What a power cut may spoil is found by checksums and made anew.
        connection.execute("PRAGMA synchronous = OFF")
        if self._stored_format(connection) == self._format:
            return
        with _transaction(connection):
            found = self._stored_format(connection)
            if found == self._format:
                return
            if found is not None:
                _log.warning("cache %s has format %s; it is rebuilt", self._file, found)
            for (name,) in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table'"
            ).fetchall():
                connection.execute(f'DROP TABLE "{name}"')
            for statement in _TABLES.split(";"):
                connection.execute(statement)
            connection.execute("INSERT INTO meta VALUES (?)", (self._format,))

    @staticmethod
    def _stored_format(connection: sqlite3.Connection) -> str | None:
        """Return the format of the database, ``None`` when it is empty."""
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        if not tables:
            return None
        if "meta" not in tables:
            return "unknown"
        row = connection.execute("SELECT * FROM meta").fetchone()
        return str(row[0]) if row else "unknown"

    def _rebuild(self, error: Exception) -> None:
        self._drop()
        if self._rebuilt:
            self._give_up(error)
            return
        self._rebuilt = True
        _log.warning("cache %s is damaged (%s); it is rebuilt", self._file, error)
        try:
            for suffix in ("", "-wal", "-shm"):
                with suppress(FileNotFoundError):
                    os.remove(f"{self._file}{suffix}")
            self._connect()
        except (sqlite3.Error, OSError, ValueError) as second:
            self._give_up(second)

    def _give_up(self, error: Exception) -> None:
        self._drop()
        _log.warning("no cache for this project (%s: %s)", self._file, error)

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()


class _transaction:  # noqa: N801 - reads as a statement
    """``BEGIN IMMEDIATE`` … ``COMMIT`` or ``ROLLBACK``."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __enter__(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if kind is None:
            self._connection.execute("COMMIT")
        elif self._connection.in_transaction:
            with suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")


def _each(
    connection: sqlite3.Connection, hashes: Iterable[bytes]
) -> Iterator[tuple[bytes, int, bytes]]:
    for digest in hashes:
        row = "SELECT hash, crc, data FROM blob WHERE hash = ?"
        yield from connection.execute(row, (digest,)).fetchall()


def _code(error: sqlite3.Error) -> int:
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _enter_wal(connection: sqlite3.Connection) -> None:
    """Switch to write-ahead logging, for which SQLite does not wait by itself."""
    for attempt in range(_WAL_ATTEMPTS):
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if _code(error) not in _BUSY or attempt == _WAL_ATTEMPTS - 1:
                raise
            time.sleep(0.05)
