"""Write what computed in a recording as collapsed stacks, small enough to lie beside the tests.

    PYTHONPATH=tests:server .venv/bin/python -m living.fold RECORDING OUT.cpu.collapsed

`profiles/` was made so, from a good run of the store and from one with `store.index.enabled=false` that `living.run`
recorded.  A stack is `package.Class.method:line` with its samples, heaviest first; of the lightest
stacks those that hold the last `REST` of the samples are left out.  Absent: anything else that a
recording holds, above all the values of the run and of the machine.
"""

from __future__ import annotations

import sys
from pathlib import Path

from conflens.profiling.importing import read_snapshot
from conflens.profiling.model import EventKind, Frame, Nature

REST = 0.04
"""The share of the samples that may be left out."""


def fold(recording: Path) -> str:
    """Return the collapsed stacks of ``recording``, a file that ``living.run`` has made."""
    with recording.open("rb") as stream:
        snapshot = read_snapshot(stream, recording.name, lambda _: None)
    series = next(item for item in snapshot.series if item.kind is EventKind.CPU)
    weights: dict[str, int] = {}
    for frames, _, count in series.tree.chains():
        stack = ";".join(_text(frame) for frame in frames if frame.nature is Nature.JAVA)
        weights[stack] = weights.get(stack, 0) + count
    lines = []
    left = REST * sum(weights.values())
    for stack, weight in sorted(weights.items(), key=lambda item: (item[1], item[0])):
        left -= weight
        if left < 0 and stack:
            lines.append(f"{stack} {weight}\n")
    return "".join(reversed(lines))


def _text(frame: Frame) -> str:
    place = f":{frame.line}" if frame.line else ""
    return f"{frame.owner}.{frame.method}{place}"


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(fold(Path(sys.argv[1])), encoding="utf-8")
