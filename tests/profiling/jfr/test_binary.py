"""The reader of ``.jfr`` on files written for the purpose: layouts, what events mean, and the traps of real files."""

import io
from itertools import pairwise
from typing import Any

import pytest

from conflens.base.cancel import Cancelled
from conflens.profiling.jfr import byte_reader as jfr_bytes
from conflens.profiling.jfr import events as jfr_events
from conflens.profiling.jfr import pools as jfr_pools
from conflens.profiling.jfr.binary_reader import jfr_command, read_jfr
from conflens.profiling.jfr.recording import overlap
from conflens.profiling.model import EventKind, Nature, Origin, Snapshot, Unit
from profiling.jfr.reading import chains, everything, read
from profiling.jfr.recordings import (
    NATIVE,
    SAMPLE,
    TYPES,
    Event,
    chunk,
    frame,
    period,
    pools,
    sample,
    setting,
    stack,
)

MAIN, RUN = "app.Main.main:42", "app.Work$Inner.run:7"


def event(name: str, /, **values: Any) -> Event:
    common = {"startTime": 1, "eventThread": 1, "stackTrace": 1}
    return f"jdk.{name}", common | values


def park(duration: int, of: int) -> Event:
    return event("ThreadPark", duration=duration, parkedClass=of, timeout=0, until=-(10**18))


def write(duration: int) -> Event:
    return event("FileWrite", duration=duration, path="/a/b", bytesWritten=3)


MIXED = [
    period(),
    period(NATIVE, "10 ms"),
    *[sample(1)] * 20,
    sample(2, 2),
    ("jdk.Unwanted", {"startTime": 1, "text": "x" * 300}),
    sample(3, 1, NATIVE),
    sample(5, 2, NATIVE),
    event("ObjectAllocationSample", objectClass=1, weight=1 << 40),
    park(5_000, 1),
    park(7_000, 2),
    write(9_000),
    write(1_000),
]


@pytest.fixture(scope="module")
def mixed() -> Snapshot:
    return read(chunk(MIXED))


def test_chains_lead_from_the_thread_to_the_executing_method(mixed: Snapshot) -> None:
    assert chains(mixed.of(EventKind.CPU)) == {
        ("[main]", MAIN, RUN): (400_000_000, 20),
        ("[pool-*-thread-*]", "app.Main.main:43", "app.Hot.lambda$main$0:9"): (20_000_000, 1),
        ("[pool-*-thread-*]", "app.Main.main:46", "java.util.zip.CRC32.updateBytes0"): (
            10_000_000,
            1,
        ),
    }
    assert chains(mixed.of(EventKind.ALLOCATION)) == {("[main]", MAIN, RUN): (1 << 40, 1)}
    assert chains(mixed.of(EventKind.LOCK)) == {("[main]", MAIN, RUN): (5_000, 1)}
    assert chains(mixed.of(EventKind.WAIT)) == {("[main]", MAIN, RUN): (7_000, 1)}


def test_frames_have_descriptor_and_type(mixed: Snapshot) -> None:
    series = mixed.of(EventKind.CPU)
    assert series is not None
    frames = {found.method: found for found in series.tree.frames}
    assert frames["run"].descriptor == "()V"
    assert frames["updateBytes0"].nature is Nature.NATIVE
    assert frames["main"].nature in (Nature.JAVA, Nature.THREAD)
    assert series.tree.frames[series.tree.frame[1]].nature is Nature.THREAD


def reordered(names: list[str]) -> dict[str, list[tuple[str, ...]]]:
    return {name: fields[::-1] if name in names else fields for name, fields in TYPES.items()}


ALL = [name for name in TYPES if TYPES[name]]


@pytest.mark.parametrize(
    "how",
    [
        {"compressed": False},
        {"split": True},
        {"types": reordered(ALL)},
        {"types": reordered(ALL), "compressed": False, "split": True},
        {"types": {name: TYPES[name] for name in reversed(TYPES)}},
    ],
    ids=["plain", "two checkpoints", "fields reversed", "all of it", "other numbers"],
)
def test_the_layout_comes_from_the_metadata(how: dict[str, Any], mixed: Snapshot) -> None:
    events = MIXED
    if list(how.get("types", TYPES)) != list(TYPES):
        numbers = {name: number for number, name in enumerate(how["types"], 30)}
        events = [
            (name, {**values, "id": numbers[of]})
            if name == "jdk.ActiveSetting"
            else (name, values)
            for (name, values), of in zip(
                MIXED, [SAMPLE, NATIVE, *[""] * len(MIXED)], strict=False
            )
        ]
    assert everything(read(chunk(events, **how))) == everything(mixed)


