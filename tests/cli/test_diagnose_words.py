"""What a diagnosis says in figures and sentences."""

import math

import attrs
import pytest

from cli.diagnosed import JOBS, SIZE, SYNC, VIOLATION, analysis, diagnosis
from conflens.diagnosis.evidence import Part, part_of, part_text, rows
from conflens.diagnosis.report import (
    amount,
    changed,
    difference_text,
    frame_name,
    is_compared,
    legible,
    listed_hotspots,
    percent,
    signed,
    value_text,
    weight_text,
)
from conflens.diagnosis.results import Difference, Scale, Total, Under, Value, Verdict
from conflens.diagnosis.summary import headline, remarks
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


def test_unprintable_characters_are_escaped_and_lines_are_joined() -> None:
    assert legible("a\r\n\tb\x1b[0m\u202e😀") == "a b\ufffd[0m\ufffd😀"


def test_the_headline_uses_run_durations_where_they_are_meaningful() -> None:
    found = diagnosis(analysis())
    longer = attrs.evolve(found, seconds=(3.2, 4.8))
    assert headline(longer) == (
        "The slow run takes 50 % longer (3.20 s before, 4.80 s now). Likely causes: pool.jobs (92 % of the"
        " added CPU time, 912 of 990 ms), disk.sync (9.5 %, 93.8 of 990 ms)."
    )
    assert headline(attrs.evolve(found, seconds=(1.0, 30.0))).startswith(
        "The slow run takes 30 times as long (1 s before, 30 s now)."
    )
    for told in ((60.0, 60.5), None):
        assert headline(attrs.evolve(found, seconds=told)).startswith(
            "The slow run costs 283 % more CPU time (350 ms before, 1.34 s now)."
        )
    scaled = attrs.evolve(longer, scaling=Scale.SHARE)
    assert "longer" not in headline(scaled)


def test_the_headline_without_a_slow_run_names_no_cause() -> None:
    found = attrs.evolve(diagnosis(analysis()), violated=False, suspects=())
    assert headline(attrs.evolve(found, seconds=(3.0, 3.03))) == (
        "No cost differs by more than noise: the second run takes 1 % longer (3 s before, 3.03 s now)."
    )
    assert headline(attrs.evolve(found, seconds=(3.0, 3.0))).startswith(
        "No cost differs by more than noise: the second run takes as long as the first (3 s before, 3 s now)"
    )


def test_the_headline_of_kinds() -> None:
    found = diagnosis(analysis())
    quiet = attrs.evolve(found, suspects=(), costs=())
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
        "The slow run costs 5 s of time asleep where there was none before. No option was found that explains it.",
        "The slow run costs 2 % more time asleep (4.90 s before, 5 s now). No option was found that explains it.",
        "The slow run costs 40 times as much memory allocation (1 MB before, 40 MB now). No option was found that explains it.",
        "The second run costs 10 % less CPU time (100 samples before, 90 samples now). No option was found that explains it.",
        "The snapshots hold no events.",
    ]


def test_the_headline_names_three_options_and_counts_the_others() -> None:
    found = diagnosis(analysis())
    first = found.suspects[0]
    many = tuple(
        attrs.evolve(first, option=("env", f"o{at}"), explained=0.5 / (at + 1)) for at in range(5)
    )
    assert headline(attrs.evolve(found, suspects=many)).endswith(
        "Likely causes: o0 (91 % of the added CPU time, 900 of 990 ms), o1 (91 %, 900 of 990 ms),"
        " o2 (91 %, 900 of 990 ms) and 2 more."
    )
    unchanged = tuple(attrs.evolve(item, verdict=Verdict.UNCHANGED) for item in many)
    assert headline(attrs.evolve(found, suspects=unchanged)).endswith(
        "No option was found that explains it."
    )


def test_a_snapshot_that_compares_two_runs_has_a_baseline() -> None:
    found = attrs.evolve(diagnosis(analysis()), baseline=())
    assert is_compared(found)
    assert not is_compared(diagnosis(analysis(), single=True))
    assert next(iter(remarks(found))) == (
        "7.9 % of the added CPU time (78 of 990 ms) ran under no likely cause."
    )
    assert VIOLATION.before == ()


def test_a_part_is_told_beside_its_whole() -> None:
    found = diagnosis(analysis())
    cpu = EventKind.CPU
    texts = [
        part_text(found, part)
        for part in (
            Part(cpu, 906e6, 990e6, True),
            Part(cpu, 990e6, 990e6, True),
            Part(cpu, 1200e6, 990e6, True),
            Part(cpu, 45e6, 1340e6, False),
            Part(cpu, -300e6, -400e6, True),
            Part(EventKind.ALLOCATION, 4096, 12288, True),
        )
    ]
    assert texts == [
        "92 % of the added CPU time, 906 of 990 ms",
        "all of the added CPU time, 990 ms",
        "all of the added CPU time, 990 ms",
        "3.4 % of CPU time, 45 ms of 1.34 s",
        "75 % of the CPU time saved, 300 of 400 ms",
        "33 % of the added memory allocation, 4.10 of 12.3 kB",
    ]


