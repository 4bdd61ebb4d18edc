"""Which program a snapshot is of, as far as it tells."""

from __future__ import annotations

import re

from conflens.profiling.model import Nature, Origin, Snapshot

_MAX_NAME = 100
_MAIN = "main"


def started(snapshot: Snapshot) -> frozenset[str]:
    """Return the main classes or archives that a run names in its command line, without their folders."""
    return frozenset(
        re.split(r"[/\\]", value.value)[-1][:_MAX_NAME]
        for value in snapshot.values
        if (value.origin, value.name) == (Origin.ARGUMENT, "#0") and value.value
    )


def main_classes(snapshot: Snapshot) -> frozenset[str]:
    """Return the classes whose ``main`` was seen running."""
    return frozenset(
        frame.owner[:_MAX_NAME]
        for series in (*snapshot.series, *snapshot.before)
        for frame in series.tree.frames
        if frame.method == _MAIN and frame.nature is Nature.JAVA and frame.owner
    )
