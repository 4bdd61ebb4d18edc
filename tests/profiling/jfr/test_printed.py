"""What ``jfr print --json`` writes: the snapshot from it, and what is refused."""

import io
import json
from datetime import UTC, datetime
from typing import Any

import pytest

from conflens.base.cancel import Cancelled
from conflens.profiling.jfr import json_reader as jfr_json
from conflens.profiling.jfr.json_reader import read_jfr_json
from conflens.profiling.model import EventKind, ImportFailure, Nature, Origin, Snapshot, Unit
from profiling.jfr.printed import EVENTS, HOT, MAIN, PROXY, as_json, event, frame, sample
from profiling.jfr.reading import chains, everything


def read(events: Any) -> Snapshot:
    return read_jfr_json(io.BytesIO(as_json(events)), "run.txt", lambda _: None, salt=b"salt")


def test_events_are_summed_by_chain() -> None:
    snapshot = read(EVENTS)
    main, body = "app.Main.main:42", "app.Hot$Inner.lambda$main$0:12"
    assert {series.kind: chains(series) for series in snapshot.series} == {
        EventKind.CPU: {
            ("[main]", main, body): (10_000_000, 1),
            ("[pool-*-thread-*]", main, body): (10_000_000, 1),
        },
        EventKind.IO: {("[main]", main, "java.io.FileDescriptor.sync"): (20_000_000, 1)},
        EventKind.LOCK: {("[main]", main): (21_326_088, 1)},
        EventKind.ALLOCATION: {("[C*]", "frames left out", main, body): (4_096, 1)},
    }
    assert {series.kind: series.unit for series in snapshot.series} == {
        EventKind.CPU: Unit.NANOSECONDS,
        EventKind.IO: Unit.NANOSECONDS,
        EventKind.LOCK: Unit.NANOSECONDS,
        EventKind.ALLOCATION: Unit.BYTES,
    }
    assert {(value.origin, value.name): value.value for value in snapshot.values} == {
        (Origin.SYSTEM_PROPERTY, "jobs"): "4",
        (Origin.FLAG, "UseG1GC"): "true",
        (Origin.JVM_ARGUMENT, "-Xmx"): "1g",
        (Origin.JVM_ARGUMENT, "-Djobs"): "4",
        (Origin.ARGUMENT, "#0"): "app.Main",
        (Origin.ARGUMENT, "--in"): "a.txt",
    }
    began = datetime(2026, 11, 20, 14, 59, 26, 695_361, UTC).timestamp()
    assert snapshot.taken == pytest.approx(began + 0.021326, abs=1e-4)
    assert snapshot.seconds == pytest.approx(0.021326, abs=1e-4)


DEEP = [frame("app/Deep", "go", line) for line in range(1, 10)]


def test_trap_1_the_default_depth_is_detected() -> None:
    snapshot = read([sample(*DEEP[:5])] * 2 + [sample(*DEEP[:2]), sample(*DEEP[1:6])])
    (note,) = [note for note in snapshot.notes if "5 frames" in note]
    command = note.partition("Print again with: ")[2]
    assert command.startswith("jfr print --json --stack-depth 64 --events jdk.CPUTimeSample,")
    assert command.endswith(" FILE.jfr")


@pytest.mark.parametrize("depths", [[5, 5, 5, 6], [5, 5], [4, 4, 4]])
def test_other_depths_raise_no_doubt(depths: list[int]) -> None:
    snapshot = read([sample(*DEEP[:depth]) for depth in depths])
    assert not any("frames" in note for note in snapshot.notes)


def test_traps_3_4_and_5_of_frames() -> None:
    odd = [
        frame("app/A", "a", -1, "C++"),
        frame("", "do_syscall_64", 0, "Kernel"),
        frame("app/B", "b", 7, "C1 compiled"),
        frame("java/lang/invoke/LambdaForm$MH+0x1/2", "invoke", -1, "Interpreted"),
        PROXY,
    ]
    (series,) = read([sample(*odd)]).series
    frames = series.tree.chain(len(series.tree) - 1)[1:]
    assert [(found.owner, found.method, found.line, found.nature) for found in frames] == [
        ("app.B", "b", 7, Nature.JAVA),
        ("", "do_syscall_64", 0, Nature.KERNEL),
        ("app.A", "a", 0, Nature.NATIVE),
    ]


def test_ambiguous_periods_are_not_used() -> None:
    events = [
        event("jdk.ActiveSetting", id=number, name="period", value=f"{number} ms")
        for number in (1, 2, 3)
    ]
    (series,) = read([*events, sample(HOT, MAIN)]).series
    assert (series.unit, series.total) == (Unit.SAMPLES, 1)


def test_other_content_is_skipped() -> None:
    odd = [
        sample(HOT, MAIN),
        event("jdk.ExecutionSample"),
        event("jdk.ExecutionSample", stackTrace="none", sampledThread=7),
        event("jdk.ThreadPark", duration="PT-5S", parkedClass=None, stackTrace={"frames": ["x"]}),
        event("jdk.ObjectAllocationSample", weight="9" * 400, stackTrace=None),
        event("jdk.InitialSystemProperty", key=None, value=3),
        event("jdk.JVMInformation"),
        event("jdk.ActiveSetting", name="period", id={}, value=[]),
    ]
    snapshot = read(odd)
    assert {series.kind: series.total for series in snapshot.series} == {
        EventKind.CPU: 3,
        EventKind.WAIT: 0,
        EventKind.ALLOCATION: 0,
    }
    assert snapshot.values == ()


def refused(reader: Any, data: bytes) -> str:
    with pytest.raises(ImportFailure) as failure:
        read_jfr_json(io.BytesIO(data), "run.txt", lambda _: None)
    return str(failure.value)


def test_broken_json_is_refused_with_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = as_json([sample(HOT)] * 3)
    assert refused(read_jfr_json, b'{"a": 1}') == (
        "run.txt: no list of events at the start, as 'jfr print --json' writes it"
    )
    assert refused(read_jfr_json, whole[: len(whole) // 2]).startswith(
        "run.txt: event 2: the last event is not whole, or broken: "
    )
    assert (
        refused(read_jfr_json, b'{"events": [')
        == "run.txt: the file ends before its list of events does"
    )
    assert refused(read_jfr_json, b'{"events": [3]}') == "run.txt: no event where one should be"
    assert refused(read_jfr_json, b'{"events": [{"a":' + b"[" * 200_000) == (
        "run.txt: an event is nested too deeply"
    )
    assert refused(read_jfr_json, b'{"events": ["\xff"]}') == "run.txt: text that is not UTF-8"
    monkeypatch.setattr(jfr_json, "LARGEST", 500_000)
    assert refused(read_jfr_json, b'{"events": [{"a": "' + b"x" * 3_000_000 + b'"}]}').startswith(
        "run.txt: an event that cannot be read within 500,000 characters"
    )


def test_reading_can_be_stopped() -> None:
    data = as_json([sample(HOT, MAIN)] * 3_000)
    done: list[int] = []

    def check(bytes_done: int) -> None:
        done.append(bytes_done)
        if bytes_done > len(data) // 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        read_jfr_json(io.BytesIO(data), "run.txt", check)
    assert done == sorted(done) and len(done) > 2 and done[-1] < len(data)


def test_one_line_of_json_is_read_like_a_printed_one() -> None:
    dense = json.dumps({"recording": {"events": EVENTS}}, separators=(",", ":")).encode()
    snapshot = read_jfr_json(io.BytesIO(dense), "dense", lambda _: None)
    assert everything(snapshot) == everything(read(EVENTS))
