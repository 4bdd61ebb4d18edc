"""Snapshots as speedscope files, with labels on frames: flame graphs that say which option is where.

A label stands behind two spaces in brackets, ``encodeBlock  [jobs · loop]``; our importer leaves it out again.
A pure function; absent: what the labels are, writing files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec

from conflens.profiling.model import Frame, Nature, Series, Unit

SCHEMA = "https://www.speedscope.app/file-format-schema.json"
"""The name by which speedscope knows its format; nothing is fetched."""

_UNITS = {Unit.SAMPLES: "none", Unit.NANOSECONDS: "nanoseconds", Unit.BYTES: "bytes"}

Label = Callable[[Series, int], str]
"""Told a series and a node of its tree; returns what shall stand at the frame, or empty text."""


def export_speedscope(series: Sequence[Series], name: str, label: Label | None = None) -> bytes:
    """Return a file with one profile for each series, called ``KIND · NAME``; nodes without own
    weight are seen in what they call."""
    shown: dict[tuple[str, int], int] = {}
    frames: list[dict[str, object]] = []
    overloaded = _overloaded(series)
    profiles: list[dict[str, object]] = []

    def index(one: Series, node: int) -> int:
        frame = one.tree.frames[one.tree.frame[node]]
        text = frame_text(frame, (frame.owner, frame.method) in overloaded)
        mark = label(one, node) if label is not None else ""
        if mark:
            text += f"  [{mark.replace('[', '(').replace(']', ')')}]"
        number = shown.setdefault((text, frame.line), len(frames))
        if number == len(frames):
            frames.append({"name": text} | ({"line": frame.line} if frame.line else {}))
        return number

    for one in series:
        samples: list[list[int]] = []
        weights: list[int] = []
        for path, weight in _depth_first(one, index):
            samples.append(path)
            weights.append(weight)
        profiles.append(
            {
                "type": "sampled",
                "name": f"{one.kind} · {name}",
                "unit": _UNITS[one.unit],
                "startValue": 0,
                "endValue": sum(weights),
                "samples": samples,
                "weights": weights,
            }
        )
    return msgspec.json.encode(
        {
            "$schema": SCHEMA,
            "name": name,
            "exporter": "ConfLens",
            "activeProfileIndex": 0,
            "shared": {"frames": frames},
            "profiles": profiles,
        }
    )


def frame_text(frame: Frame, with_descriptor: bool = False) -> str:
    """Return a frame as people and our importer read it."""
    if frame.nature is Nature.JAVA:
        name = f"{frame.owner}.{frame.method}" if frame.owner else frame.method
        return name + (frame.descriptor if with_descriptor else "")
    if frame.nature is Nature.THREAD:
        return f"[{frame.method} tid=0]"
    if frame.nature is Nature.KERNEL:
        return f"{frame.method}_[k]"
    if frame.nature is Nature.OPAQUE:
        return f"[{frame.method}]"
    return frame.method


def _overloaded(series: Iterable[Series]) -> frozenset[tuple[str, str]]:
    """Return the methods of which there are several descriptors."""
    first: dict[tuple[str, str], str] = {}
    found = set()
    for one in series:
        for frame in one.tree.frames:
            key = (frame.owner, frame.method)
            if first.setdefault(key, frame.descriptor) != frame.descriptor:
                found.add(key)
    return frozenset(found)


def _depth_first(
    series: Series, index: Callable[[Series, int], int]
) -> Iterable[tuple[list[int], int]]:
    """Yield (frames of the file root first, own weight), so that neighbours share their callers."""
    tree = series.tree
    first = [-1] * len(tree)
    following = [-1] * len(tree)
    for node in range(len(tree) - 1, 0, -1):
        above = tree.parent[node]
        following[node] = first[above]
        first[above] = node
    path: list[int] = []
    node = first[0]
    waiting: list[int] = []
    while node >= 0 or waiting:
        if node < 0:
            node = following[waiting.pop()]
            path.pop()
            continue
        path.append(index(series, node))
        if tree.own[node]:
            yield path.copy(), tree.own[node]
        waiting.append(node)
        node = first[node]
