"""What a line of YAML's block style can be, as regular expressions; all are linear.

``FAST`` matches a whole line of a plain key and perhaps a simple value: plain, or between quotes without escapes, ``ENTRY`` any key with its colon.
``STRETCH`` are lines that are all of this kind, blank, or comments; ``INDENTED`` finds where they hold something.
"""

from __future__ import annotations

import re

_REST = r"[^\r\n:#]*+(?:(?:(?<![ \t])#|:(?![ \t\r\n]|\Z))[^\r\n:#]*+)*+"


def _unnamed(pattern: str) -> str:
    """A pattern without groups."""
    return re.sub(r"(?<!\\)\((?!\?)", "(?:", pattern)


FAST = re.compile(
    r"( *+)([\w.$/][\w.$/\-]*+):(?:[ \t]++(?:((?:[^\s#\-?:,\[\]{}&*!|>'\"%@`]|[\-?:](?=[^\s]))" + _REST +
    r")|\"([^\"\\\r\n]*+)\"[ \t]*+|'([^'\r\n]*+)'[ \t]*+)?+(?:#[^\r\n]*+)?+)?+(?:\r\n?|\n|\Z)"
)  # fmt: skip
SKIP = re.compile(r"(?:[ \t]*+(?:#[^\r\n]*+)?+(?:\r\n?|\n))*+(?:[ \t]*+(?:#[^\r\n]*+)?+\Z)?+")
INDENTED = re.compile(r"(?<![^\r\n])( *+)[^\s#]")
ENTRY = re.compile(
    r"(?P<marks>(?:[&!][^\s,\[\]{}]*+[ \t]++)*+)"
    r"(?:(?P<quoted>\"(?:[^\"\\\r\n]|\\[^\r\n])*+\"|'(?:[^'\r\n]|'')*+')[ \t]*+"
    r"|\*(?P<alias>[^\s,\[\]{}]++)[ \t]++"
    r"|(?P<plain>(?:[^\s#\-?:,\[\]{}&*!|>'\"]|[\-?:](?=[^\s]))" + _REST + r"))"
    r":(?=[ \t\r\n]|\Z)"
)
STRETCH = re.compile(rf"(?:{_unnamed(FAST.pattern)}|[ \t]*+(?:#[^\r\n]*+)?+(?:\r\n?|\n))*+")
MARKER = re.compile(r"(---|\.\.\.)(?=[ \t\r\n]|\Z)")
DIRECTIVE = re.compile(r"%(?:YAML|TAG)\b")
BLANKS = re.compile(r"[ \t]*+")
EMPTY = re.compile(r"[ \t]*+(?:#|[\r\n]|\Z)")
MARK = re.compile(r"([&!])([^\s,\[\]{}]*+)[ \t]*+")
ALIAS = re.compile(r"\*([^\s,\[\]{}]++)(?=[ \t\r\n]|\Z)")
LINE = re.compile(r"[^\r\n]*+")
NOTHING = re.compile(r"[ \t\r\n]*+\Z")
DASH = re.compile(r" *+-")
TEMPLATE = re.compile(r"\{\{[^\r\n]*?\}\}")
