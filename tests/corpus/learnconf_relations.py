"""LearnConf's truth on relations and on who feels an option: the related options of Table 6, and which of them are user-facing.

``python -m corpus.learnconf_relations [SYSTEM | SYSTEM=FOLDER ...]``: what is right, and each that is not.
What is not said counts as ``silent``; what is said against the paper as ``wrong``.  By the paper's rule memory and threads are everybody's.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from pathlib import Path

from conflens.flow.results import Confidence
from conflens.options.model import Option
from conflens.properties.model import Felt
from conflens.session.analysis import Analysis
from corpus.flows.systems import named, opened
from corpus.learnconf_properties import Judged

TRUTH = Path(__file__).parent / "truth" / "learnconf_related.csv"
SYSTEM = "hbase-0.94"
_SHARED = frozenset({"memory", "thread"})


def rows() -> list[dict[str, str]]:
    """Return the rows of the table."""
    with TRUTH.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def related(analysis: Analysis) -> Iterator[Judged]:
    """Yield the bits of Table 6 that say whether an option has a relation with another."""
    for row in rows():
        of = _named(analysis, row["option"])
        got = str(int(any(analysis.properties.relations_of(one) for one in of)))
        yield _judged(row["option"], row["RP"], got)


def user_facing(analysis: Analysis) -> Iterator[Judged]:
    """Yield whether the options of Table 6 concern requests."""
    for row in rows():
        of = _named(analysis, row["option"])
        got = str(int(any(_is_user_facing(analysis, one) for one in of)))
        yield _judged(row["option"], row["user_facing"], got)


def _judged(option: str, wanted: str, got: str) -> Judged:
    outcome = "right" if got == wanted else "silent" if got == "0" else "wrong"
    return Judged(option, wanted, got, outcome)


def _named(analysis: Analysis, name: str) -> list[Option]:
    return [one for one in analysis.options.options if one.name == name]


def _is_user_facing(analysis: Analysis, option: Option) -> bool:
    felt = {one.felt for one in analysis.properties.felt_by_of(option)}
    shared = any(
        flow.operation.kind in _SHARED
        for flow in analysis.flows.of_option(option.key).flows
        if flow.confidence is Confidence.HIGH
    )
    return Felt.REQUEST in felt or shared


def main() -> int:
    """Print what is right."""
    for system, folder in named(sys.argv[1:], (SYSTEM,)):
        analysis = opened(system, folder).analysis
        for title, judged in (
            ("related", list(related(analysis))),
            ("user-facing", list(user_facing(analysis))),
        ):
            right = sum(one.outcome == "right" for one in judged)
            wrong = sum(one.outcome == "wrong" for one in judged)
            print(f"{title}: {right} of {len(judged)} right, {wrong} wrong")
            for one in judged:
                if one.outcome != "right":
                    print(f"  {one.outcome} {one.option}: {one.wanted}, got {one.got}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
