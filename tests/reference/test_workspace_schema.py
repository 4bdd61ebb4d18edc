"""The schema of ``.conflens.toml`` accepts what the server reads, and marks what the server reports."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from conflens.models.workspace import parse_workspace
from reference.pages import HOUSE
from reference.workspace_schema import PATH, workspace_schema

SCHEMA = json.loads(workspace_schema())
_TYPES = {"string": str, "integer": int, "boolean": bool, "array": list, "object": dict}


def wrong(value: Any, schema: dict[str, Any], place: str = "") -> Iterator[str]:
    """Yield where a value does not fit, for the part of JSON Schema that ours uses."""
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if (kinds and not any(value.__class__ is _TYPES[kind] for kind in kinds)) or (
        "enum" in schema and value not in schema["enum"]
    ):
        yield place
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from wrong(item, schema["items"], f"{place}/{number}")
    elif isinstance(value, dict):
        yield from (f"{place}/{key}" for key in schema.get("required", ()) if key not in value)
        known = schema.get("properties", {})
        for key, item in value.items():
            others = schema.get("additionalProperties", {})
            names = schema.get("propertyNames", {}).get("enum", (key,))
            if (key not in known and others is False) or key not in names:
                yield f"{place}/{key}"
            else:
                yield from wrong(item, known.get(key, others), f"{place}/{key}")


def test_the_documented_example_is_valid() -> None:
    page = (HOUSE / "docs/configuration.md").read_text(encoding="utf-8")
    (text, *_) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    assert parse_workspace(".conflens.toml", text)[1] == ()
    assert list(wrong(tomllib.loads(text), SCHEMA)) == []


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[[raed]]\ncall = 'a.B.c'", "/raed"),
        ("[[operation]]\ncall = 'a.B.c'", "/operation/0/kind"),
        (
            "[[operation]]\ncall = 'a.B.c'\nkind = 'io'\narguments = ['0']",
            "/operation/0/arguments/0",
        ),
        ("[[barrier]]\ncall = 3", "/barrier/0/call"),
        ("[barrier]\ncall = 'a.B.c'", "/barrier"),
        ("[verdict.'pool.size']\nreason = 'measured'", "/verdict/pool.size/sensitive"),
        ("[verdict.'pool.size']\nsensitive = 'yes'", "/verdict/pool.size/sensitive"),
        ("[exclude]\npath = ['a']", "/exclude/path"),
        ("[exclude]\npaths = 'a'", "/exclude/paths"),
        ("[check]\nignore = [3]", "/check/ignore/0"),
        ("[check.severity]\ndead-option = 3", "/check/severity/dead-option"),
    ],
)
def test_what_the_server_reports_is_invalid(text: str, place: str) -> None:
    assert parse_workspace(".conflens.toml", text)[1] != ()
    assert list(wrong(tomllib.loads(text), SCHEMA)) == [place]


def test_codes_and_severities_are_those_of_checks() -> None:
    for text in (
        "[check.severity]\ndaed-option = 'off'",
        "[check.severity]\ndead-option = 'loud'",
    ):
        assert len(list(wrong(tomllib.loads(text), SCHEMA))) == 1


def test_the_extension_registers_the_schema_for_toml() -> None:
    manifest = json.loads((HOUSE / "client-vscode/package.json").read_text(encoding="utf-8"))
    (entry,) = manifest["contributes"]["tomlValidation"]
    repository = manifest["repository"]["url"].removesuffix(".git").partition("github.com/")[2]
    assert entry == {
        "fileMatch": ".conflens.toml",
        "url": f"https://raw.githubusercontent.com/{repository}/HEAD/{PATH}",
    }
