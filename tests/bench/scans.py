"""Scans of whole projects with flows: time against a parse-only pass, and memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import psutil

from bench.rows import Row
from corpus.fetch import HOUSE

_PARSE = """
import sys, time
from pathlib import Path
from conflens.syntax.java import parse
files = [path for path in sorted(Path(sys.argv[1]).rglob("*.java"))]
start = time.perf_counter()
for path in files:
    parse(path.read_bytes())
print(time.perf_counter() - start)
"""
_TICK = 0.02
_MB = 1024 * 1024


def command(*arguments: str) -> list[str]:
    """Return the command line that runs ConfLens from this source tree."""
    return [sys.executable, "-m", "conflens", *arguments]


def environment(cache: Path) -> dict[str, str]:
    """Return the environment with ConfLens on the path and its cache in ``cache``.

    Modules are compiled once, as those of an installed package are.
    """
    own = {"PYTHONPATH": str(HOUSE / "server"), "XDG_CACHE_HOME": str(cache), "HOME": str(cache)}
    around = {
        name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
    }
    return {**around, **own}


def scan_rows(project: Path, rounds: int) -> Iterator[Row]:
    """Measure ``rounds`` times a parse-only pass, a cold and a warm scan, in alternating order."""
    parses: list[float] = []
    colds: list[float] = []
    warms: list[float] = []
    for number in range(rounds):
        with tempfile.TemporaryDirectory(prefix="conflens-bench-") as folder:
            cache = Path(folder)
            if number % 2 == 0:
                parses.append(_parse_only(project))
            colds.append(_run(cache, "scan", str(project))[0])
            warms.append(_run(cache, "scan", str(project))[0])
            if number % 2 == 1:
                parses.append(_parse_only(project))
    unit = median(parses)
    yield Row("parse-only pass of H2, one process", unit, "s")
    yield Row("cold scan of H2 with flows / parse-only", median(colds) / unit, "x", 14)
    yield Row("warm scan of H2 with flows / parse-only", median(warms) / unit, "x", 2)
    yield Row(
        "cold scan of H2 with flows (for comparison: Semgrep, one core, within methods only: 19.3 s)",
        median(colds),
        "s",
    )


def large_rows(project: Path) -> Iterator[Row]:
    """Measure a cold scan of a large project: time, and memory as it is reported and as seen from
    outside (the sum over processes)."""
    with tempfile.TemporaryDirectory(prefix="conflens-bench-") as folder:
        seconds, out, peak = _run(Path(folder), "stats", str(project), "--format", "json")
    stats = json.loads(out)
    what = f"cold scan of Cassandra with flows ({stats['lines']:,} lines)"
    yield Row(what, seconds, "s", 45)
    yield Row("memory of that, reported", stats["peak_mb"], "MB", 1000)
    yield Row("memory of that, resident in all processes together", peak, "MB", 1000)


def _parse_only(project: Path) -> float:
    done = subprocess.run(
        [sys.executable, "-c", _PARSE, str(project)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
        env=environment(project.parent),
    )
    return float(done.stdout)


def _run(cache: Path, *arguments: str) -> tuple[float, bytes, float]:
    """Return (wall seconds of the process, its output, peak resident MB of it and its children)."""
    peak = 0.0
    with tempfile.TemporaryFile() as out:
        start = time.perf_counter()
        process = psutil.Popen(
            command(*arguments), stdin=subprocess.DEVNULL, stdout=out, env=environment(cache)
        )
        while process.poll() is None:
            peak = max(peak, _resident(process))
            time.sleep(_TICK)
        seconds = time.perf_counter() - start
        out.seek(0)
        if process.returncode != 0:
            raise RuntimeError(f"conflens {arguments[0]} ended with {process.returncode}")
        return seconds, out.read(), peak


def _resident(process: psutil.Process) -> float:
    total = 0
    try:
        for one in (process, *process.children(recursive=True)):
            total += one.memory_info().rss
    except psutil.Error:
        return 0.0
    return total / _MB
