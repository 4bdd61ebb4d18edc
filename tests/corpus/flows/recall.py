"""``python -m corpus.flows.recall [SYSTEM | SYSTEM=FOLDER ...] [--misses] [--found]``

Scores ``recall.csv``, flows that were found by reading the sources, against what the analysis reports.

A row is *found* when a flow of its option ends at its operation (``path:line``, one of several separated
by ``|``) with its dependency.  A row that is reached only in another way is *otherwise*, one whose operation is
reached by other options alone is *by others*.  Kind and pattern are compared among the found rows and do not
decide.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import attrs

from corpus.fetch import FetchError
from corpus.flows.reported import Reported, reported
from corpus.flows.systems import HERE, named, opened

TABLE = HERE / "recall.csv"
SYSTEMS = ("h2", "zookeeper", "kafka", "hdfs", "jmeter", "kanzi")

FOUND = "found"
OTHERWISE = "otherwise"
BY_OTHERS = "by others"
MISSED = "missed"


@attrs.frozen
class Row:
    """One flow of the table; ``pattern`` is empty where the reader left it open."""

    system: str
    options: tuple[str, ...]
    read: str
    operations: tuple[tuple[str, int], ...]
    kind: str
    dependency: str
    pattern: str
    how: str
    note: str


@attrs.frozen
class Verdict:
    """What became of a row; ``flow`` is the surest that matches best."""

    row: Row
    outcome: str
    flow: Reported | None = None


def places(text: str) -> tuple[tuple[str, int], ...]:
    """Read ``path:line|path:line``."""
    found = (part.rpartition(":") for part in text.split("|") if part)
    return tuple((path, int(line)) for path, _, line in found)


def rows(path: Path = TABLE) -> tuple[Row, ...]:
    """Load the table."""
    with path.open(encoding="utf-8", newline="") as file:
        return tuple(
            Row(
                line["system"],
                tuple(line["option"].split("|")),
                line["read"],
                places(line["operation"]),
                line["kind"],
                line["dependency"],
                line["pattern"],
                line["how"],
                line["note"],
            )
            for line in csv.DictReader(file)
        )


def at(flow: Reported, operations: Iterable[tuple[str, int]]) -> bool:
    """Tell whether a flow ends at one of some places."""
    return any(flow.operation.at(path, line) for path, line in operations)


def score(table: Iterable[Row], flows: Iterable[Reported]) -> tuple[Verdict, ...]:
    """Judge each row of one system."""
    everything = tuple(flows)
    return tuple(_judge(row, everything) for row in table)


def _judge(row: Row, flows: tuple[Reported, ...]) -> Verdict:
    there = [flow for flow in flows if at(flow, row.operations)]
    own = [flow for flow in there if flow.option in row.options]
    right = [flow for flow in own if flow.dependency == row.dependency]
    right.sort(key=lambda flow: (flow.pattern != row.pattern, flow.kind != row.kind))
    if right:
        return Verdict(row, FOUND, right[0])
    if own:
        return Verdict(row, OTHERWISE, own[0])
    return Verdict(row, BY_OTHERS, there[0]) if there else Verdict(row, MISSED)


def lines(name: str, verdicts: tuple[Verdict, ...], shown: frozenset[str]) -> Iterator[str]:
    """Yield the summary of one system and the rows with a shown outcome."""
    counts = Counter(verdict.outcome for verdict in verdicts)
    found = [v for v in verdicts if v.outcome == FOUND and v.flow is not None]
    with_pattern = [v for v in found if v.row.pattern]
    patterns = sum(v.flow.pattern == v.row.pattern for v in with_pattern if v.flow is not None)
    kinds = sum(v.flow.kind == v.row.kind for v in found if v.flow is not None)
    sure = Counter(v.flow.confidence for v in found if v.flow is not None)
    yield (
        f"{name:<10} recall {counts[FOUND]}/{len(verdicts)}"
        f"  otherwise {counts[OTHERWISE]}  by others {counts[BY_OTHERS]}  missed {counts[MISSED]}"
        f"  (pattern {patterns}/{len(with_pattern)}, kind {kinds}/{len(found)};"
        f" {', '.join(f'{how} {n}' for how, n in sorted(sure.items())) or 'none'})"
    )
    for verdict in verdicts:
        if verdict.outcome not in shown:
            continue
        row, flow = verdict.row, verdict.flow
        where = "|".join(f"{path}:{line}" for path, line in row.operations)
        yield f"  {verdict.outcome}: {'|'.join(row.options)}  {row.read} -> {where}"
        yield f"      wanted {row.dependency} {row.pattern or '(any)'} {row.kind}; {row.note}"
        if flow is not None:
            yield f"      got {flow.option} {flow.dependency} {flow.pattern} {flow.kind} {flow.confidence}"


def main() -> int:
    """Scan, score, print; return 2 when a system cannot be had."""
    parser = argparse.ArgumentParser(prog="corpus.flows.recall", description=__doc__)
    parser.add_argument("systems", nargs="*", metavar="SYSTEM", help=", ".join(SYSTEMS))
    parser.add_argument("--misses", action="store_true", help="rows that were not found")
    parser.add_argument("--found", action="store_true", help="rows that were found")
    arguments = parser.parse_args()
    shown = frozenset((OTHERWISE, BY_OTHERS, MISSED) if arguments.misses else ())
    shown |= frozenset((FOUND,) if arguments.found else ())
    table = rows()
    verdicts: list[Verdict] = []
    try:
        for system, folder in named(arguments.systems, SYSTEMS):
            flows = reported(opened(system, folder).analysis)
            found = score((row for row in table if row.system == system.name), flows)
            verdicts += found
            for line in lines(system.name, found, shown):
                print(line, flush=True)
    except FetchError as error:
        print(error, file=sys.stderr)
        return 2
    print(next(lines("all", tuple(verdicts), frozenset())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
