"""The imported snapshots of one project, kept on disk so that a restart finds them.

Terms: an *entry* says what a list shows of a snapshot, its *role* and where it came from; its *data* is the snapshot
as ``profiling.codec`` encodes it.  Both are a file each in a folder of the project in the user's cache folder, behind
a digest.  A *tombstone* is the id of a snapshot that a person dropped, so that a watched folder does not bring it back.

Invariants: files appear whole or not at all, and only this user can read them, because they hold values that a
run was configured with.  What is damaged, or of another format, is dropped with one log line.  There are at most
``MAX_COUNT`` snapshots of ``MAX_BYTES`` together: beyond, the oldest without a role go.  What cannot be written is
kept in memory, with one log line.  Every method may be called from any thread; none raises but as it says.
Absent: what the data mean, decoding, which role a new one gets (``snapshots``).
"""

from __future__ import annotations

import hashlib
import logging
import os
import secrets
import shutil
import tempfile
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from enum import StrEnum
from pathlib import Path

import msgspec

from conflens.session.snapshots.messages import Summary
from conflens.session.store.places import cache_folder, private_folder

_log = logging.getLogger("conflens.session.snapshots.store")

FORMAT = 1
"""Version of the entries; what the data mean has its own version, given by the user of the store."""

MAX_COUNT = 50
MAX_BYTES = 1_000_000_000
_MAX_ENTRY = 1_000_000
_MAX_TOMBSTONES = 500
_FORGOTTEN_DAYS = 90
_DIGEST = 16
_SALT = 32
_ENTRY, _DATA, _TOMBSTONES = ".entry", ".data", "dropped"


class Role(StrEnum):
    """Which side of a comparison a snapshot is on."""

    BASELINE = "baseline"
    VIOLATION = "violation"


class Origin(msgspec.Struct, frozen=True):
    """The file a snapshot was read from: its path as bytes (empty for a recording of ours, whose file is gone), its size, and
    its modification time in nanoseconds."""

    path: bytes
    size: int
    modified: int


class SourceState(msgspec.Struct, frozen=True):
    """What Java files held: path and fingerprint of each (``source_changes``), in a format of facts."""

    format: int
    files: tuple[tuple[str, bytes], ...]


class Entry(msgspec.Struct, frozen=True):
    """See the module text.

    ``imported`` is in seconds since 1970, ``stored`` in bytes; ``chosen``: a person has decided on its role, also on none;
    ``sources``: what the files that it ran held when it was imported, once that is known.
    """

    id: str
    name: str
    origin: Origin
    imported: float
    summary: Summary
    role: Role | None = None
    stored: int = 0
    chosen: bool = False
    sources: SourceState | None = None

    @property
    def ended(self) -> float:
        """When the run ended, in seconds since 1970: as recorded, else when its file was written."""
        return self.summary.taken or self.origin.modified / 1e9


class _Stored(msgspec.Struct, frozen=True):
    """An entry on disk."""

    meaning: str
    entry: Entry


_decoder = msgspec.msgpack.Decoder(_Stored)
_encoder = msgspec.msgpack.Encoder()


def identity(origin: Origin) -> str:
    """Return the id of what a file held when it looked like this."""
    text = b"%d\0%d\0%s" % (origin.size, origin.modified, origin.path)
    return hashlib.blake2b(text, digest_size=10).hexdigest()


def project_folder(root: str) -> Path:
    """Return where the snapshots of the project at the absolute path ``root`` are kept."""
    name = hashlib.blake2b(os.fsencode(root), digest_size=12).hexdigest()
    return cache_folder() / f"{name}.snapshots"


def redaction_salt(folder: Path | None = None) -> bytes:
    """Return this user's salt for digests of redacted values, made at the first use.

    Digests of two snapshots can be compared, but not looked up.  If it cannot be kept it is as good as
    random: then equal secrets of two snapshots do not look equal.
    """
    file = (folder or cache_folder()) / "redaction.salt"
    try:
        private_folder(file.parent)
        for _ in range(2):
            with suppress(FileNotFoundError):
                found = file.read_bytes()
                if len(found) == _SALT:
                    return found
                file.unlink()
            handle, name = tempfile.mkstemp(prefix="salt-", dir=file.parent)  # mode 0600
            try:
                with os.fdopen(handle, "wb") as out:
                    out.write(secrets.token_bytes(_SALT))
                with suppress(FileExistsError):
                    os.link(name, file)
            finally:
                Path(name).unlink(missing_ok=True)
        return file.read_bytes()
    except OSError as error:
        _log.warning("the salt for secrets of snapshots cannot be kept: %s", error)
        return secrets.token_bytes(_SALT)


