"""Verdicts: how long after the flows they are there, when the classifier has to be fitted first and when not."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.rows import Row
from bench.scans import environment

_SESSION = """
import json, sys, time
from conflens.session.options import SessionOptions
from conflens.session.session import open_session
seen = []
def published(analysis):
    seen.append((time.perf_counter(), analysis.complete, analysis.sensitivity.ready))
session = open_session(
    sys.argv[1], SessionOptions(interactive=True, sensitivity=True), published
)
session.scan()
session.dispose()
flows = next(at for at, complete, _ in seen if complete)
verdicts = next(at for at, _, ready in seen if ready)
print(json.dumps([verdicts - flows, "sklearn" in sys.modules]))
"""


def verdict_rows(project: Path) -> Iterator[Row]:
    """Measure with a cache of flows: without a stored classifier, then with one."""
    with tempfile.TemporaryDirectory(prefix="conflens-bench-") as folder:
        cache = Path(folder)
        _seconds(project, cache)
        for stored in cache.rglob("forest-*.bin"):
            stored.unlink()
        fitted, stored_seconds = _seconds(project, cache), _seconds(project, cache)
    yield Row("flows of H2 to first verdicts, classifier fitted meanwhile", fitted, "s", 2.5)
    yield Row("flows of H2 to first verdicts, classifier stored", stored_seconds, "s", 2.5)


def _seconds(project: Path, cache: Path) -> float:
    done = subprocess.run(
        [sys.executable, "-c", _SESSION, str(project)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
        env=environment(cache),
    )
    seconds, learned = json.loads(done.stdout)
    if learned:
        raise RuntimeError("the session has loaded scikit-learn")
    return float(seconds)
