"""Snapshots as bytes and back."""

from __future__ import annotations

import random
from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conflens.profiling.building import FrameTable, TreeBuilder
from conflens.profiling.codec import decode, encode
from conflens.profiling.model import (
    CallTree,
    EventKind,
    Frame,
    Nature,
    Origin,
    RunValue,
    Series,
    Snapshot,
    Unit,
)
from profiling.support import golden, imported, only

FRAMES = st.builds(
    Frame,
    st.text(max_size=3),
    st.text(max_size=3),
    st.sampled_from(["", "()V", "([B)I"]),
    st.integers(0, 2**20),
    st.sampled_from(list(Nature)),
    st.booleans(),
)


def series_of(table: FrameTable, chains: list[tuple[list[Frame], int]], kind: EventKind) -> Series:
    builder = TreeBuilder(table)
    for frames, weight in chains:
        builder.add([table.number(frame) for frame in frames], weight, weight)
    return Series(kind, Unit.NANOSECONDS, builder.tree(), 10, counted=True)


def same(one: Snapshot, other: Snapshot) -> bool:
    def parts(snapshot: Snapshot) -> list[object]:
        found: list[object] = [
            snapshot.name,
            snapshot.format,
            snapshot.taken,
            snapshot.seconds,
            snapshot.values,
            snapshot.notes,
        ]
        for series in (*snapshot.series, *snapshot.before):
            tree = series.tree
            found += [series.kind, series.unit, series.period, series.counted, series.flat]
            found += [tuple(tree.frames), tree.parent, tree.frame, tree.own, tree.count]
        return found

    return parts(one) == parts(other)


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.lists(FRAMES, min_size=1, max_size=5), st.integers(0, 2**40)), max_size=8
    )
)
def test_snapshots_round_trip(chains: list[tuple[list[Frame], int]]) -> None:
    table = FrameTable()
    snapshot = Snapshot(
        "näme",
        "JFR",
        (series_of(table, chains, EventKind.CPU), series_of(table, chains[:2], EventKind.IO)),
        1.5e9,
        3.25,
        (RunValue(Origin.FLAG, "a", "b"), RunValue(Origin.ENVIRONMENT, "k", "", True, "ab12")),
        ("One sentence.",),
        (series_of(FrameTable(), chains, EventKind.CPU),),
    )
    back = decode(encode(snapshot))
    assert same(snapshot, back)
    assert back.series[0].tree.frames is back.series[1].tree.frames
    assert isinstance(back.values[0], RunValue)
    assert all(isinstance(frame, Frame) for frame in back.series[0].tree.frames)


def test_real_snapshots_round_trip() -> None:
    for name in (
        "jprofiler/hotspots.xml",
        "jprofiler/comparison.csv",
        "async-profiler/alloc.pb.gz",
    ):
        snapshot = imported(golden(name), name)
        assert same(snapshot, decode(encode(snapshot)))


def tampered(**columns: array[int]) -> bytes:
    """Return a snapshot whose tree has other columns than it should."""
    frames = [Frame("a.B", "m"), Frame("a.B", "n")]
    whole = {
        "parent": array("i", [-1, 0, 1]),
        "frame": array("i", [-1, 0, 1]),
        "own": array("q", [0, 5, 6]),
        "count": array("q", [0, 1, 1]),
    } | columns
    tree = CallTree(frames, **whole)
    return encode(Snapshot("n", "f", (Series(EventKind.CPU, Unit.SAMPLES, tree),)))


def test_every_index_is_checked() -> None:
    assert only(decode(tampered())).total == 11
    for column in (
        {"parent": array("i", [-1, 0, 2])},
        {"parent": array("i", [-1, 0, 7])},
        {"parent": array("i", [-1, -1, 0])},
        {"parent": array("i", [0, 0, 1])},
        {"parent": array("i", [-1, 0])},
        {"frame": array("i", [-1, 0, 2])},
        {"frame": array("i", [-1, -1, 1])},
        {"frame": array("i", [0, 0, 1])},
        {"own": array("q", [0, -1, 6])},
        {"own": array("q", [0, 2**62, 2**62])},
        {"count": array("q", [0, 1, -1])},
        {"count": array("q", [0, 1])},
        {name: array("i") for name in ("parent", "frame")}
        | {name: array("q") for name in ("own", "count")},
    ):
        with pytest.raises(ValueError, match="damaged"):
            decode(tampered(**column))


def test_another_format_version_is_refused() -> None:
    data = tampered()
    for other in (b"", data[:5], b"x" + data[1:], data[:6] + b"\xff" + data[7:]):
        with pytest.raises(ValueError, match="of this format"):
            decode(other)


@pytest.mark.seeds(1)
def test_damaged_bytes_are_refused_or_still_valid(seed: int) -> None:
    data = encode(imported(golden("jprofiler/hotspots.xml"), "x"))
    draw = random.Random(seed)
    refused = 0
    for _ in range(1_000):
        broken = bytearray(data)
        for _ in range(draw.randrange(1, 4)):
            broken[draw.randrange(len(broken))] = draw.randrange(256)
        if draw.random() < 0.2:
            del broken[draw.randrange(len(broken)) :]
        try:
            snapshot = decode(bytes(broken))
        except ValueError:
            refused += 1
            continue
        for series in snapshot.series:
            assert sum(own for _, own, _ in series.tree.chains()) <= series.total
            series.tree.totals()
    assert refused > 100


def test_a_false_length_costs_nothing() -> None:
    lying = encode(imported("a/B.m 1\n"))[:7] + b"\x99\xa1n\xa1f" + b"\xcb" + b"\0" * 8
    lying += b"\xcb" + b"\0" * 8 + b"\xdd\xff\xff\xff\xff"
    with pytest.raises(ValueError, match="damaged"):
        decode(lying)
