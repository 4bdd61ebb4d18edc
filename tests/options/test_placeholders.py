"""Placeholders in texts: how deep they are read, and whose default a nested one is."""

from __future__ import annotations

import pytest

from conflens.options.names.placeholders import placeholders


def test_a_text_with_very_many_braces_names_nothing() -> None:
    assert placeholders("${a:" * 2000 + "}" * 2000, "dollar") == []
    assert [found.name for found in placeholders("${a:${b:1}}", "dollar")] == ["b", "a"]


@pytest.mark.parametrize(
    ("text", "defaults"),
    [
        ("${mail.line:${mail.host:h}}", ["h", "h"]),
        ("${mail.line:${mail.password:secret1}}", ["secret1", None]),
        ("${mail.line:a${mail.more:b${api.token:secret1}c}}", ["secret1", None, None]),
        ("${mail.line:${mail.password:}}", ["", ""]),
    ],
)
def test_the_default_of_a_secret_is_that_of_no_other_name(
    text: str, defaults: list[str | None]
) -> None:
    assert [one.default for one in placeholders(text, "dollar")] == defaults