@pytest.mark.parametrize("step", [7, 64, 1_000])
def test_data_across_the_edge_of_a_window_is_read(
    step: int, mixed: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jfr_bytes, "STEP", step)
    assert everything(read(chunk(MIXED, split=True))) == everything(mixed)


def test_stacks_are_resolved_before_too_many_are_pending(
    mixed: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jfr_events, "PENDING", 1)
    assert everything(read(chunk(MIXED))) == everything(mixed)


def test_each_chunk_has_its_own_constants_and_ids() -> None:
    other = pools({1: stack(frame(1, 99))})
    reversed_types = reordered(ALL)
    data = chunk([period(), sample(1)]) + chunk(
        [period(), sample(1)], other, types=reversed_types, compressed=False
    )
    assert chains(read(data).of(EventKind.CPU)) == {
        ("[main]", MAIN, RUN): (20_000_000, 1),
        ("[main]", "app.Main.main:99"): (20_000_000, 1),
    }


def test_a_recording_lasts_from_its_first_chunk_to_its_last() -> None:
    first = chunk([sample(1)], began=1_700_000_000_000_000_000, lasted=2_000_000_000)
    second = chunk([sample(1)], began=1_700_000_002_000_000_000, lasted=3_000_000_000)
    snapshot = read(first + second)
    assert (snapshot.taken, snapshot.seconds) == (1_700_000_005.0, 5.0)


def test_ticks_are_converted_to_nanoseconds() -> None:
    snapshot = read(chunk([write(2_600)], frequency=2_600_000_000))
    assert [series.total for series in snapshot.series] == [1_000]


# --- The traps of the reference ---------------------------------------------------------------------------------------


def test_trap_1_all_frames_are_read_and_a_truncated_stack_is_reported() -> None:
    deep = pools({1: stack(*[frame(1, line) for line in range(1, 301)])})
    whole = read(chunk([period(), sample(1)], deep))
    (chain,) = chains(whole.of(EventKind.CPU))
    assert chain[1] == "app.Main.main:300" and len(chain) == 301 and whole.notes == ()
    cut = read(chunk([period(), sample(6), sample(1)]))
    assert ("[main]", "frames left out", MAIN, RUN) in chains(cut.of(EventKind.CPU))
    assert cut.notes == (
        "50 % of the stacks were cut when they were recorded; "
        "record with -XX:FlightRecorderOptions=stackdepth=256 to have them whole.",
    )


def test_trap_2_a_sample_costs_its_bytes_not_its_frames() -> None:
    few, many = chunk([sample(1)] * 10), chunk([sample(1)] * 10_010)
    assert (len(many) - len(few)) / 10_000 < 20
    assert chains(read(many).of(EventKind.CPU)) == {("[main]", MAIN, RUN): (10_010, 10_010)}


def test_trap_3_lambda_proxies_are_omitted_and_their_bodies_stay() -> None:
    found = chains(read(chunk([period(), sample(2), sample(7)])).of(EventKind.CPU))
    assert list(found) == [
        ("[main]", "app.Main.main:43", "app.Hot.lambda$main$0:9"),
        ("[main]", "app.Main.main:47", "app.Made.call:5"),
    ]


def test_trap_4_an_unknown_line_is_zero() -> None:
    lines = pools({1: stack(frame(1, 0), frame(1, -1), frame(1, 1 << 30))})
    series = read(chunk([sample(1)], lines)).of(EventKind.CPU)
    assert series is not None
    assert [found.line for found in series.tree.chain(len(series.tree) - 1)] == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("form", "nature"),
    [
        (1, Nature.JAVA), (2, Nature.JAVA), (3, Nature.JAVA), (4, Nature.NATIVE), (5, Nature.NATIVE),
        (6, Nature.KERNEL), (7, Nature.JAVA), (99, Nature.JAVA),
    ],
)  # fmt: skip
def test_trap_5_types_of_frames(form: int, nature: Nature) -> None:
    series = read(chunk([sample(1)], pools({1: stack(frame(1, 3, form))}))).of(EventKind.CPU)
    assert series is not None
    assert series.tree.chain(2)[1].nature is nature


def test_trap_6_the_first_program_frame_stays_above_library_frames() -> None:
    (chain,) = chains(read(chunk([period(NATIVE), sample(5, 1, NATIVE)])).of(EventKind.CPU))
    assert chain == ("[main]", "app.Main.main:46", "java.util.zip.CRC32.updateBytes0")


