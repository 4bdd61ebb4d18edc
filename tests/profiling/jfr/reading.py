"""Short forms for what tests ask of a snapshot."""

import io
from typing import Any

from conflens.profiling.jfr.binary_reader import read_jfr
from conflens.profiling.model import EventKind, Frame, Nature, Series, Snapshot

Chains = dict[tuple[str, ...], tuple[int, int]]


def read(data: bytes, **more: Any) -> Snapshot:
    return read_jfr(io.BytesIO(data), "run.jfr", lambda _: None, **more)


def shown(frame: Frame) -> str:
    if frame.nature is Nature.THREAD:
        return f"[{frame.method}]"
    name = f"{frame.owner}.{frame.method}" if frame.owner else frame.method
    return f"{name}:{frame.line}" if frame.line else name


def chains(series: Series | None) -> Chains:
    """Weights and counts by chain."""
    assert series is not None
    found: Chains = {}
    for frames, own, count in series.tree.chains():
        key = tuple(map(shown, frames))
        assert key not in found
        found[key] = own, count
    return found


def everything(snapshot: Snapshot) -> dict[EventKind, Any]:
    """All that must be alike of two snapshots of one recording, however it was read."""
    return {
        series.kind: (
            series.unit,
            series.period,
            {tuple(frames): (own, count) for frames, own, count in series.tree.chains()},
        )
        for series in snapshot.series
    }
