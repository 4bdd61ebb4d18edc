"""Scalars of YAML: how they end, what a program gets of them, and how a value is written.

Folding, escapes and chomping are as in YAML 1.1 (1.2 does not differ in them).  A quoted or flow value of several lines must
be indented more than its parent, so a line that is not and looks like a key ends what somebody forgot to close.
Invariants: linear in the text; an end that is missing costs no more than the lines looked at.
"""

from __future__ import annotations

import re

from conflens.documents.configfiles.model import Value

BREAK = r"(?:\r\n|\n|\r)"
NULLS = frozenset(("", "~", "null", "Null", "NULL"))
PLAIN = re.compile(r"[^\r\n:#]*+(?:(?:(?<![ \t])#|:(?![ \t\r\n]|\Z))[^\r\n:#]*+)*+")
FLOW_PLAIN = re.compile(
    r"[^\r\n:#,\[\]{}]*+(?:(?:(?<![ \t])#|:(?![ \t\r\n,\[\]{}]|\Z))[^\r\n:#,\[\]{}]*+)*+"
)
_NEXT = re.compile(rf"[ \t]*+{BREAK}(?:[ \t]*+{BREAK})*+( *+)[ \t]*+(?=[^ \t\r\n#])")
_NEXT_LINE = re.compile(BREAK)
_MARKER = re.compile(r"(?:---|\.\.\.)(?=[ \t\r\n]|\Z)")
_BREAKS = re.compile(
    r"(?P<marker>(?:---|\.\.\.)(?=[ \t\r\n]|\Z))|(?P<indent> *+)"
    r"(?:(?P<key>[\w.$%/][\w.$%/\-]*+ *+:(?=[ \t\r\n]|\Z))|-(?=[ \t])|[\"'][\w.$%/\-\[\]]++[\"']:(?=[ \t\r\n]|\Z))"
)
_DOUBLE = re.compile(r"(?:[^\"\\\r\n]++|\\(?:\r\n|.))*+", re.DOTALL)
_SINGLE = re.compile(r"(?:[^'\r\n]++|'')*+")
_FOLD = rf"{BREAK}((?:[ \t]*+{BREAK})*+)[ \t]*+"
_SPACES = r"(?P<kept>[ \t]++(?![ \t\r\n]))"
_FOLDED = re.compile(rf"{_SPACES}|[ \t]*+{_FOLD}")
_SINGLE_TEXT = re.compile(rf"{_SPACES}|''|[ \t]*+{_FOLD}")
_DOUBLE_TEXT = re.compile(
    rf"{_SPACES}|\\(?:{_FOLD}|x([0-9A-Fa-f]{{2}})|u([0-9A-Fa-f]{{4}})|U([0-9A-Fa-f]{{8}})|(.))|[ \t]*+{_FOLD}",
    re.DOTALL,
)
_COUNTED = re.compile(BREAK)
_ESCAPES = {"0": "\0", "a": "\a", "b": "\b", "t": "\t", "\t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r",
            "e": "\x1b", "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029"}  # fmt: skip
_HEADER = re.compile(r"([|>])(?:([1-9])([+-])?+|([+-])([1-9])?+)?+[ \t]*+(?:#[^\r\n]*+)?+(\r\n|\n|\r|\Z)")  # fmt: skip
_LINE = re.compile(r"( *+)([^\r\n]*+)(\r\n|\n|\r|\Z)")
_UNSAFE = re.compile(
    r"[\s\-?:](?![^\s])|[?:\-](?=\s|\Z)|[,\[\]{}#&*!|>'\"%@`\s]|.*(?::(?=\s|\Z)|\s#|[\x00-\x1f\x7f\x85\u2028\u2029]|\s\Z)|\Z"
    r"|(?:---|\.\.\.)(?=\s|\Z)|=\Z|<<\Z",
    re.DOTALL,
)
_TO_ESCAPE = re.compile(r"[\"\\\x00-\x1f\x7f\x85\u2028\u2029\ufeff]")
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def plain_value(raw: str, start: int, end: int, tag: str) -> Value | None:
    """Return the value of a plain scalar, ``None`` if it means that there is none."""
    resolved = folded(raw)
    if tag == "!!null" or (not tag and resolved in NULLS):
        return None
    return Value(resolved, start, end)


def folded(raw: str) -> str:
    """Return a plain scalar of several lines as one."""
    return _FOLDED.sub(_fold, raw) if "\n" in raw or "\r" in raw else raw


def unquoted(raw: str, quote: str) -> str:
    """Return what stands between quotes, resolved."""
    if quote == "'":
        return _SINGLE_TEXT.sub(_fold, raw) if "'" in raw or "\n" in raw or "\r" in raw else raw
    return _DOUBLE_TEXT.sub(_resolve, raw) if "\\" in raw or "\n" in raw or "\r" in raw else raw


def _fold(match: re.Match[str]) -> str:
    if match["kept"] is not None:
        return match["kept"]
    if match[0] == "''":
        return "'"
    return "\n" * len(_COUNTED.findall(match[2])) or " "


