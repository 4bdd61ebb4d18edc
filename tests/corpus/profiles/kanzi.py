"""Kanzi's profiles, diagnosed: predictions for a scorer, and how informed they are.

    PYTHONPATH=tests:server python -m corpus.profiles.kanzi DATA [--out FILE] [--sources FOLDER] [--verbose]

``DATA`` is a folder with ``baseline_hotspots.csv`` and a folder of runs: ``records.jsonl``, and for each record a
hot-spot export ``ID.hotspots.xml.xz``.  The sources are Kanzi 2.0.0's (``build/corpus/kanzi-2.0.0``, see
``tests/corpus/flows/README.md``).  Predicted is what ``conflens diagnose`` lists: options that are likely causes, and those
whose branches run on one side only.

Terms
    informedness   for an option: how much more often it is named when it was changed than when not; 0 for any
                   constant answer (Powers 2011).  Averaged over the options of which both occur.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import mean

from conflens.diagnosis.diagnose import Subject, diagnose
from conflens.diagnosis.results import Diagnosis, Verdict
from conflens.profiling.importing import Hints, read_snapshot
from conflens.profiling.model import Snapshot
from conflens.session.options import SessionOptions
from conflens.session.session import open_session
from corpus.fetch import CORPUS

OPTIONS = {
    "blockSize": ("blockSize", "block", "-b", "--block"),
    "level": ("level", "-l", "--level"),
    "entropy": ("entropy", "codec", "-e", "--entropy"),
    "transform": ("transform", "-t", "--transform"),
    "checksum": ("checksum", "-x", "--checksum"),
    "skipBlocks": ("skipBlocks", "-s", "--skip"),
    "jobs": ("jobs", "-j", "--jobs"),
    "pool": ("pool",),
    "verbosity": ("verbosity", "verbose", "-v", "--verbose"),
}
"""The names in the data, and those that the program uses for the same option."""

_CALLED = {name: option for option, names in OPTIONS.items() for name in names}
_CHANGED = 0.05

Record = Mapping[str, object]


def imported(path: Path) -> Snapshot:
    """Import one export."""
    with path.open("rb") as stream:
        return read_snapshot(stream, path.name, lambda done: None, Hints())


def predicted(diagnosis: Diagnosis) -> list[str]:
    """Return the options that a diagnosis names, as the data calls them."""
    names = (
        suspect.option[1]
        for suspect in diagnosis.suspects
        if suspect.verdict in (Verdict.LIKELY, Verdict.DIFFERS)
    )
    return sorted({_CALLED[name] for name in names if name in _CALLED})


def informedness(
    records: Iterable[Mapping[str, Sequence[str]]], answers: Mapping[str, Sequence[str]]
) -> tuple[float, dict[str, tuple[float, float]]]:
    """Return the mean informedness on ``changed_effective``, and by option how often it is named if changed and
    if not."""
    rows = list(records)
    rates: dict[str, tuple[float, float]] = {}
    for option in OPTIONS:
        on = [option in answers[str(r["id"])] for r in rows if option in r["changed_effective"]]
        off = [
            option in answers[str(r["id"])] for r in rows if option not in r["changed_effective"]
        ]
        if on and off and any(option in r["changed_effective"] for r in rows):
            rates[option] = mean(on), mean(off)
    return (mean(a - b for a, b in rates.values()) if rates else 0.0), rates


def main(arguments: Sequence[str]) -> int:
    """Diagnose every run, write predictions, print figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--sources", type=Path, default=CORPUS / "kanzi-2.0.0")
    parser.add_argument("--verbose", action="store_true")
    given = parser.parse_args(arguments)
    session = open_session(str(given.sources), SessionOptions())
    analysis = session.scan()
    session.dispose()
    subject = Subject(analysis.program, analysis.options, analysis.flows)
    baseline = imported(given.data / "baseline_hotspots.csv")
    runs = next(given.data.glob("*/records.jsonl"))
    records = [json.loads(line) for line in runs.read_text().splitlines()]
    answers: dict[str, list[str]] = {}
    for record in records:
        violation = imported(runs.parent / f"{record['id']}.hotspots.xml.xz")
        found = predicted(diagnose(subject, [baseline], [violation]))
        answers[record["id"]] = found
        if given.verbose:
            print(record["id"], f"{record['change']:+.2f}", ",".join(found))
    if given.out:
        lines = [
            json.dumps({"config": record["config"], "predicted": answers[record["id"]]})
            for record in records
        ]
        given.out.write_text("\n".join(lines) + "\n")
    theirs = {record["id"]: record["diagconfig_predicted"] or () for record in records}
    for title, chosen in (
        ("change above 5 %", [r for r in records if abs(r["change"]) > _CHANGED]),
        ("slower only", [r for r in records if r["change"] > _CHANGED]),
    ):
        for whose, said in (("ConfLens", answers), ("DiagConfig", theirs)):
            value, rates = informedness(chosen, said)
            told = ", ".join(f"{name} {on:.2f}/{off:.2f}" for name, (on, off) in rates.items())
            print(f"{title}, n={len(chosen)}, {whose}: informedness {value:.3f} ({told})")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
