"""How a session works, as its owner decides: caching, workers, priority."""

from __future__ import annotations

import os

import attrs

from conflens.session.inputs.configuration import Settings
from conflens.session.sources.java import Lowering
from conflens.session.workers.pool import PoolOptions


@attrs.frozen
class SessionOptions:
    """How a session works.

    ``workers`` 0 means in process, ``None`` one per core, four at most.  ``file_seconds`` is the
    time guard per file, ``nice`` lowers the workers' priority.  ``interactive`` says that edits
    will follow: what they need is made ready after the first analysis has been published.
    ``sensitivity`` asks for verdicts, which take a process that fits a classifier at the first use.
    """

    cache: bool = True
    workers: int | None = None
    file_seconds: float = 10.0
    nice: int = 0
    interactive: bool = False
    sensitivity: bool = False
    in_process_bytes: int = 1_500_000
    settings: Settings = attrs.field(factory=Settings)

    def lowering(self) -> Lowering:
        """Return how cold files are lowered; one core does without workers."""
        cores = _cores()
        workers = self.workers
        if workers is None:
            workers = 0 if cores < 2 else min(cores, 4)
        return Lowering(PoolOptions(workers, self.file_seconds, self.nice), self.in_process_bytes)


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
