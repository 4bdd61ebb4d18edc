"""What the tests of importers share: goldens, and snapshots as text."""

from __future__ import annotations

import gzip
from io import BytesIO
from pathlib import Path

from conflens.profiling.importing import Hints, read_snapshot
from conflens.profiling.model import Frame, Nature, Series, Snapshot

DATA = Path(__file__).parent / "data"


def nothing(_: int) -> None:
    """A check that never stops."""


def imported(data: bytes | str, name: str = "file", hints: Hints | None = None) -> Snapshot:
    """Import what is given as bytes or text."""
    if isinstance(data, str):
        data = data.encode()
    return read_snapshot(BytesIO(data), name, nothing, hints or Hints())


def golden(name: str) -> bytes:
    """Return a golden file, unpacked."""
    data = (DATA / name).read_bytes()
    return gzip.decompress(data) if name.endswith(".gz") else data


def shown(frame: Frame) -> str:
    """Return a frame as text; its nature only where it is not Java."""
    text = f"{frame.owner}.{frame.method}" if frame.owner else frame.method
    text += frame.descriptor + (f":{frame.line}" if frame.line else "")
    text += " (simple)" if frame.simple else ""
    return text if frame.nature is Nature.JAVA else f"{frame.nature} {text}"


def chains(series: Series) -> list[str]:
    """Return every chain that has a weight or a count: ``root > leaf own/count``."""
    return [
        f"{' > '.join(map(shown, frames))} {own}/{count}"
        for frames, own, count in series.tree.chains()
    ]


def only(snapshot: Snapshot) -> Series:
    """Return the only series."""
    (series,) = snapshot.series
    return series


def by_method(series: Series) -> dict[tuple[str, str], int]:
    """Return own weights by owner and method."""
    found: dict[tuple[str, str], int] = {}
    for frames, own, _ in series.tree.chains():
        key = (frames[-1].owner, frames[-1].method)
        found[key] = found.get(key, 0) + own
    return found
