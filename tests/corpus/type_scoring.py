"""Scores inferred option types against a hand-labelled sample (Rabkin, dissertation, §4.4).

Three verdicts: *right*, *wrong*, *unknown*.  What a less exact answer is worth follows Rabkin's evaluation
(Table 4.6), and where he is silent the stricter reading:

- An inferred ``unknown``, and an option that was not found at all, is *unknown*.
- Numbers are split into time, port and other (§4.4): ``integer`` and ``size`` are both "other", so ``integer`` for a
  size is *right*.  ``size`` for a plain integer claims bytes and is *wrong*.
- ``integer`` for a time or a port is his "time/not-time miss": true, but not the answer, so *unknown*; ``time`` or ``port``
  for another number is *wrong*.  A fraction is a type of its own.
- ``string`` is the catch-all: *right* for a string, *unknown* for every narrower type that is written as text,
  *wrong* for booleans and numbers.
- A type and a list of that type are equivalent (§4.2.1): the type of the elements is *right* for a list, and the other
  way round; ``list`` for a plain string is *wrong*.
- ``mode`` with the values ``true`` and ``false`` is a boolean.
- A truth of ``unknown`` (a person cannot tell either) is left out of the counts unless something narrower
  than ``string`` was claimed, which is *wrong*.

Units are counted apart, over the options whose type is right and that have a unit in the truth.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from conflens.options.model import Option, OptionTable, OptionType
from corpus.truth_tables import TypeRow

RIGHT = "right"
WRONG = "wrong"
UNKNOWN = "unknown"
LEFT_OUT = "left out"

_NUMBERS = frozenset({"integer", "fraction", "time", "size", "port"})
_ELEMENTS = frozenset({"class", "file", "address", "uri", "port", "regex", "mode"})
_TRUTH_VALUES = frozenset({"true", "false"})


@attrs.frozen
class TypeResult:
    """The verdict on one option; ``option`` is what was inferred, if it was found."""

    row: TypeRow
    option: Option | None
    verdict: str
    unit_right: bool | None


@attrs.frozen
class TypeScore:
    """The verdicts on a sample."""

    results: tuple[TypeResult, ...]

    def count(self, verdict: str) -> int:
        """Return how many options have ``verdict``."""
        return sum(result.verdict == verdict for result in self.results)

    @property
    def total(self) -> int:
        """How many options count."""
        return len(self.results) - self.count(LEFT_OUT)

    def share(self, verdict: str) -> float:
        """Return the share of ``verdict`` among the options that count."""
        return self.count(verdict) / self.total if self.total else 0.0

    @property
    def units(self) -> tuple[int, int]:
        """Return (right, all) of the units."""
        judged = [result.unit_right for result in self.results if result.unit_right is not None]
        return sum(judged), len(judged)


def judge(expected: str, inferred: str, values: Iterable[str] = ()) -> str:
    """Return the verdict on an inferred type by the rules above."""
    if inferred == "mode" and expected == "boolean":
        found = {value.lower() for value in values}
        return RIGHT if found and found <= _TRUTH_VALUES else WRONG
    if expected == "unknown":
        return LEFT_OUT if inferred in ("unknown", "string") else WRONG
    if inferred == "unknown":
        return UNKNOWN
    if inferred == expected:
        return RIGHT
    if inferred == "integer" and expected == "size":
        return RIGHT
    if inferred == "integer" and expected in ("time", "port"):
        return UNKNOWN
    if inferred == "string":
        return WRONG if expected in _NUMBERS or expected == "boolean" else UNKNOWN
    if "list" in (expected, inferred):
        return RIGHT if {expected, inferred} - {"list"} <= _ELEMENTS else WRONG
    return WRONG


def score_types(table: OptionTable, rows: Iterable[TypeRow]) -> TypeScore:
    """Judge every option of a sample."""
    named: dict[str, list[Option]] = {}
    for option in table.options:
        named.setdefault(option.name, []).append(option)
    return TypeScore(tuple(_result(row, named.get(row.name, [])) for row in rows))


def _result(row: TypeRow, options: list[Option]) -> TypeResult:
    """Judge one option; of several domains, the one with the most reads that has a type."""
    option = max(
        options,
        key=lambda item: (item.type is not OptionType.UNKNOWN, len(item.reads)),
        default=None,
    )
    if option is None:
        verdict = judge(row.type, "unknown")
        return TypeResult(row, None, verdict, None)
    verdict = judge(row.type, option.type.value, option.values)
    unit = option.unit == row.unit if verdict == RIGHT and row.unit else None
    return TypeResult(row, option, verdict, unit)