class SnapshotStore:
    """See the module text."""

    def __init__(self, folder: Path, meaning: str) -> None:
        """Keep snapshots in ``folder``; data of another ``meaning`` are dropped.  Reads nothing yet."""
        self._folder = folder
        self._meaning = f"{FORMAT}/{meaning}"
        self._lock = threading.RLock()
        self._entries: dict[str, Entry] | None = None
        self._unwritten: dict[str, bytes] = {}
        self._tombstones: dict[str, None] = {}

    def entries(self) -> tuple[Entry, ...]:
        """Return what there is, the last imported first."""
        with self._lock:
            found = self._loaded().values()
            return tuple(sorted(found, key=lambda entry: entry.imported, reverse=True))

    def data(self, name: str) -> bytes | None:
        """Return the data of the snapshot with an id; one whose data are damaged is dropped."""
        with self._lock:
            if name not in self._loaded():
                return None
            if name in self._unwritten:
                return self._unwritten[name]
            try:
                return _read(self._folder / f"{name}{_DATA}")
            except (OSError, ValueError) as error:
                self._forget(name, f"its data cannot be read: {error}")
                return None

    def put(self, entry: Entry, data: bytes) -> tuple[str, ...]:
        """Keep a snapshot in place of what has its id; return the ids that had to go for it."""
        with self._lock:
            entries = self._loaded()
            entry = msgspec.structs.replace(entry, stored=len(data))
            entries[entry.id] = entry
            self._tombstones.pop(entry.id, None)
            self._unwritten.pop(entry.id, None)
            try:
                private_folder(self._folder.parent)
                private_folder(self._folder)
                _write(self._folder / f"{entry.id}{_DATA}", data)
            except OSError as error:
                self._unwritten[entry.id] = data
                _log.warning("%s is kept until the server ends only: %s", entry.name, error)
            self._write_entry(entry)
            return self._shrunk(entry.id)

    def change(self, roles: Mapping[str, Role | None], chosen: bool = True) -> None:
        """Give snapshots new roles, by id; unknown ones are passed over.  ``chosen``: a person wants it so."""
        with self._lock:
            entries = self._loaded()
            for name, role in roles.items():
                entry = entries.get(name)
                if entry is None:
                    continue
                changed = msgspec.structs.replace(entry, role=role, chosen=chosen or entry.chosen)
                if changed != entry:
                    entries[name] = changed
                    self._write_entry(changed)

    def note_sources(self, name: str, sources: SourceState) -> None:
        """Keep what the files that a snapshot ran hold; an unknown id is passed over."""
        with self._lock:
            entry = self._loaded().get(name)
            if entry is not None:
                entry = self._loaded()[name] = msgspec.structs.replace(entry, sources=sources)
                self._write_entry(entry)

    def remove(self, name: str) -> None:
        """Forget a snapshot that another takes the place of."""
        with self._lock:
            self._remove(name)

    def drop(self, name: str) -> bool:
        """Forget a snapshot, for good; tell whether there was one."""
        with self._lock:
            if name not in self._loaded():
                return False
            self._remove(name)
            self._tombstones[name] = None
            while len(self._tombstones) > _MAX_TOMBSTONES:
                del self._tombstones[next(iter(self._tombstones))]
            with suppress(OSError):
                _write(self._folder / _TOMBSTONES, _encoder.encode(list(self._tombstones)))
            return True

    def dropped(self, name: str) -> bool:
        """Tell whether a person dropped the snapshot with this id."""
        with self._lock:
            self._loaded()
            return name in self._tombstones

    def forget(self, name: str, reason: str) -> None:
        """Forget a snapshot whose data turned out to be of no use."""
        with self._lock:
            if name in self._loaded():
                self._forget(name, reason)

    def _loaded(self) -> dict[str, Entry]:
        if self._entries is None:
            self._entries = {}
            self._load(self._entries)
        return self._entries

    def _load(self, entries: dict[str, Entry]) -> None:
        with suppress(OSError):
            _remove_forgotten(self._folder)
        try:
            files = sorted(self._folder.iterdir())
            os.utime(self._folder)
        except FileNotFoundError:
            return
        except OSError as error:
            _log.warning("the snapshots of this project cannot be read: %s", error)
            return
        with suppress(OSError, ValueError, msgspec.DecodeError):
            found = msgspec.msgpack.decode(_read(self._folder / _TOMBSTONES), type=list[str])
            self._tombstones = dict.fromkeys(found)
        for file in files:
            if file.suffix == _ENTRY:
                self._load_entry(file, entries)
        known = {f"{name}{_DATA}" for name in entries}
        for file in files:
            if file.suffix == _DATA and file.name not in known:
                with suppress(OSError):
                    file.unlink()

    def _load_entry(self, file: Path, entries: dict[str, Entry]) -> None:
        try:
            stored = _decoder.decode(_read(file, _MAX_ENTRY))
            if stored.meaning != self._meaning:
                raise ValueError("it is of another version of ConfLens")
            if stored.entry.id != file.stem:
                raise ValueError("it is not where it belongs")
            size = (self._folder / f"{file.stem}{_DATA}").stat().st_size
            if size != stored.entry.stored + _DIGEST:
                raise ValueError("its data are cut off")
        except (OSError, ValueError, msgspec.DecodeError) as error:
            _log.warning("a stored snapshot is dropped: %s", error)
            self._unlink(file.stem)
            return
        entries[file.stem] = stored.entry

    def _shrunk(self, newest: str) -> tuple[str, ...]:
        """Make room; the newest stays."""
        gone = []
        entries = self._loaded()
        free = [entry for entry in self.entries() if entry.role is None and entry.id != newest]
        while free and (
            len(entries) > MAX_COUNT or sum(e.stored for e in entries.values()) > MAX_BYTES
        ):
            oldest = free.pop()
            _log.info("%s makes room for newer snapshots", oldest.name)
            self._remove(oldest.id)
            gone.append(oldest.id)
        return tuple(gone)

    def _write_entry(self, entry: Entry) -> None:
        if entry.id in self._unwritten:
            return
        try:
            data = _encoder.encode(_Stored(self._meaning, entry))
            _write(self._folder / f"{entry.id}{_ENTRY}", data)
        except OSError as error:
            _log.warning("%s is not kept as it is now: %s", entry.name, error)

    def _forget(self, name: str, reason: str) -> None:
        _log.warning("the snapshot %s is dropped: %s", self._loaded()[name].name, reason)
        self._remove(name)

    def _remove(self, name: str) -> None:
        self._loaded().pop(name, None)
        self._unwritten.pop(name, None)
        self._unlink(name)

    def _unlink(self, name: str) -> None:
        for suffix in (_ENTRY, _DATA):
            with suppress(OSError):
                (self._folder / f"{name}{suffix}").unlink()


