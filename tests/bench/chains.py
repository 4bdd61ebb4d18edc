"""Cause-effect chains: how long it takes from imported snapshots of H2 to a diagnosis.

Two runs of a small load (``Workload.java``) under Flight Recorder, with and without H2's own cache settings.  The first
diagnosis of a session is measured, with flows just found and with flows out of the cache; DiagConfig reports 48 s
for its first and 550 ms for the mean (§5.4).
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.rows import Row
from bench.scans import environment
from corpus.fetch import binary

HERE = Path(__file__).parent
H2 = "com.h2database:h2:2.1.210"
_SECONDS = 20

# The collector of cycles is off while a diagnosis is made, as it is in the server and on the command line.
_DIAGNOSIS = """
import gc, json, sys, time
from conflens.diagnosis.diagnose import Subject, diagnose
from conflens.profiling.importing import Hints, read_snapshot
from conflens.session.options import SessionOptions
from conflens.session.session import open_session
session = open_session(sys.argv[1], SessionOptions())
analysis = session.scan()
session.dispose()
snapshots = []
for name in sys.argv[2:]:
    with open(name, "rb") as stream:
        snapshots.append(read_snapshot(stream, name, lambda done: None, Hints()))
subject = Subject(analysis.program, analysis.options, analysis.flows)
times = []
gc.disable()
for _ in range(2):
    start = time.perf_counter()
    found = diagnose(subject, snapshots[:1], snapshots[1:])
    times.append(time.perf_counter() - start)
nodes = sum(len(series.tree) for snapshot in snapshots for series in snapshot.series)
print(json.dumps([*times, nodes, len(found.hotspots), len(found.suspects)]))
"""


def chain_rows(project: Path) -> Iterator[Row]:
    """Record, import and diagnose; yield seconds and what they were spent on."""
    with tempfile.TemporaryDirectory(prefix="conflens-bench-") as folder:
        scratch = Path(folder)
        recordings = record_pair(scratch)
        cold = _diagnose(project, scratch / "cache", recordings)
        warm = _diagnose(project, scratch / "cache", recordings)
    told = f"{cold[2]:.0f} nodes, {cold[3]:.0f} hotspots"
    yield Row(f"H2: first diagnosis after a scan ({told})", cold[0], "s", 0.5)
    yield Row("H2: first diagnosis, flows out of the cache", warm[0], "s", 0.5)
    yield Row("H2: second diagnosis", warm[1], "s", 0.5)


def record_pair(scratch: Path) -> list[Path]:
    """Record the load with H2's own settings and with others; two files in ``scratch``."""
    return [
        _record(scratch, "good", ()),
        _record(scratch, "bad", ("-Dh2.maxMemoryRows=100", "-Dh2.analyzeAuto=1")),
    ]


def _record(scratch: Path, name: str, options: tuple[str, ...]) -> Path:
    jar = binary(H2)
    classes = scratch / "classes"
    javac, java = shutil.which("javac"), shutil.which("java")
    if javac is None or java is None:
        raise RuntimeError("there is no JDK on PATH")
    subprocess.run([javac, "-d", classes, HERE / "Workload.java"], check=True)
    file, data = scratch / f"{name}.jfr", scratch / name
    recording = f"settings=profile,filename={file},jdk.SystemProcess#enabled=false"
    subprocess.run(
        [
            java,
            f"-XX:StartFlightRecording:{recording}",
            *options,
            "-cp",
            f"{classes}:{jar}",
            "Workload",
            str(_SECONDS),
            str(data),
        ],
        check=True,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=_SECONDS * 10,
    )
    return file


def _diagnose(project: Path, cache: Path, recordings: list[Path]) -> list[float]:
    done = subprocess.run(
        [sys.executable, "-c", _DIAGNOSIS, str(project), *map(str, recordings)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
        env=environment(cache),
    )
    return [float(number) for number in json.loads(done.stdout)]
