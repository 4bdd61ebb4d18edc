"""How one setting is defined: its key, default, section and text, and how a value of it is read.

Terms
    setting   something that a person may choose in the editor; its key lies below ``conflens.``.
    section   the group under which editors list it.
    kind      what values it takes, and so how they are read.

A setting of the server is an attribute of ``settings.Settings`` that ``switch``, ``severity``, ``globs`` or ``percentage``
makes; a setting that only the client reads is a ``Setting`` of its own.  Whatever is shown of settings (the client's manifest,
pages) is made from these definitions.  A text is Markdown and one or two plain sentences.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, StrEnum
from typing import Any, cast

import attrs

from conflens.checking.results import SEVERITIES, Code, Severity


class Section(StrEnum):
    """The groups of settings, in the order in which they are listed."""

    HINTS = "Hover and hints"
    LENSES = "Code lenses"
    CHECKS = "Checks"
    CONFIG_FILES = "Config files"
    DOCUMENTATION = "Documentation"
    PROFILES = "Profiles"
    SERVER = "Server"


class Kind(Enum):
    """What values a setting takes."""

    SWITCH = "true or false"
    SEVERITY = "a severity"
    GLOBS = "a list of texts"
    PERCENTAGE = "a number"
    COMMAND = "a path or a list of texts"
    CHOICE = "one of some words"


class Scope(StrEnum):
    """For what a value may be chosen, in the editor's words."""

    FOLDER = "resource"
    WINDOW = "window"
    MACHINE = "machine-overridable"


MOST_PERCENT = 1000


@attrs.frozen(kw_only=True)
class Setting:
    """One setting; ``choices`` are its words with their meaning, ``code`` is what it is the severity of."""

    key: str
    section: Section
    kind: Kind
    default: object
    text: str
    scope: Scope = Scope.FOLDER
    choices: Mapping[str, str] = attrs.field(factory=dict)
    code: Code | None = None

    def read(self, value: object) -> tuple[Any, str]:
        """Return what ``value`` (JSON) means, and why it cannot be taken, which is empty if it can."""
        match self.kind:
            case Kind.SWITCH:
                return value, "" if isinstance(value, bool) else "not true or false"
            case Kind.SEVERITY:
                if isinstance(value, str) and value in set(Severity):
                    return Severity(value), ""
                return None, f"not one of {', '.join(Severity)}"
            case Kind.GLOBS:
                if isinstance(value, list) and all(isinstance(item, str) for item in value):
                    return tuple(value), ""
                return None, "not a list of texts"
            case Kind.PERCENTAGE:
                number = isinstance(value, (int, float)) and not isinstance(value, bool)
                if number and 0 <= cast(float, value) <= MOST_PERCENT:
                    return value, ""
                return None, f"not a number from 0 to {MOST_PERCENT}"
            case Kind.CHOICE:
                if isinstance(value, str) and value in self.choices:
                    return cast(type[StrEnum], type(self.default))(value), ""
                return None, f"not one of {', '.join(self.choices)}"
            case Kind.COMMAND:
                return None, "not for the server"


_DEFINITION = "setting"
_LOUDNESS = {
    Severity.OFF: "Not reported.",
    Severity.HINT: "A faint mark in the code; not listed as a problem.",
    Severity.INFORMATION: "Underlined and listed as information.",
    Severity.WARNING: "Underlined and listed as a warning.",
    Severity.ERROR: "Underlined and listed as an error.",
}


def switch(key: str, section: Section, text: str, *, default: bool = True) -> Any:
    """Define something that can be on or off."""
    return _defined(
        Setting(key=key, section=section, kind=Kind.SWITCH, default=default, text=text)
    )


def severity(code: Code, key: str, text: str) -> Any:
    """Define how loudly findings of ``code`` are reported; ``text`` goes on after "Severity of"."""
    return _defined(
        Setting(
            key=f"diagnostics.{key}",
            section=Section.CHECKS,
            kind=Kind.SEVERITY,
            default=SEVERITIES[code],
            text=f"Severity of {text}",
            choices={item.value: _LOUDNESS[item] for item in Severity},
            code=code,
        )
    )


def globs(key: str, section: Section, text: str) -> Any:
    """Define a list of glob patterns, empty by default."""
    return _defined(Setting(key=key, section=section, kind=Kind.GLOBS, default=(), text=text))


def choice(key: str, section: Section, text: str, choices: Mapping[StrEnum, str]) -> Any:
    """Define one of some words, the first by default; ``choices`` gives each word its meaning."""
    return _defined(
        Setting(
            key=key,
            section=section,
            kind=Kind.CHOICE,
            default=next(iter(choices)),
            text=text,
            choices={word.value: meaning for word, meaning in choices.items()},
        )
    )


def percentage(key: str, section: Section, text: str, *, default: float) -> Any:
    """Define a number of percent."""
    return _defined(
        Setting(key=key, section=section, kind=Kind.PERCENTAGE, default=default, text=text)
    )


def definition(attribute: attrs.Attribute[Any]) -> Setting:
    """Return the setting that an attribute holds."""
    found = attribute.metadata[_DEFINITION]
    assert isinstance(found, Setting)
    return found


def _defined(setting: Setting) -> Any:
    return attrs.field(default=setting.default, metadata={_DEFINITION: setting})
