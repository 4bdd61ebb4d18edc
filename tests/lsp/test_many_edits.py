"""Many edits in one message: what they give, and that each costs its own lines and not the whole text."""

from __future__ import annotations

import random

import pytest

from conflens.base.text import Encoding, LineIndex
from conflens.lsp.workspace import documents
from conflens.lsp.workspace.documents import Edit, edited, encode

PIECES = ("a", "b", "\n", "\r", "\r\n", "é", "😀", "\u2028", "\x0b", "\x85", "")


def one_by_one(text: bytes, edits: list[Edit], encoding: Encoding) -> bytes:
    """Apply edits by the table of lines of the whole text, made anew for each."""
    for edit in edits:
        if edit.start is None or edit.end is None:
            text = encode(edit.text)
            continue
        index = LineIndex.of(text)
        start, end = sorted(index.offset(*place, encoding) for place in (edit.start, edit.end))
        text = text[:start] + encode(edit.text) + text[end:]
    return text


@pytest.mark.parametrize("encoding", [Encoding.UTF16, Encoding.UTF32])
def test_any_edits_of_any_text_give_what_they_give_one_by_one(encoding: Encoding) -> None:
    dice = random.Random(20261123)

    def text(most: int) -> str:
        return "".join(dice.choice(PIECES) for _ in range(dice.randrange(most)))

    def place() -> tuple[int, int]:
        return dice.randrange(-1, 6), dice.randrange(-1, 7)

    for _ in range(4000):
        start = text(14)
        edits = [
            Edit(None, None, text(6)) if dice.random() < 0.07 else Edit(place(), place(), text(4))
            for _ in range(dice.randrange(1, 5))
        ]
        wanted = one_by_one(start.encode(), edits, encoding)
        assert edited(start.encode(), edits, encoding) == wanted, (start, edits)


def test_the_text_is_taken_apart_once(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = 0
    split = documents.line_starts

    def counted(text: bytes) -> list[int]:
        nonlocal seen
        seen += len(text)
        return split(text)

    monkeypatch.setattr(documents, "line_starts", counted)
    text = b"0123456789\n" * 10_000
    edits = [Edit((line, 3), (line, 4), "x") for line in range(5_000)]
    assert edited(text, edits, Encoding.UTF16) == b"012x456789\n" * 5_000 + text[55_000:]
    assert seen <= 2 * len(text)


@pytest.mark.parametrize(
    ("line", "column", "bytes_"),
    [
        ("aé😀b", 1, 1),
        ("aé😀b", 2, 3),
        ("aé😀b", 3, 7),
        ("aé😀b", 4, 7),
        ("aé😀b", 9, 8),
        ("éé", 1, 2),
    ],
)
def test_a_column_inside_of_a_character_is_behind_it(line: str, column: int, bytes_: int) -> None:
    assert LineIndex.of(line.encode()).offset(0, column, Encoding.UTF16) == bytes_


@pytest.mark.parametrize("encoding", [Encoding.UTF16, Encoding.UTF32])
def test_edits_of_a_line_in_pieces_give_what_they_give_in_a_whole_line(
    monkeypatch: pytest.MonkeyPatch, encoding: Encoding
) -> None:
    monkeypatch.setattr(documents, "_PIECE", 4)
    test_any_edits_of_any_text_give_what_they_give_one_by_one(encoding)
    dice = random.Random(20261125)
    for _ in range(1500):
        start = "".join(dice.choice(PIECES) for _ in range(60)).replace("\n", "n")
        edits = [
            Edit(
                (dice.randrange(3), dice.randrange(50)),
                (dice.randrange(3), dice.randrange(50)),
                "".join(dice.choice(PIECES) for _ in range(dice.randrange(14))),
            )
            for _ in range(dice.randrange(1, 6))
        ]
        wanted = one_by_one(start.encode(), edits, encoding)
        assert edited(start.encode(), edits, encoding) == wanted, (start, edits)


@pytest.mark.parametrize("new", ["x", "\n", "é"])
def test_edits_of_a_long_line_cost_what_they_change(
    monkeypatch: pytest.MonkeyPatch, new: str
) -> None:
    seen = 0
    convert = documents.column_offset

    def counted(content: bytes, column: int, encoding: Encoding) -> int:
        nonlocal seen
        seen += len(content)
        return convert(content, column, encoding)

    monkeypatch.setattr(documents, "column_offset", counted)
    text = ("😀" + "a" * 890_000).encode()
    edits = [Edit((0, 880_000), (0, 880_000), new)] * 1000
    made = edited(text, edits, Encoding.UTF16)
    assert made == text[:880_002] + new.encode() * 1000 + text[880_002:]
    assert seen < 20_000_000
