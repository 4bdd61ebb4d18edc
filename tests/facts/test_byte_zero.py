"""Legal Java that the published grammar does not know: the byte 0 in a literal."""

from __future__ import annotations

from conflens.syntax.java import parse, reparse

NUL = b"class A { char a = '\0'; String b = \"x\0y\"; int size; }"


def test_a_literal_may_hold_the_byte_zero() -> None:
    tree = parse(NUL)
    assert not tree.root.has_error
    assert tree.text == NUL


def test_an_edit_of_such_a_file_is_parsed_like_a_fresh_one() -> None:
    text = NUL.replace(b"size", b"sizes")
    assert not reparse(parse(NUL), text).root.has_error
    assert not reparse(parse(NUL.replace(b"\0", b" ")), NUL).root.has_error
