"""Pieces of evidence of an option's type, and what follows from all of them together.

Weights order evidence; they are no probabilities.  ``STATED``: allowed values that the program
lists itself.  ``CERTAIN``: the API, the Java type or a call that accepts nothing else.  ``CODE``:
arithmetic with a clock, comparisons with constants.  ``NAMED``: a name that states a unit.
``WEAK``: a word in a name, the look of a default.  Lower evidence may refine what higher evidence
says, never contradict it; evidence of one weight that disagrees gives what both agree on: a plain
integer for numbers, else nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

from conflens.options.model import OptionType
from conflens.options.sites import Inference

STATED = 6
CERTAIN = 5
TESTED = 4
CODE = 3
NAMED = 2
WEAK = 1

DECLARED = "as declared"
"""The reason of a definition, which settles what reads disagree on."""

TEXT = "declared as text"
"""The reason of a member whose Java type is ``String``: its name and default make it no number."""

MADE = "text of which an object is made"

PRESENCE = "only its presence is tested"
SWITCH = "switch without argument"
NOT_FOLLOWED = "its value is not followed"
_OUTWEIGHED = frozenset({PRESENCE, SWITCH, NOT_FOLLOWED})
"""Reasons of reads that take no value: any read that takes one outweighs them."""

_TEXTS = frozenset(
    {
        OptionType.MODE,
        OptionType.CLASS,
        OptionType.FILE,
        OptionType.ADDRESS,
        OptionType.URI,
        OptionType.REGEX,
        OptionType.LIST,
        OptionType.PASSWORD,
    }
)
_NUMBERS = frozenset({OptionType.TIME, OptionType.SIZE, OptionType.PORT})
_REFINES: dict[OptionType, frozenset[OptionType]] = {
    OptionType.STRING: frozenset(OptionType) - {OptionType.STRING, OptionType.UNKNOWN},
    OptionType.MAP: frozenset(OptionType)
    - {OptionType.MAP, OptionType.STRING, OptionType.UNKNOWN},
    OptionType.INTEGER: _NUMBERS | {OptionType.MODE},
    OptionType.FRACTION: frozenset({OptionType.TIME}),
    OptionType.MODE: _TEXTS - {OptionType.MODE},
}
"""What each type may turn out to be when more is known; what is declared as a map may be read for one of its entries."""

for _element in (OptionType.CLASS, OptionType.FILE, OptionType.ADDRESS, OptionType.URI):
    _REFINES[_element] = frozenset({OptionType.LIST})
_REFINES[OptionType.FILE] |= {OptionType.URI}
_WEAKLY: dict[OptionType, frozenset[OptionType]] = {
    OptionType.STRING: _REFINES[OptionType.STRING],
    OptionType.INTEGER: _NUMBERS | {OptionType.INTEGER},
    OptionType.FRACTION: frozenset({OptionType.TIME}),
}


@attrs.frozen
class Evidence:
    """One reason for a type; ``unit`` and ``values`` as far as it tells them."""

    type: OptionType
    why: str
    weight: int
    unit: str = ""
    values: tuple[str, ...] = ()


@attrs.frozen
class Verdict:
    """What the evidence comes to."""

    type: OptionType
    why: str
    values: tuple[str, ...]
    unit: str


NO_VERDICT = Verdict(OptionType.UNKNOWN, "", (), "")


def decide(evidence: Iterable[Evidence]) -> Verdict:
    """Return the type that evidence comes to."""
    by_weight: dict[int, list[Evidence]] = {}
    for item in evidence:
        by_weight.setdefault(item.weight, []).append(item)
    kept: list[Evidence] = []
    type_: OptionType | None = None
    for weight in sorted(by_weight, reverse=True):
        agreed = _agreed(by_weight[weight])
        if agreed is None:
            if type_ is None and weight >= CODE:
                return NO_VERDICT
            continue
        allowed = _WEAKLY if weight <= NAMED else _REFINES
        refined = type_ is not None and agreed in allowed.get(type_, frozenset())
        if type_ is OptionType.FRACTION and weight < NAMED:
            refined = False
        if refined and agreed in _NUMBERS and weight <= NAMED and any(e.unit for e in kept):
            refined = False
        if type_ is None or agreed is type_ or refined:
            type_ = agreed
            kept = [item for item in kept if item.type is agreed]
            kept += [item for item in by_weight[weight] if item.type is agreed]
    if type_ is None:
        return NO_VERDICT
    return _verdict(type_, kept)


def _verdict(type_: OptionType, kept: Sequence[Evidence]) -> Verdict:
    why = next((item.why for item in kept if item.type is type_ and item.why), "")
    units = _top(kept, lambda item: item.unit)
    values: dict[str, None] = {}
    if type_ is OptionType.MODE:
        top = max((item.weight for item in kept if item.values), default=0)
        for item in kept:
            if item.weight == top:
                values.update(dict.fromkeys(item.values))
    return Verdict(type_, why, tuple(values), units)


def _top(kept: Sequence[Evidence], get: object) -> str:
    """Return the unit that the best evidence states; nothing when equals disagree."""
    best = max((item.weight for item in kept if item.unit), default=0)
    units = {item.unit for item in kept if item.unit and item.weight == best}
    return units.pop() if len(units) == 1 else ""


def _agreed(items: Sequence[Evidence]) -> OptionType | None:
    types = {item.type for item in items}
    counted = any(item.type is OptionType.INTEGER and item.unit == "count" for item in items)
    return common(types, counted)


def common(types: set[OptionType], counted: bool = False) -> OptionType | None:
    """Return the one type that all others may turn out to be, ``None`` when there is none.

    ``counted``: the integer among them is known to be a count, so nothing narrower can be true.
    """
    left = {
        type_
        for type_ in types
        if not any(other in _REFINES.get(type_, frozenset()) for other in types)
    }
    if counted and left & _NUMBERS and len(left) == 1:
        return OptionType.INTEGER
    if len(left) == 1:
        return left.pop()
    if left and left <= _NUMBERS:
        return OptionType.INTEGER
    return None


def _outweighs(item: Inference) -> bool:
    """Tell whether a read takes a value, so that the option is no mere switch."""
    if item.why in _OUTWEIGHED:
        return False
    return item.type is not OptionType.UNKNOWN or (bool(item.files) and not item.unused)


def combine(inferences: Sequence[Inference]) -> Inference:
    """Return what several reads of one option say together; ``unknown`` where they conflict."""
    files = frozenset[str]().union(*(item.files for item in inferences))
    unused = bool(inferences) and all(item.unused for item in inferences)
    defaults = {item.default for item in inferences if item.default is not None}
    default = defaults.pop() if len(defaults) == 1 else None
    said = [item for item in inferences if item.type is not OptionType.UNKNOWN]
    if not all(item.unused for item in said):
        said = [item for item in said if not item.unused]
    if any(_outweighs(item) for item in inferences):
        said = [item for item in said if item.why not in _OUTWEIGHED]
    verdict = NO_VERDICT
    if said:
        stated = [item for item in said if item.why == DECLARED]
        type_ = common({item.type for item in said}) or common({item.type for item in stated})
        if any(item.values and item.type is type_ for item in stated):
            said = stated
        if type_ is not None:
            same = [
                Evidence(item.type, item.why, CERTAIN, item.unit, item.values)
                for item in said
                if item.type is type_
            ]
            verdict = _verdict(type_, same)
    return Inference(
        verdict.type, verdict.why, verdict.values, verdict.unit, unused, default, files
    )
