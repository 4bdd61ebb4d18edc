"""One sentence on what changing an option does: ``Raising it: more memory (1,024 bytes times the value), fewer flushes.``

What the value itself sizes or repeats comes first.  What grows and shrinks at once is left out.
Absent: which effects there are (``properties``).
"""

from __future__ import annotations

from collections.abc import Iterator

from conflens.flow.terms import Number, slope, text_of
from conflens.options.model import Option, OptionType
from conflens.properties.directions import LONGER
from conflens.properties.model import Direction, Properties, Slope, Way
from conflens.render.phrases import code, number_words

MOST = 3
"""Costs that one sentence names."""
_MASS = frozenset({"memory", "I/O", "locking", "computation"})
"""Costs that are not counted: there is less of them, not fewer."""
_SHOWN_UNITS = {"chars": "characters", "rounds": ""}
_LONGEST = 40
_TIMES = "\N{MULTIPLICATION SIGN}"


def property_words(option: Option, properties: Properties) -> str:
    """Return the sentence on an option as Markdown, empty if nothing is known."""
    parts = list(dict.fromkeys(_parts(properties)))[:MOST]
    if not parts:
        return ""
    beginning = "Turned on" if option.type is OptionType.BOOLEAN else "Raising it"
    return f"{beginning}: {', '.join(parts)}."


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
    unit = _SHOWN_UNITS.get(one.unit, one.unit)
    if by is None:
        return ""
    if isinstance(by, Number):
        return "" if by.value == 1.0 else f"{_TIMES} {number_words(by.value)} {unit}".rstrip()
    text = text_of(by)
    return f"{_TIMES} {code(text)} {unit}".rstrip() if len(text) <= _LONGEST else ""
