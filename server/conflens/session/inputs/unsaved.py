"""Open documents that are not on disk: which of them count.

They are judged as if they were saved: a walk is made of the document and the ignore files above it alone.  Where nothing at all is on disk
(files without a folder), what folders are called says nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from conflens.base.system import MemorySystem, System
from conflens.session.inputs.policy import (
    EXCLUDES,
    OUTSIDE,
    Discovered,
    Rules,
    discover_files,
    is_passed_over,
)

_IGNORES = ".gitignore"


def unsaved(
    system: System, rules: Rules, found: Discovered, texts: Mapping[str, bytes]
) -> frozenset[str]:
    """Return those of some unknown documents, path to text, that are not on disk and would count there; ``found`` is there."""
    left_out = {
        item.path for item in found.left_out if item.reason != OUTSIDE or item.path.endswith("/")
    }
    folders = tuple(path for path in left_out if path.endswith("/"))
    beside = {path.rpartition("/")[0] for path in left_out}
    alone = not (found.java or found.documents or found.entered - {""})
    return frozenset(
        path
        for path, text in texts.items()
        if not path.startswith(folders)
        and path.rpartition("/")[0] not in beside
        and not is_passed_over(path)
        and not _is_there(system, path)
        and (alone or _counts(system, rules, path, text))
    )


def _is_there(system: System, path: str) -> bool:
    try:
        system.stat(path)
    except OSError:
        return False
    return True


def _counts(system: System, rules: Rules, path: str, text: bytes) -> bool:
    files = {path: text}
    above = path
    ignores = [EXCLUDES]
    while above:
        above = above.rpartition("/")[0]
        ignores.append(f"{above}/{_IGNORES}" if above else _IGNORES)
    for one in ignores:
        try:
            files[one] = system.read(one)
        except OSError:
            continue
    saved = discover_files(MemorySystem(files), rules)
    return any(file.path == path for file in (*saved.java, *saved.documents))
