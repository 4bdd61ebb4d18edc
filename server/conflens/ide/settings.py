"""What a user may switch: the section ``conflens`` of a client's configuration.

The names are those of the client's manifest.  Parsing is total: a value of the wrong type counts
as absent, and is reported in words so that whoever called can log it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import attrs

from conflens.checking.results import SEVERITIES, Code, Severity


@attrs.frozen(kw_only=True)
class Settings:
    """The settings of one workspace folder; ``documentation_paths`` and ``exclude`` are globs."""

    hover: bool = True
    inlay_hints: bool = True
    flow_hints: bool = True
    profile_hints: bool = True
    placeholder_hints: bool = True
    only_sensitive: bool = False
    """Hints and lenses only for performance-sensitive options."""
    code_lens: bool = True
    flow_lenses: bool = True
    profile_lenses: bool = True
    config_lenses: bool = True
    completion: bool = True
    symbols: bool = True
    diagnostics: bool = True
    conflicting_default: Severity = Severity.WARNING
    unused_read: Severity = Severity.HINT
    undocumented: Severity = Severity.HINT
    sensitive_undocumented: Severity = Severity.INFORMATION
    flow_diagnostics: Severity = Severity.OFF
    default_mismatch: Severity = SEVERITIES[Code.DEFAULT_MISMATCH]
    type_mismatch: Severity = SEVERITIES[Code.TYPE_MISMATCH]
    dead_option: Severity = SEVERITIES[Code.DEAD_OPTION]
    deprecated_option: Severity = SEVERITIES[Code.DEPRECATED_OPTION]
    unused_option: Severity = SEVERITIES[Code.UNUSED_OPTION]
    unknown_option: Severity = SEVERITIES[Code.UNKNOWN_OPTION]
    invalid_value: Severity = SEVERITIES[Code.INVALID_VALUE]
    duplicate_key: Severity = SEVERITIES[Code.DUPLICATE_KEY]
    overridden_key: Severity = SEVERITIES[Code.OVERRIDDEN_KEY]
    placeholder: Severity = SEVERITIES[Code.PLACEHOLDER]
    documentation_paths: tuple[str, ...] = ()
    config_files: tuple[str, ...] = ()
    """Globs of files that are config files whatever their keys, with ``!`` of files that are none."""
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
    "placeholder_hints": "inlayHints.placeholders",
    "only_sensitive": "inlayHints.onlySensitive",
    "code_lens": "codeLens.enabled",
    "flow_lenses": "codeLens.flows",
    "profile_lenses": "codeLens.profile",
    "config_lenses": "codeLens.configFiles",
    "completion": "completion.enabled",
    "symbols": "symbols.enabled",
    "diagnostics": "diagnostics.enabled",
}
_SEVERITIES = {
    "conflicting_default": "diagnostics.conflictingDefault",
    "unused_read": "diagnostics.unusedRead",
    "undocumented": "diagnostics.undocumented",
    "sensitive_undocumented": "diagnostics.sensitiveUndocumented",
    "flow_diagnostics": "diagnostics.flows",
    "default_mismatch": "diagnostics.defaultMismatch",
    "type_mismatch": "diagnostics.typeMismatch",
    "dead_option": "diagnostics.deadOption",
    "deprecated_option": "diagnostics.deprecatedOption",
    "unused_option": "diagnostics.unusedOption",
    "unknown_option": "diagnostics.unknownOption",
    "invalid_value": "diagnostics.invalidValue",
    "duplicate_key": "diagnostics.duplicateKey",
    "overridden_key": "diagnostics.overriddenKey",
    "placeholder": "diagnostics.placeholder",
}
FIELDS: Mapping[Code, str] = {
    Code.CONFLICTING_DEFAULT: "conflicting_default",
    Code.UNUSED_READ: "unused_read",
    Code.UNDOCUMENTED_OPTION: "undocumented",
    Code.SENSITIVE_UNDOCUMENTED: "sensitive_undocumented",
    Code.REACHES_OPERATION: "flow_diagnostics",
    Code.DEFAULT_MISMATCH: "default_mismatch",
    Code.TYPE_MISMATCH: "type_mismatch",
    Code.DEAD_OPTION: "dead_option",
    Code.DEPRECATED_OPTION: "deprecated_option",
    Code.UNUSED_OPTION: "unused_option",
    Code.UNKNOWN_OPTION: "unknown_option",
    Code.INVALID_VALUE: "invalid_value",
    Code.DUPLICATE_KEY: "duplicate_key",
    Code.OVERRIDDEN_KEY: "overridden_key",
    Code.PLACEHOLDER: "placeholder",
}
"""The field with the severity of each kind of finding."""
_LISTS = {
    "documentation_paths": "documentation.paths",
    "config_files": "configFiles.paths",
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


def with_severities(settings: Settings, severities: Mapping[Code, Severity]) -> Settings:
    """Return settings with what a project says of severities; that goes before what a person has set."""
    if not severities:
        return settings
    changes: dict[str, Any] = {FIELDS[code]: said for code, said in severities.items()}
    return attrs.evolve(settings, **changes)


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
