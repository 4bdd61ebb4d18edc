"""Broken and hostile recordings: one line that names file, place and reason."""

import struct
from typing import Any

import pytest

from conflens.profiling.jfr import byte_reader as jfr_bytes
from conflens.profiling.model import EventKind, ImportFailure
from profiling.jfr.reading import chains, read
from profiling.jfr.recordings import TYPES, chunk, period, pools, sample

WHOLE = chunk([period(), sample(1)])


def header(data: bytes, at: int, value: int) -> bytes:
    return data[:at] + struct.pack(">q", value) + data[at + 8 :]


def offset(data: bytes, at: int) -> int:
    return int(struct.unpack(">q", data[at : at + 8])[0])


CHECKPOINT = offset(WHOLE, 16)
METADATA = offset(WHOLE, 24)


@pytest.mark.parametrize(
    ("data", "place", "reason"),
    [
        (b"", "", "the file is empty"),
        (b"PK\x03\x04" * 30, "byte 0", "no Flight Recorder data: they begin with 'FLR'"),
        (WHOLE[:40], "byte 0", "the header of a chunk is not whole"),
        (
            chunk([sample(1)], version=(1, 0)),
            "byte 0",
            "a chunk of version 1.0 is not read; print it with the 'jfr' of the JDK that made it",
        ),
        (
            header(WHOLE, 8, 0),
            "byte 0",
            "the chunk is not finished: its recording was still running or was killed",
        ),
        (header(WHOLE, 8, -5), "byte 0", "a chunk of -5 bytes"),
        (WHOLE[:-10], "byte 0", "the file ends 10 bytes before its chunk does"),
        (header(WHOLE, 16, 1 << 40), "byte 0", "the header names no place for the constants"),
        (header(WHOLE, 24, -1), "byte 0", "the header names no place for the metadata"),
        (header(WHOLE, 56, 0), "byte 0", "the header tells no frequency of its clock"),
        (
            header(WHOLE, 24, CHECKPOINT),
            f"byte {CHECKPOINT:,}",
            "there are no metadata where they should be",
        ),
        (
            header(WHOLE, 16, METADATA),
            f"byte {METADATA:,}",
            "there is no checkpoint where one should be",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and " " in value else "",
)
def test_a_broken_first_chunk_is_an_error(data: bytes, place: str, reason: str) -> None:
    with pytest.raises(ImportFailure) as failure:
        read(data)
    assert str(failure.value) == ": ".join(part for part in ("run.jfr", place, reason) if part)


@pytest.mark.parametrize("rest", [WHOLE[:-10], header(WHOLE, 8, 0), b"\0" * 100, WHOLE[:20]])
def test_complete_chunks_before_a_broken_one_are_kept(rest: bytes) -> None:
    snapshot = read(WHOLE + rest)
    assert len(chains(snapshot.of(EventKind.CPU))) == 1
    (note,) = snapshot.notes
    assert note.startswith(f"The file is broken at byte {len(WHOLE):,} (")


def checkpoint_with(delta: int) -> bytes:
    """The whole chunk, without compression so that the delta has a place, with another delta."""
    data = chunk([period(), sample(1)], compressed=False)
    at = offset(data, 16) + 4 + 8 + 16
    return header(data, at, delta)


@pytest.mark.parametrize("delta", [1, 5_000, -(1 << 62), -100_000])
def test_checkpoint_offsets_cannot_loop_or_leave_the_chunk(delta: int) -> None:
    with pytest.raises(ImportFailure, match="a checkpoint names one that does not come before it"):
        read(checkpoint_with(delta))


def test_constants_that_refer_to_each_other_have_no_name() -> None:
    types: dict[str, Any] = {
        **TYPES,
        "jdk.types.Symbol": [("string", "jdk.types.Symbol", "pooled")],
        "java.lang.Class": [("name", "java.lang.Class", "pooled")],
    }
    constants = pools()
    constants["jdk.types.Symbol"] = {number: {"string": number + 1} for number in range(50)}
    constants["java.lang.Class"] = {number: {"name": number} for number in range(100, 110)}
    found = chains(read(chunk([period(), sample(1)], constants, types=types)).of(EventKind.CPU))
    assert list(found) == [("[main]", "(unknown)", "(unknown)")]


def test_a_type_that_contains_itself_is_refused() -> None:
    types: dict[str, Any] = {**TYPES, "jdk.Unwanted": [("self", "jdk.Unwanted")]}
    types["jdk.types.ThreadState"] = [("self", "jdk.Unwanted")]
    constants = pools()
    del constants["jdk.types.ThreadState"]
    assert read(chunk([sample(1)], constants, types=types)).series
    types["jdk.ExecutionSample"] = [*TYPES["jdk.ExecutionSample"], ("more", "jdk.Unwanted")]
    with pytest.raises(ImportFailure, match=r"the type jdk\.Unwanted holds itself"):
        read(chunk([], constants, types=types))


@pytest.mark.parametrize("compressed", [True, False])
def test_a_string_that_claims_to_be_huge_costs_nothing(
    compressed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = bytearray(
        chunk([("jdk.Unwanted", {"startTime": 1, "text": "x"})], compressed=compressed)
    )
    at = bytes(data).index(b"STATE_RUNNABLE")
    size = b"\xff\xff\xff\x7f"
    data[at - 1 : at + 3] = size if compressed else data[at - 1 : at + 3]
    if not compressed:
        data[at - 4 : at] = b"\x7f\xff\xff\xff"
    asked: list[int] = []
    real = jfr_bytes.read_fully

    def counted(stream: Any, wanted: int) -> bytes:
        asked.append(wanted)
        return real(stream, wanted)

    monkeypatch.setattr(jfr_bytes, "read_fully", counted)
    with pytest.raises(ImportFailure, match=r"a text of [\d,]+ bytes"):
        read(bytes(data))
    assert sum(asked) <= 3 * len(data)


def test_an_event_of_size_zero_does_not_loop() -> None:
    data = bytearray(WHOLE)
    data[68:72] = b"\0\0\0\0"
    with pytest.raises(ImportFailure, match="byte 68: an event of 0 bytes"):
        read(bytes(data))


def test_fields_larger_than_their_event_are_refused() -> None:
    types = {**TYPES, "jdk.ExecutionSample": [("startTime", "long")]}
    with pytest.raises(ImportFailure, match=r"jdk\.ExecutionSample has neither thread nor stack"):
        read(chunk([], types=types))


def test_more_constants_than_a_chunk_can_contain_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("conflens.profiling.jfr.pools.CONSTANTS", 10)
    with pytest.raises(ImportFailure, match="more than 10 constants in one chunk"):
        read(WHOLE)


def test_weights_beyond_64_bits_are_refused() -> None:
    huge = ("jdk.ObjectAllocationSample",
            {"startTime": 1, "eventThread": 1, "stackTrace": 1, "objectClass": 1, "weight": (1 << 62) - 1})  # fmt: skip
    with pytest.raises(ImportFailure, match="more than anything real"):
        read(chunk([huge] * 3))
