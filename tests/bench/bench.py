"""``make bench``: speed and memory on real projects, as ratios measured side by side in one run.

The unit of time is a parse-only pass over the same files in one process on the same machine in the same
run; runs alternate, and medians are shown.  What an editor's user waits for is in milliseconds, through a real
session over standard input and output.  Each row has its budget; the exit code is 1 when one is exceeded.

``python -m bench.bench [--json] [--rounds N] [--only scan|large|editor|wire|configfiles|verdicts|chains|curves|soak]``
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable

import attrs

from bench.chains import chain_rows
from bench.config_files import config_file_rows
from bench.curves import curve_rows
from bench.editor import editor_rows
from bench.rows import Row
from bench.scans import large_rows, scan_rows
from bench.soak import soak_rows
from bench.verdicts import verdict_rows
from bench.wire import wire_rows
from corpus.fetch import FetchError, fetch, projects


def main() -> int:
    """Measure, print the table, and return 1 when a budget is exceeded."""
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print the table as JSON")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="default: 3")
    parser.add_argument(
        "--only",
        choices=(
            "scan",
            "large",
            "editor",
            "wire",
            "configfiles",
            "verdicts",
            "chains",
            "curves",
            "soak",
        ),
    )
    arguments = parser.parse_args()
    try:
        h2 = fetch(projects()["h2"])
        cassandra = fetch(projects()["cassandra"])
    except FetchError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    parts: dict[str, Callable[[], Iterable[Row]]] = {
        "scan": lambda: scan_rows(h2, arguments.rounds),
        "large": lambda: large_rows(cassandra),
        "editor": lambda: editor_rows(h2),
        "wire": lambda: wire_rows(h2),
        "configfiles": config_file_rows,
        "verdicts": lambda: verdict_rows(h2),
        "chains": lambda: chain_rows(h2),
        "curves": lambda: curve_rows(cassandra, h2),
        "soak": lambda: soak_rows(h2),
    }
    rows: list[Row] = []
    for name, measure in parts.items():
        if arguments.only in (None, name):
            rows.extend(measure())
    if arguments.json:
        print(json.dumps([attrs.asdict(row) | {"kept": row.kept} for row in rows], indent=2))
    else:
        for line in table(rows):
            print(line)
    return 0 if all(row.kept for row in rows) else 1


def table(rows: Iterable[Row]) -> Iterable[str]:
    """Yield the lines of the text table."""
    cells = [("what", "measured", "budget", "")]
    for row in rows:
        budget = f"<= {row.budget:g} {row.unit}" if row.budget is not None else ""
        verdict = "" if row.kept else "EXCEEDED"
        cells.append((row.what, f"{row.measured:.2f} {row.unit}", budget, verdict))
    widths = [max(len(row[column]) for row in cells) for column in range(4)]
    for what, measured, budget, verdict in cells:
        line = f"{what:<{widths[0]}}  {measured:>{widths[1]}}  {budget:<{widths[2]}}  {verdict}"
        yield line.rstrip()


if __name__ == "__main__":
    sys.exit(main())
