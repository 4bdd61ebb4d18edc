"""Slopes and directions that are told of real projects; ``--draw N SEED`` draws that many of each for judging.

``python -m corpus.changing [--draw N SEED] FOLDER…``: how many options have them, or CSV with kind, option, text, place and project.
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from conflens.base.span import Place
from conflens.properties.model import Way
from conflens.render.property_phrases import amount_words, direction_words
from conflens.session.analysis import Analysis
from corpus.scan import analyse

Row = tuple[str, str, str, str, str]


def told(analysis: Analysis, project: str) -> Iterator[Row]:
    """Yield what is told: kind, option, text, place, project."""

    def at(place: Place) -> str:
        return f"{place.path}:{analysis.line(place)}"

    for option in analysis.options.options:
        found = analysis.properties.of(option)
        name = f"{option.name} ({option.domain})"
        for one in found.slopes:
            text = amount_words(one)
            if text:
                yield "slope", name, text, at(one.place), project
        for way in found.directions:
            if way.way is not Way.MIXED:
                text = f"Raising it: {direction_words(way)}"
                yield "direction", name, text, at(way.place), project


def main() -> int:
    """Count, or draw."""
    parser = argparse.ArgumentParser(prog="changing", description=__doc__)
    parser.add_argument("--draw", nargs=2, type=int, metavar=("N", "SEED"))
    parser.add_argument("folders", nargs="+", type=Path)
    arguments = parser.parse_args()
    pool: list[Row] = []
    for folder in arguments.folders:
        found = list(told(analyse(folder), folder.name))
        kinds = [row[0] for row in found]
        options = len({row[1] for row in found})
        counts = kinds.count("slope"), kinds.count("direction")
        print(folder.name, options, *counts, file=sys.stderr)
        pool += found
    if arguments.draw is not None:
        most, seed = arguments.draw
        rng = random.Random(seed)
        writer = csv.writer(sys.stdout)
        writer.writerow(("kind", "option", "text", "place", "project"))
        for kind in ("slope", "direction"):
            rows = sorted(row for row in pool if row[0] == kind)
            writer.writerows(rng.sample(rows, min(most, len(rows))))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
