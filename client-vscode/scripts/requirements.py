"""Writes what the server needs to run, pinned by content hash: the part of ``requirements.lock`` without tools.

The extension carries the result, so that a private environment holds the very libraries that the server was tested with,
whatever has been published since.  Which packages are needed is read from what is installed here.  One that only another
system or another Python needs, and that is not in the lock, is an error: it would be missing there.

Usage: python requirements.py LOCK OUT
"""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

_HEAD = "# The libraries of the server; made from requirements.lock.\n"
_PYTHONS = ("3.11", "3.12", "3.13", "3.14")
_SYSTEMS = (
    {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"},
    {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix"},
    {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt"},
)
_IMPLEMENTATION = {
    "implementation_name": "cpython",
    "platform_python_implementation": "CPython",
}
ENVIRONMENTS: tuple[dict[str, str], ...] = tuple(
    {
        "python_version": python,
        "python_full_version": f"{python}.0",
        "platform_machine": machine,
        **_IMPLEMENTATION,
        **system,
    }
    for python, system, machine in itertools.product(_PYTHONS, _SYSTEMS, ("x86_64", "arm64"))
)
"""Where the server is meant to run."""


def main() -> None:
    """Write the file."""
    lock, out = map(Path, sys.argv[1:])
    out.write_text(requirements(lock.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")


def requirements(lock: str, root: str = "conflens") -> str:
    """Return the entries of ``lock`` that ``root`` needs somewhere; raise ``LookupError`` if one is missing."""
    entries = dict(pinned(lock))
    wanted = needed(root)
    if missing := sorted(wanted - set(entries)):
        raise LookupError(f"requirements.lock lacks {', '.join(missing)}")
    return _HEAD + "".join(text for name, text in entries.items() if name in wanted)


def pinned(lock: str) -> Iterator[tuple[str, str]]:
    """Yield the name of each package in ``lock`` and its lines."""
    for entry in re.split(r"^(?=[A-Za-z0-9])", lock, flags=re.MULTILINE)[1:]:
        yield canonicalize_name(entry.partition("==")[0]), entry


def needed(root: str) -> set[str]:
    """Return the names of all packages that ``root`` needs to run, in one of the environments."""
    found: set[str] = set()
    waiting: list[tuple[str, frozenset[str]]] = [(root, frozenset())]
    seen = set(waiting)
    while waiting:
        name, extras = waiting.pop()
        for requirement in _requirements(name):
            if not _applies(requirement, extras):
                continue
            dependency = canonicalize_name(requirement.name)
            found.add(dependency)
            step = (dependency, frozenset(requirement.extras))
            if step not in seen:
                seen.add(step)
                waiting.append(step)
    return found


def _requirements(name: str) -> Iterable[Requirement]:
    try:
        return [Requirement(text) for text in requires(name) or ()]
    except PackageNotFoundError:  # of another system; what is not in the lock is told by name
        return []


def _applies(requirement: Requirement, extras: frozenset[str]) -> bool:
    marker = requirement.marker
    return marker is None or any(
        marker.evaluate({**environment, "extra": extra})
        for environment in ENVIRONMENTS
        for extra in (*extras, "")
    )


if __name__ == "__main__":
    main()
