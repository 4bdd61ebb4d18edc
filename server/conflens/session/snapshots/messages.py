"""What the process that imports a snapshot is asked, and what it answers, as frames.

One ``Request`` goes in.  Out come ``Progress``, any number, then one ``Imported`` or ``Failed``.
"""

from __future__ import annotations

import msgspec

from conflens.profiling.model import Snapshot
from conflens.profiling.programs import main_classes, outermost_classes, started

_MAX_NAMES = 20
_MAX_CLASSES = 10_000


class Request(msgspec.Struct, frozen=True):
    """Which file to import (``path`` as the system's bytes), and how.

    ``kind`` and ``unit`` (of ``profiling.model``, or empty) are for formats that do not say; ``salt`` is for the
    digests of redacted values.  ``memory_mb`` bounds what the process may use, ``seconds`` how long it may take,
    ``cpu_seconds`` the processor time for any file, and ``cpu_seconds_per_mb`` that for each of its megabytes; 0 means no
    bound.
    """

    path: bytes
    name: str
    kind: str = ""
    unit: str = ""
    salt: bytes = b""
    memory_mb: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    cpu_seconds_per_mb: float = 0.0


class Summary(msgspec.Struct, frozen=True):
    """What a list of snapshots says of one; see ``Snapshot``.

    ``kinds`` are (kind, unit, total); ``started`` and ``main_classes`` as in ``profiling.programs``; ``compares``: it
    brings its own baseline; ``classes`` are the simple names of the outermost classes of its frames.
    """

    format: str
    taken: float
    seconds: float
    kinds: tuple[tuple[str, str, int], ...]
    notes: tuple[str, ...]
    values: int
    started: tuple[str, ...] = ()
    main_classes: tuple[str, ...] = ()
    compares: bool = False
    classes: tuple[str, ...] = ()


class Progress(msgspec.Struct, frozen=True, tag=True):
    """Bytes done, of so many."""

    done: int
    size: int


class Imported(msgspec.Struct, frozen=True, tag=True):
    """The snapshot as ``profiling.codec`` encodes it, and the file's size and time when it was opened."""

    summary: Summary
    data: bytes
    size: int
    modified: int


class Failed(msgspec.Struct, frozen=True, tag=True):
    """Why there is none: one line that names the file."""

    reason: str


Answer = Progress | Imported | Failed


def summary_of(snapshot: Snapshot) -> Summary:
    """Return what a list says of a snapshot."""
    return Summary(
        format=snapshot.format,
        taken=snapshot.taken,
        seconds=snapshot.seconds,
        kinds=tuple(
            (series.kind.value, series.unit.value, series.total) for series in snapshot.series
        ),
        notes=snapshot.notes,
        values=len(snapshot.values),
        started=tuple(sorted(started(snapshot))[:_MAX_NAMES]),
        main_classes=tuple(sorted(main_classes(snapshot))[:_MAX_NAMES]),
        compares=bool(snapshot.before),
        classes=tuple(sorted(outermost_classes(snapshot))[:_MAX_CLASSES]),
    )
