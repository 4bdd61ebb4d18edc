"""Javadoc comments in one short Markdown paragraph."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conflens.facts.javadoc import JAVADOC_LIMIT, javadoc_description


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("/** Size of it. */", "Size of it."),
        (
            "/**\n * First line\n * goes on.\n *\n * @param x y\n * more\n */",
            "First line goes on.",
        ),
        ("/**\r\n * One\r\n * two.\r\n */", "One two."),
        ("/** Use {@code a<b>} or <code>c.d</code>. */", "Use `a<b>` or `c.d`."),
        ("/** See {@link Foo#bar(int, String) the bar}. */", "See the bar."),
        ("/** See {@link Foo#bar(int, String)} and {@link #baz}. */", None),
        ("/** {@linkplain Foo a foo} {@value #MAX} {@literal <x>} */", "a foo `MAX` \\<x>"),
        ("/** {@code a {b} c} {@inheritDoc}{@systemProperty x.y} */", "`a {b} c` `x.y`"),
        ("/** Very <b>bold</b> <i>and</i> a&amp;b &lt;c&gt;. */", "Very bold and a&b \\<c>."),
        ("/** First.<p>Second. */", "First."),
        ("/** <p>First.</p><p>Second.</p> */", "First."),
        ("/** Modes: <ul><li>a</li><li>b</li></ul> */", "Modes:"),
        ("/** Modes <li>a <li>b */", "Modes; a; b"),
        (
            "/** Pattern fs.*.impl of max_size and _x */",
            "Pattern fs.\\*.impl of max_size and \\_x",
        ),
        ("/** Mail a@b.c is no tag */", "Mail a@b.c is no tag"),
        ("/** @return nothing */", ""),
        ("/** Half {@link Foo", "Half {link Foo"),
        ("/** for the {@Thing}. */", "for the Thing."),
        ("/** Markdown `x_*` and a stray ` stay. */", "Markdown `x_*` and a stray ' stay."),
        ("/***/", ""),
        ("", ""),
        ("/** ünïcode 😀. */", "ünïcode 😀."),
    ],
)
def test_descriptions(comment: str, expected: str | None) -> None:
    wanted = "See `Foo.bar(int, String)` and `baz`." if expected is None else expected
    assert javadoc_description(comment) == wanted


def test_long_comments_end_after_a_sentence_or_else_a_word() -> None:
    sentences = javadoc_description("/** " + "Five words are in here. " * 40 + "*/")
    assert sentences.endswith("here.") and 250 < len(sentences) <= JAVADOC_LIMIT
    words = javadoc_description("/** " + "word " * 200 + "*/")
    assert words.endswith(" word…") and len(words) <= JAVADOC_LIMIT


def test_shortening_leaves_no_code_span_open() -> None:
    short = javadoc_description("/** " + "w " * 140 + "{@code " + "c " * 100 + "} */")
    assert short.count("`") % 2 == 0 and len(short) <= JAVADOC_LIMIT


CLOSED = re.compile(r"(?:\\.|`[^`]++`|[^`\\])*+")
PARTS = st.sampled_from(
    [
        "{@code ",
        "{@link ",
        "}",
        "{",
        "<p>",
        "<code>",
        "</code>",
        "<",
        "&lt;",
        "`",
        "*",
        "\n * ",
        "@param",
        "a#b(c) ",
        "word. ",
        "\x01",
        "\ufeff",
        "😀",
        "{@",
        "<li>",
        "<pre>",
        "_",
    ]
)


@given(st.lists(PARTS | st.text(max_size=5), max_size=60).map("".join))
def test_any_comment_gives_one_short_line_with_closed_code_spans(text: str) -> None:
    short = javadoc_description(f"/**{text}*/")
    assert len(short) <= JAVADOC_LIMIT
    assert "\n" not in short and short == short.strip()
    assert CLOSED.fullmatch(short)
