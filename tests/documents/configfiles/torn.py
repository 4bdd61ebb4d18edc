"""Torn files for the readers of config files, and what must hold of any answer about any text."""

from __future__ import annotations

import random
from collections.abc import Iterator

from conflens.documents.configfiles.model import Assignment, Context, ContextKind
from conflens.documents.configfiles.parsing import Dialect

HOSTILE = (
    "",
    "\n",
    "\r",
    "\ufeff",
    "<",
    "[",
    "]]",
    "{",
    "}",
    '"',
    "'''",
    '"""',
    "\\",
    "#",
    "<!--",
    "=",
    "😀",
)
"""Pieces that mutations put in."""


def mutations(text: str, count: int, seed: int) -> Iterator[str]:
    """Texts with up to four pieces cut out, doubled or put in."""
    chance = random.Random(seed)
    for _ in range(count):
        torn = text
        for _ in range(chance.randint(1, 4)):
            at = chance.randint(0, len(torn))
            match chance.randint(0, 3):
                case 0:
                    torn = torn[:at] + torn[at + chance.randint(1, 30) :]
                case 1:
                    torn = torn[:at] + chance.choice(HOSTILE) + torn[at:]
                case 2:
                    other = chance.randint(0, len(torn))
                    torn = torn[:at] + torn[other : other + 40] + torn[at:]
                case _:
                    torn = torn[: max(at, 1)]
        yield torn


def check(dialect: Dialect, text: str, seed: int = 0) -> None:
    """Whatever the text: nothing raises, ranges lie in it, assignments are in order, edits do what they promise."""
    parsed = dialect.parse(text)
    length = len(text)
    before = -1
    for one in parsed.assignments:
        assert 0 <= one.start <= one.end <= length
        values = one.items if one.value is None else (*one.items, one.value)
        ranges = [(part.start, part.end) for part in one.path]
        for start, end in (*ranges, *((value.start, value.end) for value in values)):
            assert 0 <= start <= end <= length
        assert one.name == ".".join(part.text for part in one.path)
        assert before <= one.start
        before = one.start
    for fault in parsed.faults:
        assert 0 <= fault.start <= fault.end <= length and fault.message
    chance = random.Random(seed)
    for offset in (0, length, *(chance.randint(0, length) for _ in range(3))):
        where = dialect.context(text, offset)
        if where.kind is not ContextKind.NEITHER:
            assert 0 <= where.start <= offset <= where.end <= length
        _check_key(dialect, text, where)
    for one in parsed.assignments[:: max(1, len(parsed.assignments) // 3)]:
        dialect.renamed(text, one, one.name + "x")
    change = dialect.added(text, "cache.more-lines", "a <b> \\ 'c' \"d\" # e", "Said\nof it")
    if change is not None:
        assert 0 <= change.start <= change.end <= length
        changed = text[: change.start] + change.text + text[change.end :]
        assert "cache.more-lines" in names(dialect.parse(changed).assignments)


def _check_key(dialect: Dialect, text: str, where: Context) -> None:
    name = ".".join((*where.parents, "cache.size"))
    dialect.key_text(text, where, name)


def names(assignments: tuple[Assignment, ...]) -> list[str]:
    return [one.name for one in assignments]


def edited(text: str, start: int, end: int, new: str) -> str:
    return text[:start] + new + text[end:]
