"""Words of command lines: where a value ends, what it is without quotes and escapes, and how it is written.

Styles of values, beyond the quotes ``"`` and ``'``: ``\\"`` for a value in escaped quotes inside a quoted text, and a single backslash
for a bare one inside double quotes (``OPTS="-Da=b"``), which needs escaped quotes if it comes to hold blanks.
Invariant: a word is read in one pass; a quote that is not closed on its line ends it.
Absent: expansion of variables and commands, which stay in the text as they are written.
"""

from __future__ import annotations

import re
from typing import NamedTuple

INSIDE = "\\"
"""The style of a bare value inside double quotes."""
ESCAPED = '\\"'
"""The style of a value in escaped quotes."""


class Word(NamedTuple):
    """A value: its text, its range without quotes, its style, and where reading goes on."""

    text: str
    start: int
    end: int
    style: str
    after: int


_EXPANSION = r"\$\{[^{}\r\n]*+\}|\$\([^()\r\n]*+\)|`[^`\r\n]*+`"
_BARE = re.compile(
    r"(?:\"(?:[^\"\\\r\n]|\\.)*+\"|'[^'\r\n]*+')?+"
    rf"(?:{_EXPANSION}|[^\s\"'\\;&|<>()`]|\\[^\r\n]|\"(?![\s;),\]])(?:[^\"\\\r\n]|\\.)*+\"|'[^'\r\n]*+')*+"
)
_DOUBLE = re.compile(
    r"(?:\\\"(?:[^\"\\\r\n]|\\[^\"\r\n])*+\\\"|'[^'\"\r\n]*+'"
    r"|\$\{[^{}\"\r\n]*+\}|\$\([^()\"\r\n]*+\)|[^\s\"\\]|\\[^\r\n])*+"
)
_SINGLE = re.compile(r"(?:\"[^\"'\r\n]*+\"|[^\s'])*+")
_BATCH_BARE = re.compile(r"(?:\"[^\"\r\n]*+\"|[^\s\"&|<>()])*+")
_BATCH_INSIDE = re.compile(r"[^\s\"]*+")
_WHOLE_DOUBLE = re.compile(r"(?:[^\"\\\r\n]|\\[^\r\n])*+")
_WHOLE_SINGLE = re.compile(r"[^'\r\n]*+")
_WHOLE_BATCH = re.compile(r"[^\"\r\n]*+")
_NEXT = re.compile(r"(?<!\s)\s++-{1,2}[A-Za-z]")
_PIECE = re.compile(
    r"\\\"((?:[^\"\\]|\\[^\"])*+)\\\"|\"((?:[^\"\\]|\\.)*+)\"|'([^']*+)'|\\(.)|([^\"'\\]++|.)",
    re.DOTALL,
)
_ESCAPES = re.compile(r"\\([\"\\$`])|\\(?:\r\n?|\n)")
_SAFE = re.compile(r"[\w./:@%+,=~\-\[\]{}$*?!^]*+", re.ASCII)


def word(text: str, start: int, end: int, quote: str, batch: bool = False) -> Word:
    """Return the word at ``start`` in a line that ends at ``end``; ``quote`` is what it stands inside of."""
    if batch:
        pattern = _BATCH_INSIDE if quote else _BATCH_BARE
    else:
        pattern = _DOUBLE if quote == '"' else _SINGLE if quote else _BARE
    match = pattern.match(text, start, end)
    assert match is not None
    raw = match[0]
    if quote == '"' and not batch and raw.count(ESCAPED) % 2:
        # The end of a text in escaped quotes that began before this word: ``A=\"-Db=c -Dd=e\"``.
        raw = raw[: raw.rindex(ESCAPED)]
    stop = start + len(raw)
    inside = INSIDE if quote == '"' else ""
    for style in (ESCAPED, '"', "'"):
        size = len(style)
        if (
            len(raw) >= 2 * size
            and raw.startswith(style)
            and raw.endswith(style)
            and style != quote
        ):
            middle = raw[size : len(raw) - size]
            alone = _WHOLE_DOUBLE if style == '"' and not batch else None
            if alone.fullmatch(middle) if alone else style[-1] not in middle:
                text_of = unescaped(middle) if style == '"' and not batch else middle
                return Word(text_of, start + size, stop - size, style, stop)
    return Word(raw if batch else _joined(raw), start, stop, inside, stop)


def whole(
    text: str, start: int, end: int, quote: str, batch: bool = False, cut: bool = True
) -> Word | None:
    """Return what stands from ``start`` to the closing quote, with ``cut`` only up to another argument; ``None`` if the
    quote is not closed."""
    pattern = _WHOLE_BATCH if batch else _WHOLE_DOUBLE if quote == '"' else _WHOLE_SINGLE
    match = pattern.match(text, start, end)
    assert match is not None
    stop = match.end()
    if stop >= end or not text.startswith(quote, stop):
        return None
    another = _NEXT.search(text, start, stop) if cut else None
    if another is not None:
        return word(text, start, another.start(), quote, batch)
    raw = text[start:stop]
    return Word(
        unescaped(raw) if quote == '"' and not batch else raw, start, stop, quote, stop + 1
    )


def unescaped(raw: str) -> str:
    """Return what stands in double quotes, as a shell reads it."""
    return _ESCAPES.sub(lambda match: match[1] or "", raw) if "\\" in raw else raw


def quoted(value: str, style: str) -> str:
    """Return a value as it is written between quotes of ``style``, or bare where it can be."""
    value = re.sub(r"[\r\n]+", " ", value)
    if style == "'":
        return value.replace("'", "'\\''")
    double = re.sub(r"[\"\\`]", r"\\\g<0>", value)
    if style == '"':
        return double
    if style == ESCAPED:
        return re.sub(r"[\"\\`]", r"\\\g<0>", double)
    if _SAFE.fullmatch(value) or (style == INSIDE and not re.search(r"[\s\"'\\`]", value)):
        return value
    if style == INSIDE:
        return ESCAPED + re.sub(r"[\"\\`]", r"\\\g<0>", double) + ESCAPED
    return f'"{double}"'


def _joined(raw: str) -> str:
    """A word without its quotes and escapes."""
    if not any(character in raw for character in "\"'\\"):
        return raw

    def piece(match: re.Match[str]) -> str:
        if match[2] is not None:
            return unescaped(match[2])
        return next(group for group in match.groups() if group is not None)

    return _PIECE.sub(piece, raw)
