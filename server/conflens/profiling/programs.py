"""Which program a snapshot is of, and which of its classes ran, as far as it tells."""

from __future__ import annotations

import re
from collections.abc import Iterator

from conflens.profiling.model import Frame, Nature, Origin, Series, Snapshot

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
        frame.owner[:_MAX_NAME] for frame in _frames(snapshot) if frame.method == _MAIN
    )


def outermost_classes(snapshot: Snapshot) -> frozenset[str]:
    """Return the classes that ran, each by the simple name of the class around it: ``Map`` of ``java.util.Map$Entry``."""
    names = (frame.owner.rpartition(".")[2] for frame in _frames(snapshot))
    return frozenset(name.partition("$")[0][:_MAX_NAME] for name in names)


def _frames(snapshot: Snapshot) -> Iterator[Frame]:
    tables = {id(series.tree.frames): series.tree.frames for series in _series(snapshot)}
    for frames in tables.values():
        yield from (frame for frame in frames if frame.nature is Nature.JAVA and frame.owner)


def _series(snapshot: Snapshot) -> tuple[Series, ...]:
    return (*snapshot.series, *snapshot.before)
