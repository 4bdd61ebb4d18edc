"""What is made from the definitions of settings: a section of the client's manifest, the server's page, a table of the client's README.

The manifest and the README are otherwise written by hand, so only their part is put in: ``contributes.configuration`` of
the manifest, which is JSON as npm writes it, and what stands between two marks in the README.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from conflens.checking.results import Severity
from conflens.ide.settings.definition import MOST_PERCENT, Kind, Section, Setting
from conflens.ide.settings.settings import CLIENT_SETTINGS, SETTINGS

HOUSE = Path(__file__).resolve().parents[2]
MANIFEST = "client-vscode/package.json"
README = "client-vscode/README.md"

_BEGIN = "<!-- Settings: made by `make reference`. -->\n"
_END = "<!-- End of settings. -->\n"
_TEXTS: dict[str, Any] = {"type": "array", "items": {"type": "string"}}
_TYPES: dict[Kind, dict[str, Any]] = {
    Kind.SWITCH: {"type": "boolean"},
    Kind.SEVERITY: {"type": "string"},
    Kind.GLOBS: _TEXTS,
    Kind.PERCENTAGE: {"type": "number", "minimum": 0, "maximum": MOST_PERCENT},
    Kind.COMMAND: {**_TEXTS, "type": ["array", "string"]},
    Kind.CHOICE: {"type": "string"},
}


def manifest(
    text: str | None = None, settings: Iterable[Setting] = (*SETTINGS.values(), *CLIENT_SETTINGS)
) -> str:
    """Return the client's manifest with the section of settings made anew; what else it says stays."""
    content = json.loads(_current(MANIFEST) if text is None else text)
    content["contributes"]["configuration"] = _configuration(tuple(settings))
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def readme(text: str | None = None) -> str:
    """Return the client's README with its table of settings made anew."""
    text = _current(README) if text is None else text
    before, begin, rest = text.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not begin or not end:
        raise ValueError(f"{README} has lost the marks around its table of settings")
    settings = (*SETTINGS.values(), *CLIENT_SETTINGS)
    lines = ["", _severities()]
    for section in Section:
        lines += ["", f"**{section}**", "", *_table(_of(section, settings))]
    return before + begin + "\n".join([*lines, "", ""]) + end + after


def settings_page() -> str:
    """Return the page of what the server reads."""
    lines = [
        "# Settings of the language server",
        "",
        "<!-- Made by `make reference`; do not edit. -->",
        "",
        "The server reads these settings from the section `conflens` of the client's configuration, separately for each workspace folder.",
        "A value of the wrong type is ignored and logged. Project-wide settings belong in `.conflens.toml`.",
        _severities(),
    ]
    for section in Section:
        lines += ["", f"## {section}", "", *_table(_of(section, SETTINGS.values()))]
    return "\n".join([*lines, ""])


def _configuration(settings: Sequence[Setting]) -> list[dict[str, Any]]:
    return [
        {
            "title": str(section),
            "order": number,
            "properties": {
                f"conflens.{setting.key}": _property(setting, order)
                for order, setting in enumerate(_of(section, settings), start=1)
            },
        }
        for number, section in enumerate(Section, start=1)
    ]


def _property(setting: Setting, order: int) -> dict[str, Any]:
    words = {}
    if setting.choices:
        words = {
            "enum": list(setting.choices),
            "enumDescriptions": list(setting.choices.values()),
        }
    return {
        **_TYPES[setting.kind],
        **words,
        "default": setting.default,
        "scope": str(setting.scope),
        "order": order,
        "markdownDescription" if "`" in setting.text else "description": setting.text,
    }


def _table(settings: Iterable[Setting]) -> Iterator[str]:
    yield "| setting | values | default | what it does |"
    yield "| --- | --- | --- | --- |"
    for setting in settings:
        cells = (
            f"`conflens.{setting.key}`",
            _values(setting),
            f"`{_json(setting)}`",
            setting.text,
        )
        yield f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"


def _values(setting: Setting) -> str:
    if setting.kind is Kind.SEVERITY:
        return "severity"
    if setting.choices:
        return ", ".join(f"`{word}`" for word in setting.choices)
    kind = _TYPES[setting.kind]["type"]
    return kind if isinstance(kind, str) else " or ".join(kind)


def _severities() -> str:
    return f"A severity is one of {', '.join(f'`{item}`' for item in Severity)}."


def _json(setting: Setting) -> str:
    return json.dumps(setting.default)


def _of(section: Section, settings: Iterable[Setting]) -> list[Setting]:
    return [setting for setting in settings if setting.section is section]


def _current(path: str) -> str:
    return (HOUSE / path).read_text(encoding="utf-8")
