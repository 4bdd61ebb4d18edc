"""Initial values of fields as defaults: edits of the class that holds them redo the reads."""

from __future__ import annotations

import pytest

from incremental.one_edit import names_before

FILES = {
    "p/Settings.java": "package p; interface Settings { int getSize(); void setSize(int size); }",
    "p/Made.java": (
        "package p; class Made implements Settings { private int size = Most.SIZE; Made() { }"
        " public int getSize() { return size; } public void setSize(int size) { this.size = size; } }"
    ),
    "p/Most.java": "package p; class Most { static final int SIZE = 7; static final int OTHER = 8; }",
    "p/Reader.java": (
        "package p; class Reader { int number(String name, int otherwise) { String text = System.getProperty(name);"
        " return text == null ? otherwise : Integer.parseInt(text); }"
        ' void fill(Settings settings) { settings.setSize(number("page.size", settings.getSize())); } }'
    ),
}
EDITS = {
    "the constant": ("p/Most.java", "SIZE = 7", "SIZE = 9"),
    "the initial value": ("p/Made.java", "Most.SIZE", "Most.OTHER"),
    "the getter": ("p/Made.java", "return size", "return 1"),
    "a constructor": ("p/Made.java", "Made() { }", "Made() { size = 3; }"),
    "the interface": ("p/Made.java", "implements Settings", ""),
    "the setter that is called": ("p/Reader.java", "settings.setSize(", "use("),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_gives_what_a_fresh_session_gives(edit: str) -> None:
    assert names_before(FILES, EDITS[edit]) == {"page.size"}
