"""Values that config files gave to the runs: files that the user names, or that the recordings name.

A recording does not hold what a file said.  A file that belongs to one side alone is read as it is today; one that
both sides name says nothing, since it may have been changed between the runs.
Absent: reading files from disk; which option a key is (``joining``).
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence

from conflens.documents.configfiles.model import Assignment, ConfigFile, Kind
from conflens.profiling.model import Origin, RunValue, Snapshot
from conflens.profiling.redaction import redacted

_SALT = secrets.token_bytes(16)
"""Digests are compared within one process only."""
_MAX_PATH = 1000
_NAMING = (Origin.ARGUMENT, Origin.SYSTEM_PROPERTY, Origin.ENVIRONMENT)


def config_values(files: Sequence[ConfigFile]) -> tuple[RunValue, ...]:
    """Return what files set; a later file goes before an earlier one.  Parts for a profile are left out."""
    found: dict[str, RunValue] = {}
    for file in files:
        for one in file.assignments:
            text = _text(one)
            if text is not None and not one.condition:
                value = RunValue(Origin.CONFIG_FILE, one.name, text)
                found[one.name] = redacted(value, _SALT)
    return tuple(found.values())


def _text(one: Assignment) -> str | None:
    if one.kind is Kind.LIST:
        return ",".join(item.text for item in one.items)
    if one.kind is Kind.SCALAR:
        return one.value.text if one.value is not None else ""
    return None


def named_files(
    baseline: Sequence[Snapshot],
    violation: Sequence[Snapshot],
    files: Mapping[str, ConfigFile],
) -> tuple[list[ConfigFile], list[ConfigFile]]:
    """Return the config files of the project that all runs of one side name, and none of the other."""
    one, other = _named(baseline, files), _named(violation, files)
    return (
        [files[path] for path in one if path not in other],
        [files[path] for path in other if path not in one],
    )


def _named(side: Sequence[Snapshot], files: Mapping[str, ConfigFile]) -> list[str]:
    found: list[str] | None = None
    for snapshot in side:
        paths = list(dict.fromkeys(_paths(snapshot, files)))
        found = paths if found is None else [path for path in found if path in paths]
    return found or []


def _paths(snapshot: Snapshot, files: Mapping[str, ConfigFile]) -> Iterator[str]:
    for value in snapshot.values:
        if value.origin not in _NAMING or value.redacted or len(value.value) > _MAX_PATH:
            continue
        text = value.value.removeprefix("file:").replace("\\", "/").removeprefix("./")
        if "." not in text.rpartition("/")[2] or text.endswith(("/", ".jar")):
            continue
        fits = [path for path in files if path == text or f"/{text}".endswith(f"/{path}")] or [
            path for path in files if path.endswith(f"/{text}")
        ]
        if len(fits) == 1:
            yield fits[0]
