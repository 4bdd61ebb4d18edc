"""Where caches lie: the platform's folder, one database for each project root."""

from __future__ import annotations

import hashlib
import os
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
