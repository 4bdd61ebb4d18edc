"""Placeholders nested deeper than anyone writes are passed over, not recursed into."""

from conflens.options.names.placeholders import placeholders


def test_a_text_with_very_many_braces_names_nothing() -> None:
    assert placeholders("${a:" * 2000 + "}" * 2000, "dollar") == []
    assert [found.name for found in placeholders("${a:${b:1}}", "dollar")] == ["b", "a"]
