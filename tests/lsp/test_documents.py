"""Edits of documents, and how a place moves with them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from conflens.base.text import Encoding
from conflens.lsp.workspace.documents import Edit, edited, encode
from conflens.lsp.workspace.view import Shift

PIECES = st.sampled_from(["a", "ä", "€", "😀", "\n", "\r\n", "\r", "\t", " "])
TEXT = st.lists(PIECES, max_size=12).map("".join)
WIDTHS = {
    Encoding.UTF8: lambda char: len(char.encode()),
    Encoding.UTF16: lambda char: len(char.encode("utf-16-le")) // 2,
    Encoding.UTF32: lambda char: 1,
}


def corner(text: str, index: int, encoding: Encoding) -> tuple[int, int]:
    """Line and column of a character, found the slow way."""
    line = column = 0
    for at, char in enumerate(text[:index]):
        if char == "\n" or (char == "\r" and text[at + 1 : at + 2] != "\n"):
            line, column = line + 1, 0
        elif char != "\r":
            column += WIDTHS[encoding](char)
    return line, column


@given(TEXT, TEXT, st.data(), st.sampled_from(list(Encoding)))
def test_an_edit_replaces_exactly_its_range(
    text: str, new: str, data: st.DataObject, encoding: Encoding
) -> None:
    legal = [i for i in range(len(text) + 1) if text[i - 1 : i + 1] != "\r\n"]
    one, two = sorted(data.draw(st.tuples(st.sampled_from(legal), st.sampled_from(legal))))
    edit = Edit(corner(text, one, encoding), corner(text, two, encoding), new)
    result = edited(text.encode(), [edit], encoding)
    assert result.decode() == text[:one] + new + text[two:]


NUMBER = st.integers(-3, 2**31)


@given(TEXT, st.tuples(NUMBER, NUMBER), st.tuples(NUMBER, NUMBER), st.sampled_from(list(Encoding)))
def test_an_inconsistent_client_never_raises(
    text: str, start: tuple[int, int], end: tuple[int, int], encoding: Encoding
) -> None:
    result = edited(text.encode(), [Edit(start, end, "x"), Edit(end, start, "y")], encoding)
    assert b"y" in result


@given(TEXT, TEXT, TEXT, TEXT)
def test_a_shift_moves_everything_outside_the_edit(
    head: str, old: str, new: str, tail: str
) -> None:
    before, after = (head + old + tail).encode(), (head + new + tail).encode()
    shift = Shift.of(before, after)
    assert before[: shift.start] == after[: shift.start]
    assert before[shift.old_end :] == after[shift.new_end :]
    assert shift.start <= min(shift.old_end, shift.new_end)
    longest = max(len(before), len(after)) - len((head + tail).encode())
    assert max(shift.old_end, shift.new_end) - shift.start <= max(longest, 0)
    for offset in range(len(after) + 1):
        origin = shift.to_old(offset)
        if origin is not None:
            assert shift.to_new(origin) == offset
    assert all(0 <= shift.to_new(offset) <= len(after) for offset in range(len(before) + 1))


def test_lone_surrogates_keep_their_width() -> None:
    assert encode("a\ud83db") == b"a?b"
