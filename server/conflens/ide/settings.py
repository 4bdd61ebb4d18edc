"""What a user may switch: the section ``conflens`` of a client's configuration.

The names are those of the client's manifest.  Parsing is total: a value of the wrong type counts
as absent, and is reported in words so that whoever called can log it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, cast

import attrs


class Severity(StrEnum):
    """How loudly a diagnostic is shown."""

    OFF = "off"
    HINT = "hint"
    INFORMATION = "information"
    WARNING = "warning"


@attrs.frozen(kw_only=True)
class Settings:
    """The settings of one workspace folder; ``documentation_paths`` and ``exclude`` are globs."""

    hover: bool = True
    inlay_hints: bool = True
    flow_hints: bool = True
    profile_hints: bool = True
    only_sensitive: bool = False
    """Hints and lenses only for performance-sensitive options."""
    code_lens: bool = True
    flow_lenses: bool = True
    profile_lenses: bool = True
    symbols: bool = True
    diagnostics: bool = True
    conflicting_default: Severity = Severity.WARNING
    unused_read: Severity = Severity.HINT
    undocumented: Severity = Severity.HINT
    sensitive_undocumented: Severity = Severity.INFORMATION
    flow_diagnostics: Severity = Severity.OFF
    documentation_paths: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    profile_folders: tuple[str, ...] = ()
    """Folders and globs whose profiles are imported by themselves."""
    threshold: float = 5
    """By how many percent a run or a method must cost more to be told."""


_SWITCHES = {
    "hover": "hover.enabled",
    "inlay_hints": "inlayHints.enabled",
    "flow_hints": "inlayHints.flows",
    "profile_hints": "inlayHints.profile",
    "only_sensitive": "inlayHints.onlySensitive",
    "code_lens": "codeLens.enabled",
    "flow_lenses": "codeLens.flows",
    "profile_lenses": "codeLens.profile",
    "symbols": "symbols.enabled",
    "diagnostics": "diagnostics.enabled",
}
_SEVERITIES = {
    "conflicting_default": "diagnostics.conflictingDefault",
    "unused_read": "diagnostics.unusedRead",
    "undocumented": "diagnostics.undocumented",
    "sensitive_undocumented": "diagnostics.sensitiveUndocumented",
    "flow_diagnostics": "diagnostics.flows",
}
_LISTS = {
    "documentation_paths": "documentation.paths",
    "exclude": "exclude",
    "profile_folders": "profiles.watch",
}
_PERCENTAGES = {"threshold": "profiles.threshold"}
KEYS: Mapping[str, str] = {**_SWITCHES, **_SEVERITIES, **_LISTS, **_PERCENTAGES}
"""The key of each field, below the section."""
_MOST_PERCENT = 1000


def parse_settings(value: object) -> tuple[Settings, tuple[str, ...]]:
    """Return the settings in ``value`` (JSON of the section) and one line for each bad entry.

    Both spellings that clients send are read: nested (``{"hover": {"enabled": …}}``) and dotted
    (``{"hover.enabled": …}``).  Unknown keys are passed over, since a client may be newer.
    """
    if value is None:
        return Settings(), ()
    if not isinstance(value, Mapping):
        return Settings(), (f"the settings are {_shown(value)}, not an object",)
    problems: list[str] = []
    changes: dict[str, Any] = {}
    for field, key in _SWITCHES.items():
        found = _look_up(value, key)
        if isinstance(found, bool):
            changes[field] = found
        elif found is not None:
            problems.append(f"{key} is {_shown(found)}, not true or false")
    for field, key in _SEVERITIES.items():
        found = _look_up(value, key)
        if isinstance(found, str) and found in set(Severity):
            changes[field] = Severity(found)
        elif found is not None:
            problems.append(f"{key} is {_shown(found)}, not one of {', '.join(Severity)}")
    for field, key in _LISTS.items():
        found = _look_up(value, key)
        if isinstance(found, list) and all(isinstance(item, str) for item in found):
            changes[field] = tuple(found)
        elif found is not None:
            problems.append(f"{key} is {_shown(found)}, not a list of texts")
    for field, key in _PERCENTAGES.items():
        found = _look_up(value, key)
        number = isinstance(found, int | float) and not isinstance(found, bool)
        if number and 0 <= cast(float, found) <= _MOST_PERCENT:
            changes[field] = found
        elif found is not None:
            problems.append(f"{key} is {_shown(found)}, not a number from 0 to {_MOST_PERCENT}")
    return attrs.evolve(Settings(), **changes), tuple(problems)


def _look_up(value: Mapping[str, object], key: str) -> object:
    if key in value:
        return value[key]
    found: object = value
    for part in key.split("."):
        if not isinstance(found, Mapping):
            return None
        found = found.get(part)
    return found


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"
