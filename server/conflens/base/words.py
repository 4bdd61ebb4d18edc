"""Words in sentences: lists, numbers and names, cut to the room there is.

Absent: prose, which is cut between sentences (``prose``); Markdown.
"""

from __future__ import annotations

from collections.abc import Iterable

_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\f": "\\f"}


def count(number: int, noun: str) -> str:
    """Return ``1 read``, ``5 reads``, ``1,234 options``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def joined(items: Iterable[str], word: str = "and") -> str:
    """Return ``a``, ``a and b``, ``a, b and c``."""
    found = list(items)
    return found[0] if len(found) == 1 else f"{', '.join(found[:-1])} {word} {found[-1]}"


def on_one_line(text: str) -> str:
    """Return ``text`` as a comment or a cell of a table can hold it: what ends a line, and what nothing shows, is written as in
    Java (``\\n``)."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escaped(char) for char in text)


def _escaped(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    units = char.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def shorten(text: str, limit: int) -> str:
    """Return ``text`` on one line, cut with ``…`` to at most ``limit`` characters."""
    text = " ".join(text.split())
    return text if len(text) <= limit else f"{text[: limit - 1].rstrip()}…"


def shorten_name(name: str, limit: int) -> str:
    """Return a dotted name, cut after its first part: the end is what tells names apart."""
    if len(name) <= limit:
        return name
    head = name[: name.find(".") + 1]
    if not head or len(head) > limit // 2:
        return shorten(name, limit)
    return f"{head}…{name[len(head) + 1 - limit :]}"


def by_length(name: str) -> tuple[int, str]:
    """Order names of one place: the shortest is the plainest (``ssl.x`` before ``ssl.quorum.x``)."""
    return len(name), name