def test_the_part_of_an_option_is_what_more_ran_under_it() -> None:
    found = diagnosis(analysis())
    part = part_of(found, JOBS)
    assert part is not None and part.added
    # 90 % of 1.34 s less 84 % of 0.35 s, of what 1.34 s is more than 0.35 s.
    assert (part.weight, part.whole) == (pytest.approx(912e6), pytest.approx(990e6))
    whole = part_of(found, JOBS, whole_run=True)
    assert whole is not None and not whole.added
    assert (whole.weight, whole.whole) == (pytest.approx(1206e6), pytest.approx(1340e6))
    assert part_of(found, ("env", "unknown")) is None


def test_what_an_option_configures_counts_by_its_chains() -> None:
    """Its conditions and calls enclose nothing of it."""
    found = attrs.evolve(diagnosis(analysis()), under={})
    part = part_of(found, JOBS)
    assert part is not None
    assert (part.weight, part.whole) == (pytest.approx(900e6), pytest.approx(990e6))


def test_a_part_that_grew_while_all_shrank_is_told_as_a_part_of_the_run() -> None:
    found = diagnosis(analysis())
    cheaper = found.totals[0]._replace(before=2000e6)
    shown = part_of(attrs.evolve(found, totals=(cheaper,)), SYNC)
    assert shown is not None and not shown.added
    assert part_text(found, shown) == "7 % of CPU time, 93.8 ms of 1.34 s"


def test_memory_tells_of_an_option_only_if_little_time_does() -> None:
    found = diagnosis(analysis())
    first = found.suspects[0]
    array = attrs.evolve(
        first.causes[0],
        hotspot=found.hotspots[3],
        chain=found.hotspots[3].chains[0],
        explained=0.9,
    )
    both = attrs.evolve(first, causes=(array, *first.causes))
    part = part_of(attrs.evolve(found, suspects=(both,)), JOBS)
    assert part is not None and part.kind is EventKind.CPU
    alone = attrs.evolve(first, causes=(array,))
    part = part_of(attrs.evolve(found, suspects=(alone,)), JOBS)
    assert part is not None and part.kind is EventKind.ALLOCATION


def test_a_single_run_names_the_options_in_the_order_of_the_list() -> None:
    found = diagnosis(analysis(), single=True)
    assert headline(found) == (
        "The run costs 1.34 s of CPU time. Contributing options: pool.jobs (90 % of CPU time, 1.21 of 1.34 s),"
        " disk.sync (7 %, 93.8 ms of 1.34 s), buffer.size (all of memory allocation, 16.4 kB)."
    )
    assert [row.option for row in rows(found)] == [JOBS, SYNC, SIZE]
    nobody = attrs.evolve(found, suspects=())
    assert [row.option for row in rows(nobody)] == [JOBS, SYNC]
    assert "pool.jobs (90 % of CPU time" in headline(nobody)


def test_idle_threads_are_told_in_a_remark_only() -> None:
    found = diagnosis(analysis())
    idle = attrs.evolve(found.hotspots[0], kind=EventKind.SLEEP, after=3e9, idle=True)
    many = attrs.evolve(found, hotspots=(*found.hotspots, idle))
    assert listed_hotspots(many) == listed_hotspots(found)
    assert "Left out: idle threads, 3,000,000,000 samples of time asleep." in remarks(many)


def test_options_that_nobody_suspects_do_not_lead_by_idle_time() -> None:
    found = attrs.evolve(diagnosis(analysis(), single=True), suspects=())
    cpu, sleep, lock = EventKind.CPU, EventKind.SLEEP, EventKind.LOCK
    totals = tuple(Total(kind, Unit.NANOSECONDS, None, 1e9) for kind in (cpu, sleep, lock))
    poll, stripes, work = (("env", name) for name in ("poll", "stripes", "work"))
    under = {
        poll: (Under(sleep, 0.9, {}),),
        stripes: (Under(lock, 0.9, {}),),
        work: (Under(lock, 0.8, {}), Under(cpu, 0.2, {})),
    }
    shown = rows(attrs.evolve(found, totals=totals, under=under))
    assert [(row.option, row.part.kind) for row in shown if row.part] == [
        (work, cpu),
        (stripes, lock),
    ]
