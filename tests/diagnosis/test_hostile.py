"""Profiles that say nothing, nonsense, or more than anybody asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any

import attrs
import pytest

from conflens.base.cancel import Cancelled, CancelToken
from conflens.diagnosis.diagnose import DiagnosisSettings, diagnose
from conflens.diagnosis.results import Diagnosis, Scale
from conflens.profiling.building import FrameTable, TreeBuilder
from conflens.profiling.model import EventKind, Frame, Series, Snapshot, Unit
from diagnosis.notation import Told, frame, snapshots, subject, told

JAVA = """
class Main {
  static int rounds = Integer.getInteger("rounds", 3);
  static boolean sync = Boolean.getBoolean("sync");
  public static void main(String[] args) {
    for (int i = 0; i < rounds; i++) {
      walk(i);
    }
    if (sync) {
      new Thread(() -> step()).start();
    }
  }
  static void walk(int depth) {
    if (depth > rounds) {
      step();
    }
    walk(depth - 1);
    step();
  }
  static void step() {}
}
"""
SCALES = [DiagnosisSettings(scale=scale) for scale in Scale]


def nothing(kind: EventKind = EventKind.CPU, unit: Unit = Unit.SAMPLES) -> Snapshot:
    tree = TreeBuilder(FrameTable()).tree()
    return Snapshot("empty", "collapsed", (Series(kind, unit, tree),), seconds=1.0)


def some() -> Snapshot:
    _, (one,) = snapshots("cpu\nMain.main; Main.walk; Main.step    500", seconds=(1, 1))
    return one


@pytest.mark.parametrize("settings", SCALES, ids=str)
def test_empty_series_give_no_diagnosis(settings: DiagnosisSettings) -> None:
    for before, after in (
        ([], [nothing()]),
        ([nothing()], [nothing()]),
        ([some()], [nothing()]),
        ([nothing()], [some()]),
        ([nothing(), some()], [some()]),
    ):
        found = diagnose(subject(JAVA), before, after, settings)
        assert sum(one.explained for one in found.suspects) <= 1


def test_without_snapshots_or_kinds_a_readable_message_is_shown() -> None:
    bare = Snapshot("bare", "jfr", ())
    with pytest.raises(ValueError, match=r"^there is no snapshot to diagnose$"):
        diagnose(subject(JAVA), [some()], [])
    with pytest.raises(ValueError, match=r"^the snapshots hold no kind of event that is known$"):
        diagnose(subject(JAVA), [bare], [bare])
    with pytest.raises(ValueError, match=r"^no kind of event is in both sides: cpu in the base"):
        diagnose(subject(JAVA), [some()], [bare])
    with pytest.raises(ValueError, match=r"^the snapshots hold no kind of event that is known$"):
        diagnose(subject(JAVA), [], [bare])


def test_weights_in_two_units_cannot_be_compared() -> None:
    timed = nothing(unit=Unit.NANOSECONDS)
    wanted = r"^the weights of cpu are nanoseconds and samples: they cannot be compared$"
    with pytest.raises(ValueError, match=wanted):
        diagnose(subject(JAVA), [some()], [timed])


def test_units_of_timings_must_agree_as_well() -> None:
    one, other = (nothing(EventKind.LOCK, unit) for unit in (Unit.NANOSECONDS, Unit.SAMPLES))
    with pytest.raises(ValueError, match=r"^the weights of lock are [^\n]*$"):
        diagnose(subject(JAVA), [one], [other])


@pytest.mark.parametrize("settings", SCALES, ids=str)
@pytest.mark.parametrize(
    "chain",
    [
        "org.other.App.main; org.other.Store.write",
        "org.other.App.main; org.other.App.lambda$main$0; org.other.App$$Lambda$12.run",
        "(frames left out)",
        "[worker]",
        "~read",
        "{byte[]}",
        "Main.gone; Main.also",
        "Main$9.run; Main$Gone.call",
        "-",
    ],
)
def test_a_profile_of_another_project_gives_no_diagnosis(
    chain: str, settings: DiagnosisSettings
) -> None:
    for profile in (f"cpu\n{chain}    100 -> 900", f"cpu\n{chain}    900"):
        found = told(JAVA, profile, settings, seconds=(1.0, 9.0))
        assert found.order == []
        assert found.diagnosis.heat == {}
        assert found.diagnosis.under == {}


def test_zeros_are_not_weights() -> None:
    rows = "Main.main; Main.walk; Main.step"
    for profile in (f"cpu\n{rows}    0 -> 0", f"cpu\n{rows}    0"):
        assert told(JAVA, profile).order == []
    counted = told(JAVA, f"cpu ms counted\n{rows}    0/5 -> 0/500000")
    assert counted.explained("rounds") == 0


@pytest.mark.parametrize("settings", SCALES, ids=str)
def test_weights_of_maximum_size(settings: DiagnosisSettings) -> None:
    most = 2**62
    found = told(
        JAVA,
        f"""
        cpu ns
        Main.main; Main.walk; Main.step     1/1 -> {most}/{most}
        Main.main                           {most}/{most} -> 1/1
        sleep ns
        Main.main                           {most}/1 -> {most}/{most}
        """,
        settings,
        seconds=(1e-9, 1e12),
    )
    assert 0 <= sum(one.explained for one in found.diagnosis.suspects) <= 1 + 1e-9


def test_an_unknown_duration_of_one_run_is_no_duration() -> None:
    found = told(
        JAVA,
        """
        cpu
        Main.main; Main.walk; Main.step     500 500 -> 900 900
        """,
        seconds=((0.0, 0.0), (3.0, 0.0)),
    )
    assert found.diagnosis.seconds is None
    assert found.diagnosis.violated


def test_a_diagnosis_can_be_cancelled() -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        diagnose(subject(JAVA), [some()], [some()], token=token)


# -- work --------------------------------------------------------------------------------------

Chains = Callable[[int], Sequence[list[Frame]]]
MAIN, WALK, STEP = frame("Main.main"), frame("Main.walk"), frame("Main.step")
RUN, LAMBDA = frame("java.lang.Thread.run"), frame("Main.lambda$main$0")


def wide(size: int) -> list[list[Frame]]:
    """Many methods of one name that a governed call may mean."""
    return [[MAIN, WALK, Frame(f"org.other.Step{at}", "step")] for at in range(size // 2)]


def deep(size: int) -> list[list[Frame]]:
    """Recursion as deep as importers let it be, over and over."""
    depth = 1_000
    return [
        [MAIN, *[WALK] * depth, Frame("org.other.A", f"m{at}"), STEP]
        for at in range(size // depth)
    ] + [[MAIN, *[WALK] * at, STEP] for at in range(1, depth)]


def threads(size: int) -> list[list[Frame]]:
    """Many threads that all begin with the same work, each below other frames."""
    return [[Frame(f"org.other.Pool{at}", "run"), LAMBDA, STEP] for at in range(size // 3)]


def runs_of(chains: Sequence[list[Frame]]) -> list[Snapshot]:
    """Return two runs; in the second every other chain weighs three times as much."""
    runs = []
    for side in (1, 3):
        table = FrameTable()
        builder = TreeBuilder(table)
        for at, chain in enumerate(chains):
            weight = 100 * side if at % 2 else 100
            builder.add([table.number(one) for one in chain], weight, weight)
        series = Series(EventKind.CPU, Unit.SAMPLES, builder.tree())
        runs.append(Snapshot("run", "collapsed", (series,)))
    return runs


def calls_of(runs: Sequence[Snapshot]) -> tuple[int, Diagnosis]:
    """Return the number of calls that a diagnosis takes."""
    what = subject(JAVA)
    count = 0

    def note(_: FrameType, event: str, __: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        found = diagnose(what, [runs[0]], [runs[1]])
    finally:
        sys.setprofile(before)
    return count, found


@pytest.mark.parametrize("shape", [wide, deep, threads])
def test_work_is_linear_in_the_tree(shape: Chains) -> None:
    little, _ = calls_of(runs_of(shape(2_000)))
    much, found = calls_of(runs_of(shape(16_000)))
    assert much <= 12 * little
    assert sum(one.explained for one in found.suspects) <= 1 + 1e-9


def test_a_tree_of_fifty_thousand_nodes_is_diagnosed_completely() -> None:
    chains = [*wide(50_000), *deep(10_000), *threads(24_000)]
    before, after = runs_of(chains)
    assert len(after.series[0].tree) > 50_000
    found = diagnose(subject(JAVA), [before], [after])
    assert found.violated
    assert 0 < len(found.hotspots) <= DiagnosisSettings().hotspots
    assert Told(found).explained("rounds") <= 1


def test_at_most_the_requested_number_of_hotspots_and_chains() -> None:
    _, (run,) = snapshots("cpu\nMain.main; Main.walk; Main.step    500\nMain.main    90\n")
    wanted = DiagnosisSettings(hotspots=1, chains=1)
    found = diagnose(subject(JAVA), [], [run], wanted)
    assert [len(one.chains) for one in found.hotspots] == [1]


def test_a_program_without_flows_and_a_profile_of_it() -> None:
    bare = subject("class Main { static void main() { walk(); } static void walk() {} }")
    found = diagnose(attrs.evolve(bare, modified={}), [some()], [some()])
    assert (found.suspects, found.violated) == ((), False)