def test_trap_7_inlined_frames_keep_the_lines_of_their_calls() -> None:
    inlined = pools({1: stack(frame(2, 7, 3), frame(1, 41, 3), frame(1, 40, 2))})
    (chain,) = chains(read(chunk([sample(1)], inlined)).of(EventKind.CPU))
    assert chain == ("[main]", "app.Main.main:40", "app.Main.main:41", RUN)


def test_trap_9_a_recording_dumped_twice_overlaps() -> None:
    second = 1_000_000_000
    first = read(chunk([sample(1)], began=100 * second, lasted=30 * second))
    again = read(chunk([sample(1)], began=100 * second, lasted=60 * second))
    later = read(chunk([sample(1)], began=160 * second, lasted=60 * second))
    assert overlap(first, again) == overlap(again, first) == 30
    assert overlap(again, later) == 0


# --- What events mean -------------------------------------------------------------------------------------------------


def test_without_a_period_samples_are_counted() -> None:
    snapshot = read(chunk([sample(1), sample(1), sample(5, 1, NATIVE), period(NATIVE)]))
    series = snapshot.of(EventKind.CPU)
    assert series is not None and (series.unit, series.total, series.period) == (
        Unit.SAMPLES,
        3,
        0,
    )
    assert snapshot.notes == (
        "The recording does not tell one sampling period, so cpu is counted in samples.",
    )


def test_a_changing_period_is_no_period() -> None:
    data = chunk([period(value="10 ms"), sample(1)]) + chunk([period(value="20 ms"), sample(1)])
    series = read(data).of(EventKind.CPU)
    assert series is not None and series.unit is Unit.SAMPLES


@pytest.mark.parametrize("value", ["everyChunk", "0 ns", "99999999999999999 d", ""])
def test_an_invalid_period_is_not_used(value: str) -> None:
    series = read(chunk([period(value=value), sample(1)])).of(EventKind.CPU)
    assert series is not None and series.unit is Unit.SAMPLES


def test_async_profilers_interval_is_a_period() -> None:
    series = read(chunk([setting(SAMPLE, "interval", "5000000"), sample(1)])).of(EventKind.CPU)
    assert series is not None and (series.total, series.period) == (5_000_000, 5_000_000)


def test_wall_clock_samples_of_idle_threads_are_not_work() -> None:
    found = chains(read(chunk([period(), sample(1), sample(2, state=2)])).of(EventKind.CPU))
    assert list(found) == [("[main]", MAIN, RUN)]


def test_cpu_time_samples_take_precedence_over_thread_samples() -> None:
    timed = event("CPUTimeSample", failed=False, samplingPeriod=10_000_000, biased=False)
    failed = event(
        "CPUTimeSample", failed=True, samplingPeriod=10_000_000, biased=False, stackTrace=0
    )
    snapshot = read(
        chunk([period(), period(NATIVE), sample(2), sample(5, 1, NATIVE), timed, failed])
    )
    series = snapshot.of(EventKind.CPU)
    assert chains(series) == {("[main]", MAIN, RUN): (10**7, 1), ("[main]",): (10**7, 1)}
    assert series is not None and series.period == 10_000_000
    assert snapshot.of(EventKind.IO) is None


def test_allocations_by_buffer_count_only_without_sampled_ones() -> None:
    buffer = event("ObjectAllocationInNewTLAB", objectClass=1, allocationSize=16, tlabSize=4_096)
    sampled = event("ObjectAllocationSample", objectClass=1, weight=77)
    assert [series.total for series in read(chunk([buffer])).series] == [4_096]
    (series,) = read(chunk([buffer, sampled])).series
    assert (series.kind, series.unit, series.total) == (EventKind.ALLOCATION, Unit.BYTES, 77)


def test_a_native_sample_of_a_waiting_thread_is_not_work() -> None:
    assert read(chunk([period(NATIVE), sample(4, 1, NATIVE)])).series == ()


def test_file_forces_are_sampled_if_native_samples_exist() -> None:
    force = event("FileForce", duration=3, path="/x", metaData=True)
    assert [series.total for series in read(chunk([force])).series] == [3]
    both = read(chunk([force, period(NATIVE, "20 ms"), sample(3, 1, NATIVE)]))
    assert chains(both.of(EventKind.IO)) == {
        ("[main]", "app.Main.main:44", "java.io.FileDescriptor.sync"): (20_000_000, 1)
    }


