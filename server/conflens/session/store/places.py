"""Where caches lie: the platform's folder, one database for each project root; only their user can read them.

What is cached comes out of sources and config files, which others may not be allowed to read.  So files get the mode 0600 and
folders 0700, those that exist already as well.  Only a folder that the user names (``CONFLENS_CACHE_DIR``) keeps the mode it has,
since other things may lie in it.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

_PROJECT_DAYS = 90


def cache_folder() -> Path:
    """Return the platform's folder for caches; ``CONFLENS_CACHE_DIR`` overrides it."""
    own = os.environ.get("CONFLENS_CACHE_DIR")
    if own:
        return Path(own)
    try:
        home = Path.home()
    except RuntimeError:
        home = Path(tempfile.gettempdir())
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(home / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME", "")
        if not os.path.isabs(base):  # the specification has it ignored then
            base = str(home / ".cache")
    return Path(base) / "conflens"


def private_folder(folder: Path) -> None:
    """Create a folder of caches, or close it to others; raises ``OSError``."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    own = os.environ.get("CONFLENS_CACHE_DIR")
    if not own or folder != Path(own):
        _close(folder, 0o700)


def private_database(file: Path) -> None:
    """Create the file of a database, or close it and what SQLite puts beside it to others; raises ``OSError``.

    SQLite gives the files beside a database the mode that this one has.
    """
    os.close(open_regular(str(file), os.O_RDWR | os.O_CREAT))
    for suffix in ("", "-wal", "-shm"):
        _close(Path(f"{file}{suffix}"), 0o600)


def open_regular(name: str, flags: int) -> int:
    """Open a file of the cache, or make it; raises ``OSError`` for a link, a pipe (out of which nothing may ever come) and a
    device."""
    for flag in ("O_NOFOLLOW", "O_NONBLOCK"):
        flags |= getattr(os, flag, 0)
    opened = os.open(name, flags, 0o600)
    if stat.S_ISREG(os.fstat(opened).st_mode):
        return opened
    os.close(opened)
    raise OSError(errno.EINVAL, "is not a regular file", name)


def _close(path: Path, mode: int) -> None:
    """Take away what others may do with a file or folder of this user; where there are no such modes nothing happens."""
    if sys.platform == "win32":
        return
    with suppress(OSError):
        found = path.lstat()
        if stat.S_IMODE(found.st_mode) & ~mode and found.st_uid == os.geteuid():
            path.chmod(mode)


def cache_file(root: str, folder: Path | None = None) -> Path:
    """Return the database of the project at the absolute path ``root``."""
    name = hashlib.blake2b(os.fsencode(root), digest_size=12).hexdigest()
    return (folder or cache_folder()) / f"{name}.sqlite"


def remove_forgotten(folder: Path) -> None:
    """Delete the databases of projects that nobody has opened for 90 days, and classifiers as old."""
    limit = time.time() - _PROJECT_DAYS * 86_400
    for file in (*folder.glob("*.sqlite"), *folder.glob("forest-*.bin")):
        with suppress(OSError):
            if file.stat().st_mtime < limit and not Path(f"{file}-wal").exists():
                file.unlink()
