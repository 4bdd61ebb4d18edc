"""What engineers expect of the words of an option's name: rows of ``grammars/sensitivity/lexicon.toml``.

Terms
    weight   -3 to 3: how strongly a word suggests that the value changes what a program costs.
    phrase   two adjacent words that mean something else than their sum (``cache directory``).
    head     the last word that is no unit: in ``thread_name_prefix`` the prefix, not the threads.

A prior belief, written down without looking at labels; how much it counts is learned.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import attrs
import tomli

from conflens.models.resources import grammar_file

FILE = "sensitivity/lexicon.toml"

_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_BETWEEN = re.compile(r"[^A-Za-z]+")


class Leaning(NamedTuple):
    """What a name suggests: the sum of its weights, the extremes (0 without), the head's; ``word`` is the
    phrase or word with the strongest weight, empty without."""

    total: float
    most: float
    least: float
    head: float
    word: str


@attrs.frozen
class Lexicon:
    """Weights of words and of phrases (two words with a space); ``units`` are never a head."""

    units: frozenset[str] = attrs.field(repr=False)
    words: Mapping[str, int] = attrs.field(repr=False)
    phrases: Mapping[str, int] = attrs.field(repr=False)

    def leaning(self, name: str) -> Leaning:
        """Return what a name suggests."""
        found = self._found(name)
        weights = [weight for weight, _, _ in found]
        return Leaning(
            sum(weights),
            max([0, *weights]),
            min([0, *weights]),
            sum(weight for weight, _, holds in found if holds),
            max(found, key=lambda item: abs(item[0]))[1] if found else "",
        )

    def strongest(self, name: str, toward: bool, least: int = 1) -> str:
        """Return the word or phrase of a name that speaks most for a cost, or against; empty without one
        of at least the weight ``least``."""
        sign = 1 if toward else -1
        found = [(sign * weight, text) for weight, text, _ in self._found(name)]
        best = max(found, default=(0, ""), key=lambda item: item[0])
        return best[1] if best[0] >= least else ""

    def _found(self, name: str) -> list[tuple[int, str, bool]]:
        """The words and phrases that have a weight: weight, text as written, whether it holds the head."""
        written = _written(name)
        words = [singular(word) for word in written]
        found: list[tuple[int, str, bool]] = []
        heads = [index for index, word in enumerate(words) if word not in self.units]
        head = heads[-1] if heads else len(words) - 1
        index = 0
        while index < len(words):
            pair = " ".join(words[index : index + 2])
            if pair in self.phrases:
                text = " ".join(written[index : index + 2])
                found.append((self.phrases[pair], text, index <= head <= index + 1))
                index += 2
                continue
            if words[index] in self.words:
                found.append((self.words[words[index]], written[index], index == head))
            index += 1
        return found


def split(text: str) -> tuple[str, ...]:
    """Return the words of a name in lower case, plurals without their ``s``."""
    return tuple(singular(word) for word in _written(text))


def _written(text: str) -> list[str]:
    return _BETWEEN.sub(" ", _CAPITAL.sub(" ", text)).lower().split()


def singular(word: str) -> str:
    """Return a word without the ``s`` of a plural."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


@lru_cache(maxsize=1)
def packaged() -> Lexicon:
    """Return the packaged lexicon."""
    rows = tomli.loads(grammar_file(FILE).decode())
    return Lexicon(
        frozenset(rows["units"].split()),
        {
            singular(word): int(weight)
            for weight, words in rows["words"].items()
            for word in words.split()
        },
        {
            " ".join(split(phrase)): int(weight)
            for weight, phrases in rows["phrases"].items()
            for phrase in phrases
        },
    )
