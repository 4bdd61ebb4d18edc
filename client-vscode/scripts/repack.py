"""Packs an archive anew, so that equal contents give equal bytes.

What the first packer took from its surroundings is made fixed: the order of entries, their dates and modes.  The date is
``SOURCE_DATE_EPOCH`` (seconds since 1970) or, without one, that of the wheel's builder.

Usage: python repack.py ARCHIVE
"""

from __future__ import annotations

import os
import sys
import time
import zipfile
from pathlib import Path

_EPOCH = 1580601600
_FIRST = 315532800
"""The first second that an archive can name, in 1980."""
_MODE = 0o100644
_UNIX = 3


def main() -> None:
    """Replace the archive."""
    repack(Path(sys.argv[1]), int(os.environ.get("SOURCE_DATE_EPOCH", _EPOCH)))


def repack(path: Path, epoch: int = _EPOCH) -> None:
    """Replace the archive at ``path`` by one with the same files."""
    date = time.gmtime(max(epoch, _FIRST))[:6]
    fresh = path.with_name(f"{path.name}.new")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(fresh, "w") as new:
        for name in sorted(old.namelist()):
            entry = zipfile.ZipInfo(name, date)
            entry.create_system = _UNIX
            entry.external_attr = _MODE << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(entry, old.read(name))
    fresh.replace(path)


if __name__ == "__main__":
    main()
