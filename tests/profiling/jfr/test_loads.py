"""How much of the machine a recorded run and others used."""

from __future__ import annotations

import pytest

from conflens.profiling.jfr.printed_events import PrintedEvents
from conflens.profiling.jfr.recording import Recording
from conflens.profiling.jfr.rows import load_rows
from conflens.profiling.model import Snapshot

SECOND = 1_000_000_000


def recorded(*loads: tuple[float, float], processors: str = "4") -> Snapshot:
    """A recording of one load a second, each the share of the process and that of the whole machine."""
    recording = Recording(load_rows(), "run.jfr", b"")
    recording.span(SECOND, SECOND * (1 + len(loads)))
    recording.processors(processors)
    for second, (own, machine) in enumerate(loads, 1):
        recording.load(second * SECOND, str(own / 2), str(own / 2), str(machine))
    return recording.snapshot("JFR", lambda done: None)


def test_the_process_has_its_share_of_all_processors() -> None:
    found = recorded((0.0, 0.0), (0.5, 0.75), (0.5, 0.75), (0.25, 0.75))
    assert found.seconds == pytest.approx(4.0)
    # The first load says what was before the recording.
    assert found.computing == pytest.approx(4 * 4 * (0.5 + 0.5 + 0.25) / 3)
    assert found.others == pytest.approx((0.25 + 0.25 + 0.5) / 3)


@pytest.mark.parametrize(
    "found",
    [
        recorded((0.0, 0.0), (0.5, 0.5), (0.5, 0.5)),
        recorded(*[(0.5, 0.5)] * 5, processors="many"),
        recorded(*[(float("nan"), 0.5)] * 5),
        recorded(*[(-1.0, 0.5)] * 5),
    ],
)
def test_too_little_tells_nothing(found: Snapshot) -> None:
    assert found.computing == 0


def test_printed_loads_are_read() -> None:
    recording = Recording(load_rows(), "run.json", b"")
    events = PrintedEvents(recording)
    recording.span(SECOND, 5 * SECOND)
    events.take({"type": "jdk.CPUInformation", "values": {"hwThreads": 2}})
    for second in range(5):
        values = {
            "startTime": f"2026-11-28T07:00:0{second}.000000000Z",
            "jvmUser": 0.25,
            "jvmSystem": 0.25,
            "machineTotal": 1.0,
        }
        events.take({"type": "jdk.CPULoad", "values": values})
    found = recording.snapshot("jfr print", lambda done: None)
    assert found.computing == pytest.approx(4 * 2 * 0.5)
    assert found.others == pytest.approx(0.5)
