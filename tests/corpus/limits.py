"""How many numeric options of real projects have a limit or an adjustment; ``--draw N SEED`` draws adjustments for judging.

``python -m corpus.limits [--draw N SEED] FOLDER…``: a table, or CSV with option, text, place and project.
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import attrs

from conflens.options.adjustments import shown
from conflens.options.model import NUMERIC, Limits, Option
from conflens.render.adjustment_phrases import worded
from conflens.session.analysis import Analysis
from corpus.scan import analyse


@attrs.frozen
class Counted:
    """Numeric options of a project: all, those with a limit, and those with a limit or an adjustment that is shown."""

    numeric: int
    limited: int
    adjusted: int


def is_limited(limits: Limits) -> bool:
    """Tell whether declarations or reads bound an option."""
    bounds = (limits.minimum, limits.maximum, limits.above, limits.under)
    return any(bound is not None for bound in bounds)


def counted(analysis: Analysis) -> Counted:
    """Count the numeric options of a project."""
    numeric = [option for option in analysis.options.options if option.type in NUMERIC]
    limited = [option for option in numeric if is_limited(option.limits)]
    either = [
        option
        for option in numeric
        if is_limited(option.limits) or shown(analysis.options, option)
    ]
    return Counted(len(numeric), len(limited), len(either))


def statements(analysis: Analysis, project: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield what is said of values outside of bounds: option, text, place, project."""
    for option in analysis.options.options:
        for one, text in worded(analysis.options, option):
            place = f"{one.place.path}:{analysis.line(one.place)}"
            yield _name(option), text.replace("`", ""), place, project


def _name(option: Option) -> str:
    return f"{option.name} ({option.domain})"


def main() -> int:
    """Count, or draw."""
    parser = argparse.ArgumentParser(prog="limits", description=__doc__)
    parser.add_argument("--draw", nargs=2, type=int, metavar=("N", "SEED"))
    parser.add_argument("folders", nargs="+", type=Path)
    arguments = parser.parse_args()
    pool: list[tuple[str, str, str, str]] = []
    for folder in arguments.folders:
        analysis = analyse(folder)
        found = counted(analysis)
        print(folder.name, found.numeric, found.limited, found.adjusted, file=sys.stderr)
        pool += statements(analysis, folder.name)
    if arguments.draw is not None:
        most, seed = arguments.draw
        chosen = random.Random(seed).sample(sorted(pool), min(most, len(pool)))
        writer = csv.writer(sys.stdout)
        writer.writerow(("option", "text", "place", "project"))
        writer.writerows(chosen)
    return 0


if __name__ == "__main__":
    sys.exit(main())
