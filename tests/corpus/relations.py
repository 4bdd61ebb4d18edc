"""Relations between options of real projects, and whose work feels them; ``--draw N SEED`` draws of both for judging.

``python -m corpus.relations [--draw N SEED] FOLDER…``: a table, or CSV with kind, option, text, place and project.
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from conflens.base.span import Place
from conflens.options.model import Option
from conflens.render.relation_phrases import felt_words, relation_words
from conflens.session.analysis import Analysis
from corpus.scan import analyse

Row = tuple[str, str, str, str, str]


def statements(analysis: Analysis, project: str) -> Iterator[Row]:
    """Yield what is said of relations and of who feels an option: kind, option, text, place, project."""

    def row(kind: str, option: Option, text: str, place: Place) -> Row:
        where = f"{place.path}:{analysis.line(place)}"
        return kind, f"{option.name} ({option.domain})", text.replace("`", ""), where, project

    for option in analysis.options.options:
        for relation in analysis.properties.relations_of(option):
            (text,) = relation_words((relation,))
            yield row("relation", option, text, relation.place)
        felt = analysis.properties.felt_by_of(option)
        text = felt_words(felt)
        if text:
            yield row("felt-by", option, text, felt[0].place)


def drawn(pool: list[Row], most: int, seed: int) -> list[Row]:
    """Return as many statements of each kind, at random."""
    chance = random.Random(seed)
    found: list[Row] = []
    for kind in ("relation", "felt-by"):
        rows = sorted(row for row in pool if row[0] == kind)
        found += chance.sample(rows, min(most, len(rows)))
    return found


def main() -> int:
    """Count, or draw."""
    parser = argparse.ArgumentParser(prog="relations", description=__doc__)
    parser.add_argument("--draw", nargs=2, type=int, metavar=("N", "SEED"))
    parser.add_argument("folders", nargs="+", type=Path)
    arguments = parser.parse_args()
    pool: list[Row] = []
    for folder in arguments.folders:
        analysis = analyse(folder)
        found = list(statements(analysis, folder.name))
        counted = Counter(row[0] for row in found)
        options = len(analysis.options.options)
        print(folder.name, options, counted["relation"], counted["felt-by"], file=sys.stderr)
        pool += found
    if arguments.draw is not None:
        writer = csv.writer(sys.stdout)
        writer.writerow(("kind", "option", "text", "place", "project"))
        writer.writerows(drawn(pool, *arguments.draw))
    return 0


if __name__ == "__main__":
    sys.exit(main())
