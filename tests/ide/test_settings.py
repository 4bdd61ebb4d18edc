"""Settings: what clients send, also those that lie."""

from __future__ import annotations

import pytest

from conflens.checking.results import Severity
from conflens.ide.settings.settings import Annotations, Settings, parse_settings


def test_the_nested_form() -> None:
    settings, problems = parse_settings(
        {
            "hover": {"enabled": False},
            "inlayHints": {
                "enabled": False,
                "flows": False,
                "placeholders": False,
            },
            "annotations": {"show": "all"},
            "codeLens": {"enabled": False, "flows": False, "configFiles": False},
            "completion": {"enabled": False},
            "symbols": {"enabled": False},
            "diagnostics": {
                "enabled": False,
                "conflictingDefault": "off",
                "unusedRead": "information",
                "undocumented": "warning",
                "sensitiveUndocumented": "off",
                "flows": "hint",
            },
            "documentation": {"paths": ["docs/**"]},
            "exclude": ["gen/**"],
            "server": {"command": []},
        }
    )
    assert problems == ()
    assert settings == Settings(
        hover=False,
        inlay_hints=False,
        flow_hints=False,
        annotations=Annotations.ALL,
        placeholder_hints=False,
        code_lens=False,
        flow_lenses=False,
        config_lenses=False,
        completion=False,
        symbols=False,
        diagnostics=False,
        conflicting_default=Severity.OFF,
        unused_read=Severity.INFORMATION,
        undocumented=Severity.WARNING,
        sensitive_undocumented=Severity.OFF,
        flow_diagnostics=Severity.HINT,
        documentation_paths=("docs/**",),
        exclude=("gen/**",),
    )


def test_the_dotted_form() -> None:
    settings, problems = parse_settings({"hover.enabled": False, "diagnostics.unusedRead": "off"})
    assert settings == Settings(hover=False, unused_read=Severity.OFF)
    assert problems == ()


@pytest.mark.parametrize("value", [None, {}, {"hover": None}, {"hover": {}}])
def test_no_settings_give_the_defaults(value: object) -> None:
    assert parse_settings(value) == (Settings(), ())


def test_wrong_types_fall_back_one_by_one_and_are_reported() -> None:
    settings, problems = parse_settings(
        {
            "hover": {"enabled": "yes"},
            "codeLens": 3,
            "inlayHints": {"enabled": False},
            "diagnostics": {"unusedRead": "loud", "undocumented": ["x"]},
            "exclude": "gen",
            "documentation": {"paths": [1]},
        }
    )
    assert settings == Settings(inlay_hints=False)
    assert problems == (
        "hover.enabled is 'yes', not true or false",
        "diagnostics.unusedRead is 'loud', not one of off, hint, information, warning, error",
        "diagnostics.undocumented is ['x'], not one of off, hint, information, warning, error",
        "documentation.paths is [1], not a list of texts",
        "exclude is 'gen', not a list of texts",
    )


@pytest.mark.parametrize("value", [3, "x", [], True])
def test_settings_that_are_not_an_object(value: object) -> None:
    settings, problems = parse_settings(value)
    assert settings == Settings()
    assert len(problems) == 1


def test_profiles() -> None:
    settings, problems = parse_settings({"profiles": {"watch": ["runs"], "threshold": 2.5}})
    assert settings == Settings(profile_folders=("runs",), threshold=2.5)
    assert problems == ()
    assert parse_settings({"profiles.threshold": 0})[0].threshold == 0


@pytest.mark.parametrize("value", [True, "5", -1, 1001, float("nan"), [5]])
def test_a_percentage_is_a_number_within_bounds(value: object) -> None:
    settings, problems = parse_settings({"profiles": {"threshold": value}})
    assert settings == Settings()
    assert len(problems) == 1 and problems[0].startswith("profiles.threshold is ")
