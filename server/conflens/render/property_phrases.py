"""One sentence on what changing an option does: ``Raising it: more memory (1,024 bytes times the value), fewer flushes.``

What the value itself sizes or repeats comes first.  What grows and shrinks at once is left out.
Absent: which effects there are (``properties``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from conflens.flow.terms import Number, direction, slope, text_of
from conflens.properties.directions import LONGER
from conflens.properties.model import Direction, Properties, Slope, Way
from conflens.properties.slopes import names
from conflens.render.phrases import code, number_words

MOST = 3
"""Costs that one sentence names."""
_MASS = frozenset({"memory", "I/O", "locking", "computation"})
"""Costs that are not counted: there is less of them, not fewer."""
_SHOWN_UNITS = {"chars": "characters", "rounds": ""}
_LONGEST = 40
_NAME = 24
_ASKED = re.compile(r"\w+\.\w+\(\)")
"""What an object with a name is asked for; a call without one asks for something internal."""
_TIMES = "\N{MULTIPLICATION SIGN}"


def property_words(properties: Properties) -> str:
    """Return the sentence on an option as Markdown; empty if nothing is known."""
    parts = list(dict.fromkeys(_parts(properties)))[:MOST]
    if not parts:
        return ""
    return f"Raising it: {', '.join(parts)}."


def _parts(properties: Properties) -> Iterator[str]:
    told: set[Slope] = set()
    for one in properties.directions:
        words = direction_words(one)
        if not words:
            continue
        found = next((s for s in properties.slopes if _is_of(s, one) and s not in told), None)
        factor = slope_words(found) if found is not None else ""
        if found is not None:
            told.add(found)
        yield f"{words} ({factor})" if factor else words


def _is_of(slope_: Slope, one: Direction) -> bool:
    return slope_.place == one.place and slope_.kind == one.kind


def direction_words(one: Direction) -> str:
    """Return what becomes of one cost: ``more memory``, ``fewer flushes``, ``longer pauses``."""
    if one.way is Way.MIXED:
        return ""
    if one.words.startswith(LONGER):
        rest = one.words.removeprefix(LONGER)
        return f"{'longer' if one.way is Way.UP else 'shorter'} {rest}"
    if one.way is Way.UP:
        return f"more {one.words}"
    return f"{'less' if one.words in _MASS else 'fewer'} {one.words}"


def slope_words(one: Slope) -> str:
    """Return by how much a cost grows for each one of the value; empty where that is one of it, or too long to be read."""
    by = slope(one.term)
    if not is_plain(one):
        return ""
    unit = _SHOWN_UNITS.get(one.unit, one.unit)
    if by is None:
        return ""
    if isinstance(by, Number):
        return "" if by.value == 1.0 else f"{_TIMES} {number_words(by.value)} {unit}".rstrip()
    text = text_of(by)
    return f"{_TIMES} {code(text)} {unit}".rstrip() if len(text) <= _LONGEST else ""


def is_plain(one: Slope) -> bool:
    """Tell whether all that stands in an amount is called so that a person knows it without the code."""
    return all(
        len(name.text) <= _NAME and ("(" not in name.text or _ASKED.fullmatch(name.text))
        for name in names(one.term)
    )


def amount_words(one: Slope) -> str:
    """Return the whole amount: ``memory: v * 1024 bytes``; where its names say nothing, only that it grows."""
    if is_plain(one):
        return f"{one.words or one.kind}: {one.expression} {one.unit}".rstrip()
    return (
        f"{one.words or one.kind}: grows with v" if direction(one.term, counts=True) == 1 else ""
    )
