"""Writes the packaged training table anew: ``grammars/sensitivity/table.csv`` from ``labels.csv`` and the sources.

``python -m corpus.sensitivity.rebuild`` takes what ``conflens train`` takes for each system in turn, without a
cache, and so gives the same bytes wherever the sources are the same.  ``README.md`` says where labels come from.
"""

from __future__ import annotations

import sys
from pathlib import Path

from conflens.cli.sensitivity.train import empty, held_out, rows_of
from conflens.sensitivity import table as tables
from conflens.sensitivity.table import Row, TableError
from conflens.session.analysis import Analysis
from conflens.session.inputs.configuration import Settings
from conflens.session.options import SessionOptions
from conflens.session.session import open_session
from corpus.fetch import HOUSE, FetchError
from corpus.flows.systems import SPECS, SYSTEMS, System, sources

GRAMMARS = HOUSE / "grammars"
JUDGED = ("hbase-0.94", "hikari", "bookkeeper", "rocketmq")
_OWN_SPECS = Path(__file__).resolve().parent / "specs"


def main() -> int:
    """Write the table; return 1 when sources are missing or labels are wrong."""
    labels = tables.labels((GRAMMARS / tables.LABELS).read_text(encoding="utf-8"), tables.LABELS)
    rows: list[Row] = []
    try:
        for name in sorted({label.system for label in labels}):
            own = [label for label in labels if label.system == name]
            found = rows_of(analysed(name), own)
            rows += found
            lost = [row.label.option for row in found if not row.found]
            print(f"{name}: {len(own)} labels, not found: {', '.join(lost) or 'none'}", flush=True)
        table = held_out(tables.merged(empty(), rows))
    except (FetchError, TableError) as error:
        print(error, file=sys.stderr)
        return 1
    (GRAMMARS / tables.FILE).write_text(tables.dumps(table), encoding="utf-8", newline="\n")
    print(f"{len(table.rows)} rows, {len(table.learnable)} to learn from")
    return 0


def analysed(name: str) -> Analysis:
    """Return the analysis of a labelled system; raise ``FetchError`` without its sources."""
    system = SYSTEMS.get(name) or System(name, project=name)
    specs = tuple(
        (path.name, path.read_text(encoding="utf-8"))
        for path in (folder / f"{name}.toml" for folder in (SPECS, _OWN_SPECS))
        if path.is_file()
    )
    options = SessionOptions(cache=False, settings=Settings(specs=specs))
    session = open_session(str(sources(system)), options)
    try:
        return session.scan()
    finally:
        session.dispose()


if __name__ == "__main__":
    sys.exit(main())