def _read(file: Path, limit: int = MAX_BYTES) -> bytes:
    """Return what was written; ``ValueError`` if it is damaged."""
    with file.open("rb") as stream:
        found = stream.read(limit + _DIGEST + 1)
    digest, data = found[:_DIGEST], found[_DIGEST:]
    if len(data) > limit or hashlib.blake2b(data, digest_size=_DIGEST).digest() != digest:
        raise ValueError("it is damaged")
    return data


def _write(file: Path, data: bytes) -> None:
    """Write a file that others see whole or not at all, and only this user."""
    handle, name = tempfile.mkstemp(prefix=file.name, suffix=".new", dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(hashlib.blake2b(data, digest_size=_DIGEST).digest())
            out.write(data)
        Path(name).replace(file)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def _remove_forgotten(folder: Path) -> None:
    """Delete the snapshots of projects that nobody has opened for long, and halves of ours."""
    limit = time.time() - _FORGOTTEN_DAYS * 86_400
    for other in folder.parent.glob("*.snapshots"):
        with suppress(OSError):
            if other != folder and other.stat().st_mtime < limit:
                shutil.rmtree(other)
    for half in folder.glob("*.new"):
        with suppress(OSError):
            if half.stat().st_mtime < time.time() - 3_600:
                half.unlink()
