"""Which of many names a misspelt one was meant to be: ConfErr's typos, over thousands of names at once.

Terms
    word      what stands between separators (``.``, ``-``, ``_``, ``:``, ``/``, white space), in lower case.
    squashed  a name without separators, in lower case.
    typo      a letter left out, put in, mistaken for another, or two neighbours swapped.  Other case, other, doubled or
              missing separators and words in another order are one typo for the whole name.

How: ``rapidfuzz`` finds the names whose letters are at most ``MOST`` typos away, whatever their separators; of these all typos must
lie in one word or two neighbouring ones.
Absent: options, domains, patterns (``naming``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

import attrs

MOST = 2
"""Typos beyond which nothing is near."""

_LONG = 8
_MAX_LENGTH = 200
_SHORT = 5
_SEPARATORS = re.compile(r"[.\-_:/\s]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_BESIDE = frozenset(
    pair for row in _ROWS for left, right in pairwise(row) for pair in (left + right, right + left)
)


@attrs.frozen
class Spelt:
    """A known name that may be meant.  ``distance`` typos lie between; ``damaged`` is the part of what was typed that is wrong and
    ``meant`` what stands there in the known name (both squashed; empty where only separators, case or order differ)."""

    name: str
    distance: int
    damaged: str
    meant: str

    def rank(self, typed: str) -> tuple[object, ...]:
        """Return what to sort by: the likeliest first."""
        return (
            self.distance,
            self.damaged != "",
            -likeness(self.damaged, self.meant),
            abs(len(self.name) - len(typed)),
            self.name,
        )


def words_of(name: str) -> list[str]:
    """Return the words of a name."""
    return [word for word in _SEPARATORS.split(name.lower()) if word]


def squashed(name: str) -> str:
    """Return a name without its separators, in lower case."""
    return _SEPARATORS.sub("", name.lower())


def humps(name: str) -> list[str]:
    """Return the words of a name, those that only a capital letter sets apart too."""
    return words_of(_HUMP.sub(".", name))


def edit_distance(typed: str, meant: str) -> int:
    """Return how many typos lie between two texts, ``MOST + 1`` for more than ``MOST``."""
    from rapidfuzz.distance import OSA  # noqa: PLC0415 - only a misspelled name needs it

    return OSA.distance(typed, meant, score_cutoff=MOST)


def adds_no_word(typed: str, meant: str) -> bool:
    """Whether no letter comes or goes together with its separator (``a.b.host`` for ``b.host``): nobody makes both typos at once."""
    return (
        len(words_of(typed)) == len(words_of(meant))
        or squashed(typed) == squashed(meant)
        or edit_distance(typed.lower(), meant.lower()) <= 1
    )


def likeness(damaged: str, meant: str) -> int:
    """Return how usual a typo is: two letters swapped or one doubled 3, a neighbouring key 2, behind the first letter 1."""
    if not damaged or not meant:
        return 0
    if len(damaged) == len(meant):
        pairs = [(a, b) for a, b in zip(damaged, meant, strict=True) if a != b]
        if sorted(damaged) == sorted(meant):
            return 3
        if len(pairs) == 1 and "".join(pairs[0]) in _BESIDE:
            return 2
    elif _undoubled(damaged) == _undoubled(meant):
        return 3
    return int(damaged[0] == meant[0])


def _undoubled(text: str) -> str:
    return re.sub(r"(.)\1", r"\1", text)


class Spelling:
    """An index over names, made at once; asking changes nothing that is seen."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names: Sequence[str] = tuple(dict.fromkeys(names))
        self.words: set[str] = set()
        self._pairs: set[str] = set()
        self._words: list[list[str]] = []
        self._letters: list[str] = []
        self._ordered: dict[str, list[int]] = {}
        for number, name in enumerate(self.names):
            lower = name.lower()
            words = [word for word in _SEPARATORS.split(lower) if word]
            parts = words if lower == name else humps(name)
            self.words.update(words, parts)
            self._pairs.update(map(".".join, pairwise(("", *words, ""))))
            self._words.append(words)
            self._letters.append("".join(words))
            self._ordered.setdefault(".".join(sorted(parts)), []).append(number)

    def near(self, typed: str) -> list[Spelt]:
        """Return the names that may be meant by a text that is not one of them, likeliest first."""
        if not typed or len(typed) > _MAX_LENGTH:
            return []
        words = words_of(typed)
        found: dict[int, Spelt] = {}
        for number in self._ordered.get(".".join(sorted(humps(typed))), ()):
            found[number] = Spelt(self.names[number], 1, "", "")
        from rapidfuzz.distance import OSA  # noqa: PLC0415 - only a misspelled name needs it
        from rapidfuzz.process import extract  # noqa: PLC0415

        close = extract(
            "".join(words), self._letters, scorer=OSA.distance, score_cutoff=MOST, limit=None
        )
        for _, distance, number in close:
            if not distance:
                found[number] = Spelt(self.names[number], 1, "", "")
            elif number not in found and (apart := _apart(words, self._words[number])) is not None:
                damaged, meant = apart
                # Two typos in a short word leave too little of it.
                if distance < MOST or len(meant) >= _LONG:
                    found[number] = Spelt(self.names[number], int(distance), damaged, meant)
        return sorted(
            (one for one in found.values() if one.name != typed), key=lambda one: one.rank(typed)
        )

    def sure(self, typed: str, best: Spelt) -> bool:
        """Whether hardly anything but ``best`` can be meant, if nothing else is as near."""
        whole = len(squashed(best.name))
        if not best.damaged:
            return whole >= _SHORT - 2
        if best.distance > 1 or whole < _SHORT or self._usual(typed, best):
            return False
        if not adds_no_word(typed, best.name):
            return False
        if _digits(best.damaged) != _digits(best.meant):
            return False
        return len(best.meant) >= _SHORT or whole - len(best.meant) >= _SHORT - 1

    def _usual(self, typed: str, best: Spelt) -> bool:
        """Whether the damaged word may well be meant: known names have it, in such a place or as the other's plural."""
        damaged, words = best.damaged, words_of(typed)
        if damaged not in self.words:
            return False
        plural = damaged in (best.meant + "s", best.meant.removesuffix("s"))
        if damaged not in words or (plural and len(damaged) > 2):
            return True
        at = words.index(damaged)
        before = words[at - 1] if at else ""
        after = words[at + 1] if at + 1 < len(words) else ""
        return f"{before}.{damaged}" in self._pairs and f"{damaged}.{after}" in self._pairs


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))


def _apart(typed: Sequence[str], meant: Sequence[str]) -> tuple[str, str] | None:
    """The words in which two names differ, each joined; ``None`` if these are more than two neighbours."""
    start, end = 0, 0
    shorter = min(len(typed), len(meant))
    while start < shorter and typed[start] == meant[start]:
        start += 1
    while end < shorter - start and typed[-1 - end] == meant[-1 - end]:
        end += 1
    if len(typed) == len(meant) and start + end == len(typed):
        return None
    if (
        shorter == start + end and start
    ):  # a word came or went: it is looked at with the one before
        start -= 1
    elif shorter == start + end and end:
        end -= 1
    one, other = typed[start : len(typed) - end], meant[start : len(meant) - end]
    return ("".join(one), "".join(other)) if max(len(one), len(other)) <= 2 else None
