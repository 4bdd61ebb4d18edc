"""Mutated files of all three forms give a snapshot or an ImportFailure, in bounded work."""

import io
import random
from collections.abc import Callable

import pytest

from conflens.profiling.jfr import binary_reader as jfr
from conflens.profiling.jfr import json_reader as jfr_json
from conflens.profiling.model import ImportFailure, Snapshot
from profiling.jfr import printed
from profiling.jfr.recordings import NATIVE, chunk, period, sample

FILES = 1_000

_EVENTS = [
    period(),
    period(NATIVE, "10 ms"),
    sample(1),
    sample(2, 2),
    sample(3, 1, NATIVE),
    sample(6),
    (
        "jdk.FileWrite",
        {
            "startTime": 1,
            "duration": 9_000,
            "eventThread": 1,
            "stackTrace": 2,
            "path": "/some/where",
            "bytesWritten": 7,
        },
    ),
    ("jdk.InitialSystemProperty", {"startTime": 1, "key": "jobs", "value": 1}),
    ("jdk.DoubleFlag", {"startTime": 1, "name": "Ratio", "value": 1.5}),
    ("jdk.Unwanted", {"startTime": 1, "text": "nothing"}),
]
_BINARY = chunk(_EVENTS) + chunk(_EVENTS, compressed=False, split=True)
_NUMBERS = (
    b"\x00", b"\xff\xff\xff\xff", b"\xff" * 9, b"\x80\x80\x80\x80", b"\x7f\xff\xff\xff", b"\xff\xff\xff\x7f",
)  # fmt: skip
_WORDS = (
    b'"', b"{", b"}", b"[", b"]", b"null", b"-1", b"1e999", b"9" * 5_000, b"\\ud800", b"\xc3\x28", b"[" * 3_000,
    b"<", b"</struct>", b"<!DOCTYPE a>", b"<!ENTITY a 'b'>", b"&a;", b"<struct>" * 300, b"\x00", b"PT9999999999999999999S",
)  # fmt: skip


def mutated(data: bytes, chance: random.Random, words: tuple[bytes, ...]) -> bytes:
    found = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 5))):
        at = chance.randrange(len(found) + 1)
        match chance.randrange(6):
            case 0:
                for _ in range(chance.randrange(1, 6)):
                    if found:
                        found[chance.randrange(len(found))] ^= 1 << chance.randrange(8)
            case 1:
                del found[at:]
            case 2:
                del found[at : at + chance.randrange(1, 200)]
            case 3:
                start = chance.randrange(len(data))
                found[at:at] = data[start : start + chance.randrange(1, 300)]
            case 4:
                word = chance.choice(words)
                found[at : at + len(word)] = word
            case 5:
                found[at:at] = chance.choice(words)
    return bytes(found)


@pytest.mark.seeds(1)
@pytest.mark.parametrize(
    ("read", "data", "words"),
    [
        (jfr.read_jfr, _BINARY, _NUMBERS),
        (jfr_json.read_jfr_json, printed.as_json(printed.EVENTS), _WORDS),
    ],
    ids=["binary", "json"],
)
def test_a_mutated_file_is_read_or_refused(
    read: Callable[..., Snapshot], data: bytes, words: tuple[bytes, ...], seed: int
) -> None:
    chance = random.Random(seed)
    assert read(io.BytesIO(data), "whole", lambda _: None).series
    outcomes = {"snapshot": 0, "failure": 0}
    for number in range(FILES):
        changed = mutated(data, chance, words)
        steps: list[int] = []

        def check(done: int, steps: list[int] = steps, changed: bytes = changed) -> None:
            steps.append(done)
            assert done <= 6 * len(changed) + 1_000, "more is read than there is"
            assert len(steps) < 20_000, "no end"

        try:
            snapshot = read(io.BytesIO(changed), f"file {number}", check)
        except ImportFailure as failure:
            assert "\n" not in str(failure) and failure.reason
            outcomes["failure"] += 1
        else:
            nodes = sum(len(series.tree) for series in snapshot.series)
            assert nodes <= len(changed) + 10
            assert all(weight >= 0 for series in snapshot.series for weight in series.tree.own)
            outcomes["snapshot"] += 1
    assert min(outcomes.values()) > FILES // 50, outcomes


@pytest.mark.parametrize(
    ("read", "data"),
    [
        (jfr.read_jfr, _BINARY),
        (jfr_json.read_jfr_json, printed.as_json(printed.EVENTS)),
    ],
    ids=["binary", "json"],
)
def test_a_stream_may_return_less_than_requested(
    read: Callable[..., Snapshot], data: bytes
) -> None:
    class Slow(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            return super().read(min(size, 7) if size and size > 0 else size)

    whole = read(io.BytesIO(data), "whole", lambda _: None)
    slow = read(Slow(data), "slow", lambda _: None)
    assert [series.total for series in slow.series] == [series.total for series in whole.series]
