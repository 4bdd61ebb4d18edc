"""Diagnose the recordings of ``corpus.servers.run``, and say at which place the true option comes.

    PYTHONPATH=tests:server python -m corpus.servers.score FOLDER [--half seen|set-aside] [--only NAME ...]

The seen half is scored unless the other is asked for.

For each option set wrong: how much more CPU time the process used, its rank with recorded values (``known``), without
(``hidden``), and without a baseline (``single``).  A rank in brackets is that of an option that is no likely cause.  A pair of equal
sides must blame nobody, three runs a side or one.
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

from corpus.servers.programs import PROGRAMS, SEEN, SET_ASIDE, Program
from corpus.servers.run import GOOD, SAME

HIDDEN = "--ignore-values"
BLAMED = ("likely", "behind")
HALVES = {"seen": SEEN, "set-aside": SET_ASIDE}


@attrs.frozen
class Place:
    """Where an option came: ``rank`` from 1, 0 if it is not listed; ``others`` are blamed before it."""

    rank: int
    likely: bool
    others: tuple[str, ...]

    @override
    def __str__(self) -> str:
        """Return the rank as the table shows it."""
        return "-" if not self.rank else f"{self.rank}" if self.likely else f"({self.rank})"


def diagnose(source: Path, baseline: Sequence[Path], violation: Sequence[Path], *more: str) -> Any:
    """Return what ``conflens diagnose --format json`` says."""
    command = [
        sys.executable,
        "-m",
        "conflens",
        "diagnose",
        str(source),
        "--format",
        "json",
        *more,
    ]
    command += ["--violation", *map(str, violation)]
    if baseline:
        command += ["--baseline", *map(str, baseline)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=900)
    return json.loads(done.stdout)


def placed(diagnosis: Any, option: str) -> Place:
    """Return the place of an option in a diagnosis."""
    rows = diagnosis["options"]
    names = [row["name"] for row in rows]
    rank = names.index(option) + 1 if option in names else 0
    others = [
        row["name"] for row in rows[: rank - 1 if rank else None] if row["verdict"] in BLAMED
    ]
    likely = rank > 0 and rows[rank - 1]["verdict"] in BLAMED
    return Place(rank, likely, tuple(others))


def score(program: Program, folder: Path) -> list[tuple[Place, Place, Place]]:
    """Print the rows of a program."""
    source = folder / "src"
    runs = {
        name: sorted(folder.glob(f"{name}-*.jfr"))
        for name in (GOOD, SAME, *(wrong.option for wrong in program.wrong))
    }
    found = []
    for wrong in program.wrong:
        if not runs[wrong.option]:
            _say(f"{program.name:12}{wrong.option:22}  not recorded")
            continue
        known = diagnose(source, runs[GOOD], runs[wrong.option])
        hidden = diagnose(source, runs[GOOD], runs[wrong.option], HIDDEN)
        single = diagnose(source, (), runs[wrong.option], HIDDEN)
        row = tuple(placed(one, wrong.option) for one in (known, hidden, single))
        costs = [
            f"{cost['kind']} {cost['change']:+.0%}" if cost["change"] is not None else cost["kind"]
            for cost in hidden["costs"]
            if cost["significant"]
        ]
        before = "; ".join(f"before it: {', '.join(one.others)}" for one in row[1:2] if one.others)
        ranks = "".join(f"{place!s:>8}" for place in row)
        _say(
            f"{program.name:12}{wrong.option:22}{ranks}  {', '.join(costs) or 'no cost told'}  {before}"
        )
        found.append((row[0], row[1], row[2]))
    pairs = [(runs[GOOD], runs[SAME]), (runs[SAME], runs[GOOD])]
    single_pairs = [([one], [other]) for one, other in zip(runs[GOOD], runs[SAME], strict=True)]
    for what, several in (("3 + 3", pairs), ("1 + 1", single_pairs)):
        blamed = [
            [
                row["name"]
                for row in diagnose(source, *pair, HIDDEN)["options"]
                if row["verdict"] == "likely"
            ]
            for pair in several
        ]
        _say(
            f"{program.name:12}equal {what}: {sum(map(bool, blamed))} of {len(blamed)} blame somebody {', '.join(name for names in blamed for name in names)}"
        )
    return found


def _say(line: str) -> None:
    sys.stdout.write(f"{line.rstrip()}\n")
    sys.stdout.flush()


def main(arguments: Sequence[str] | None = None) -> int:
    """Score what is there."""
    parser = argparse.ArgumentParser(prog="corpus.servers.score")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", choices=HALVES, default="seen")
    parser.add_argument("--only", nargs="+", choices=[each.name for each in PROGRAMS])
    given = parser.parse_args(arguments)
    rows: list[tuple[Place, Place, Place]] = []
    _say(f"{'':34}{'known':>8}{'hidden':>8}{'single':>8}")
    for program in HALVES[given.half]:
        folder = given.folder.resolve() / program.name
        if (not given.only or program.name in given.only) and (folder / "ready").exists():
            rows += score(program, folder)
    for at, name in enumerate(("known", "hidden", "single")):
        first = sum(row[at].rank == 1 and row[at].likely for row in rows)
        near = sum(0 < row[at].rank <= 3 for row in rows)
        wrong = sum(bool(row[at].others) for row in rows)
        _say(
            f"{name}: first in {first} of {len(rows)}, in the first three {near}, another blamed first {wrong}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
