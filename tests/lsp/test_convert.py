"""Markdown for clients that show none."""

from __future__ import annotations

from conflens.lsp.wire.convert import plain_text


def test_plain_text() -> None:
    markdown = "**`a.b`** · x\n\nSee [A\\_b.java:3](file:///a#L3) and \\[not\\](a link)."
    assert plain_text(markdown) == "a.b · x\n\nSee A_b.java:3 and [not](a link)."
