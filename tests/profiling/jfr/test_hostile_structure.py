"""Recordings whose inner structure makes a reader do the same work again and again: each thing is worked out once."""

import struct
from collections.abc import Callable
from typing import Any

import pytest

from conflens.profiling.jfr.events import Events
from conflens.profiling.jfr.layout import Layout
from conflens.profiling.jfr.pools import _Reader
from conflens.profiling.model import EventKind, ImportFailure
from profiling.jfr.reading import chains, read
from profiling.jfr.recordings import SAMPLE, TYPES, Writer, _metadata, chunk, pools

HEADER = ">4sHHqqqqqqqI"


def counted(monkeypatch: pytest.MonkeyPatch, owner: type, name: str) -> list[int]:
    """Count the calls of a method."""
    calls = [0]
    real: Callable[..., Any] = getattr(owner, name)

    def counting(*arguments: Any) -> Any:
        calls[0] += 1
        return real(*arguments)

    monkeypatch.setattr(owner, name, counting)
    return calls


def recording(
    types: dict[str, Any],
    checkpoints: Callable[[bytearray, Writer, dict[str, int]], int],
    **more: int,
) -> bytes:
    """A chunk without events whose checkpoints are written by hand."""
    numbers = {**{name: number for number, name in enumerate(types, 30)}, **more}
    make, out = Writer(True, types), bytearray(68)
    last = checkpoints(out, make, numbers)
    metadata = len(out)
    out += make.event(0, _metadata(True, types, numbers))
    places = (len(out), last, metadata, 10**18, 10**9, 0, 10**9)
    out[:68] = struct.pack(HEADER, b"FLR\0", 2, 1, *places, 1)
    return bytes(out)


@pytest.mark.parametrize("threads", [50, 400])
def test_a_stack_is_built_once_for_all_threads(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = counted(monkeypatch, Events, "_chain")
    constants = pools()
    events = [
        (SAMPLE, {"startTime": 1, "sampledThread": thread, "stackTrace": stack, "state": 1})
        for thread in range(1, threads)
        for stack in (1, 2)
    ]
    found = chains(read(chunk(events, constants)).of(EventKind.CPU))
    assert sum(count for _, count in found.values()) == 2 * (threads - 1)
    assert calls[0] == 2


@pytest.mark.parametrize("many", [50, 400])
def test_threads_of_one_name_share_a_chain(many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from conflens.profiling.building import TreeBuilder  # noqa: PLC0415

    calls = counted(monkeypatch, TreeBuilder, "add")
    events = [
        (SAMPLE, {"startTime": 1, "sampledThread": 1_000 + number, "stackTrace": 1, "state": 1})
        for number in range(many)
    ]
    ((chain, (_, count)),) = chains(read(chunk(events)).of(EventKind.CPU)).items()
    assert (chain[0], count, calls[0]) == ("[(no name)]", many, 1)


@pytest.mark.parametrize("count", [20, 200])
@pytest.mark.parametrize("kept", [True, False])
def test_how_a_type_is_read_is_worked_out_once(
    count: int, kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide = [(f"a{number}", "int") for number in range(50)]
    types: dict[str, Any] = {**TYPES, "a.Wide": wide}
    name = "java.lang.Thread" if kept else "a.Wide"

    def checkpoints(out: bytearray, make: Writer, numbers: dict[str, int]) -> int:
        body = Writer(True, types)
        for _ in range(3):
            body.integer(0)
        body.out.append(0)
        body.integer(count, 4)
        for _ in range(count):
            body.integer(numbers[name])
            body.integer(0, 4)
        last = len(out)
        out += make.event(1, bytes(body.out))
        return last

    written = counted(monkeypatch, Layout, "_written")
    patterns = counted(monkeypatch, Layout, "pattern")
    read(recording(types, checkpoints))
    assert written[0] + patterns[0] < 80


def nested(count: int) -> bytes:
    """Checkpoints that each hold all those behind them as entries of a type without fields."""
    types: dict[str, Any] = {**TYPES, "a.One": []}
    head = 4 + 3 + 9 + 1 + 1 + 1 + 4

    def padded(value: int, size: int) -> bytes:
        return bytes(
            (value >> (7 * at) & 127) | (128 if at < size - 1 else 0) for at in range(size)
        )

    def checkpoints(out: bytearray, _make: Writer, numbers: dict[str, int]) -> int:
        first = len(out)
        for number in range(count):
            back = -head & (1 << 64) - 1 if number else 0
            delta = bytes((back >> (7 * at) & 127) | 128 for at in range(8)) + bytes([back >> 56])
            size, entries = (count - number) * head + 9, (count - 1 - number) * 9 + 9
            out += padded(size, 4) + b"\1\0\0" + delta + b"\0\1"
            out += bytes([numbers["a.One"]]) + padded(entries, 4)
        out += b"\1" * 9
        return first + (count - 1) * head

    return recording(types, checkpoints)


def test_a_checkpoint_inside_of_another_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = counted(monkeypatch, _Reader, "_pool")
    assert not read(nested(1)).series
    with pytest.raises(ImportFailure, match="a checkpoint reaches into the one behind it"):
        read(nested(300))
    assert calls[0] == 2


def test_checkpoints_are_read_without_what_lies_behind_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from conflens.profiling.jfr import byte_reader  # noqa: PLC0415

    taken: list[int] = []
    real = byte_reader.read_fully

    def counting(stream: Any, size: int) -> bytes:
        taken.append(size)
        return real(stream, size)

    monkeypatch.setattr(byte_reader, "read_fully", counting)

    def checkpoints(out: bytearray, make: Writer, _numbers: dict[str, int]) -> int:
        last = 0
        for _ in range(2_000):
            body = Writer(True, TYPES)
            body.integer(0)
            body.integer(0)
            body.integer((last - len(out)) & (1 << 64) - 1 if last else 0)
            body.out.append(0)
            body.integer(0, 4)
            last = len(out)
            out += make.event(1, bytes(body.out))
        return last

    data = recording(TYPES, checkpoints)
    read(data)
    assert sum(taken) < 4 * len(data)


@pytest.mark.parametrize("number", [1 << 63, 10**19])
@pytest.mark.parametrize("compressed", [True, False])
def test_a_type_with_a_number_beyond_64_bits_is_refused(number: int, compressed: bool) -> None:
    data = bytearray(chunk([], compressed=compressed))
    body = _metadata(
        compressed, TYPES, {name: at for at, name in enumerate(TYPES, 30)} | {SAMPLE: number}
    )
    make = Writer(compressed, TYPES)
    data[24:32] = struct.pack(">q", len(data))
    data += make.event(0, body)
    data[8:16] = struct.pack(">q", len(data))
    with pytest.raises(ImportFailure, match=f"number a type {number}, which 64 bits cannot hold"):
        read(bytes(data))