def _resolve(match: re.Match[str]) -> str:
    if match["kept"] is not None:
        return match["kept"]
    if match[7] is not None:
        return "\n" * len(_COUNTED.findall(match[7])) or " "
    if match[2] is not None:
        return "\n" * len(_COUNTED.findall(match[2]))
    if match[6] is not None:
        return _ESCAPES.get(match[6], match[6])
    number = int(match[3] or match[4] or match[5], 16)
    return "\ufffd" if number > 0x10FFFF or 0xD800 <= number < 0xE000 else chr(number)


def quoted_end(text: str, at: int, parent: int) -> int | None:
    """Return where the quote stands that closes the one at ``at``; ``None`` if it is left open."""
    inside = _DOUBLE if text[at] == '"' else _SINGLE
    at, quote = at + 1, text[at]
    size = len(text)
    while True:
        at = inside.match(text, at).end()  # type: ignore[union-attr]
        if at >= size:
            return None
        if text[at] == quote:
            return at
        line = _NEXT_LINE.match(text, at)
        if line is None or breaks_off(text, line.end(), parent):
            return None
        at = line.end()


def breaks_off(text: str, line: int, parent: int) -> bool:
    """Whether the line at ``line`` is surely no part of a value whose parent is indented by ``parent``."""
    found = _BREAKS.match(text, line)
    if found is None:
        return False
    if found["marker"] is not None:
        return True
    if parent < 0:
        return found["key"] is not None and not found["indent"]
    return len(found["indent"]) <= parent


def plain_end(text: str, at: int, parent: int) -> tuple[int, int, int]:
    """Return where the first line of a plain scalar ends, where all of it ends, and where a line begins that follows it, is
    indented like a part of it and holds a key; -1 if there is none."""
    found = PLAIN.match(text, at)
    first = end = at + len(found[0].rstrip(" \t"))  # type: ignore[index]
    stop = found.end()  # type: ignore[union-attr]
    while stop >= len(text) or text[stop] in "\r\n":
        line = _NEXT.match(text, end)
        if (
            line is None
            or len(line[1]) <= parent
            or (not line[1] and _MARKER.match(text, line.end()))
        ):
            break
        found = PLAIN.match(text, line.end())
        stop = found.end()  # type: ignore[union-attr]
        if text[stop : stop + 1] == ":":
            return first, first, line.end()
        end = line.end() + len(found[0].rstrip(" \t"))  # type: ignore[index]
    return first, end, -1


def block(text: str, at: int, parent: int) -> tuple[str, int, int, int, int] | None:
    """Return of the block scalar whose header is at ``at``: its text, where it starts and ends, where the next line
    begins, and its indentation; ``None`` if that is no header."""
    header = _HEADER.match(text, at)
    if header is None:
        return None
    digit, chomp = header[2] or header[5], header[3] or header[4] or ""
    indent = max(parent, 0) + int(digit) if digit else 0
    least = max(parent + 1, 1)
    start = here = header.end()
    size = len(text)
    lines: list[tuple[str, str]] = []
    kept = 0
    after = end = start
    first = -1
    while here < size:
        line = _LINE.match(text, here)
        blanks, body, ended = line.groups()  # type: ignore[union-attr]
        width = len(blanks)
        if not indent and body:
            indent = max(least, width)
        if body and width < indent:
            break
        here = line.end()  # type: ignore[union-attr]
        if (indent and width > indent) or body:
            lines.append((blanks[indent:] + body, "\n" if ended else ""))
            kept = len(lines)
            end = here - len(ended)
            after = here
            if first < 0:
                first = here - len(ended) - len(blanks[indent:] + body)
        else:
            lines.append(("", "\n" if ended else ""))
    if chomp == "+":
        after = here
    resolved = _block_text(lines, kept, header[1] == ">", chomp)
    return (
        resolved,
        (start if first < 0 else first),
        max(end, first, start),
        after,
        indent or least,
    )


def _block_text(lines: list[tuple[str, str]], kept: int, fold: bool, chomp: str) -> str:
    parts: list[str] = []
    previous = ""
    blank = 0
    for number, (body, _) in enumerate(lines[:kept]):
        if not body:
            blank += 1
            continue
        if not previous:
            parts.append("\n" * number)
        elif fold and previous[0] not in " \t" and body[0] not in " \t":
            parts.append("\n" * blank or " ")
        else:
            parts.append("\n" * (blank + 1))
        parts.append(body)
        previous, blank = body, 0
    if chomp != "-" and kept:
        parts.append(lines[kept - 1][1])
    if chomp == "+":
        parts.append("".join(ended for _, ended in lines[kept:]))
    return "".join(parts)


def value_text(value: str, style: str = "") -> str:
    """Return how a value is written: within quotes or a block already there if ``style`` tells them, else plain unless that
    reads as something else.  What single quotes and blocks cannot hold is written as it is."""
    if style[:1] == "'":
        return value.replace("'", "''")
    if style[:1] == '"':
        return _double(value)
    if style or not _UNSAFE.match(value):
        return value
    return quoted(value)


def quoted(value: str) -> str:
    """Return a value in double quotes."""
    return f'"{_double(value)}"'


def _double(value: str) -> str:
    return _TO_ESCAPE.sub(_escape, value)


def _escape(match: re.Match[str]) -> str:
    return _SHORT.get(match[0]) or f"\\u{ord(match[0]):04x}"
