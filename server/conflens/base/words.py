"""Words in sentences: lists, numbers and names, cut to the room there is.

Absent: prose, which is cut between sentences (``prose``); Markdown.
"""

from __future__ import annotations

from collections.abc import Iterable


def count(number: int, noun: str) -> str:
    """Return ``1 read``, ``5 reads``, ``1,234 options``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def joined(items: Iterable[str], word: str = "and") -> str:
    """Return ``a``, ``a and b``, ``a, b and c``."""
    found = list(items)
    return found[0] if len(found) == 1 else f"{', '.join(found[:-1])} {word} {found[-1]}"


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
