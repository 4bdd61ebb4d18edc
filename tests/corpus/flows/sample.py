"""``python -m corpus.flows.sample [SYSTEM | SYSTEM=FOLDER ...] [--seed N] [--each N] [--csv FILE] [--print]``

Draws reported flows for a person to judge, as ``README.md`` lays down: at random, stratified by dependency and
confidence, the same number from every non-empty stratum of every system.  ``--print`` shows each with the source
lines of its chain; ``--csv`` writes them with empty columns ``verdict`` (``right``, ``wrong``, ``unclear``) and
``reason``.  ``--score`` reads such a file, filled in, and prints the precision.

Flows are numbered in a fixed order before the draw, so that one analysis and one seed give one sample.
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import attrs

from corpus.fetch import FetchError
from corpus.flows.reported import Reported, reported
from corpus.flows.systems import HERE, named, opened

TABLE = HERE / "precision.csv"
SYSTEMS = ("h2", "zookeeper", "kafka", "hdfs", "jmeter", "kanzi")
SEED = 20
EACH = 2
"""Flows from each stratum of each system: with nine strata and six systems at most 108."""
LEAST = 100

RIGHT = "right"
WRONG = "wrong"
UNCLEAR = "unclear"
COLUMNS = (
    "system",
    "option",
    "dependency",
    "pattern",
    "confidence",
    "kind",
    "operation",
    "at",
    "read",
    "guard",
    "chain",
    "verdict",
    "reason",
)


def stratum(flow: Reported) -> tuple[str, str]:
    """Return what a flow is drawn by."""
    return flow.dependency, flow.confidence


def draw(flows: Iterable[Reported], each: int, seed: str) -> list[Reported]:
    """Return ``each`` flows from every stratum, all of a smaller one.

    Within a stratum an option is drawn first and then one of its flows, so that one option with many
    flows does not fill the sample.
    """
    strata: dict[tuple[str, str], dict[tuple[str, str], list[Reported]]] = {}
    for flow in sorted(flows, key=lambda flow: flow.key):
        strata.setdefault(stratum(flow), {}).setdefault((flow.domain, flow.option), []).append(
            flow
        )
    drawn = []
    for key in sorted(strata):
        chance = random.Random(f"{seed}/{'/'.join(key)}")
        left = strata[key]
        for _ in range(each):
            if not left:
                break
            option = chance.choice(sorted(left))
            drawn.append(left[option].pop(chance.randrange(len(left[option]))))
            if not left[option]:
                del left[option]
    return drawn


def fill(
    by_system: dict[str, tuple[Reported, ...]], each: int, seed: str, least: int
) -> list[tuple[str, Reported]]:
    """Draw from every system; draw more from each stratum until there are ``least`` flows."""
    while True:
        drawn = [
            (name, flow)
            for name, flows in by_system.items()
            for flow in draw(flows, each, f"{seed}/{name}")
        ]
        if len(drawn) >= least or len(drawn) == sum(map(len, by_system.values())):
            return drawn
        each += 1


def record(name: str, flow: Reported) -> dict[str, str]:
    """Return a line of the table for a flow, not yet judged."""
    chain = flow.chains[0] if flow.chains else None
    steps = chain.steps if chain else ()
    guards = chain.guards() if chain else ()
    return {
        "system": name,
        "option": flow.option,
        "dependency": flow.dependency,
        "pattern": flow.pattern,
        "confidence": flow.confidence,
        "kind": flow.kind,
        "operation": flow.api,
        "at": flow.operation.place,
        "read": steps[0].spot.place if steps else "",
        "guard": guards[-1].place if guards else "",
        "chain": " -> ".join(f"{step.role} {step.spot.place}" for step in steps),
        "verdict": "",
        "reason": "",
    }


def shown(number: int, name: str, flow: Reported, folder: Path) -> Iterator[str]:
    """Yield a flow as a reader wants it: every step of its surest chain with its source lines."""
    yield f"=== {number}. {name}: {flow.option} ({flow.domain})"
    yield (
        f"    {flow.dependency} {flow.pattern} -> {flow.kind} {flow.api}"
        f"  confidence {flow.confidence}, {flow.total} chain(s)"
    )
    if not flow.chains:
        return
    chain = flow.chains[0]
    if chain.reasons:
        yield f"    because: {'; '.join(chain.reasons)}"
    for step in chain.steps:
        yield f"  {step.role:<9} {step.spot.place}  in {step.spot.method}"
        first, last = step.spot.lines
        text = (folder / step.spot.path).read_text(encoding="utf-8", errors="replace")
        for at, line in enumerate(text.split("\n")[first - 1 : min(last, first + 4)], first):
            yield f"      {at:>5} | {line.rstrip()}"


@attrs.frozen
class Precision:
    """Shares over judged flows, by confidence; an unclear one counts as wrong."""

    judged: Counter[str]
    right: Counter[str]

    def share(self, *confidence: str) -> float:
        """Return the precision over some confidences, over all without any."""
        chosen = confidence or tuple(self.judged)
        whole = sum(self.judged[level] for level in chosen)
        return sum(self.right[level] for level in chosen) / whole if whole else 0.0


def precision(path: Path = TABLE) -> Precision:
    """Score a filled table; a line without a verdict is an error."""
    judged: Counter[str] = Counter()
    right: Counter[str] = Counter()
    with path.open(encoding="utf-8", newline="") as file:
        for number, line in enumerate(csv.DictReader(file), 2):
            if line["verdict"] not in (RIGHT, WRONG, UNCLEAR):
                raise ValueError(f"{path.name}:{number}: no verdict: {line['verdict']!r}")
            judged[line["confidence"]] += 1
            right[line["confidence"]] += line["verdict"] == RIGHT
    return Precision(judged, right)


def main() -> int:
    """Draw, print, write; return 2 when a system cannot be had."""
    parser = argparse.ArgumentParser(prog="corpus.flows.sample", description=__doc__)
    parser.add_argument("systems", nargs="*", metavar="SYSTEM", help=", ".join(SYSTEMS))
    parser.add_argument("--seed", default=str(SEED))
    parser.add_argument("--each", type=int, default=EACH, metavar="N")
    parser.add_argument("--least", type=int, default=LEAST, metavar="N")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write the table here")
    parser.add_argument("--print", action="store_true", help="show each flow with its source")
    parser.add_argument("--score", type=Path, metavar="FILE", help="score a filled table")
    arguments = parser.parse_args()
    if arguments.score:
        result = precision(arguments.score)
        for level, whole in sorted(result.judged.items()):
            print(f"{level:<8} {result.share(level):.3f}  ({result.right[level]} of {whole})")
        print(f"all      {result.share():.3f}")
        return 0
    by_system: dict[str, tuple[Reported, ...]] = {}
    folders: dict[str, Path] = {}
    try:
        for system, folder in named(arguments.systems, SYSTEMS):
            found = opened(system, folder)
            by_system[system.name] = tuple(reported(found.analysis))
            folders[system.name] = found.folder
    except FetchError as error:
        print(error, file=sys.stderr)
        return 2
    drawn = fill(by_system, arguments.each, arguments.seed, arguments.least)
    if arguments.print:
        for number, (name, flow) in enumerate(drawn, 1):
            print("\n".join(shown(number, name, flow, folders[name])), end="\n\n")
    if arguments.csv:
        with arguments.csv.open("w", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            table.writeheader()
            table.writerows(record(name, flow) for name, flow in drawn)
    sizes = Counter(stratum(flow) for _, flow in drawn)
    for (dependency, confidence), size in sorted(sizes.items()):
        print(f"{dependency:<7} {confidence:<7} {size}")
    print(f"{len(drawn)} flows of {sum(map(len, by_system.values()))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
