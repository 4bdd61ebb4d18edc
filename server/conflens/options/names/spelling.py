"""Which of many names a misspelt one was meant to be: ConfErr's slips of the pen, over thousands of names at once.

Terms
    word      what stands between separators (``.``, ``-``, ``_``, ``:``, ``/``, white space), in lower case.
    squashed  a name without separators, in lower case.
    slip      a letter left out, put in, mistaken for another, or two neighbours swapped.  Other case, other, doubled or
              missing separators and words in another order are one slip for the whole name.

How: of each name every word, and every pair of neighbouring words, is left out once, and the rest is what the name is found
by; so a name with all slips in one word, or at one separator, shares an entry with what was meant, and only what was left
out is compared.  Where thousands of names share an entry (names of one word), those are found by leaving out single letters.
Hashes stand for the texts of entries; what is found by them is compared in full.
Absent: options, domains, patterns (``naming``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import attrs

MOST = 2
"""Slips beyond which nothing is near."""

_LONG = 8
_CROWDED = 48
_MAX_WORDS = 14
_MAX_LENGTH = 200
_SHORT = 5
_SEPARATORS = re.compile(r"[.\-_:/\s]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_GONE = "\0"
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_BESIDE = frozenset(
    pair for row in _ROWS for left, right in pairwise(row) for pair in (left + right, right + left)
)


@attrs.frozen
class Spelt:
    """A known name that may be meant.  ``slips`` lie between; ``damaged`` is the part of what was typed that is wrong and
    ``meant`` what stands there in the known name (both squashed; empty where only separators, case or order differ)."""

    name: str
    slips: int
    damaged: str
    meant: str

    def rank(self, typed: str) -> tuple[object, ...]:
        """Return what to sort by: the likeliest first."""
        return (
            self.slips,
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


def slips(typed: str, meant: str) -> int:
    """Return how many slips lie between two texts, ``MOST + 1`` for more than ``MOST``."""
    if typed == meant:
        return 0
    start, end_typed, end_meant = 0, len(typed), len(meant)
    if abs(end_typed - end_meant) > MOST:
        return MOST + 1
    shorter = min(end_typed, end_meant)
    while start < shorter and typed[start] == meant[start]:
        start += 1
    while end_typed > start and end_meant > start and typed[end_typed - 1] == meant[end_meant - 1]:
        end_typed -= 1
        end_meant -= 1
    first, second = typed[start:end_typed], meant[start:end_meant]
    if len(first) <= 1 and len(second) <= 1:
        return 1
    if len(first) == 2 == len(second) and first == second[::-1]:
        return 1
    return _aligned(first, second)


def _aligned(first: str, second: str) -> int:
    """The distance by optimal string alignment, within a band around the diagonal."""
    before: list[int] = []
    above = list(range(len(second) + 1))
    for i, left in enumerate(first, 1):
        row = [i]
        for j, right in enumerate(second, 1):
            if abs(i - j) > MOST:
                row.append(MOST + 1)
                continue
            row.append(min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (left != right)))
            if i > 1 and j > 1 and left == second[j - 2] and first[i - 2] == right:
                row[j] = min(row[j], before[j - 2] + 1)
        if min(row) > MOST:
            return MOST + 1
        before, above = above, row
    return min(above[-1], MOST + 1)


def adds_no_word(typed: str, meant: str) -> bool:
    """Whether no letter comes or goes together with its separator (``a.b.host`` for ``b.host``): no pen slips twice so."""
    return (
        len(words_of(typed)) == len(words_of(meant))
        or squashed(typed) == squashed(meant)
        or slips(typed.lower(), meant.lower()) <= 1
    )


def likeness(damaged: str, meant: str) -> int:
    """Return how usual a slip is: two letters swapped or one doubled 3, a neighbouring key 2, behind the first letter 1."""
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
        self._joined: list[str] = []
        self._squashed: dict[str, list[int]] = {}
        self._ordered: dict[str, list[int]] = {}
        self._without: dict[int, list[int]] = {}
        self._crowds: dict[int, dict[str, list[int]]] = {}
        joined, ordered, without = self._joined, self._ordered, self._without
        split = _SEPARATORS.split
        for number, name in enumerate(self.names):
            lower = name.lower()
            words = [word for word in split(lower) if word]
            self.words.update(words)
            self._pairs.update(map(".".join, pairwise(("", *words, ""))))
            self._squashed.setdefault("".join(words), []).append(number)
            parts = words if lower == name else humps(name)
            if parts is not words:
                self.words.update(parts)
            ordered.setdefault(".".join(sorted(parts)), []).append(number)
            text = ".".join(words)
            joined.append(text)
            for start, end in _spans(words):
                key = hash(text[:start] + _GONE + text[end:])
                found = without.get(key)
                if found is None:
                    without[key] = [number]
                else:
                    found.append(number)

    def near(self, typed: str) -> list[Spelt]:
        """Return the names that may be meant by a text that is none of them, likeliest first."""
        if not typed or len(typed) > _MAX_LENGTH:
            return []
        found: dict[int, Spelt] = {}
        words = words_of(typed)
        for number in self._squashed.get("".join(words), ()):
            found[number] = Spelt(self.names[number], 1, "", "")
        for number in self._ordered.get(".".join(sorted(humps(typed))), ()):
            found.setdefault(number, Spelt(self.names[number], 1, "", ""))
        text = ".".join(words)
        for start, end in _spans(words):
            before, after = text[:start], text[end:]
            out = text[start:end].replace(".", "")
            for number, meant in self._compared(before, after, out):
                distance = slips(out, meant)
                if distance > MOST or (distance == MOST and len(meant) < _LONG):
                    continue
                known = found.get(number)
                if known is None or known.slips > max(distance, 1):
                    found[number] = Spelt(self.names[number], max(distance, 1), out, meant)
        return sorted(
            (one for one in found.values() if one.name != typed), key=lambda one: one.rank(typed)
        )

    def _compared(self, before: str, after: str, out: str) -> Iterator[tuple[int, str]]:
        """The names that are alike around what was left out, with what stands in them there."""
        key = hash(before + _GONE + after)
        numbers: Sequence[int] = self._without.get(key, ())
        if len(numbers) > _CROWDED:
            numbers = self._crowd(key, before, after, numbers, out)
        low, high = len(out) - MOST, len(out) + MOST
        around = len(before) + len(after)
        for number in numbers:
            text = self._joined[number]
            if (
                low <= len(text) - around <= high + 1
                and text.startswith(before)
                and text.endswith(after)
            ):
                yield number, text[len(before) : len(text) - len(after)].replace(".", "")

    def _crowd(
        self, key: int, before: str, after: str, numbers: Sequence[int], out: str
    ) -> Sequence[int]:
        """Of many names those that lie one letter left out of each other away."""
        lessened = self._crowds.get(key)
        if lessened is None:
            lessened = {}
            for number in numbers:
                text = self._joined[number]
                meant = text[len(before) : len(text) - len(after)].replace(".", "")
                for less in _lessened(meant):
                    lessened.setdefault(less, []).append(number)
            self._crowds[key] = lessened
        found: dict[int, None] = {}
        for less in _lessened(out):
            found.update(dict.fromkeys(lessened.get(less, ())))
        return tuple(found)

    def sure(self, typed: str, best: Spelt) -> bool:
        """Whether hardly anything but ``best`` can be meant, if nothing else is as near."""
        whole = len(squashed(best.name))
        if not best.damaged:
            return whole >= _SHORT - 2
        if best.slips > 1 or whole < _SHORT or self._usual(typed, best):
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


def _lessened(text: str) -> Iterator[str]:
    yield text
    for at in range(len(text)):
        yield text[:at] + text[at + 1 :]


def _spans(words: Sequence[str]) -> list[tuple[int, int]]:
    """Where single words and pairs of neighbours stand in the words joined by one character."""
    spans: list[tuple[int, int]] = []
    at, last = 0, -1
    for word in words[:_MAX_WORDS]:
        end = at + len(word)
        spans.append((at, end))
        if last >= 0:
            spans.append((last, end))
        last, at = at, end + 1
    return spans