def test_events_without_a_stack_belong_to_their_thread() -> None:
    found = chains(
        read(chunk([period(), sample(0), sample(9, 3), sample(1, 77)])).of(EventKind.CPU)
    )
    assert set(found) == {("[main]",), ("[C* Compiler]",), ("[(no name)]", MAIN, RUN)}


def test_thresholds_are_reported() -> None:
    snapshot = read(
        chunk([setting("jdk.FileWrite", "threshold", "10 ms"), setting("jdk.ThreadPark", "threshold", "0 ns")])
    )  # fmt: skip
    assert snapshot.notes == ("JFR did not record FileWrite events shorter than 10 ms.",)


def test_a_negative_duration_is_ignored() -> None:
    assert [series.total for series in read(chunk([write(-5)])).series] == [0]


# --- The configuration of the run -------------------------------------------------------------------------------------


def test_values_of_the_run() -> None:
    events: list[Event] = [
        event("InitialSystemProperty", key="jobs", value="4"),
        event("InitialSystemProperty", key="of.pool", value=1),
        event("InitialSystemProperty", key="umlaut", value="chars:Größe 🙂".replace("🙂", "\ud83d\ude42")),
        event("InitialSystemProperty", key="db.password", value="hunter2"),
        event("InitialSystemProperty", key="jobs", value="5"),
        event("UnsignedLongFlag", name="MaxMetaspaceSize", value=-1),
        event("DoubleFlag", name="Ratio", value=1.5),
        event(
            "JVMInformation",
            jvmArguments="-Xmx4g -XX:+UseG1GC -Ddb.password='hunter2' \"-Dname=a b\"",
            jvmFlags=None,
            javaArguments="app.Main --in /x -v --level=3 -7",
        ),
    ]  # fmt: skip
    snapshot = read(chunk(events) * 2, salt=b"salt")
    values = {(value.origin, value.name): value for value in snapshot.values}
    plain = {(str(origin), name): value.value for (origin, name), value in values.items()}
    assert plain == {
        ("system property", "jobs"): "4",
        ("system property", "of.pool"): "text of the pool",
        ("system property", "umlaut"): "Größe 🙂",
        ("system property", "db.password"): "",
        ("JVM flag", "MaxMetaspaceSize"): "18446744073709551615",
        ("JVM flag", "Ratio"): "1.5",
        ("JVM argument", "-Xmx"): "4g",
        ("JVM argument", "-XX:UseG1GC"): "true",
        ("JVM argument", "-Ddb.password"): "",
        ("JVM argument", "-Dname"): "a b",
        ("argument", "#0"): "app.Main",
        ("argument", "--in"): "/x",
        ("argument", "-v"): "",
        ("argument", "--level"): "3",
        ("argument", "#5"): "-7",
    }
    one = values[Origin.SYSTEM_PROPERTY, "db.password"]
    other = values[Origin.JVM_ARGUMENT, "-Ddb.password"]
    assert one.redacted and one.digest and one.digest == other.digest
    assert "hunter2" not in repr(snapshot.values)


# --- What is bounded, and what is broken ------------------------------------------------------------------------------


def test_stacks_beyond_the_limit_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jfr_pools, "STACKS", 1)
    snapshot = read(chunk([period(), sample(1), sample(2), sample(0)]))
    assert set(chains(snapshot.of(EventKind.CPU))) == {
        ("[main]", MAIN, RUN),
        ("[main]", "(stack not kept)"),
        ("[main]",),
    }
    assert snapshot.notes == ("A part of the recording has more stacks than are kept.",)


def test_reading_can_be_stopped() -> None:
    data = chunk([sample(1)] * 100_000)
    done: list[int] = []

    def check(bytes_done: int) -> None:
        done.append(bytes_done)
        if bytes_done > 600_000:
            raise Cancelled

    with pytest.raises(Cancelled):
        read_jfr(io.BytesIO(data), "run.jfr", check)
    assert done == sorted(done) and max(done) < 1_000_000
    assert max(later - one for one, later in pairwise(done)) <= jfr_bytes.STEP


def test_the_jdk_command_names_all_events_and_the_stack_depth() -> None:
    command = jfr_command("/opt/jdk/bin/jfr", "a b.jfr")
    assert command[:5] == ["/opt/jdk/bin/jfr", "print", "--json", "--stack-depth", "64"]
    assert command[5] == "--events" and command[-1] == "a b.jfr"
    names = command[6].split(",")
    assert {"jdk.ExecutionSample", "jdk.ThreadPark", "jdk.ActiveSetting", "jdk.JVMInformation"} < set(names)  # fmt: skip
