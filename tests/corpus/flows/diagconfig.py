"""``python -m corpus.flows.diagconfig DATA [SYSTEM | SYSTEM=FOLDER ...] [--missing] [--seed N] [--size N] [--csv FILE]``

Holds DiagConfig's information-flow records against ours.  DATA is the folder with its ``<system>.jsonl`` files.
Systems are opened with their spec, so that both start from the same declared options.

Each distinct record gets the first of these levels that fits.  A record's place is the line of its operation when it
is ``direct``, of the condition otherwise; a record without a line stands for its method.

reported     a flow of its option with its dependency and its kind of operation has this place
other kind   the same with another kind of operation
same method  the option reaches an operation of its kind in this method, or takes hold in it
elsewhere    the option reaches operations, none of them in this method
nothing      the option reaches nothing
no source    the sources at hand do not have the class

All but the first and the last are *unreported*.  A sample of them, drawn with a fixed seed, is written for a person
to classify (``over-taint``, ``different operation list``, ``our miss``); ``--score`` reads that table.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import attrs

from corpus.fetch import FetchError
from corpus.flows.reported import Reported, Spot, reported
from corpus.flows.systems import HERE, System, named, opened

TABLE = HERE / "diagconfig.csv"
SYSTEMS = ("h2", "kanzi", "batik", "sunflow", "catena", "prevayler", "dconverter")
SEED = 60
SIZE = 60

REPORTED = "reported"
OTHER_KIND = "other kind"
SAME_METHOD = "same method"
ELSEWHERE = "elsewhere"
NOTHING = "nothing"
NO_SOURCE = "no source"
UNREPORTED = (OTHER_KIND, SAME_METHOD, ELSEWHERE, NOTHING)

OVER_TAINT = "over-taint"
OTHER_LIST = "different operation list"
OUR_MISS = "our miss"
COLUMNS = (
    "system",
    "option",
    "class",
    "method",
    "line",
    "dependency",
    "kind",
    "operation",
    "level",
    "verdict",
    "reason",
)
_DEPENDENCIES = {"if": "branch"}
_KINDS = {"array": "memory"}
_TOLERANCE = 1
"""Lines: a compiler may count a condition to the line where one of its operands stands."""


@attrs.frozen(order=True)
class Record:
    """A record in our words; ``line`` is -1 when it has none."""

    option: str
    owner: str
    method: str
    line: int
    dependency: str
    kind: str
    operation: str
    source: str = attrs.field(default="", eq=False, order=False)


@attrs.frozen
class Compared:
    """A record with its level."""

    system: str
    record: Record
    level: str


def records(path: Path) -> list[Record]:
    """Load the distinct records of a system, sorted."""
    found = set()
    for text in path.read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        found.add(
            Record(
                line["option"],
                line["class"],
                line["method"],
                line["java_line"] if line["java_line"] is not None else -1,
                _DEPENDENCIES.get(line["dependency"], line["dependency"]),
                _KINDS.get(line["operation_kind"], line["operation_kind"]),
                line["operation"],
                line.get("source") or "",
            )
        )
    return sorted(found)


def file_of(record: Record, paths: Iterable[str]) -> str | None:
    """Return the file of the record's class among ``paths``."""
    outer = record.owner.partition("$")[0].replace(".", "/") + ".java"
    for path in paths:
        if path == outer or path.endswith(f"/{outer}"):
            return path
    for path in paths:
        if record.source.endswith(f"/{path}"):
            return path
    return None


def level(record: Record, path: str | None, flows: Iterable[Reported]) -> str:
    """Return the level of a record; ``flows`` are those of its option."""
    if path is None:
        return NO_SOURCE
    best = NOTHING
    for flow in flows:
        spots = _spots(flow)
        if flow.dependency == record.dependency and any(_at(s, path, record) for s in spots):
            if flow.kind == record.kind:
                return REPORTED
            best = OTHER_KIND
        elif best in (NOTHING, ELSEWHERE):
            inside = any(_inside(s, path, record) for s in spots)
            there = inside or (flow.kind == record.kind and _inside(flow.operation, path, record))
            best = SAME_METHOD if there else ELSEWHERE
    return best


def _spots(flow: Reported) -> tuple[Spot, ...]:
    """Return where a flow takes hold: at its operation, or at its guards."""
    if flow.dependency == "direct":
        return (flow.operation,)
    return tuple(guard for chain in flow.chains for guard in chain.guards())


