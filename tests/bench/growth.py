"""How the analysis of one construct grows with the number of its repetitions.

``python -m bench.growth [SHAPE ...] [--sizes 250,500,1000]`` prints the CPU seconds of a scan for each size and the
exponent between the last two: 1 is linear, 2 a square.
"""

from __future__ import annotations

import argparse
import gc
import math
import time

from conflens.base.system import MemorySystem
from large_code import SHAPES
from session.support import session


def seconds(shape: str, size: int) -> tuple[float, int]:
    """Return the CPU seconds of a scan and the number of problems that it reports."""
    files = SHAPES[shape](size)
    gc.collect()
    begin = time.process_time()
    analysis = session(MemorySystem(files)).scan()
    return time.process_time() - begin, len(analysis.problems)


def main() -> None:
    """Measure shapes and print a row for each."""
    parser = argparse.ArgumentParser(prog="bench.growth")
    parser.add_argument("shapes", nargs="*", choices=[*SHAPES, []], metavar="SHAPE")
    parser.add_argument("--sizes", default="250,500,1000")
    given = parser.parse_args()
    sizes = [int(text) for text in given.sizes.split(",")]
    print(f"{'shape':28}" + "".join(f"{size:>9}" for size in sizes) + "  exponent  problems")
    for shape in given.shapes or SHAPES:
        rows = [seconds(shape, size) for size in sizes]
        (before, _), (after, problems) = rows[-2:]
        exponent = math.log(after / before) / math.log(sizes[-1] / sizes[-2])
        cells = "".join(f"{taken:9.2f}" for taken, _ in rows)
        print(f"{shape:28}{cells}  {exponent:8.2f}  {problems:8}", flush=True)


if __name__ == "__main__":
    main()
