"""``python -m corpus.flows.learnconf [SYSTEM | SYSTEM=FOLDER ...] [--all]``

Scores ``learnconf.csv``: the options that the LearnConf paper names, each with its pattern, and the three
examples of DiagConfig's Figure 4, each with its dependency.

A case of LearnConf is *right* when a flow of its option ends at one of the listed operations in one of the
listed patterns; of Figure 4 when it does so with the dependency.  Otherwise it is *wrong* when the option
reaches such an operation in another way, and *missed* when it reaches none.  The share that the project promises
is that of the cases whose pattern the paper itself gives (column ``paper``).
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterable
from pathlib import Path

import attrs

from corpus.fetch import FetchError
from corpus.flows.recall import at, places
from corpus.flows.reported import Reported, reported
from corpus.flows.systems import HERE, named, opened

TABLE = HERE / "learnconf.csv"
SYSTEMS = ("hbase-0.94", "hadoop-2.3", "cassandra-1.2", "cassandra", "h2", "kanzi")
LEARNCONF = "learnconf"

RIGHT = "right"
WRONG = "wrong"
MISSED = "missed"


@attrs.frozen
class Case:
    """One option; ``patterns`` are those that count as right, ``paper`` what the paper says."""

    source: str
    system: str
    option: str
    read: str
    operations: tuple[tuple[str, int], ...]
    dependency: str
    patterns: tuple[str, ...]
    paper: str
    note: str


@attrs.frozen
class Verdict:
    """What became of a case; ``got`` are the ways in which its operations are reached."""

    case: Case
    outcome: str
    got: tuple[str, ...] = ()


def cases(path: Path = TABLE) -> tuple[Case, ...]:
    """Load the table."""
    with path.open(encoding="utf-8", newline="") as file:
        return tuple(
            Case(
                line["source"],
                line["system"],
                line["option"],
                line["read"],
                places(line["operation"]),
                line["dependency"],
                tuple(line["pattern"].split("|")),
                line["paper"],
                line["note"],
            )
            for line in csv.DictReader(file)
        )


def judge(case: Case, flows: Iterable[Reported]) -> Verdict:
    """Judge one case."""
    there = [flow for flow in flows if flow.option == case.option and at(flow, case.operations)]
    got = tuple(sorted({f"{flow.dependency}/{flow.pattern}" for flow in there}))
    if case.source == LEARNCONF:
        right = any(flow.pattern in case.patterns for flow in there)
    else:
        right = any(flow.dependency == case.dependency for flow in there)
    return Verdict(case, RIGHT if right else WRONG if there else MISSED, got)


def promised(verdicts: Iterable[Verdict]) -> tuple[int, int]:
    """Return how many of LearnConf's cases whose pattern the paper gives are right, of how many."""
    judged = [v for v in verdicts if v.case.source == LEARNCONF and v.case.paper]
    return sum(v.outcome == RIGHT for v in judged), len(judged)


def main() -> int:
    """Scan, score, print; return 2 when a system cannot be had."""
    parser = argparse.ArgumentParser(prog="corpus.flows.learnconf", description=__doc__)
    parser.add_argument("systems", nargs="*", metavar="SYSTEM", help=", ".join(SYSTEMS))
    parser.add_argument("--all", action="store_true", help="with every flow of each option")
    arguments = parser.parse_args()
    table = cases()
    verdicts: list[Verdict] = []
    try:
        for system, folder in named(arguments.systems, SYSTEMS):
            wanted = [case for case in table if case.system == system.name]
            options = {case.option for case in wanted}
            flows = [
                flow
                for flow in reported(opened(system, folder).analysis)
                if flow.option in options
            ]
            for case in wanted:
                verdict = judge(case, flows)
                verdicts.append(verdict)
                _show(verdict, flows if arguments.all else ())
    except FetchError as error:
        print(error, file=sys.stderr)
        return 2
    right, whole = promised(verdicts)
    print(f"patterns of the paper: {right} of {whole} right")
    return 0


def _show(verdict: Verdict, flows: Iterable[Reported]) -> None:
    case = verdict.case
    print(f"{verdict.outcome:<7} {case.system:<14} {case.option}  ({case.source})")
    if verdict.outcome != RIGHT:
        print(f"        wanted {case.dependency} {'|'.join(case.patterns)}; {case.note}")
    print(f"        got {', '.join(verdict.got) or 'nothing'}", flush=True)
    for flow in flows:
        if flow.option == case.option:
            print(
                f"          {flow.dependency} {flow.pattern} {flow.confidence}"
                f" {flow.api} {flow.operation.place}"
            )


if __name__ == "__main__":
    sys.exit(main())
