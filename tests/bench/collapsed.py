"""A large file of collapsed stacks: how long its import takes, how much memory, and how soon it stops.

The file is generated: walks over a call graph of 4,000 methods, drawn with a fixed seed, some callees far more often
than others.  Imports run in a process of their own, so that its peak is that of the import; what the
interpreter and its modules need before is printed beside it.

``python -m bench.collapsed [--megabytes N] [--frames N] [--keep FILE]``
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from conflens.base.cancel import Cancelled
from conflens.profiling.codec import encode
from conflens.profiling.importing import read_snapshot

SEED = 4


def main() -> int:
    """Generate, import in children, and print."""
    parser = argparse.ArgumentParser(prog="bench.collapsed", description=__doc__)
    parser.add_argument("--megabytes", type=int, default=100, metavar="N", help="default: 100")
    parser.add_argument(
        "--frames",
        type=int,
        default=4,
        metavar="N",
        help="of a stack; default: 4, about 1 M lines",
    )
    parser.add_argument("--keep", metavar="FILE", help="where the file is left")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--cancel", type=float, default=0, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        return child(Path(arguments.child), arguments.cancel)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(arguments.keep) if arguments.keep else Path(folder, "large.collapsed")
        lines = generate(path, arguments.megabytes << 20, arguments.frames)
        print(f"{path.stat().st_size / 2**20:.0f} MB, {lines} lines")
        for cancel in (0.0, 0.5):
            command = [sys.executable, "-m", "bench.collapsed", "--child", str(path)]
            subprocess.run([*command, "--cancel", str(cancel)], check=True)
    return 0


def generate(path: Path, size: int, frames: int) -> int:
    """Write a file of about ``size`` bytes with stacks of about so many frames; return its lines."""
    draw = random.Random(SEED)
    packages = [f"org/example/{word}" for word in ("net", "store", "query", "index", "util")]
    methods = [
        f"{draw.choice(packages)}/{draw.choice('ABCDEFGH')}{number % 97}Task.step{number}"
        for number in range(4_000)
    ]
    callees = [draw.sample(range(4_000), 8) for _ in methods]
    written = lines = 0
    with path.open("w", encoding="ascii") as file:
        while written < size:
            depth = max(1, round(draw.gauss(frames, frames / 4)))
            # Some callees are called far more often than others, as in real programs.
            method, stack = 0, []
            for _ in range(depth):
                method = callees[method][int(8 * draw.random() ** 4)]
                stack.append(methods[method])
            line = f"java/lang/Thread.run;{';'.join(stack)} {draw.randrange(1, 50)}\n"
            file.write(line)
            written += len(line)
            lines += 1
    return lines


def child(path: Path, cancel: float) -> int:
    """Import once and print; ``cancel``: after so many seconds."""
    before = _peak()
    begun = time.perf_counter()
    last = begun
    longest = 0.0

    def check(_: int) -> None:
        nonlocal last, longest
        now = time.perf_counter()
        longest = max(longest, now - last)
        last = now
        if cancel and now - begun > cancel:
            raise Cancelled

    try:
        with path.open("rb") as file:
            snapshot = read_snapshot(file, path.name, check)
    except Cancelled:
        print(f"cancelled {time.perf_counter() - begun - cancel:.3f} s after it was asked")
        return 0
    seconds = time.perf_counter() - begun
    peak = _peak()
    stored = len(encode(snapshot))
    nodes = len(snapshot.series[0].tree)
    print(
        f"imported in {seconds:.1f} s; peak {peak:.0f} MB ({before:.0f} MB before); {nodes} nodes, "
        f"{stored / 2**20:.1f} MB stored; longest step {longest * 1000:.0f} ms; {snapshot.notes}"
    )
    return 0


def _peak() -> float:
    """Return the most memory this process has had, in MB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


if __name__ == "__main__":
    sys.exit(main())
