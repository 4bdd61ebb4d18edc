"""The classifier for tests that are about something else: fitted once for a state of the sources, then put into their caches.

To fit it costs more than most of what such a test does.  It is kept in ``build/tests`` under the digest of everything that it is made
from; tests of the fitting itself and of what happens while it runs use caches of their own.
"""

from __future__ import annotations

import hashlib
import shutil
from functools import cache
from pathlib import Path

from conflens.sensitivity.table import packaged
from conflens.session.verdicts.forests import Forests
from patience import PATIENCE

HOUSE = Path(__file__).resolve().parents[1]


@cache
def fitted() -> Path:
    """Return a folder with the forest of the packaged table."""
    files = sorted((HOUSE / "server" / "conflens" / "sensitivity").rglob("*.py"))
    files += [HOUSE / "requirements.lock"]
    digest = hashlib.blake2b(b"".join(file.read_bytes() for file in files), digest_size=8)
    folder = HOUSE / "build" / "tests" / f"forest-{digest.hexdigest()}"
    forests = Forests(packaged(), folder)
    assert forests.wait(PATIENCE) and forests.forest is not None, forests.failure
    return folder


def planted(folder: Path) -> Path:
    """Put the forest into a folder of caches, and return that."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for file in fitted().glob("forest-*.bin"):
        shutil.copyfile(file, folder / file.name)
    return folder
