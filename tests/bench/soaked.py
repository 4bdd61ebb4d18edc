"""The command line of ConfLens in a process that counts its objects when it gets ``SIGUSR1``.

``python -m bench.soaked FILE serve --stdio``: the counts go into FILE as JSON, the number of live objects by type, after garbage has
been collected; objects that were there when the first index was complete are not among them, as the server sets these aside.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
from collections import Counter

from conflens.cli.main import program

_MOST = 60


def _count(path: str) -> None:
    gc.collect()
    counts = Counter(
        f"{type(item).__module__}.{type(item).__qualname__}" for item in gc.get_objects()
    )
    told = {"objects": counts.total(), "types": dict(counts.most_common(_MOST))}
    with open(f"{path}.new", "w", encoding="utf-8") as file:
        json.dump(told, file)
    os.replace(f"{path}.new", path)


if __name__ == "__main__":
    _, COUNTS, *ARGUMENTS = sys.argv
    signal.signal(signal.SIGUSR1, lambda *_: _count(COUNTS))
    sys.argv = ["conflens", *ARGUMENTS]
    program()
