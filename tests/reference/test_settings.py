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


def test_every_setting_has_a_key_of_its_own_and_lies_in_a_section() -> None:
    assert len(properties()) == len(ALL)
    assert [part["title"] for part in sections()] == list(Section)
    assert all(part["properties"] for part in sections())


def test_every_kind_of_finding_has_its_severity() -> None:
    assert set(FIELDS) == set(Code)


def test_a_changed_definition_changes_the_manifest_and_nothing_beside_it() -> None:
    first = attrs.evolve(ALL[0], default=False, text="Something else.")
    before, after = settings.manifest(_BARE, ALL), settings.manifest(_BARE, (first, *ALL[1:]))
    assert before != after and "Something else." in after
    assert json.loads(after)["contributes"]["commands"] == []


def test_the_manifest_and_the_readme_are_kept_around_what_is_made() -> None:
    assert settings.manifest(settings.manifest()) == settings.manifest()
    changed = settings.readme(settings.readme().replace("`conflens.exclude`", "`conflens.old`"))
    assert changed == settings.readme()
    with pytest.raises(ValueError, match="marks"):
        settings.readme("# A README without a table\n")


def test_a_severity_offers_its_words_and_says_what_they_mean() -> None:
    for field in FIELDS.values():
        entry = properties()[f"conflens.{SETTINGS[field].key}"]
        assert entry["enum"] == ["off", "hint", "information", "warning", "error"]
        assert len(entry["enumDescriptions"]) == len(entry["enum"])


def test_the_command_belongs_to_the_machine_and_the_server_passes_it_over() -> None:
    entry = properties()["conflens.server.command"]
    assert entry["scope"] == "machine-overridable"
    assert entry["type"] == ["array", "string"]
    for setting in CLIENT_SETTINGS:
        assert setting.read(setting.default)[1]
        assert setting.key not in settings.settings_page()


def test_the_server_takes_its_own_defaults() -> None:
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