def _at(spot: Spot, path: str, record: Record) -> bool:
    if record.line < 0:
        return _inside(spot, path, record)
    first, last = spot.lines
    return spot.path == path and first - _TOLERANCE <= record.line <= last + _TOLERANCE


def _inside(spot: Spot, path: str, record: Record) -> bool:
    if record.line >= 0:
        return spot.near(path, record.line)
    name = spot.method.rpartition(".")[2]
    owner = record.owner.replace("$", ".").rpartition(".")[2]
    method = owner if record.method == "<init>" else record.method
    return spot.path == path and name == method


def compare(
    system: System, found: Iterable[Record], paths: Iterable[str], flows: Iterable[Reported]
) -> list[Compared]:
    """Give every record of a system its level."""
    by_option: dict[str, list[Reported]] = {}
    for flow in flows:
        by_option.setdefault(system.called(flow.option), []).append(flow)
    files = tuple(paths)
    return [
        Compared(
            system.name,
            record,
            level(record, file_of(record, files), by_option.get(record.option, ())),
        )
        for record in found
    ]


def draw(compared: Iterable[Compared], size: int, seed: str) -> list[Compared]:
    """Draw from the unreported records of all systems together."""
    pool = [item for item in compared if item.level in UNREPORTED]
    pool.sort(key=lambda item: (item.system, item.record))
    return random.Random(seed).sample(pool, min(size, len(pool)))


def line_of(item: Compared) -> dict[str, str]:
    """Return a line of the table for a record, not yet classified."""
    record = item.record
    return {
        "system": item.system,
        "option": record.option,
        "class": record.owner,
        "method": record.method,
        "line": str(record.line),
        "dependency": record.dependency,
        "kind": record.kind,
        "operation": record.operation,
        "level": item.level,
        "verdict": "",
        "reason": "",
    }


def classified(path: Path = TABLE) -> Counter[str]:
    """Count the verdicts of a filled table; a line without one is an error."""
    counts: Counter[str] = Counter()
    with path.open(encoding="utf-8", newline="") as file:
        for number, line in enumerate(csv.DictReader(file), 2):
            if line["verdict"] not in (OVER_TAINT, OTHER_LIST, OUR_MISS):
                raise ValueError(f"{path.name}:{number}: no verdict: {line['verdict']!r}")
            counts[line["verdict"]] += 1
    return counts


def main() -> int:
    """Compare, print, draw; return 2 when a system or its records cannot be had."""
    parser = argparse.ArgumentParser(prog="corpus.flows.diagconfig", description=__doc__)
    parser.add_argument("data", type=Path, help="the folder with the records")
    parser.add_argument("systems", nargs="*", metavar="SYSTEM", help=", ".join(SYSTEMS))
    parser.add_argument("--missing", action="store_true", help="print every unreported record")
    parser.add_argument("--seed", default=str(SEED))
    parser.add_argument("--size", type=int, default=SIZE, metavar="N")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write the sample here")
    parser.add_argument("--score", type=Path, metavar="FILE", help="score a filled table")
    arguments = parser.parse_args()
    if arguments.score:
        counts = classified(arguments.score)
        for verdict, count in counts.most_common():
            print(f"{verdict:<26} {count}  {count / counts.total():.3f}")
        return 0
    compared: list[Compared] = []
    try:
        for system, folder in named(arguments.systems, SYSTEMS):
            table = records(arguments.data / f"{system.name}.jsonl")
            analysis = opened(system, folder, declared=True).analysis
            found = compare(system, table, analysis.program.files, reported(analysis))
            compared += found
            counts = Counter(item.level for item in found)
            levels = "  ".join(f"{name} {count}" for name, count in counts.most_common())
            print(f"{system.name:<10} {len(found)} records: {levels}", flush=True)
    except (FetchError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    drawn = draw(compared, arguments.size, arguments.seed)
    if arguments.missing:
        _print(item for item in compared if item.level in UNREPORTED)
    print(f"\nsample of {len(drawn)}, seed {arguments.seed}:")
    _print(drawn)
    if arguments.csv:
        with arguments.csv.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(line_of(item) for item in drawn)
    return 0


def _print(items: Iterable[Compared]) -> None:
    for item in items:
        record = item.record
        print(
            f"  {item.level:<11} {item.system} {record.option}  {record.owner}.{record.method}"
            f":{record.line}  {record.dependency} {record.kind}  {record.operation}"
        )


if __name__ == "__main__":
    sys.exit(main())
