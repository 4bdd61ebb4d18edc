"""``python -m corpus.flows.wild NAME=FOLDER [...] [--misses]``

Scores ``recall_wild.csv``: flows that readers found in foreign projects.  ``NAME`` is the project's name in the
table, ``FOLDER`` its sources.  Prints for each project how many flows are found, and why others are not: ``otherwise`` (another
dependency), ``by others`` (the operation is reached by other options alone), ``no option``, ``missed``.
An option matches if it, or one of the names in the table, ends in the other, whatever the separators.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from conflens.session.inputs.configuration import Settings
from conflens.session.options import SessionOptions
from conflens.session.session import open_session
from corpus.flows.recall import BY_OTHERS, FOUND, MISSED, OTHERWISE, Row, at, rows
from corpus.flows.reported import Reported, reported
from corpus.flows.systems import HERE

TABLE = HERE / "recall_wild.csv"
NO_OPTION = "no option"
_TELLING = 8
"""Letters that a name must have to match the end of another."""


def same(name: str, others: Iterable[str]) -> bool:
    """Tell whether an option goes by one of some names."""
    own = _letters(name)
    for other in map(_letters, others):
        if own == other:
            return True
        if min(len(own), len(other)) > _TELLING and (own.endswith(other) or other.endswith(own)):
            return True
    return False


def outcome(row: Row, flows: Iterable[Reported], options: Iterable[str]) -> str:
    """Return what became of a flow of the table."""
    there = [flow for flow in flows if at(flow, row.operations)]
    own = [flow for flow in there if same(flow.option, row.options)]
    if any(flow.dependency == row.dependency for flow in own):
        return FOUND
    if own:
        return OTHERWISE
    if not any(same(option, row.options) for option in options):
        return NO_OPTION
    return BY_OTHERS if there else MISSED


def _letters(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def main() -> int:
    """Scan, score, print; return 2 when a folder is missing."""
    parser = argparse.ArgumentParser(prog="corpus.flows.wild", description=__doc__)
    parser.add_argument("projects", nargs="+", metavar="NAME=FOLDER")
    parser.add_argument("--misses", action="store_true", help="list what is not found")
    arguments = parser.parse_args()
    whole: Counter[str] = Counter()
    for text in arguments.projects:
        name, _, folder = text.partition("=")
        if not Path(folder).is_dir():
            print(f"no sources of {name} in {folder or 'no folder'}", file=sys.stderr)
            return 2
        session = open_session(folder, SessionOptions(cache=False, settings=Settings()))
        try:
            analysis = session.scan()
            flows = tuple(reported(analysis))
        finally:
            session.dispose()
        options = {option.name for option in analysis.options.options}
        table = [row for row in rows(TABLE) if row.system == name]
        found = [(row, outcome(row, flows, options)) for row in table]
        counts = Counter(result for _, result in found)
        whole += counts
        print(f"{name}: {counts[FOUND]} of {len(table)}; {dict(counts)}", flush=True)
        for row, result in found if arguments.misses else ():
            if result != FOUND:
                print(
                    f"  {result}: {row.options[0]} {row.dependency} {row.read} -> {row.operations[0]}"
                )
    print(f"all: {whole[FOUND]} of {whole.total()}; {dict(whole)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
