"""What a diagnosis says in figures and sentences."""

import math

import attrs
import pytest

from cli.diagnosed import VIOLATION, analysis, diagnosis
from conflens.diagnosis.report import (
    amount,
    changed,
    difference_text,
    frame_name,
    headline,
    is_compared,
    legible,
    parts_text,
    percent,
    remarks,
    signed,
    value_text,
    weight_text,
)
from conflens.diagnosis.results import Difference, Scale, Total, Value, Verdict
from conflens.flow.results import Dependency
from conflens.profiling.model import EventKind, Frame, Nature, Unit


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (0.0, "0 %"),
        (0.0001, "<0.1 %"),
        (0.042, "4.2 %"),
        (0.09, "9 %"),
        (0.0999, "10 %"),
        (0.336, "34 %"),
        (25.0, "2,500 %"),
        (-0.2, "-20 %"),
        (math.inf, "?"),
    ],
)
def test_percent(share: float, shown: str) -> None:
    assert percent(share) == shown


def test_changes_have_a_sign_and_large_ones_are_factors() -> None:
    assert [signed(share) for share in (0.21, -0.05, 0.0, -0.0001, None)] == [
        "+21 %",
        "-5 %",
        "0 %",
        "0 %",
        "",
    ]
    assert [changed(share) for share in (0.21, 8.9, 12.0, math.inf, None)] == [
        "+21 %",
        "+890 %",
        "13 times",
        "new",
        "",
    ]


@pytest.mark.parametrize(
    ("weight", "unit", "shown"),
    [
        (0, Unit.BYTES, "0"),
        (1, Unit.SAMPLES, "1 sample"),
        (1234, Unit.SAMPLES, "1,234 samples"),
        (2.5, Unit.SAMPLES, "2.50 samples"),
        (999, Unit.NANOSECONDS, "999 ns"),
        (1_234_000, Unit.NANOSECONDS, "1.23 ms"),
        (123.4e9, Unit.NANOSECONDS, "123 s"),
        (12.34e9, Unit.BYTES, "12.3 GB"),
        (1, Unit.BYTES, "1 byte"),
    ],
)
def test_amounts_have_three_digits_and_a_unit(weight: float, unit: Unit, shown: str) -> None:
    assert amount(weight, unit) == shown


def test_weights_are_shown_in_the_scale_of_the_diagnosis() -> None:
    found = diagnosis(analysis())
    shown = [
        weight_text(attrs.evolve(found, scaling=scale), EventKind.CPU, 0.25) for scale in Scale
    ]
    assert shown == ["0.25 ns", "0.25 ns/s", "25 %"]


def test_frames_have_short_names() -> None:
    frames = [
        Frame("java.util.Map$Entry", "getKey", "()V"),
        Frame("a.B", "<init>"),
        Frame("", "main-*", nature=Nature.THREAD),
        Frame("", "frames left out", nature=Nature.OPAQUE),
        Frame("", "a.B$C", nature=Nature.OBJECT),
        Frame("", "memcpy", nature=Nature.NATIVE),
    ]
    assert [frame_name(frame) for frame in frames] == [
        "Map.Entry.getKey",
        "new B",
        "thread main-*",
        "[frames left out]",
        "new B.C",
        "memcpy",
    ]


def test_values_and_differences() -> None:
    values = [
        Value("4", "64", False),
        Value(None, "", False),
        Value("4", "4", True),
        Value(None, None, False, secret=True),
        Value(None, None, True, secret=True),
        None,
    ]
    assert [value_text(value) for value in values] == [
        "4 → 64",
        'not set → ""',
        "4 in both",
        "redacted, differs",
        "redacted, same",
        "",
    ]
    assert difference_text(Difference("x", "flag", None, None, None)) == "differs, redacted"
    assert difference_text(Difference("x", "flag", "1", None, None)) == "1 → not set"


