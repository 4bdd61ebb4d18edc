"""How cost grows with lines and with options: one line each should be flat.

Each share of a project is analysed from nothing in a process of its own: a share of Cassandra's files with all
options in them, and all of H2's files with a share of its options.  Shares are nested and drawn
by a checksum of the name, so that they do not follow packages.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import attrs

from bench.rows import Row
from bench.scans import environment

SHARES = (25, 50, 75, 100)
_STEEP = 2.0
"""By how much the unit cost of the whole may exceed that of a quarter."""

_RUN = """
import gc, json, sys, time, zlib
from pathlib import Path
import attrs
from conflens.facts.lower import lower
from conflens.models import jdk
from conflens.models.load import load_models
from conflens.operations.find import Operations
from conflens.options.constant_arguments import library_types
from conflens.options.discovery import discover
from conflens.options.model import OptionTable
from conflens.options.incremental.flow_analysis import trace
from conflens.program.program import Program
root, files, options = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
def chosen(name, share):
    return zlib.crc32(name.encode()) % 100 < share
models, table = load_models(), jdk.packaged()
paths = sorted(path.relative_to(root).as_posix() for path in root.rglob("*.java"))
texts = {path: (root / path).read_bytes() for path in paths if chosen(path, files)}
gc.disable()
start = time.perf_counter()
facts = {path: lower(text) for path, text in texts.items()}
program = Program.build(facts, table, library_types(models))
discovery = discover(program, models)
found = discovery.table.options
kept = tuple(option for option in found if chosen("/".join(option.key), options))
before = time.perf_counter()
traced = trace(
    attrs.evolve(discovery, table=OptionTable.of(kept, discovery.table.unresolved)), models, Operations
)
end = time.perf_counter()
print(json.dumps({
    "lines": sum(text.count(b"\\n") for text in texts.values()),
    "options": len(kept),
    "reads": sum(len(option.reads) for option in kept),
    "whole": end - start,
    "flows": end - before,
    "found": sum(len(reach.flows) for reach in traced.table.options.values()),
}))
"""


@attrs.frozen
class Point:
    """What one share holds and costs: seconds for everything, and for following values alone."""

    share: int
    lines: int
    options: int
    reads: int
    whole: float
    flows: float
    found: int


def curve(project: Path, *, files: bool) -> list[Point]:
    """Measure shares of a project's files, or of its options."""
    points = []
    for share in SHARES:
        numbers = (share, 100) if files else (100, share)
        with tempfile.TemporaryDirectory(prefix="conflens-bench-") as folder:
            done = subprocess.run(
                [sys.executable, "-c", _RUN, str(project), *map(str, numbers)],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=True,
                env=environment(Path(folder)),
            )
        points.append(Point(share=share, **json.loads(done.stdout)))
    return points


def curve_rows(cassandra: Path, h2: Path) -> Iterator[Row]:
    """Measure both curves; the unit cost of each share stands beside that of the first."""
    first = 0.0
    for point in curve(cassandra, files=True):
        cost = point.whole / point.lines * 100_000
        first = first or cost
        yield Row(
            f"Cassandra, {point.share} % of files ({point.lines:,} lines, {point.reads} reads, "
            f"{point.found:,} flows): {cost:.2f} s per 100,000 lines",
            cost / first,
            "x",
            _STEEP if point.share == SHARES[-1] else None,
        )
    first = 0.0
    for point in curve(h2, files=False):
        cost = point.flows / max(1, point.options) * 100
        first = first or cost
        yield Row(
            f"H2, {point.share} % of options ({point.options} options, {point.reads} reads, "
            f"{point.found:,} flows): {cost:.2f} s per 100 options",
            cost / first,
            "x",
            _STEEP if point.share == SHARES[-1] else None,
        )
