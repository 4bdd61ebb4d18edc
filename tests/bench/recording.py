"""A large Flight Recorder file: time and memory of its import, and how soon it can be stopped.

``python -m bench.recording [FILE | SECONDS]`` imports a file, or records one with ``Recording.java`` for so many seconds
(130 gave 437 MB with JDK 17).  The import runs in a process of its own, as it does below the server.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from conflens.base.cancel import Cancelled
from conflens.profiling.jfr.binary_reader import read_jfr

HERE = Path(__file__).parent
_MB = 1024 * 1024
_SETTINGS = ",".join(
    (
        "settings=profile",
        "maxsize=8g",
        "jdk.ObjectAllocationInNewTLAB#enabled=true",
        "jdk.ObjectAllocationOutsideTLAB#enabled=true",
        "jdk.ObjectAllocationSample#enabled=false",
        "jdk.ThreadPark#threshold=0ns",
        "jdk.ExecutionSample#period=1ms",
        "jdk.NativeMethodSample#period=1ms",
        "jdk.SystemProcess#enabled=false",
    )
)


def record(folder: Path, seconds: int) -> Path:
    """Record ``Recording.java``, eight busy threads, without this process' environment."""
    subprocess.run(["javac", "-d", str(folder), str(HERE / "Recording.java")], check=True)
    made = folder / "large.jfr"
    flags = ["-Xmx512m", "-XX:TLABSize=4k", "-XX:MinTLABSize=2k", "-XX:-ResizeTLAB"]
    flags.append(f"-XX:StartFlightRecording=filename={made},{_SETTINGS}")
    java = subprocess.run(
        ["java", "-XshowSettings:properties", "-version"], check=True, capture_output=True
    )
    home = next(
        line.partition("=")[2].strip()
        for line in java.stderr.decode().splitlines()
        if line.strip().startswith("java.home")
    )
    command = [f"{home}/bin/java", *flags, "-cp", str(folder), "Recording", str(seconds)]
    subprocess.run(command, check=True, capture_output=True, env={})
    return made


def measure(path: Path, stop_after: float = 0.0) -> None:
    """Import a file and print figures; ``stop_after``: seconds after which to stop it, 0 for never."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    started = time.monotonic()
    longest = last = 0.0

    def check(_: int) -> None:
        nonlocal longest, last
        now = time.monotonic()
        longest = max(longest, now - (last or now))
        last = now
        if stop_after and now - started > stop_after:
            raise Cancelled

    with path.open("rb") as stream:
        try:
            snapshot = read_jfr(stream, path.name, check)
        except Cancelled:
            over = time.monotonic() - started - stop_after
            print(f"stopped {1000 * over:.0f} ms after it was asked to")
            return
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(
        f"{path.stat().st_size / _MB:,.0f} MB in {time.monotonic() - started:.1f} s "
        f"({used.ru_utime + used.ru_stime:.1f} s of a core), peak {used.ru_maxrss / 1024:.0f} MB "
        f"(before: {before:.0f} MB), longest between two checks {1000 * longest:.0f} ms"
    )
    for series in snapshot.series:
        events = sum(series.tree.count)
        print(
            f"  {series.kind:<12}{series.unit:<12}{events:>12,} events {len(series.tree):>9,} nodes"
        )


def main(arguments: list[str]) -> None:
    """Measure a file that is given, or one that is made."""
    if arguments[:1] == ["--measure"]:
        measure(Path(arguments[1]), float(arguments[2]))
        return
    with tempfile.TemporaryDirectory(prefix="conflens-bench-") as folder:
        given = arguments[0] if arguments else "130"
        path = record(Path(folder), int(given)) if given.isdigit() else Path(given)
        for stop_after in ("0", "1", "5"):
            command = [sys.executable, "-m", "bench.recording", "--measure", str(path), stop_after]
            subprocess.run(command, check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