def test_dependencies_are_listed_largest_first_and_only_with_a_share() -> None:
    parts = {Dependency.DIRECT: 0.0, Dependency.BRANCH: 0.1, Dependency.LOOP: 0.3}
    assert parts_text(parts) == "loop 30 %, branch 10 %"


def test_unprintable_characters_are_escaped_and_lines_are_joined() -> None:
    assert legible("a\r\n\tb\x1b[0m\u202e😀") == "a b\ufffd[0m\ufffd😀"


def test_the_headline_uses_run_durations_where_they_are_meaningful() -> None:
    found = diagnosis(analysis())
    longer = attrs.evolve(found, seconds=(3.2, 4.8))
    assert headline(longer) == (
        "The violation takes 50 % longer (3.20 s before, 4.80 s now)."
        " pool.jobs explains 71 % of the difference, disk.sync 9 %."
    )
    assert headline(attrs.evolve(found, seconds=(1.0, 30.0))).startswith(
        "The violation takes 30 times as long (1 s before, 30 s now)."
    )
    for told in ((60.0, 60.5), None):
        assert headline(attrs.evolve(found, seconds=told)).startswith(
            "The violation costs 283 % more CPU time (350 ms before, 1.34 s now)."
        )
    scaled = attrs.evolve(longer, scaling=Scale.SHARE)
    assert "longer" not in headline(scaled)


def test_the_headline_without_a_slow_run_names_no_cause() -> None:
    found = attrs.evolve(diagnosis(analysis()), violated=False, suspects=())
    assert headline(attrs.evolve(found, seconds=(3.0, 3.03))) == (
        "No violation: the second run takes 1 % longer (3 s before, 3.03 s now), and no option is accused."
    )
    assert headline(attrs.evolve(found, seconds=(3.0, 3.0))).startswith(
        "No violation: the second run takes as long as the first (3 s before, 3 s now)"
    )


def test_the_headline_of_kinds() -> None:
    found = diagnosis(analysis())
    quiet = attrs.evolve(found, suspects=())
    sleep = Total(EventKind.SLEEP, Unit.NANOSECONDS, 0.0, 5e9)
    wait = Total(EventKind.WAIT, Unit.NANOSECONDS, 1e9, 99e9)
    lines = [
        headline(attrs.evolve(quiet, totals=totals))
        for totals in (
            (wait, sleep, *found.totals),
            (sleep._replace(before=4.9e9), wait),
            (Total(EventKind.ALLOCATION, Unit.BYTES, 1e6, 40e6),),
            (Total(EventKind.CPU, Unit.SAMPLES, 100.0, 90.0),),
            (),
        )
    ]
    assert lines == [
        "The violation costs 5 s of time asleep where there was none before. No option explains it.",
        "The violation costs 2 % more time asleep (4.90 s before, 5 s now). No option explains it.",
        "The violation costs 40 times as much memory allocation (1 MB before, 40 MB now). No option explains it.",
        "The violation costs 10 % less CPU time (100 samples before, 90 samples now). No option explains it.",
        "The snapshots hold no events.",
    ]


def test_the_headline_names_three_options_and_counts_the_others() -> None:
    found = diagnosis(analysis())
    first = found.suspects[0]
    many = tuple(
        attrs.evolve(first, option=("env", f"o{at}"), explained=0.5 / (at + 1)) for at in range(5)
    )
    assert headline(attrs.evolve(found, suspects=many)).endswith(
        "o0 explains 50 % of the difference, o1 25 %, o2 17 %, 2 more options less."
    )
    unchanged = tuple(attrs.evolve(item, verdict=Verdict.UNCHANGED) for item in many)
    assert headline(attrs.evolve(found, suspects=unchanged)).endswith("No option explains it.")


def test_a_snapshot_that_compares_two_runs_has_a_baseline() -> None:
    found = attrs.evolve(diagnosis(analysis()), baseline=())
    assert is_compared(found)
    assert not is_compared(diagnosis(analysis(), single=True))
    assert next(iter(remarks(found))) == "20 % of what the hotspots add is under no option."
    assert VIOLATION.before == ()
