"""Where the keys of a TOML text stand.

Purpose: the TOML parser gives values without places, but a problem needs a line.  A small scanner
walks a text that the parser has accepted and notes where headers, keys and values begin.

Terms
    path    how to reach a value: keys, and after an array of tables the table's index, as in
            ``("read", 0, "name")``; of a text in an array its index, as in ``("exclude", "paths", 1)``.

Invariants: never raises, on texts the parser would refuse either, and ends: each step moves on.
Lines and columns count from 1, columns in characters.
Absent: places of anything else inside arrays, and inside inline tables; these have the place of the key they belong to.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right

import attrs

Path = tuple[str | int, ...]

_BLANK = re.compile(r"[ \t\r\n]*")
_KEY = re.compile(r"""[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'""")
_DOT = re.compile(r"[ \t]*\.[ \t]*")
STRING = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"{3,5}'
    r"|'''(?:[^']|'(?!''))*'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
"""A text of any of the four kinds."""
_LINE = re.compile(r"[^\n]*")
_PLAIN = re.compile(r"[^\"'#\[\]{}\n]+")


@attrs.frozen
class TomlPositions:
    """The places of one text's keys (and headers) and of their values, as offsets."""

    keys: dict[Path, int]
    values: dict[Path, int]
    starts: list[int]

    def key(self, path: Path) -> tuple[int, int]:
        """Line and column of a key or header, or of the nearest one around it."""
        return self._place(self.keys, path)

    def value(self, path: Path) -> tuple[int, int]:
        """Line and column of a key's value, or of the nearest key around it."""
        if path in self.values:
            return self._place(self.values, path)
        return self._place(self.keys, path)

    def _place(self, offsets: dict[Path, int], path: Path) -> tuple[int, int]:
        while path and path not in offsets:
            path = path[:-1]
        offset = offsets.get(path, 0)
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1


def toml_positions(text: str) -> TomlPositions:
    """The places of the keys of a text."""
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    found = TomlPositions({}, {}, starts)
    tables: dict[Path, int] = {}
    table: Path = ()
    at = _after(_BLANK, text, 0)
    while at < len(text):
        begin = at
        if text[at] == "#":
            at = _after(_LINE, text, at)
        elif text[at] == "[":
            array = text.startswith("[[", at)
            keys, at = _dotted(text, _after(_BLANK, text, at + 1 + array))
            table = _resolved(tables, keys)
            if array:
                tables[table] = tables.get(table, -1) + 1
                found.keys.setdefault(table, begin)
                table = (*table, tables[table])
            found.keys.setdefault(table, begin)
            at = _after(_LINE, text, at)
        else:
            keys, at = _dotted(text, at)
            path = (*table, *keys)
            for length in range(len(table) + 1, len(path) + 1):
                found.keys.setdefault(path[:length], begin)
            at = _after(_BLANK, text, at)
            if text.startswith("=", at):
                at = _after(_BLANK, text, at + 1)
                found.values.setdefault(path, at)
            if text.startswith("[", at):
                at = _array_end(text, at, path, found.values)
            else:
                at = _value_end(text, at)
        at = _after(_BLANK, text, max(at, begin + 1))
    return found


def _after(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at


def _dotted(text: str, at: int) -> tuple[Path, int]:
    keys: list[str] = []
    while match := _KEY.match(text, at):
        keys.append(_unquoted(match[0]))
        at = match.end()
        dot = _DOT.match(text, at)
        if dot is None:
            break
        at = dot.end()
    return tuple(keys), at


def _unquoted(key: str) -> str:
    if key[0] == "'":
        return key[1:-1]
    if key[0] != '"' or "\\" not in key:
        return key.strip('"')
    try:
        return str(tomllib.loads(f"key = {key}")["key"])
    except ValueError:
        return key


def _resolved(tables: dict[Path, int], keys: Path) -> Path:
    """A header's path with the index of the latest table of each array on the way."""
    path: Path = ()
    for key in keys[:-1]:
        path = (*path, key)
        if path in tables:
            path = (*path, tables[path])
    return path + keys[-1:]


def _array_end(text: str, at: int, path: Path, values: dict[Path, int]) -> int:
    """Return the end of an array; note in ``values`` where the texts directly in it begin."""
    end = _value_end(text, at)
    number, at = 0, _after(_BLANK, text, at + 1)
    while at < end:
        if text[at] == "#":
            at = _after(_LINE, text, at)
        elif text[at] in "\"'":
            values.setdefault((*path, number), at)
            at = max(_after(STRING, text, at), at + 1)
        elif text[at] == ",":
            number, at = number + 1, at + 1
        else:  # a nested value: what is in it has no place of its own
            break
        at = _after(_BLANK, text, at)
    return end


def _value_end(text: str, at: int) -> int:
    depth = 0
    while at < len(text):
        char = text[at]
        if char == "\n" and depth <= 0:
            break
        if char == "#":
            at = _after(_LINE, text, at)
            continue
        if char in "[{":
            depth += 1
        elif char in "]}":
            depth -= 1
        end = _after(STRING, text, at) if char in "\"'" else _after(_PLAIN, text, at)
        at = max(end, at + 1)
    return at
