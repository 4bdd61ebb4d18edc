"""Settings are defined once, on the server; what the client's manifest says of them follows from there."""

from __future__ import annotations

import json
import re
from typing import Any

import attrs
import pytest

from conflens.checking.results import Code
from conflens.ide.settings.definition import Kind, Section, Setting
from conflens.ide.settings.settings import CLIENT_SETTINGS, FIELDS, SETTINGS
from reference import settings

ALL = (*SETTINGS.values(), *CLIENT_SETTINGS)
_BARE = json.dumps({"name": "x", "contributes": {"commands": [], "configuration": {}}})


def sections(of: tuple[Setting, ...] = ALL) -> list[dict[str, Any]]:
    made = json.loads(settings.manifest(_BARE, of))["contributes"]["configuration"]
    assert isinstance(made, list)
    return made


def properties() -> dict[str, dict[str, Any]]:
    return {name: entry for part in sections() for name, entry in part["properties"].items()}


def test_every_setting_has_a_unique_key_in_a_section() -> None:
    assert len(properties()) == len(ALL)
    assert [part["title"] for part in sections()] == list(Section)
    assert all(part["properties"] for part in sections())


def test_every_code_has_a_severity_setting() -> None:
    assert set(FIELDS) == set(Code)


def test_a_changed_definition_changes_only_its_part_of_the_manifest() -> None:
    first = attrs.evolve(ALL[0], default=False, text="Something else.")
    before, after = settings.manifest(_BARE, ALL), settings.manifest(_BARE, (first, *ALL[1:]))
    assert before != after and "Something else." in after
    assert json.loads(after)["contributes"]["commands"] == []


def test_text_around_generated_parts_of_manifest_and_readme_is_kept() -> None:
    assert settings.manifest(settings.manifest()) == settings.manifest()
    changed = settings.readme(settings.readme().replace("`conflens.exclude`", "`conflens.old`"))
    assert changed == settings.readme()
    with pytest.raises(ValueError, match="marks"):
        settings.readme("# A README without a table\n")


def test_a_severity_lists_its_values_with_their_meaning() -> None:
    for field in FIELDS.values():
        entry = properties()[f"conflens.{SETTINGS[field].key}"]
        assert entry["enum"] == ["off", "hint", "information", "warning", "error"]
        assert len(entry["enumDescriptions"]) == len(entry["enum"])


def test_the_command_is_a_machine_setting_that_the_server_ignores() -> None:
    entry = properties()["conflens.server.command"]
    assert entry["scope"] == "machine-overridable"
    assert entry["type"] == ["array", "string"]
    for setting in CLIENT_SETTINGS:
        assert setting.key not in {own.key for own in SETTINGS.values()}
        assert setting.key not in settings.settings_page()
        assert setting.kind is not Kind.COMMAND or setting.read(setting.default)[1]


def test_the_server_accepts_its_own_defaults() -> None:
    for setting in SETTINGS.values():
        value = json.loads(json.dumps(setting.default))
        assert setting.read(value) == (setting.default, "")


@pytest.mark.parametrize("setting", ALL, ids=lambda setting: setting.key)
def test_a_text_is_short_and_plain(setting: Setting) -> None:
    most = 420 if setting.kind is Kind.COMMAND else 250
    assert len(setting.text) <= most
    assert setting.text.endswith(".") and setting.text[0].isupper()
    assert "!" not in re.sub(r"`[^`]*`", "", setting.text)
    assert all(text.endswith(".") for text in setting.choices.values())
