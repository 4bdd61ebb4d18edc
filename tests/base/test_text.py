"""Positions in long lines: the same as counted from the beginning of the line, and each for a bounded stretch."""

from __future__ import annotations

import random

import pytest

from conflens.base import text as positions
from conflens.base.text import Encoding, LineIndex, column_offset, units

ENCODINGS = [Encoding.UTF8, Encoding.UTF16, Encoding.UTF32]


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("valid", [True, False])
def test_a_position_is_what_counting_the_line_gives(
    monkeypatch: pytest.MonkeyPatch, encoding: Encoding, valid: bool
) -> None:
    monkeypatch.setattr(positions, "_STRETCH", 5)
    dice = random.Random(20261125)
    pieces = ["a", "b", "é", "€", "😀", "\n", "\r\n"]
    broken = [b"\x80", b"\xf0\x9f", b"\xff", b"\xe2"]
    for _ in range(300):
        text = b"".join(
            dice.choice(pieces).encode() if valid or dice.random() < 0.6 else dice.choice(broken)
            for _ in range(dice.randrange(60))
        )
        index = LineIndex.of(text)
        for offset in range(len(text) + 1):
            line, column = index.position(offset, encoding)
            assert column == units(text[index.starts[line] : offset], encoding)
        if not valid:
            continue
        for line, start in enumerate(index.starts):
            content = index.line_bytes(line)
            for column in range(-1, len(content) + 3):
                wanted = start + column_offset(content, column, encoding)
                assert index.offset(line, column, encoding) == wanted, (text, line, column)


@pytest.mark.parametrize("encoding", [Encoding.UTF16, Encoding.UTF32])
def test_positions_in_a_long_line_cost_a_bounded_stretch(
    monkeypatch: pytest.MonkeyPatch, encoding: Encoding
) -> None:
    seen = 0
    count, convert = positions.units, positions.column_offset

    def counted(text: bytes, encoding: Encoding) -> int:
        nonlocal seen
        seen += len(text)
        return count(text, encoding)

    def converted(content: bytes, column: int, encoding: Encoding) -> int:
        nonlocal seen
        seen += len(content)
        return convert(content, column, encoding)

    monkeypatch.setattr(positions, "units", counted)
    monkeypatch.setattr(positions, "column_offset", converted)
    index = LineIndex.of(("é" + "a" * 1_000_000).encode())
    for offset in range(500_000, 1_000_000, 500):
        line, column = index.position(offset, encoding)
        assert index.offset(line, column, encoding) == offset
    assert seen < 6_000_000
