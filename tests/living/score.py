"""Diagnose the recordings of ``living.run`` through the command line, and say at which place the true option comes.

    PYTHONPATH=tests:server .venv/bin/python -m living.score FOLDER [--number N] [--only NAME ...]

For each misconfiguration: the option's rank with the values that the recordings tell (``known``), without
them (``hidden``: ``--ignore-values``), and where it was set in a file (``file``).  A rank in brackets is
that of an option that is listed and not accused; ``-`` is one that is not listed.  Pairs of good runs must accuse nobody.
All repetitions are taken together; ``--number`` takes one of them.  Exits with 1 unless issue 5's point 1 holds:
first in all but one, among the first three in all, no accusation without a change.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs
from typing_extensions import override

from living.run import (
    GOOD,
    MISCONFIGURATIONS,
    SAME,
    STORE,
    LivingError,
    Run,
    Way,
    read_runs,
    shortest,
)

HIDDEN = "--ignore-values"
_FIRST = 1
_NEAR = 3


@attrs.frozen
class Placed:
    """Where the true option came: ``rank`` 1-based, 0 if it is not listed; ``first`` is the option listed first."""

    rank: int
    likely: bool
    first: str

    @override
    def __str__(self) -> str:
        """Return the rank as the table shows it."""
        return "-" if not self.rank else f"{self.rank}" if self.likely else f"({self.rank})"


def diagnose(baseline: Sequence[Path], violation: Sequence[Path], *more: str) -> Any:
    """Return what ``conflens diagnose --format json`` says; raise ``LivingError`` if it fails."""
    command = [sys.executable, "-m", "conflens", "diagnose", str(STORE), "--format", "json", *more]
    command += ["--baseline", *map(str, baseline), "--violation", *map(str, violation)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise LivingError(f"conflens diagnose failed:\n{done.stderr}")
    return json.loads(done.stdout)


def placed(diagnosis: Any, option: str) -> Placed:
    """Return the place of an option in a diagnosis, whatever its domain."""
    listed = [(each["name"], each["verdict"] == "likely") for each in diagnosis["options"]]
    first = listed[0][0] if listed else ""
    for rank, (name, likely) in enumerate(listed, 1):
        if name == option:
            return Placed(rank, likely, first)
    return Placed(0, False, first)


def accused(diagnosis: Any) -> list[str]:
    """Return the names of the options that are likely causes."""
    return [each["name"] for each in diagnosis["options"] if each["verdict"] == "likely"]


def files(folder: Path, runs: Sequence[Run], name: str, way: Way) -> list[Path]:
    """Return the recordings of a name, set that way."""
    return [folder / run.file for run in runs if run.name == name and run.way is way]


def score(folder: Path, runs: Sequence[Run], names: Sequence[str]) -> bool:
    """Print the table and return whether all of it is as it should be."""
    modes: list[tuple[str, Way, tuple[str, ...]]] = []
    if any(run.way is Way.PROPERTY for run in runs):
        modes += [("known", Way.PROPERTY, ()), ("hidden", Way.PROPERTY, (HIDDEN,))]
    if any(run.way is Way.FILE for run in runs):
        modes += [("file", Way.FILE, ())]
    _say(f"{'':14}{'good':>7}{'bad':>7}" + "".join(f"{mode:>8}" for mode, _, _ in modes))
    places: dict[str, list[Placed]] = {mode: [] for mode, _, _ in modes}
    for name in names:
        option = next(run.option for run in runs if run.name == name)
        row = f"{name:14}{shortest(runs, GOOD):7.2f}{shortest(runs, name):7.2f}"
        others = []
        for mode, way, more in modes:
            sides = files(folder, runs, GOOD, way), files(folder, runs, name, way)
            place = placed(diagnose(*sides, *more), option)
            places[mode].append(place)
            row += f"{place!s:>8}"
            if place.rank != _FIRST:
                others.append(f"{mode}: {place.first}")
        _say(row + (f"   first instead: {', '.join(others)}" if others else ""))
    fine = True
    for mode, found in places.items():
        first = sum(place.rank == _FIRST and place.likely for place in found)
        near = sum(0 < place.rank <= _NEAR and place.likely for place in found)
        fine = fine and first >= len(found) - 1 and near == len(found)
        _say(f"{mode}: first in {first} of {len(found)}, among the first {_NEAR} in {near}")
    for mode, way, more in modes:
        for before, after in ((GOOD, SAME), (SAME, GOOD)):
            sides = files(folder, runs, before, way), files(folder, runs, after, way)
            blamed = accused(diagnose(*sides, *more))
            fine = fine and not blamed
            _say(
                f"no change, {mode}, {before} to {after}: {', '.join(blamed) or 'nobody accused'}"
            )
    return fine


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(arguments: Sequence[str] | None = None) -> int:
    """Score the recordings of a folder."""
    parser = argparse.ArgumentParser(
        prog="living.score", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--number", type=int, help="go by this repetition alone")
    parser.add_argument("--only", nargs="+", choices=[each.name for each in MISCONFIGURATIONS])
    given = parser.parse_args(arguments)
    runs = [run for run in read_runs(given.folder) if given.number in (None, run.number)]
    names = list(dict.fromkeys(run.name for run in runs if run.option))
    names = [name for name in names if not given.only or name in given.only]
    return 0 if score(given.folder, runs, names) else 1


if __name__ == "__main__":
    sys.exit(main())
