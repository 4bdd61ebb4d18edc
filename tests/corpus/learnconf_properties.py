"""LearnConf's truth on properties: the linear options of Table 6, and slopes and monotonicity that its text gives.

``python -m corpus.learnconf_properties [SYSTEM | SYSTEM=FOLDER ...]``: what is right, and each that is not.
A property of which nothing is said counts as ``silent``; one that contradicts the paper as ``wrong``.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import attrs

from conflens.flow.terms import slope, text_of
from conflens.options.model import Option
from conflens.properties.model import Properties
from conflens.session.analysis import Analysis
from corpus.flows.systems import named, opened

TRUTH = Path(__file__).parent / "truth"
TABLE = "hbase-0.94"
SYSTEMS = (TABLE, "hadoop-2.3")


@attrs.frozen
class Judged:
    """One bit or property: ``right``, ``silent`` or ``wrong``."""

    option: str
    wanted: str
    got: str
    outcome: str


def rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a table of truth."""
    with (TRUTH / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def linear_bits(analysis: Analysis) -> Iterator[Judged]:
    """Yield the bits of Table 6 that say whether an option has a linear relation."""
    for row in rows("learnconf_table6.csv"):
        got = str(int(any(one.slopes for one in _of(analysis, row["option"]))))
        outcome = "right" if got == row["LR"] else "silent" if got == "0" else "wrong"
        yield Judged(row["option"], row["LR"], got, outcome)


def properties(analysis: Analysis, system: str) -> Iterator[Judged]:
    """Yield the properties that the paper gives of options of a system."""
    for row in rows("learnconf_properties.csv"):
        if row["system"] != system:
            continue
        said = [
            text for one in _of(analysis, row["option"]) for text in _said(one, row["property"])
        ]
        wanted = row["value"]
        wrong = "wrong" if said and row["property"] == "monotone" else "silent"
        yield Judged(row["option"], wanted, ", ".join(said), "right" if wanted in said else wrong)


def _of(analysis: Analysis, name: str) -> list[Properties]:
    options: list[Option] = [one for one in analysis.options.options if one.name == name]
    return [analysis.properties.of(one) for one in options]


def _said(found: Properties, property_: str) -> list[str]:
    if property_ == "monotone":
        return [] if found.monotone is None else [str(found.monotone).lower()]
    slopes = [slope(one.term) for one in found.slopes]
    return [text_of(one) for one in slopes if one is not None]


def scored(systems: Mapping[str, Analysis]) -> tuple[list[Judged], list[Judged]]:
    """Return the bits of the table and the properties, of the systems at hand."""
    bits = list(linear_bits(systems[TABLE])) if TABLE in systems else []
    found = [one for name, analysis in systems.items() for one in properties(analysis, name)]
    return bits, found


def main() -> int:
    """Print what is right."""
    systems = {
        system.name: opened(system, folder).analysis
        for system, folder in named(sys.argv[1:], SYSTEMS)
    }
    for title, judged in zip(("linear", "properties"), scored(systems), strict=True):
        right = sum(one.outcome == "right" for one in judged)
        wrong = sum(one.outcome == "wrong" for one in judged)
        print(f"{title}: {right} of {len(judged)} right, {wrong} wrong")
        for one in judged:
            if one.outcome != "right":
                print(f"  {one.outcome} {one.option}: {one.wanted}, got {one.got or 'nothing'}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
