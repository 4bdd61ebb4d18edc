"""What a user may choose: the one definition of the section ``conflens`` of a client's configuration.

The client's manifest and the tables of settings are made from here (``make reference``).  Parsing is total: a value of the
wrong type counts as absent, and is reported in words so that whoever called can log it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import attrs

from conflens.checking.results import Code, Severity
from conflens.ide.settings.definition import (
    Kind,
    Scope,
    Section,
    Setting,
    choice,
    definition,
    globs,
    percentage,
    severity,
    switch,
)


class Annotations(StrEnum):
    """Which options are annotated, and where: ``CURRENT_LINE`` are the relevant ones, which the client
    shows on the line of the cursor."""

    RELEVANT = "relevant"
    CURRENT_LINE = "currentLine"
    ALL = "all"


@attrs.frozen(kw_only=True)
class Settings:
    """The settings of one workspace folder; within a section the order is that of the settings page."""

    hover: bool = switch(
        "hover.enabled",
        Section.HINTS,
        "Shows what an option is and does when you hover over code that reads it.",
    )
    inlay_hints: bool = switch(
        "inlayHints.enabled",
        Section.HINTS,
        "Shows what an option does, and its name or default where the source code does not show them.",
    )
    flow_hints: bool = switch(
        "inlayHints.flows",
        Section.HINTS,
        "Includes an option's effect on performance in inlay hints, such as “sizes a thread pool”.",
    )
    profile_hints: bool = switch(
        "inlayHints.profile",
        Section.HINTS,
        "Shows the cost of hot methods and lines in the selected snapshots, such as “34 % CPU, +21 %”.",
    )
    placeholder_hints: bool = switch(
        "inlayHints.placeholders",
        Section.HINTS,
        "Shows the resolved value of a config file entry that contains placeholders such as `${name}`.",
    )
    annotations: Annotations = choice(
        "annotations.show",
        Section.HINTS,
        "Which options get inlay hints and code lenses.",
        {
            Annotations.RELEVANT: "Options that affect performance according to the code or an imported profile.",
            Annotations.CURRENT_LINE: "The same options, but only on the line of the cursor and without code lenses.",
            Annotations.ALL: "Every option.",
        },
    )
    symbols: bool = switch(
        "symbols.enabled",
        Section.HINTS,
        "Includes options in document and workspace symbols.",
    )
    code_lens: bool = switch(
        "codeLens.enabled",
        Section.LENSES,
        "Shows code lenses above option declarations: what an option does and how often it is read.",
    )
    flow_lenses: bool = switch(
        "codeLens.flows",
        Section.LENSES,
        "Includes an option's effect on performance in code lenses, such as “sizes a thread pool”.",
    )
    profile_lenses: bool = switch(
        "codeLens.profile",
        Section.LENSES,
        "Shows above each hot method which options explain its cost. Click the lens to open the cause-effect chain.",
    )
    config_lenses: bool = switch(
        "codeLens.configFiles",
        Section.LENSES,
        "Shows an option's effect on performance above its key in config files.",
    )
    diagnostics: bool = switch(
        "diagnostics.enabled",
        Section.CHECKS,
        "Reports problems with options in the editor.",
    )
    conflicting_default: Severity = severity(
        Code.CONFLICTING_DEFAULT,
        "conflictingDefault",
        "an option that is read with different defaults.",
    )
    default_mismatch: Severity = severity(
        Code.DEFAULT_MISMATCH,
        "defaultMismatch",
        "an option whose default in the code differs from the documented one.",
    )
    type_mismatch: Severity = severity(
        Code.TYPE_MISMATCH,
        "typeMismatch",
        "an option that is read as two different types, or whose default does not match its type.",
    )
    unused_read: Severity = severity(
        Code.UNUSED_READ,
        "unusedRead",
        "a read whose value is never used.",
    )
    dead_option: Severity = severity(
        Code.DEAD_OPTION,
        "deadOption",
        "an option that is read but never used.",
    )
    deprecated_option: Severity = severity(
        Code.DEPRECATED_OPTION,
        "deprecatedOption",
        "reading or setting a deprecated option.",
    )
    undocumented: Severity = severity(
        Code.UNDOCUMENTED_OPTION,
        "undocumented",
        "an option that is not mentioned in any of the searched documents.",
    )
    sensitive_undocumented: Severity = severity(
        Code.SENSITIVE_UNDOCUMENTED,
        "sensitiveUndocumented",
        "an undocumented option that is likely to affect performance (with a probability of at least 75 %, or by "
        "your own verdict). If this is off, the option is reported like any other undocumented option.",
    )
    unused_option: Severity = severity(
        Code.UNUSED_OPTION,
        "unusedOption",
        "an option that appears in a document or config file but is not read by any code.",
    )
    unknown_option: Severity = severity(
        Code.UNKNOWN_OPTION,
        "unknownOption",
        "a config file key that matches no option but resembles one, or belongs to a namespace whose options are all known.",
    )
    invalid_value: Severity = severity(
        Code.INVALID_VALUE,
        "invalidValue",
        "a config file value that the code does not accept.",
    )
    adjusted_value: Severity = severity(
        Code.ADJUSTED_VALUE,
        "adjustedValue",
        "a config file value that the code replaces by another one, such as the minimum.",
    )
    ineffective_option: Severity = severity(
        Code.INEFFECTIVE_OPTION,
        "ineffectiveOption",
        "an option in a config file that is not used because another option, which it needs, is off.",
    )
    duplicate_key: Severity = severity(
        Code.DUPLICATE_KEY,
        "duplicateKey",
        "a key that occurs twice in one config file.",
    )
    overridden_key: Severity = severity(
        Code.OVERRIDDEN_KEY,
        "overriddenKey",
        "a key that another assignment overrides.",
    )
    placeholder: Severity = severity(
        Code.PLACEHOLDER,
        "placeholder",
        "a placeholder such as `${name}` that cannot be resolved or that refers to itself.",
    )
    flow_diagnostics: Severity = severity(
        Code.REACHES_OPERATION,
        "flows",
        "the message at each read that shows the path to the nearest performance operation, step by step.",
    )
    completion: bool = switch(
        "completion.enabled",
        Section.CONFIG_FILES,
        "Completes keys, values and placeholder names in the project's config files.",
    )
    config_files: tuple[str, ...] = globs(
        "configFiles.paths",
        Section.CONFIG_FILES,
        "Glob patterns of files to treat as config files, relative to the workspace folder, such as `conf/*.yaml`. A pattern "
        "that starts with `!` excludes files. All other files are recognised by their keys.",
    )
    documentation_paths: tuple[str, ...] = globs(
        "documentation.paths",
        Section.DOCUMENTATION,
        "Glob patterns of additional files to search for documentation, relative to the workspace folder, such as `docs/**/*.md`.",
    )
    profile_folders: tuple[str, ...] = globs(
        "profiles.watch",
        Section.PROFILES,
        "Folders to watch for new profiles, or glob patterns, relative to the workspace folder, such as `build/profiles` or "
        "`runs/**/*.jfr`. If there is a baseline, the newest profile becomes the slow run. `.conflens/profiles` is always watched.",
    )
    threshold: float = percentage(
        "profiles.threshold",
        Section.PROFILES,
        "Minimum cost increase over the baseline, in percent, for a run or method to be reported.",
        default=5,
    )
    exclude: tuple[str, ...] = globs(
        "exclude",
        Section.SERVER,
        "Glob patterns of files to exclude, relative to the workspace folder, such as `**/generated/**`.",
    )


CLIENT_SETTINGS = (
    Setting(
        key="options.badge",
        section=Section.CHECKS,
        kind=Kind.SWITCH,
        default=True,
        scope=Scope.WINDOW,
        text="Shows the number of undocumented performance-sensitive options on the ConfLens icon.",
    ),
    Setting(
        key="server.command",
        section=Section.SERVER,
        kind=Kind.COMMAND,
        default=(),
        scope=Scope.MACHINE,
        text='The command that runs ConfLens: a path, or a list such as `["/opt/venv/bin/python", "-m", "conflens"]`. `serve --stdio` is '
        "appended if `serve` is missing. `~`, `${workspaceFolder}`, `${userHome}` and `${env:NAME}` are expanded; relative "
        "paths are resolved against the first workspace folder. If empty, ConfLens tries the active Python environment, `conflens` on "
        "`PATH` and a private environment that it offers to create.",
    ),
    Setting(
        key="trace.server",
        section=Section.SERVER,
        kind=Kind.CHOICE,
        default="off",
        scope=Scope.WINDOW,
        choices={
            "off": "No messages.",
            "messages": "The name of each message and its response time.",
            "verbose": "The full content of each message.",
        },
        text="Logs the messages between editor and server to the output channel.",
    ),
)
"""What only the client of VS Code reads; the server passes it over."""

SETTINGS: Mapping[str, Setting] = {
    attribute.name: definition(attribute) for attribute in attrs.fields(Settings)
}
"""The definition of each field."""

FIELDS: Mapping[Code, str] = {
    setting.code: field for field, setting in SETTINGS.items() if setting.code is not None
}
"""The field with the severity of each kind of finding."""


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
    for field, setting in SETTINGS.items():
        found = _look_up(value, setting.key)
        if found is None:
            continue
        meant, problem = setting.read(found)
        if problem:
            problems.append(f"{setting.key} is {_shown(found)}, {problem}")
        else:
            changes[field] = meant
    return attrs.evolve(Settings(), **changes), tuple(problems)


def severities(settings: Settings) -> Mapping[Code, Severity]:
    """Return how loud each kind of finding is to be."""
    return {code: getattr(settings, field) for code, field in FIELDS.items()}


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
