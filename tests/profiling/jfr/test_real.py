"""Real recordings: the reader against the JDK's own ``jfr``, on a fresh recording and on two kept ones."""

import gzip
import io
import json
import subprocess
from pathlib import Path

import pytest

from conflens.profiling.jfr.binary_reader import jfr_command
from conflens.profiling.jfr.json_reader import read_jfr_json
from conflens.profiling.model import EventKind, Nature, Snapshot, Unit
from profiling.jfr.reading import chains, everything, read
from profiling.jfr.recordings import HERE, jdk, record

GOLDEN = HERE / "golden"


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return record(
        tmp_path_factory.mktemp("recording"), "-Ddb.password=hunter2", "-Djobs=3", "-Xmx256m"
    )


def imported(path: Path) -> Snapshot:
    return read(path.read_bytes(), salt=b"salt")


def test_the_output_of_the_jdk_gives_the_same_snapshot(recording: Path) -> None:
    command = jfr_command(jdk("jfr"), str(recording))
    text = subprocess.run(command, check=True, capture_output=True).stdout
    theirs = read_jfr_json(io.BytesIO(text), "printed", lambda _: None, salt=b"salt")
    ours = imported(recording)
    assert everything(theirs) == everything(ours)
    assert set(theirs.values) == set(ours.values)
    assert abs(theirs.taken - ours.taken) < 1 and abs(theirs.seconds - ours.seconds) < 1


def test_each_kind_is_recorded_where_it_happens(recording: Path) -> None:
    snapshot = imported(recording)
    assert snapshot.format == "JFR" and 0.5 < snapshot.seconds < 60
    expected = {
        EventKind.CPU: ("Busy.compute", Unit.NANOSECONDS),
        EventKind.ALLOCATION: ("Busy.allocate", Unit.BYTES),
        EventKind.LOCK: ("Busy.enter", Unit.NANOSECONDS),
        EventKind.SLEEP: ("Busy.hold", Unit.NANOSECONDS),
        EventKind.WAIT: ("CountDownLatch.await", Unit.NANOSECONDS),
        EventKind.IO: ("Busy.write", Unit.NANOSECONDS),
    }
    for kind, (method, unit) in expected.items():
        series = snapshot.of(kind)
        assert series is not None and series.unit is unit, kind
        assert any(method in name for chain in chains(series) for name in chain), kind
        for frames, _, _ in series.tree.chains():
            assert frames[0].nature is Nature.THREAD
            assert not any("$$Lambda" in frame.owner or "/" in frame.owner for frame in frames)
    assert any(
        "Busy.lambda$work$0" in name
        for chain in chains(snapshot.of(EventKind.CPU))
        for name in chain
    )
    workers = {chain[0] for chain in chains(snapshot.of(EventKind.SLEEP))}
    assert workers == {"[worker-*]", "[main]"}
    blocked = {chain[0]: chain for chain in chains(snapshot.of(EventKind.LOCK))}
    assert any(
        "Busy.acquire" in name for chain in chains(snapshot.of(EventKind.LOCK)) for name in chain
    )
    assert "[blocked-*]" in blocked


def test_a_recording_has_the_configuration_and_no_secret(recording: Path) -> None:
    snapshot = imported(recording)
    values = {(str(value.origin), value.name): value for value in snapshot.values}
    assert values["system property", "jobs"].value == "3"
    assert values["JVM argument", "-Djobs"].value == "3"
    assert values["JVM argument", "-Xmx"].value == "256m"
    assert values["argument", "--jobs"].value == "2"
    assert values["JVM flag", "MaxHeapSize"].value == str(256 << 20)
    assert values["system property", "db.password"].redacted
    assert "hunter2" not in repr(snapshot.values)


def test_the_default_depth_of_the_print_is_explained(recording: Path) -> None:
    command = [jdk("jfr"), "print", "--json", "--events", "jdk.ExecutionSample", str(recording)]
    text = subprocess.run(command, check=True, capture_output=True).stdout
    (note,) = [
        note
        for note in read_jfr_json(io.BytesIO(text), "printed", lambda _: None).notes
        if "frames" in note
    ]
    assert (
        "jfr print --json --stack-depth 64 --events jdk.CPUTimeSample,jdk.ExecutionSample," in note
    )
    assert note.endswith(" FILE.jfr")


@pytest.mark.parametrize("version", ["17", "25"])
def test_kept_recordings(version: str) -> None:
    """Recordings of ``Busy`` by two JDKs, made with ``make_golden.py``, and what that JDK's ``jfr`` said of them."""
    snapshot = read(gzip.decompress((GOLDEN / f"jdk{version}.jfr.gz").read_bytes()))
    expected = json.loads((GOLDEN / f"jdk{version}.json").read_text(encoding="utf-8"))
    assert summary(snapshot) == expected


def summary(snapshot: Snapshot) -> dict[str, object]:
    return {
        str(series.kind): {
            "unit": str(series.unit),
            "period": series.period,
            "chains": sorted(
                [" > ".join(chain), weight, count]
                for chain, (weight, count) in chains(series).items()
            ),
        }
        for series in snapshot.series
    }
