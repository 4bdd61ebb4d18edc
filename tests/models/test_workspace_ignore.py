"""One more entry of ``[check] ignore``: the text after it, everything else as it was."""

from __future__ import annotations

import tomllib

import pytest

from conflens.models.workspace_edit import Edits, WorkspaceText, applied

ENTRY = "unknown-option: a.b"


def ignoring(text: str, entry: str) -> Edits | None:
    file = WorkspaceText.of(text)
    return None if file is None else file.ignore(entry)


def after(text: str, entry: str = ENTRY) -> str:
    edits = ignoring(text, entry)
    assert edits is not None
    return applied(text, edits)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", '[check]\nignore = ["unknown-option: a.b"]\n'),
        ("# 😀\nx = 1", '# 😀\nx = 1\n\n[check]\nignore = ["unknown-option: a.b"]\n'),
        ("\ufeff[a]\r\n", '\ufeff[a]\r\n\r\n[check]\r\nignore = ["unknown-option: a.b"]\r\n'),
        ("[check] # c\n[b]\n", '[check] # c\nignore = ["unknown-option: a.b"]\n[b]\n'),
        ("[check]", '[check]\nignore = ["unknown-option: a.b"]\n'),
        ("[check]\nignore = [ ] # c\n", '[check]\nignore = ["unknown-option: a.b"] # c\n'),
        (
            "[check]\nignore = ['placeholder'] # c\n",
            "[check]\nignore = ['placeholder', \"unknown-option: a.b\"] # c\n",
        ),
        (
            '[check]\nignore = [\n  "placeholder", # why\n]\nseverity = {}\n',
            '[check]\nignore = [\n  "placeholder", # why\n  "unknown-option: a.b",\n]\nseverity = {}\n',
        ),
        (
            '[check]\nignore = [\n  "placeholder"\n]\n',
            '[check]\nignore = [\n  "placeholder",\n  "unknown-option: a.b"\n]\n',
        ),
        (
            "check = { baseline = 'x' }\n",
            "check = { baseline = 'x', ignore = [\"unknown-option: a.b\"]}\n",
        ),
        (
            "[check]\nbaseline='x'\n\n# about\n[exclude]\n",
            "[check]\nbaseline='x'\nignore = [\"unknown-option: a.b\"]\n\n# about\n[exclude]\n",
        ),
        ("check.ignore = ['x']\n", "check.ignore = ['x', \"unknown-option: a.b\"]\n"),
    ],
)
def test_an_entry_is_added(text: str, expected: str) -> None:
    assert after(text) == expected
    before = tomllib.loads(text.removeprefix("\ufeff")).get("check", {}).get("ignore", [])
    now = tomllib.loads(expected.removeprefix("\ufeff"))["check"]["ignore"]
    assert now == [*before, ENTRY]


@pytest.mark.parametrize(
    "text",
    [
        "not toml",
        "check = 5\n",
        "[check]\nignore = 5\n",
        f"[check]\nignore = ['{ENTRY}']\n",
    ],
)
def test_unsupported_files_are_left_alone(text: str) -> None:
    assert ignoring(text, ENTRY) is None


def test_an_entry_is_quoted() -> None:
    name = 'x: "q"\\'
    assert tomllib.loads(after("", name))["check"]["ignore"] == [name]
    assert ignoring("", "a\nb") is None
