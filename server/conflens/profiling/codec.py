"""Snapshots as bytes and back: between processes, and on disk.

Invariants: the first bytes say magic and FORMAT; every number that points somewhere is checked when it is read, so
what ``decode`` returns can be used without checks; ``decode(encode(x))`` equals ``x`` column by column.
Frames that several trees share are stored once and shared again.  Damaged bytes raise ``ValueError``.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from operator import lt

import msgspec

from conflens.profiling.model import (
    CallTree,
    EventKind,
    Frame,
    RunValue,
    Series,
    Snapshot,
    Unit,
)

FORMAT = 2
"""Raised when the meaning of the bytes changes."""

_MAGIC = b"clsnap" + bytes([FORMAT])
_LIMIT = 1 << 63


class _Tree(msgspec.Struct, array_like=True, frozen=True):
    table: int
    parent: bytes
    frame: bytes
    own: bytes
    count: bytes


class _Series(msgspec.Struct, array_like=True, frozen=True):
    kind: EventKind
    unit: Unit
    period: int
    counted: bool
    flat: bool
    tree: _Tree


class _Stored(msgspec.Struct, array_like=True, frozen=True):
    name: str
    format: str
    taken: float
    seconds: float
    notes: tuple[str, ...]
    values: tuple[RunValue, ...]
    tables: tuple[tuple[Frame, ...], ...]
    series: tuple[_Series, ...]
    before: tuple[_Series, ...]
    computing: float
    others: float


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(_Stored)


def encode(snapshot: Snapshot) -> bytes:
    """Return a snapshot as bytes."""
    tables: list[Sequence[Frame]] = []
    numbers: dict[int, int] = {}

    def stored(series: Series) -> _Series:
        tree = series.tree
        table = numbers.get(id(tree.frames))
        if table is None:
            table = numbers[id(tree.frames)] = len(tables)
            tables.append(tree.frames)
        columns = (
            _bytes("i", tree.parent),
            _bytes("i", tree.frame),
            _bytes("q", tree.own),
            _bytes("q", tree.count),
        )
        return _Series(
            series.kind,
            series.unit,
            series.period,
            series.counted,
            series.flat,
            _Tree(table, *columns),
        )

    series = tuple(map(stored, snapshot.series))
    before = tuple(map(stored, snapshot.before))
    return _MAGIC + _ENCODER.encode(
        _Stored(
            snapshot.name,
            snapshot.format,
            snapshot.taken,
            snapshot.seconds,
            snapshot.notes,
            snapshot.values,
            tuple(map(tuple, tables)),
            series,
            before,
            snapshot.computing,
            snapshot.others,
        )
    )


def decode(data: bytes) -> Snapshot:
    """Return the snapshot of bytes; raises ``ValueError`` if they are damaged or of another format."""
    if data[: len(_MAGIC)] != _MAGIC:
        raise ValueError("is no stored snapshot of this format")
    try:
        stored = _DECODER.decode(memoryview(data)[len(_MAGIC) :])
    except (msgspec.MsgspecError, RecursionError, MemoryError, OverflowError) as error:
        raise ValueError("a stored snapshot is damaged") from error
    tables = stored.tables
    _hold(all(frame.line >= 0 for table in tables for frame in table))
    return Snapshot(
        stored.name,
        stored.format,
        tuple(_series(series, tables) for series in stored.series),
        stored.taken,
        stored.seconds,
        stored.values,
        stored.notes,
        tuple(_series(series, tables) for series in stored.before),
        stored.computing,
        stored.others,
    )


def _series(stored: _Series, tables: Sequence[tuple[Frame, ...]]) -> Series:
    tree = stored.tree
    _hold(0 <= tree.table < len(tables))
    frames = tables[tree.table]
    parent, frame = _column("i", tree.parent), _column("i", tree.frame)
    own, count = _column("q", tree.own), _column("q", tree.count)
    size = len(parent)
    _hold(size >= 1 and size == len(frame) == len(own) == len(count))
    _hold(parent[0] == -1 and frame[0] == -1)
    if size > 1:
        _hold(min(parent[1:]) >= 0 and all(map(lt, parent, range(size))))
        _hold(min(frame[1:]) >= 0 and max(frame) < len(frames))
    _hold(min(own) >= 0 and min(count) >= 0)
    _hold(sum(own) < _LIMIT and sum(count) < _LIMIT)
    _hold(stored.period >= 0)
    return Series(
        stored.kind,
        stored.unit,
        CallTree(frames, parent, frame, own, count),
        stored.period,
        stored.counted,
        stored.flat,
    )


def _hold(true: bool) -> None:
    if not true:
        raise ValueError("a stored snapshot is damaged")


def _bytes(code: str, column: array[int]) -> bytes:
    """Return a column as little-endian bytes."""
    if column.typecode != code or sys.byteorder != "little":
        column = array(code, column)
        if sys.byteorder != "little":
            column.byteswap()
    return column.tobytes()


def _column(code: str, data: bytes) -> array[int]:
    column = array(code)
    _hold(len(data) % column.itemsize == 0)
    column.frombytes(data)
    if sys.byteorder != "little":
        column.byteswap()
    return column
