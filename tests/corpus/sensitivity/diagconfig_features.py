"""Writes ``grammars/sensitivity/diagconfig.csv``: DiagConfig's 23 counts from its authors' own records of flows.

``python -m corpus.sensitivity.diagconfig_features DATA`` reads ``DATA/labels.csv`` and ``DATA/flows/<system>.jsonl``
(DiagConfig's artifact) and gives a row to each labelled option, zeros to one without records.

An operation is a statement: class, method with descriptor, and Jimple text, counted once however often it is
recorded; sums over kinds are as in ``conflens.sensitivity.features``, whose names of features the columns have.
"""

from __future__ import annotations

import csv
import io
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from conflens.sensitivity.evaluation_methods import DIAGCONFIG, diagconfig_names
from conflens.sensitivity.features import KINDS
from conflens.sensitivity.table import LABELS
from conflens.sensitivity.table import labels as labels_of
from corpus.fetch import HOUSE

_KIND = {"array": "memory", "io": "io", "lock": "lock", "thread": "thread"}
_DEPENDENCY = {"direct": "direct", "if": "branch", "loop": "loop"}

Record = Mapping[str, str]


def main(arguments: list[str]) -> int:
    """Write the file."""
    if len(arguments) != 1:
        print("give the folder with labels.csv and flows/", file=sys.stderr)
        return 2
    text = rows(Path(arguments[0]))
    (HOUSE / "grammars" / DIAGCONFIG).write_text(text, encoding="utf-8", newline="\n")
    return 0


def rows(data: Path) -> str:
    """Return the file's text.  The data and our labels name the same options, or this is an ``AssertionError``."""
    ours = labels_of((HOUSE / "grammars" / LABELS).read_text(encoding="utf-8"), LABELS)
    measured = {(label.system, label.option) for label in ours if label.how == "measured"}
    with (data / "labels.csv").open(encoding="utf-8", newline="") as file:
        theirs = {(line["system"], line["option"]) for line in csv.DictReader(file)}
    assert measured == theirs, sorted(measured ^ theirs)
    records: dict[tuple[str, str], list[Record]] = defaultdict(list)
    for system in sorted({system for system, _ in theirs}):
        for line in (data / "flows" / f"{system}.jsonl").read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            records[system, record["option"]].append(record)
    assert records.keys() <= theirs, sorted(records.keys() - theirs)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = diagconfig_names()
    writer.writerow(["system", "option", *names])
    for system, option in sorted(theirs):
        found = counts(records[system, option])
        writer.writerow([system, option, *(found[name] for name in names)])
    return out.getvalue()


def counts(records: Iterable[Record]) -> dict[str, int]:
    """Return the 23 counts of one option's records."""
    kinds: dict[str, set[tuple[str, ...]]] = {kind: set() for kind in KINDS}
    ways: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for record in records:
        kind = _KIND[record["operation_kind"]]
        operation = tuple(record[key] for key in ("class", "method", "descriptor", "jimple"))
        kinds[kind].add(operation)
        ways[f"{kind} by {_DEPENDENCY[record['dependency']]}"].add(operation)
    found = {f"operations: {kind}": len(kinds[kind]) for kind in KINDS}
    for index, first in enumerate(KINDS):
        for second in KINDS[index + 1 :]:
            found[f"operations: {first} + {second}"] = len(kinds[first] | kinds[second])
    found["operations"] = sum(map(len, kinds.values()))
    for kind in KINDS:
        for way in _DEPENDENCY.values():
            found[f"{kind} by {way}"] = len(ways[f"{kind} by {way}"])
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
